import type { ProtocolVersion } from '@automatosx/contracts';
import type { Config } from '@automatosx/contracts/config';
import type * as z from 'zod';
import type { Catalog } from '../catalog.js';
import type { Prompt } from '../prompts/prompt.js';
import type { ResourceSource } from '../resources/resource.js';
import type { Tasks } from '../tasks/create-tasks.js';
import type { Announcer } from './announcer.js';
import type { RequestContext } from './request.js';
import { type Era, hasServerDescription } from './versions.js';

/** An object, or the inside of one as JSON text where that is at hand already. */
export type Result = Record<string, unknown> | string;

export interface Method<Params = never> {
  readonly eras: readonly Era[];
  readonly params: z.ZodType<Params>;
  /** How long and for whom the client may keep the result (2026-07-28). */
  readonly cacheable?: { readonly ttlMs: number; readonly cacheScope: 'public' | 'private' };
  /** It may end with questions to the client, and is then asked again with the answers (2026-07-28). */
  readonly asksClient?: boolean;
  /** Lasts until the client or the server ends it. */
  readonly isOpenEnded?: boolean;
  readonly handle: (params: Params, request: RequestContext) => Result | Promise<Result>;
}

export type Methods = readonly (readonly [string, Method])[];

export interface Services {
  readonly catalog: Catalog;
  readonly resources: readonly ResourceSource[];
  readonly prompts: readonly Prompt[];
  readonly announcer: Announcer;
  readonly tasks: Tasks;
  readonly config: () => Config;
  /** The version of this program. */
  readonly version: string;
}

/** Who we are. Later versions know more about a server than earlier ones. */
export function serverInfo(
  { config, version: program }: Pick<Services, 'config' | 'version'>,
  version: ProtocolVersion,
) {
  const { name, version: configured, description } = config().server;
  return { name, version: configured ?? program, ...(hasServerDescription(version) && { description }) };
}
