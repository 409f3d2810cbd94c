import * as z from 'zod';

/**
 * Any JSON value, passed on as it is. `z.json()` would walk and copy what the limits layer has already walked,
 * and a copy loses a key named `__proto__`.
 */
export const json = z.custom<unknown>((value) => value !== undefined, { error: 'Expected a JSON value' });

/** Any JSON object, passed on as it is. */
export const jsonObject = z
  .custom<Record<string, unknown>>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), {
    error: 'Expected an object',
  })
  .meta({ type: 'object' });

/** The same, of at most this many bytes. */
export const smallObject = (maxBytes: number) =>
  jsonObject.refine((value) => Buffer.byteLength(JSON.stringify(value)) <= maxBytes, {
    error: `Too big: expected at most ${maxBytes} bytes of JSON`,
  });
