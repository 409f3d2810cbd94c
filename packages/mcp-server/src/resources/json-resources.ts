import type { Listed } from '@automatosx/contracts';
import type { CompletionQuestion, ResourceSource } from './resource.js';
import { uriTemplate, type Variables } from './uri-template.js';

export const MIME_TYPE = 'application/json';

/** How much of a collection is shown. */
export const NEWEST = { limit: 100, offset: 0 };

/** One more than an answer holds, so that it can say that there are more. */
export const COMPLETIONS = 101;

/** A resource, or where its URI has variables a template: what it is, and how it is read, watched and completed. */
export interface Route {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  /** Undefined where there is nothing of this name that the principal may see. */
  readonly read: (names: Variables, principal: string) => Promise<object | undefined>;
  readonly stamp: (names: Variables, principal: string) => Promise<string>;
  readonly complete?: (question: CompletionQuestion) => Promise<readonly string[]>;
}

/** Resources that are read as JSON text, and are there only to be read (INV-MCP-RES-001, INV-MCP-RES-003). */
export function jsonResources(routes: readonly Route[]): ResourceSource {
  const matchers = routes.map((route) => ({ route, match: uriTemplate(route.uri) }));
  const find = (uri: string) => {
    for (const { route, match } of matchers) {
      const names = match(uri);
      if (names) return { route, names };
    }
    return undefined;
  };

  return {
    resources: routes.filter((route) => !isTemplate(route)).map((route) => ({ uri: route.uri, ...shown(route) })),
    templates: routes.filter(isTemplate).map((route) => ({ uriTemplate: route.uri, ...shown(route) })),
    read: async (uri, { principal }) => {
      const found = find(uri);
      const value = await found?.route.read(found.names, principal);
      return value && [{ uri, mimeType: MIME_TYPE, text: JSON.stringify(value) }];
    },
    stamp: (uri, principal) => {
      const found = find(uri);
      return found?.route.stamp(found.names, principal);
    },
    complete: async (question) => {
      const route = routes.find(({ uri }) => uri === question.of);
      const isAsked = route?.uri.includes(`{${question.argument}}`);
      return (isAsked && (await route?.complete?.(question))) || [];
    },
  };
}

const isTemplate = ({ uri }: Route): boolean => uri.includes('{');

const shown = ({ name, description }: Route) => ({ name, description, mimeType: MIME_TYPE });

/** A collection as it is read: the newest of it, how many there are in all, and whether there are more. */
export const collection = <T>(
  name: string,
  { items, total, next }: Listed<T>,
  toShown: (item: T) => object,
): Record<string, unknown> => ({ [name]: items.map(toShown), total, hasMore: next !== undefined });
