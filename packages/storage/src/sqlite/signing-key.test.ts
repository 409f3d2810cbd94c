import { expect, test } from 'vitest';
import { openDatabase } from './database.js';
import { signingKey } from './signing-key.js';
import { temporary } from './testing/temporary.js';

const { path } = temporary();

test('is made once, and is the same for all who share the store', async () => {
  const open = () => openDatabase({ file: path('shared.db'), synchronous: () => 'normal' });
  const [one, other] = [open(), open()];
  const first = await signingKey(one, 'a')();
  expect(first).toHaveLength(32);
  expect(await signingKey(other, 'a')()).toEqual(first);
  expect(await signingKey(other, 'b')()).not.toEqual(first);
  await Promise.all([one.close(), other.close()]);
});

test('a store that could not be written to is tried again', async () => {
  const database = openDatabase({ file: path('later.db'), synchronous: () => 'normal' });
  let isDown = true;
  const flaky: typeof database = {
    ...database,
    write: (work) => (isDown ? Promise.reject(new Error('down')) : database.write(work)),
  };
  const key = signingKey(flaky, 'a');
  await expect(key()).rejects.toThrow('down');
  isDown = false;
  expect(await key()).toHaveLength(32);
  await database.close();
});
