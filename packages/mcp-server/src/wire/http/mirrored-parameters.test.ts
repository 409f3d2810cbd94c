import { expect, test } from 'vitest';
import { mirroredParameters } from './mirrored-parameters.js';

const marked = (header: unknown) => ({ type: 'string', 'x-mcp-header': header });

test('marked properties are found at any level, with the way to them', () => {
  const schema = {
    type: 'object',
    properties: {
      region: marked('Region'),
      plain: { type: 'string' },
      target: {
        type: 'object',
        properties: { tenant: marked('Tenant'), deeper: { properties: { id: marked('Id') } } },
      },
    },
  };
  expect(mirroredParameters(schema)).toEqual([
    { name: 'Mcp-Param-Region', path: ['region'] },
    { name: 'Mcp-Param-Tenant', path: ['target', 'tenant'] },
    { name: 'Mcp-Param-Id', path: ['target', 'deeper', 'id'] },
  ]);
});

test('marks that no single value of the arguments belongs to are not reached', () => {
  const inner = { properties: { id: marked('Id') } };
  const schema = {
    'x-mcp-header': 'Whole',
    properties: { list: { type: 'array', items: inner } },
    anyOf: [inner],
    $defs: { inner },
    additionalProperties: inner,
  };
  expect(mirroredParameters(schema)).toEqual([]);
});

test.each([{}, { properties: [] }, { properties: { a: true, b: null } }, { properties: { a: marked(5) } }])(
  'a schema like %j has none',
  (schema) => {
    expect(mirroredParameters(schema)).toEqual([]);
  },
);

test('a schema is walked once', () => {
  const schema = { properties: { region: marked('Region') } };
  expect(mirroredParameters(schema)).toBe(mirroredParameters(schema));
});
