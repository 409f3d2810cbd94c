import fc from 'fast-check';

/** Methods that a stranger may try. Not `shutdown`: the server would do it. */
const METHODS = [
  'ping',
  'initialize',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'server/discover',
  'notifications/initialized',
  'notifications/cancelled',
  '__proto__',
  'constructor',
  '',
];

const NAMES = ['__proto__', 'constructor', 'prototype', 'name', 'arguments', '_meta', 'cursor', 'uri', 'key', 'value'];

const name = fc.oneof(fc.constantFrom(...NAMES), fc.string({ unit: 'binary', maxLength: 8 }));
const scalar = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.double(),
  fc.integer(),
  fc.constantFrom(null, true, -0),
);
/** Any JSON as text, with names that objects have of their own: object literals would lose `__proto__`. */
const json: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    scalar.map((value) => JSON.stringify(value) ?? 'null'),
    fc.constantFrom('1e999', '-1e999', '"\\ud800"', '"\\u0000"', '[[[[[[[[[[[[[]]]]]]]]]]]]]'),
    fc.array(tie('value'), { maxLength: 4 }).map((items) => `[${items.join()}]`),
    fc
      .array(fc.tuple(name, tie('value')), { maxLength: 4 })
      .map((fields) => `{${fields.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join()}}`),
  ),
})).value;

const input = fc.oneof(
  json,
  json.map((value) => `{"value":${value}}`),
  json.map((value) => `{"key":"fuzz","namespace":"fuzz","value":${value}}`),
  fc.constant('{"key":"fuzz"}'),
);
const callParams = fc
  .tuple(fc.constantFrom('test_echo', 'memory_retrieve', 'memory_store', 'trace_get', 'nothing', '__proto__'), input)
  .map(([tool, input]) => `{"name":${JSON.stringify(tool)},"arguments":${input}}`);

const declared = fc
  .tuple(fc.oneof(fc.constant('"2026-07-28"'), json), fc.oneof(fc.constant('{}'), json))
  .map(
    ([version, capabilities]) =>
      `{"_meta":{"io.modelcontextprotocol/protocolVersion":${version},"io.modelcontextprotocol/clientCapabilities":${capabilities}}}`,
  );

/** Texts are never twice the same: an id that is under way is refused. Numbers are not those that the client counts. */
let count = 0;
const id = fc.oneof({ weight: 4, arbitrary: fc.constant('') }, { weight: 1, arbitrary: scalar }).map((odd) => {
  if (typeof odd === 'string') return JSON.stringify(`f-${++count}-${odd}`);
  return JSON.stringify(typeof odd === 'number' ? -1 - Math.abs(odd) : odd);
});

const request = fc.oneof(
  fc.tuple(fc.constantFrom(...METHODS), fc.oneof(json, callParams, declared, fc.constant('{}'))),
  fc.tuple(fc.constant('tools/call'), callParams),
  fc.tuple(name, json),
);
const message = fc
  .tuple(id, request)
  .map(
    ([id, [method, params]]) => `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":${params}}`,
  );

const notification = fc
  .tuple(fc.constantFrom('notifications/cancelled', 'notifications/progress', 'tools/call', 'x'), json)
  .map(([method, params]) => `{"jsonrpc":"2.0","method":"${method}","params":${params}}`);

const response = fc
  .tuple(id, fc.constantFrom('result', 'error'), json)
  .map(([id, kind, value]) => `{"jsonrpc":"2.0","id":${id},"${kind}":${value}}`);

const truncated = fc.tuple(message, fc.nat(200)).map(([text, at]) => text.slice(0, Math.min(at, text.length - 1)));

const garbled = fc
  .tuple(message, fc.nat(200), fc.constantFrom('"', '}', '[', ',', '\\', '\t', '\u0000', '0', 'e'))
  .map(
    ([text, at, character]) => `${text.slice(0, at % text.length)}${character}${text.slice((at % text.length) + 1)}`,
  );

const text = fc.oneof(
  { weight: 4, arbitrary: message },
  { weight: 1, arbitrary: fc.oneof(notification, response) },
  { weight: 2, arbitrary: fc.oneof(truncated, garbled) },
  { weight: 1, arbitrary: json },
  { weight: 1, arbitrary: fc.array(fc.oneof(message, notification, json), { maxLength: 5 }).map((all) => `[${all}]`) },
);

const bytes = fc.uint8Array({ maxLength: 40 }).map((raw) => Buffer.from(raw.filter((byte) => byte !== 0x0a)));

/** One line of input, without its end: mostly almost right, sometimes plain noise. */
export const hostileLine: fc.Arbitrary<Buffer> = fc.oneof(
  { weight: 9, arbitrary: text.map((line) => Buffer.from(line)) },
  { weight: 1, arbitrary: bytes },
);
