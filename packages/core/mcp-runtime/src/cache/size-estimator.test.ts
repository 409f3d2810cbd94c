import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { estimateSizeBytes } from './size-estimator.js';

const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
const TOO_LARGE_FOR_ANY_CACHE = 9_007_199_254_740_991;

describe('JSON values', () => {
  test('any JSON value is as large as its JSON in UTF-8', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary', maxDepth: 6 }), (value) => {
        expect(estimateSizeBytes(value)).toBe(jsonBytes(value));
      }),
    );
  });

  test.each([
    ['ascii', 'hello', 7],
    ['escapes', '"\\\n\u0001\u000b', 20],
    ['two, three and four bytes', 'é€😀', 11],
    ['a lone surrogate', '\ud800', 8],
    ['no JSON number', Number.NaN, 4],
    ['minus zero', -0, 1],
    ['members that JSON leaves out', { a: undefined, b: () => 1, c: 1 }, 7],
    ['items that JSON writes as null', [undefined, Symbol('x')], 11],
    ['a date', new Date(0), 26],
    ['empty containers', [{}, []], 7],
  ])('%s', (_name, value, bytes) => {
    expect(estimateSizeBytes(value)).toBe(bytes);
    expect(jsonBytes(value)).toBe(bytes);
  });
});

describe('values that are not JSON', () => {
  test('a cycle ends where it closes', () => {
    const cyclic: { name: string; self?: object } = { name: 'a' };
    cyclic.self = cyclic;
    expect(estimateSizeBytes(cyclic)).toBe(jsonBytes({ name: 'a', self: null }));
  });

  test('shared objects do not multiply: 2^64 leaves are measured at once', () => {
    let value: unknown = ['leaf'];
    for (let level = 0; level < 64; level += 1) value = [value, value];
    expect(estimateSizeBytes(value)).toBeLessThan(1_000);
  });

  test('depth does not overflow the stack', () => {
    let value: unknown = 1;
    for (let level = 0; level < 100_000; level += 1) value = [value];
    expect(estimateSizeBytes(value)).toBe(200_001);
  });

  test('what JSON does not see still takes room', () => {
    expect(estimateSizeBytes(Buffer.alloc(5_000))).toBe(5_000);
    expect(estimateSizeBytes(new ArrayBuffer(5_000))).toBe(5_000);
    expect(estimateSizeBytes(new Map([['key', 'x'.repeat(5_000)]]))).toBeGreaterThan(5_000);
    expect(estimateSizeBytes(new Set(['x'.repeat(5_000)]))).toBeGreaterThan(5_000);
    expect(estimateSizeBytes(1n << 4_000n)).toBe(1_001);
    expect(estimateSizeBytes(undefined)).toBe(4);
  });

  class Endless {
    get next(): Endless {
      return new Endless();
    }
    toJSON() {
      return [this.next];
    }
  }
  const throws = () => {
    throw new Error('no');
  };

  test.each([
    ['a getter that throws', Object.defineProperty({}, 'a', { enumerable: true, get: throws })],
    ['a toJSON that throws', { toJSON: throws }],
    ['a revoked proxy', revokedProxy()],
    ['a structure without end', new Endless()],
    ['a sparse array of 2^32 - 1 items', new Array(4_294_967_295)],
  ])('%s neither hangs nor throws and fits no cache', (_name, value) => {
    expect(estimateSizeBytes(value)).toBe(TOO_LARGE_FOR_ANY_CACHE);
  });
});

function revokedProxy(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}
