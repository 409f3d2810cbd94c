import { expect, test } from 'vitest';
import { createIdentity } from './identity.js';

test('is made once for what it comes from, and anew for something else', () => {
  let source = { name: 'one' };
  const identity = createIdentity(
    () => ({ ...source }),
    () => source,
  );
  const first = identity();
  expect(first.meta).toEqual({ 'io.modelcontextprotocol/serverInfo': { name: 'one' } });
  expect(JSON.parse(first.json)).toEqual(first.meta);
  expect(identity()).toBe(first);
  source = { name: 'other' };
  expect(identity().json).toBe('{"io.modelcontextprotocol/serverInfo":{"name":"other"}}');
});
