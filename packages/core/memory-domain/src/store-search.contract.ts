import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { toNewEntry } from './entry.js';
import type { CreateMemory, MemoryWorld } from './store.contract.js';

const page = { limit: 100, offset: 0 };

export function memorySearchContract(create: CreateMemory): void {
  let world: MemoryWorld;
  beforeEach(() => {
    world = create();
  });
  const put = (key: string, value: unknown = 1, namespace = 'default') =>
    world.store.put(toNewEntry({ namespace, key, value }));
  const search = async (text: string, where: 'key' | 'value' | 'both' = 'key', namespace?: string) => {
    const { items, total } = await world.store.search({ text, in: where, namespace, page });
    expect(total).toBe(items.length);
    return items.map(({ key }) => key);
  };

  describe('keys', () => {
    test('finds keys that contain the text, newest first, with their values', async () => {
      for (const key of ['user/alice', 'bob/user', 'carol']) await put(key, { of: key });
      await put('user/alice', 'again');
      expect(await search('user')).toEqual(['user/alice', 'bob/user']);
      const { items } = await world.store.search({ text: 'alice', in: 'key', page });
      expect(items).toMatchObject([{ key: 'user/alice', json: '"again"', version: 2, namespace: 'default' }]);
    });

    test('tells upper from lower case, and accented from plain', async () => {
      for (const key of ['Report', 'report', 'REPORT', 'rapport é']) await put(key);
      expect(await search('report')).toEqual(['report']);
      expect(await search('Rep')).toEqual(['Report']);
      expect(await search('RE')).toEqual(['REPORT']);
      expect(await search('rt e')).toEqual([]);
    });

    test('one and two characters are found like longer ones', async () => {
      for (const key of ['abc', 'cab', 'b', 'ab']) await put(key);
      expect(await search('b')).toEqual(['ab', 'b', 'cab', 'abc']);
      expect(await search('ab')).toEqual(['ab', 'cab', 'abc']);
      expect(await search('B')).toEqual([]);
      expect(await search('ab', 'key', 'other')).toEqual([]);
    });

    test.each([
      ['"', 'say "hi"', 'say hi'],
      ['"hi"', 'say "hi"', 'say hi'],
      ["o'c", "five o'clock", 'five oclock'],
      ['*', 'a*b', 'ab'],
      ['a*b', 'xa*by', 'xaab'],
      ['%', '100%', '100'],
      ['a%b', 'a%b', 'axb'],
      ['_', 'a_b', 'a-b'],
      ['a_b', 'a_b', 'axb'],
      ['AND', 'this AND that', 'this and that'],
      ['NEAR(', 'NEAR(a b)', 'NEAR a'],
      ['a OR b', 'x a OR b y', 'a'],
      ['^abc', '^abc', 'abc'],
      ['key:', 'key: x', 'key'],
      ['a"b"c', '-a"b"c-', 'abc'],
      ['\u{1F600}', 'a\u{1F600}b', 'a\u{1F601}b'],
      ['\u{1F600}\u{1F601}', 'x\u{1F600}\u{1F601}', '\u{1F601}\u{1F600}'],
      ['\u{1F600}\u{1F601}\u{1F602}', 'x\u{1F600}\u{1F601}\u{1F602}y', '\u{1F600}\u{1F601}'],
      ['漢', '日本漢字', '日本'],
      ['本漢', '日本漢字', '日本'],
      ['日本漢字', '新日本漢字', '日本'],
      ['  ', 'a  b', 'a b'],
      ['\\', 'a\\b', 'a/b'],
      ['e\u0301', 'cafe\u0301', 'café'],
    ])('%j is found in %j and not in %j', async (text, found, other) => {
      for (const key of [found, other]) await put(key);
      expect(await search(text)).toEqual([found]);
      expect(await search(text, 'key', 'default')).toEqual([found]);
    });

    test('a namespace narrows the search', async () => {
      await put('task one', 1, 'a');
      await put('task two', 1, 'b');
      expect(await search('task', 'key', 'a')).toEqual(['task one']);
      expect(await search('task')).toEqual(['task two', 'task one']);
    });

    test('a text with a NUL finds nothing and is no error', async () => {
      await put('abc');
      for (const text of ['\0', 'a\0', 'abc\0', 'a\0bc']) expect(await search(text, 'both')).toEqual([]);
    });

    test('what was deleted or overwritten is not found twice or again', async () => {
      await put('entry one');
      await put('entry two');
      await put('entry one');
      await world.store.delete('default', 'entry two');
      expect(await search('entry')).toEqual(['entry one']);
      await world.store.deleteMany('default', { prefix: 'entry' });
      expect(await search('entry')).toEqual([]);
      expect(await search('1', 'value')).toEqual([]);
    });
  });

  describe('values', () => {
    test('finds every word, its beginning, numbers and nested values, but no names of fields', async () => {
      await put('nested', { title: 'Quarterly Report', list: [{ note: 'draft' }, 2026, -3.5], ok: true });
      for (const text of ['report', 'QUART', 'quarterly draft', '2026', '3.5', 'draft report', '20']) {
        expect(await search(text, 'value')).toEqual(['nested']);
      }
      for (const text of ['title', 'eport', 'true', 'report missing', 'nested']) {
        expect(await search(text, 'value')).toEqual([]);
      }
    });

    test('takes letters with and without diacritics for the same', async () => {
      await put('precomposed', 'Café Zürich');
      await put('combining', 'Cafe\u0301 Zu\u0308rich');
      for (const text of ['cafe', 'café', 'cafe\u0301', 'CAFÉ', 'zurich zürich']) {
        expect(await search(text, 'value')).toEqual(['combining', 'precomposed']);
      }
    });

    test.each([
      ['हिन्दी', 'हिन्दी भाषा'],
      ['ภาษาไทย', 'ภาษาไทย'],
      ['தமிழ்', 'தமிழ் மொழி'],
      ['עִבְרִית', 'עִבְרִית'],
      ['العَرَبِيَّة', 'العَرَبِيَّة'],
      ['日本語', '日本語です'],
      ['한국어', '한국어 말'],
      ['x\u{1E4D0}y', 'x\u{1E4D0}y'],
      ['a\uE000b', 'a\uE000b'],
    ])('finds the word %s', async (text, value) => {
      await put('word', value);
      await put('other', 'nothing of it');
      expect(await search(text, 'value')).toEqual(['word']);
    });

    test.each([
      '"',
      '*',
      '-',
      'AND',
      'NEAR(',
      'a AND',
      '"a" OR',
      'a NOT b',
      '(',
      '\u{1F600}',
      '{words}: a',
      '^a',
      '+a',
    ])('%j is text, not an operator', async (text) => {
      await put('letters', 'a b');
      await expect(search(text, 'value')).resolves.toBeInstanceOf(Array);
      await expect(search(text, 'both')).resolves.toBeInstanceOf(Array);
    });

    test('is found by the new words after overwriting, and no longer by the old ones', async () => {
      await put('k', 'before');
      await put('k', 'after');
      expect([await search('before', 'value'), await search('after', 'value')]).toEqual([[], ['k']]);
    });

    test('the end of a very long value is not found, and is no error even if it cuts a character', async () => {
      await put('long', `${'a'.repeat(19_990)} begin \u{1F600}\u{1F600}${'b'.repeat(100)} end`);
      await put('cut', `${'a'.repeat(19_999)}\u{1F600}`);
      expect(await search('begin', 'value')).toEqual(['long']);
      expect(await search('end', 'value')).toEqual([]);
    });
  });

  test('both finds keys by substring and values by words, each entry once', async () => {
    await put('alpha', 'beta');
    await put('alphabet', 'alpha');
    await put('gamma', 'Alpha centauri');
    await put('delta', 'alp');
    expect(await search('alpha', 'both')).toEqual(['gamma', 'alphabet', 'alpha']);
    expect(await search('al', 'both')).toEqual(['delta', 'gamma', 'alphabet', 'alpha']);
    expect(await search('ha', 'both')).toEqual(['alphabet', 'alpha']);
    expect(await search('alpha', 'both', 'other')).toEqual([]);
  });

  test('no text whatever makes a search fail, and every key is found by each part of it', async () => {
    const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(text, fc.nat(), fc.nat(), async (key, start, length) => {
        if (key.includes('\0')) return;
        await put(key, key);
        const points = [...key];
        const from = start % points.length;
        const part = points.slice(from, from + 1 + (length % points.length)).join('');
        const { items } = await world.store.search({ text: part, in: 'key', page });
        expect(items.map((item) => item.key)).toContain(key);
        await search(part, 'value');
        await search(part, 'both');
        await world.store.delete('default', key);
      }),
      { numRuns: 100 },
    );
  });
}
