import fc from 'fast-check';
import { expect, test } from 'vitest';
import { excessOf } from './excess.js';

const fields = (count: number) => Array.from({ length: count }, (_, index) => `"${index}":1`).join(',');
const padding = `"pad":"${'x'.repeat(400_000)}"`;

test('what is short is not looked at', () => {
  expect(excessOf(`[${'[],'.repeat(100_000)}1]`)).toBeUndefined();
  expect(excessOf('')).toBeUndefined();
});

test('an object may have 100,000 fields, not one more', () => {
  expect(excessOf(`{"id":1,"params":{${fields(100_000)}}}`)).toBeUndefined();
  expect(excessOf(`{"id":1,"params":{${fields(100_001)}}}`)).toEqual({
    reason: 'An object has more than 100000 fields',
    id: 1,
  });
});

test('many objects with few fields each are fine', () => {
  const rows = Array.from({ length: 50_000 }, () => '{"a":1,"b":"x","c":[1,{"d":2}]}').join(',');
  expect(excessOf(`{"id":1,"params":{"rows":[${rows}]}}`)).toBeUndefined();
});

test('there may be 500,000 containers, not one more', () => {
  expect(excessOf(`[${'[],'.repeat(499_999)}1]`)).toBeUndefined();
  expect(excessOf(`[${'[],'.repeat(500_000)}1]`)?.reason).toBe('There are more than 500000 objects and lists');
  expect(excessOf('['.repeat(600_000))?.reason).toMatch(/objects and lists/);
  expect(excessOf(']'.repeat(600_000))).toBeUndefined();
});

test.each(['[', '{', ':', '[\\"{', '\\\\', '\\\\\\"['])('%j in a text counts for nothing', (part) => {
  expect(excessOf(`{"text":"${part.repeat(600_000)}"}`)).toBeUndefined();
});

test('the id is found wherever it stands, and only as the id of the message', () => {
  const params = `"params":{"id":"inner",${fields(100_001)}}`;
  const idOf = (text: string) => excessOf(text)?.id;
  expect(idOf(`{"id":"first",${params}}`)).toBe('first');
  expect(idOf(`{${params}, "id" : -7 }`)).toBe(-7);
  expect(idOf(`{${params},"id":"a \\"quoted\\" one"}`)).toBe('a "quoted" one');
  expect(idOf(`{${params}}`)).toBeNull();
  expect(idOf(`{${params},"id":null}`)).toBeNull();
  expect(idOf(`{${params},"id":"half`)).toBeNull();
  expect(idOf(`{${params},"id":"bad \\escape"}`)).toBeNull();
  expect(idOf(`{${params},"id":12345678901234567890}`)).toBeNull();
  expect(idOf(`{${params},"name":"id"}`)).toBeNull();
});

test('whatever else a long text says, it is neither refused nor does it fail', () => {
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string({ unit: 'binary' })), (text) => {
      expect(excessOf(`{${padding},"value":${text}}`)).toBeUndefined();
    }),
    { numRuns: 30 },
  );
});
