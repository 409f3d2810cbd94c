import { createCancellation, InputRequired } from '@automatosx/mcp-runtime';
import { describe, expect, test, vi } from 'vitest';
import { HandshakeClient, isAnswer, missingCapability, StatelessClient } from './client-port.js';
import { createClientRequests } from './client-requests.js';

const ALL = { sampling: {}, elicitation: {}, roots: {} };
const ROOTS = { method: 'roots/list' } as const;
const NAME = { method: 'elicitation/create', params: { mode: 'form', message: 'Your name?' } } as const;
const SAMPLE = { method: 'sampling/createMessage', params: { messages: [], maxTokens: 5 } } as const;

/** Data as JSON gives it: `__proto__` is a key like any other. */
const parsed = (json: string) => JSON.parse(json);

function handshake(capabilities: object = ALL, cancellation = createCancellation()) {
  const sent: { id: string; method: string; params?: { requestId?: string } }[] = [];
  const requests = createClientRequests(() => {
    throw new Error('A question goes the way that its call came');
  });
  const way = { send: (message: string) => void sent.push(JSON.parse(message)), cancellation };
  const client = new HandshakeClient(capabilities as Record<string, unknown>, requests, way);
  return { sent, requests, client, cancellation };
}

const missing = (name: string) =>
  expect.objectContaining({
    code: 'SERVICE_UNAVAILABLE',
    message: `The client does not offer ${name}, which this call needs`,
    context: { requiredCapabilities: { [name]: {} } },
  });

