import { setTimeout as sleep } from 'node:timers/promises';
import { type RelayedResult, relay, type ToolContext } from '@automatosx/mcp-runtime';
import { PNG, text, WAV } from './media.js';

const NO_ARGUMENTS = { type: 'object', properties: {} };

export type Run = (input: Record<string, string>, context: ToolContext) => Promise<RelayedResult>;

export const tool = (name: string, run: Run, inputSchema: Record<string, unknown> = NO_ARGUMENTS) =>
  relay({ name, description: `${name}, for the conformance suite`, inputSchema }, run as never, { category: 'query' });

const image = { type: 'image', data: PNG, mimeType: 'image/png' };

const embedded = (uri: string, mimeType: string, value: string) => ({
  type: 'resource',
  resource: { uri, mimeType, text: value },
});

/** Exactly what the suite prescribes, keyword by keyword. */
const SCHEMA_2020_12 = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

const MIRRORED = {
  type: 'object',
  properties: {
    region: { type: 'string', 'x-mcp-header': 'Region' },
    priority: { type: 'integer', 'x-mcp-header': 'Priority' },
    query: { type: 'string' },
  },
  required: ['region', 'query'],
};

const withLogging: Run = async (_input, { log }) => {
  log('info', 'Tool execution started');
  await sleep(50);
  log('info', 'Tool processing data');
  await sleep(50);
  log('info', 'Tool execution completed');
  return { content: [text('The tool has logged three times.')] };
};

/** Tools that answer in every shape of content, log, report progress and fail. */
export const contentTools = [
  tool('test_simple_text', async () => ({ content: [text('This is a simple text response for testing.')] })),
  tool('test_image_content', async () => ({ content: [image] })),
  tool('test_audio_content', async () => ({ content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] })),
  tool('test_embedded_resource', async () => ({
    content: [embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  })),
  tool('test_multiple_content_types', async () => ({
    content: [
      text('Multiple content types test:'),
      image,
      embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  })),
  tool('test_tool_with_logging', withLogging),
  tool('test_logging_tool', withLogging),
  tool('test_error_handling', async () => ({
    isError: true,
    content: [text('This tool intentionally returns an error for testing')],
  })),
  tool('test_tool_with_progress', async (_input, { progress }) => {
    for (const done of [0, 50, 100]) {
      progress({ progress: done, total: 100 });
      await sleep(50);
    }
    return { content: [text('The tool has reported its progress.')] };
  }),
  tool('test_reconnection', async (_input, { log }) => {
    log('info', 'The answer comes on a stream');
    await sleep(100);
    return { content: [text('The stream was not lost.')] };
  }),
  tool('json_schema_2020_12_tool', async () => ({ content: [text('ok')] }), SCHEMA_2020_12),
  tool('test_headers', async () => ({ content: [text('ok')] }), MIRRORED),
];
