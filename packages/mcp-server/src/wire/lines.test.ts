import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLineSplitter, type Line } from './lines.js';

const splitter = (maxBytes = 1000) => createLineSplitter(() => maxBytes);
const textsOf = (lines: readonly Line[]) => lines.map((line) => (line.kind === 'text' ? line.text : line.kind));

test('each line is given with its size in bytes', () => {
  expect(splitter()(Buffer.from('a\nü\n'))).toEqual([
    { kind: 'text', text: 'a', sizeBytes: 1 },
    { kind: 'text', text: 'ü', sizeBytes: 2 },
  ]);
});

test('however the bytes are cut, the lines are the same', () => {
  const line = fc.string({ unit: 'grapheme', maxLength: 20 }).map((text) => text.replace(/[\r\n\ufeff]/g, ''));
  fc.assert(
    fc.property(fc.array(line), fc.array(fc.nat(300)), (lines, cuts) => {
      const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(''));
      const split = splitter();
      const found: Line[] = [];
      let start = 0;
      for (const end of [...[...cuts].sort((one, other) => one - other), bytes.length]) {
        found.push(...split(bytes.subarray(start, end)));
        start = Math.min(end, bytes.length);
      }
      expect(textsOf(found)).toEqual(lines.filter((text) => text !== ''));
    }),
  );
});

test('empty lines are passed over, and a CR before the end of a line is not part of it', () => {
  expect(textsOf(splitter()(Buffer.from('\n\r\n\na\r\n\r\nb\rc\n')))).toEqual(['a', 'b\rc']);
});

test('a line without its end is kept back', () => {
  const split = splitter();
  expect(split(Buffer.from('half'))).toEqual([]);
  expect(textsOf(split(Buffer.from(' a line\n')))).toEqual(['half a line']);
});

test('a line that comes byte by byte is copied together, and the pieces are let go', () => {
  const split = splitter(10_000);
  const text = 'abcdefghij'.repeat(410);
  const sent = Buffer.from(text);
  for (let at = 0; at < sent.length; at++) expect(split(sent.subarray(at, at + 1))).toEqual([]);
  // What is overwritten now and still kept as a piece would show up in the line.
  sent.fill('?', 0, 4 * 1025);
  expect(textsOf(split(Buffer.from('!\nnext\n')))).toEqual([`${text}!`, 'next']);
});

test('a line that comes byte by byte is told to be too long as any other', () => {
  const split = splitter(3000);
  const told = Array.from({ length: 5000 }, () => split(Buffer.from('x'))).flat();
  expect(textsOf(told)).toEqual(['too-large']);
  expect(textsOf(split(Buffer.from('\nnext\n')))).toEqual(['next']);
});

test('bytes that are no UTF-8 are told, and the next line is read', () => {
  expect(textsOf(splitter()(Buffer.from([0x61, 0xff, 0x0a, 0x62, 0x0a])))).toEqual(['not-utf8', 'b']);
});

test('a byte order mark is passed over', () => {
  expect(textsOf(splitter()(Buffer.from('\ufeffa\n')))).toEqual(['a']);
});

test('a line that is too long is told once, as soon as that is known, and the next line is read', () => {
  const split = splitter(4);
  expect(textsOf(split(Buffer.from('four\nfive!')))).toEqual(['four', 'too-large']);
  expect(split(Buffer.from('and more'))).toEqual([]);
  expect(textsOf(split(Buffer.from('and more\nnext\nagain too long\nlast\n')))).toEqual(['next', 'too-large', 'last']);
});

test('the limit may change while a line is under way', () => {
  let limit = 100;
  const split = createLineSplitter(() => limit);
  expect(split(Buffer.from('twelve bytes'))).toEqual([]);
  limit = 5;
  expect(textsOf(split(Buffer.from(' and more\nshort\n')))).toEqual(['too-large', 'short']);
});