describe('a client of the handshake era', () => {
  test('is asked everything at once, and its answers come back by the same keys', async () => {
    const { client, sent, requests } = handshake();
    const asked = client.ask({ folders: ROOTS, name: NAME });
    expect(sent.map(({ method }) => method)).toEqual(['roots/list', 'elicitation/create']);
    requests.settle({ id: sent[1]?.id, result: { action: 'decline' } });
    requests.settle({ id: sent[0]?.id, result: { roots: [] } });
    expect(await asked).toEqual({ folders: { roots: [] }, name: { action: 'decline' } });
  });

  test('may be asked under any key', async () => {
    const { client, sent, requests } = handshake();
    const asked = client.ask(parsed('{"__proto__":{"method":"roots/list"}}'));
    requests.settle({ id: sent[0]?.id, result: { roots: [] } });
    expect(JSON.stringify(await asked)).toBe('{"__proto__":{"roots":[]}}');
  });

  test('that refuses makes the call fail', async () => {
    const { client, sent, requests } = handshake();
    const asked = client.ask({ folders: ROOTS });
    requests.settle({ id: sent[0]?.id, error: { code: -1, message: 'no' } });
    await expect(asked).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: 'roots/list was not answered: The client refused',
    });
  });

  test('has ten minutes to answer, and is then told that it need not any more', async () => {
    vi.useFakeTimers();
    try {
      const { client, sent } = handshake();
      const asked = client.ask({ name: NAME }).catch((error: Error) => error.message);
      await vi.advanceTimersByTimeAsync(599_999);
      expect(sent).toHaveLength(1);
      await vi.advanceTimersByTimeAsync(1);
      expect(await asked).toMatch(/^elicitation\/create was not answered/);
      expect(sent[1]).toMatchObject({ method: 'notifications/cancelled', params: { requestId: sent[0]?.id } });
    } finally {
      vi.useRealTimers();
    }
  });

  test('is told that it need not answer when the call is cancelled', async () => {
    const { client, sent, cancellation } = handshake();
    const asked = client.ask({ folders: ROOTS }).catch((error: Error) => error.message);
    cancellation.cancel(new Error('enough'));
    expect(await asked).toMatch(/cancelled/);
    expect(sent[1]).toMatchObject({ method: 'notifications/cancelled', params: { requestId: sent[0]?.id } });
  });

  test('is not asked by a call that was cancelled before', async () => {
    vi.useFakeTimers();
    try {
      const { client, sent, cancellation } = handshake();
      cancellation.cancel(new Error('enough'));
      const failure = await client.ask({ folders: ROOTS }).catch((error: Error) => error.message);
      expect(failure).toMatch(/The call that asked was cancelled/);
      expect(sent.filter(({ method }) => method === 'roots/list')).toEqual([]);
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  test('is not asked anything where it cannot do one of the things', async () => {
    const { client, sent } = handshake({ roots: {} });
    await expect(client.ask({ folders: ROOTS, name: NAME })).rejects.toEqual(missing('elicitation'));
    expect(sent).toEqual([]);
  });
});

describe('a stateless client', () => {
  const asking = (responses: object, capabilities: object = ALL) =>
    new StatelessClient(capabilities as Record<string, unknown>, responses as Record<string, unknown>);
  const openOf = (client: StatelessClient, requests: Parameters<StatelessClient['ask']>[0]) =>
    client.ask(requests).then(
      () => undefined,
      (error: unknown) => (error as InputRequired).requests,
    );

  test('that has sent no answers ends the call with its questions', async () => {
    await expect(asking({}).ask({ folders: ROOTS })).rejects.toBeInstanceOf(InputRequired);
    expect(await openOf(asking({}), { folders: ROOTS, name: NAME })).toEqual({ folders: ROOTS, name: NAME });
  });

  test('that has sent all of them is not asked again', async () => {
    const given = { folders: { roots: [] }, name: { action: 'accept', content: { name: 'Ada' } }, more: 1 };
    expect(await asking(given).ask({ folders: ROOTS, name: NAME })).toEqual({
      folders: given.folders,
      name: given.name,
    });
  });

  test('is asked again only for what is missing', async () => {
    expect(await openOf(asking({ folders: { roots: [] } }), { folders: ROOTS, name: NAME })).toEqual({ name: NAME });
  });

  test.each([null, 'yes', [], {}, { action: 'perhaps' }, { roots: [] }])(
    'that answers a question to a person with %j is asked again',
    async (answer) => {
      expect(await openOf(asking({ name: answer }), { name: NAME })).toEqual({ name: NAME });
    },
  );

  test('that cannot do it is told so instead of being asked', async () => {
    await expect(asking({}, { roots: {} }).ask({ text: SAMPLE })).rejects.toEqual(missing('sampling'));
    await expect(asking({}, { sampling: true }).ask({ text: SAMPLE })).rejects.toEqual(missing('sampling'));
  });

  test('needs no capability for what it has answered already', async () => {
    const given = { folders: { roots: [] } };
    expect(await asking(given, {}).ask({ folders: ROOTS })).toEqual(given);
  });

  test.each(['__proto__', 'constructor', 'toString'])('has answered %s only if it has said so', async (key) => {
    const question = parsed(`{"${key}":{"method":"roots/list"}}`);
    const open = await openOf(asking({}), question);
    expect(JSON.stringify(open)).toBe(JSON.stringify(question));
    const answers = await asking(parsed(`{"${key}":{"roots":[]}}`)).ask(question);
    expect(JSON.stringify(answers)).toBe(`{"${key}":{"roots":[]}}`);
  });
});

test.each([
  [ROOTS, { roots: [] }, true],
  [ROOTS, { roots: {} }, false],
  [ROOTS, [], false],
  [NAME, { action: 'accept' }, true],
  [NAME, { action: 'decline' }, true],
  [NAME, { action: 'cancel' }, true],
  [NAME, { action: ['accept'] }, false],
  [NAME, {}, false],
  [SAMPLE, { role: 'assistant', content: { type: 'text', text: 'Hello' } }, true],
  [SAMPLE, { role: 'assistant' }, false],
  [SAMPLE, { role: 5, content: {} }, false],
  [SAMPLE, { content: {} }, false],
])('%j is answered by %j: %j', (request, value, isOne) => {
  expect(isAnswer(request, value)).toBe(isOne);
});

test('only a failure for what the client cannot do is an error of the protocol', () => {
  expect(missingCapability({ message: 'no', context: { requiredCapabilities: { roots: {} } } })).toMatchObject({
    code: -32021,
    message: 'no',
    data: { requiredCapabilities: { roots: {} } },
  });
  expect(missingCapability({ message: 'no', context: { other: 1 } })).toBeUndefined();
  expect(missingCapability({ message: 'no' })).toBeUndefined();
});
