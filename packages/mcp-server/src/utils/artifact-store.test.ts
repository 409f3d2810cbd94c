import { ConfigSchema } from '@automatosx/contracts/config';
import { createCache } from '@automatosx/mcp-runtime';
import { openDatabase, sqliteArtifactStore } from '@automatosx/storage';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createArtifactStore } from './artifact-store.js';

const { cache: config } = ConfigSchema.parse({});
let database: ReturnType<typeof openDatabase>;
beforeEach(() => {
  database = openDatabase({ file: ':memory:', synchronous: () => 'normal' });
});
afterEach(() => database.close());

test('a part that is read again comes out of the cache, for its owner only', async () => {
  const stored = sqliteArtifactStore(database, Date.now);
  const read = vi.spyOn(stored, 'read');
  const cache = createCache({ config: () => config, now: Date.now });
  const artifacts = createArtifactStore({ ...stored, read }, cache);
  const id = (await artifacts.add('ada', '"a long answer"')) as string;
  const range = { offset: 1, length: 6 };
  expect(await artifacts.read('ada', id, range)).toEqual({ text: 'a long', totalLength: 15 });
  expect(await artifacts.read('ada', id, range)).toEqual({ text: 'a long', totalLength: 15 });
  expect(read).toHaveBeenCalledTimes(1);
  expect(cache.stats().hitCount).toBe(1);
  expect(await artifacts.read('bob', id, range)).toBeUndefined();
  expect((await artifacts.read('ada', id, { offset: 0, length: 2 }))?.text).toBe('"a');
});
