import type { RequestContext } from '../protocol/request.js';

/** What `resources/list` shows. */
export interface ListedResource {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
}

/** What `resources/templates/list` shows; the template is of RFC 6570. */
export interface ListedTemplate extends Omit<ListedResource, 'uri'> {
  readonly uriTemplate: string;
}

export type Contents = { readonly uri: string; readonly mimeType?: string } & (
  | { readonly text: string }
  | { readonly blob: string }
);

/** Some resources that belong together: how they are listed, read and watched. */
export interface ResourceSource {
  readonly resources: readonly ListedResource[];
  readonly templates: readonly ListedTemplate[];
  /** Undefined where the URI is none of these, or names nothing that the principal may see. */
  read(uri: string, request: RequestContext): Promise<readonly Contents[] | undefined>;
  /** A short text that is another one whenever what the URI names has changed. Undefined where it is none of these. */
  stamp(uri: string, principal: string): Promise<string> | undefined;
  /** Values for a variable of a template that begin with what was typed, the likeliest first. */
  complete?(question: CompletionQuestion): Promise<readonly string[]>;
}

export interface CompletionQuestion {
  /** The template's `uriTemplate`, or the prompt's name. */
  readonly of: string;
  readonly argument: string;
  readonly typed: string;
  /** What was chosen before for the other arguments. */
  readonly chosen: Readonly<Record<string, string>>;
  readonly principal: string;
}
