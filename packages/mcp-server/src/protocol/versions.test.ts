import { HANDSHAKE_VERSIONS, type ProtocolVersion, STATELESS_VERSIONS } from '@automatosx/contracts';
import { describe, expect, test } from 'vitest';
import {
  declaredVersion,
  hasAnnotations,
  hasBatches,
  hasProgressMessage,
  hasServerDescription,
  hasStructuredContent,
  negotiate,
  resourceNotFoundCode,
  toolFor,
} from './versions.js';

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const all: readonly ProtocolVersion[] = [...HANDSHAKE_VERSIONS, ...STATELESS_VERSIONS];

test('a client gets the version that it asks for, else the newest with a handshake', () => {
  expect(HANDSHAKE_VERSIONS.map(negotiate)).toEqual(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']);
  expect(['2026-07-28', '1999-01-01', '', 'constructor'].map(negotiate)).toEqual(Array(4).fill('2025-11-25'));
});

test.each([
  ['batches', hasBatches, ['2025-03-26']],
  ['annotations', hasAnnotations, all.slice(1)],
  ['messages in progress', hasProgressMessage, all.slice(1)],
  ['structured content', hasStructuredContent, all.slice(2)],
  ["a server's description", hasServerDescription, all.slice(3)],
])('which versions have %s', (_what, has, versions) => {
  expect(all.filter(has)).toEqual(versions);
});

test('an unknown resource has a code of its own until 2026-07-28', () => {
  expect(all.map(resourceNotFoundCode)).toEqual([-32002, -32002, -32002, -32002, -32602]);
});

test('a tool is shown as far as a version knows of tools', () => {
  const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
  const tool = { name: 'a', title: 'A', description: 'b', inputSchema: {}, outputSchema: {}, annotations };
  expect(toolFor('2024-11-05', tool)).toEqual({ name: 'a', description: 'b', inputSchema: {} });
  expect(toolFor('2025-03-26', tool)).toEqual({ name: 'a', description: 'b', inputSchema: {}, annotations });
  expect(toolFor('2026-07-28', tool)).toEqual(tool);
});

describe('what a request declares', () => {
  const declare = (meta: unknown) => declaredVersion({ _meta: meta });

  test.each([undefined, null, 'x', [], {}, { _meta: null }, { _meta: [] }, { _meta: {} }])(
    'params %j declare nothing',
    (params) => {
      expect(declaredVersion(params)).toBeUndefined();
    },
  );

  test('the stateless version', () => {
    expect(declare({ [VERSION]: '2026-07-28', [CAPABILITIES]: {} })).toBe('2026-07-28');
  });

  test('another version is refused with those that there are', () => {
    expect(() => declare({ [VERSION]: '2025-11-25', [CAPABILITIES]: {} })).toThrow(
      expect.objectContaining({ code: -32022, data: { supported: ['2026-07-28'], requested: '2025-11-25' } }),
    );
  });

  test.each<unknown>([null, 1, {}, { toString: 1 }, ['2026-07-28']])('a version that is %j is refused', (version) => {
    expect(() => declare({ [VERSION]: version, [CAPABILITIES]: {} })).toThrow(
      expect.objectContaining({ code: -32602 }),
    );
  });

  test.each([undefined, null, [], 'all'])('capabilities that are %j are refused', (capabilities) => {
    expect(() => declare({ [VERSION]: '2026-07-28', [CAPABILITIES]: capabilities })).toThrow(
      expect.objectContaining({ code: -32602 }),
    );
  });
});
