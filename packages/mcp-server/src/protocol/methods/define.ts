import * as z from 'zod';
import type { Method } from '../method.js';
import type { Era } from '../versions.js';

export const BOTH: readonly Era[] = ['handshake', 'stateless'];
export const HANDSHAKE: readonly Era[] = ['handshake'];
export const STATELESS: readonly Era[] = ['stateless'];

export const MINUTE_MS = 60_000;

export const noParams = z.looseObject({}).optional();
export const listParams = z.looseObject({ cursor: z.string().optional() }).optional();

/** A row of the table of methods. */
export const method = <Params>(name: string, definition: Method<Params>): readonly [string, Method] => [
  name,
  definition as unknown as Method,
];
