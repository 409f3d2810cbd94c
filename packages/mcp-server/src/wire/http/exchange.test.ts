import { describe, expect, test, vi } from 'vitest';
import { ask, fetched } from '../../../../../tests/support/http-requests.js';
import { servedBy } from '../../../../../tests/support/served-http.js';
import type { Reply } from '../../protocol/connection-options.js';
import { exchange, sessionStatus, statelessStatus } from './exchange.js';
import { createMessageStream } from './message-stream.js';
import { type Refusal, sendRefusal } from './refusal.js';

const BOTH = 'application/json, text/event-stream';
const answer = '{"jsonrpc":"2.0","id":1,"result":{}}';
const progress = '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":1}}';
const failure = (id: unknown, code: number) => JSON.stringify({ jsonrpc: '2.0', id, error: { code, message: 'no' } });

/** An exchange whose work is the test's; `codes` is what came of each. */
async function exchanging(work: (reply: Reply) => unknown, statusOf: (code: number) => number = sessionStatus) {
  const codes: number[] = [];
  const url = await servedBy((request, response) => {
    exchange({
      request,
      response,
      openStream: () => {
        const stream = createMessageStream({ id: '' });
        stream.attach(response);
        return stream;
      },
      work: async (reply) => void (await work(reply)),
      headers: { 'mcp-session-id': 's-1' },
      statusOf,
    }).then(
      (code) => codes.push(code),
      (error: Refusal) => sendRefusal(response, error),
    );
  });
  const send = (accept = BOTH) => fetched(url, { method: 'POST', headers: { accept } });
  return { url, codes, send };
}

const kindOf = ({ headers }: Awaited<ReturnType<typeof fetched>>) => headers['content-type'];

describe('the answer', () => {
  test('is JSON where there is one message', async () => {
    const { send, codes } = await exchanging((reply) => reply(answer, true));
    const given = await send();
    expect([given.status, kindOf(given), given.text]).toEqual([200, 'application/json', answer]);
    expect(given.headers['mcp-session-id']).toBe('s-1');
    expect(codes).toEqual([0]);
  });

  test('is 202 without a body where nothing is due', async () => {
    const { send, codes } = await exchanging(() => {});
    const given = await send();
    expect([given.status, given.text, given.headers['mcp-session-id']]).toEqual([202, '', 's-1']);
    expect(codes).toEqual([0]);
  });

  test('is a stream where more comes before it', async () => {
    const { send, codes } = await exchanging((reply) => {
      reply(progress, false);
      reply(failure(1, -32603), true);
    });
    const given = await send();
    expect([given.status, kindOf(given), given.headers['mcp-session-id']]).toEqual([200, 'text/event-stream', 's-1']);
    expect(given.messages).toEqual([JSON.parse(progress), JSON.parse(failure(1, -32603))]);
    expect(codes).toEqual([-32603]);
  });

  test('is a stream where it takes more than five seconds, before there is anything to tell', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      let finish: () => void = () => {};
      let begin: () => void = () => {};
      const begun = new Promise<void>((resolve) => {
        begin = resolve;
      });
      const { url } = await exchanging(async (reply) => {
        begin();
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
        reply(answer, true);
      });
      const asked = ask(url, { method: 'POST', headers: { accept: BOTH } });
      await begun;
      vi.advanceTimersByTime(5000);
      const response = await asked;
      expect(response.headers['content-type']).toBe('text/event-stream');
      finish();
      let text = '';
      for await (const chunk of response) text += chunk;
      expect(text).toBe(`event: message\ndata: ${answer}\n\n`);
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('a client that accepts', () => {
  const talking = (reply: Reply) => {
    reply(progress, false);
    reply(answer, true);
  };

  test.each(['application/json', 'application/*', 'Application/JSON', 'application/json;q=0.5'])(
    '%s alone gets the end, and not what came before',
    async (accept) => {
      const given = await (await exchanging(talking)).send(accept);
      expect([given.status, kindOf(given), given.text]).toEqual([200, 'application/json', answer]);
    },
  );

  test.each(['text/event-stream', 'text/*'])('%s alone gets a stream, also of one message', async (accept) => {
    const given = await (await exchanging((reply) => reply(answer, true))).send(accept);
    expect([given.status, kindOf(given), given.messages]).toEqual([200, 'text/event-stream', [JSON.parse(answer)]]);
  });

  test('everything, or does not say, gets what fits', async () => {
    const { send, url } = await exchanging(talking);
    expect(kindOf(await send('*/*'))).toBe('text/event-stream');
    expect(kindOf(await fetched(url, { method: 'POST' }))).toBe('text/event-stream');
  });

  test('neither is refused before any work is done', async () => {
    const work = vi.fn();
    const { send } = await exchanging(work);
    expect((await send('text/html')).status).toBe(406);
    expect(work).not.toHaveBeenCalled();
  });
});

describe('an error', () => {
  test.each([1, -5, 'a', null, 'with "quotes", \\ and ,', 'x'.repeat(100_000)])(
    'is known by its code, whatever its id',
    async (id) => {
      const { send, codes } = await exchanging((reply) => reply(failure(id, -32600), true));
      expect((await send()).status).toBe(400);
      expect(codes).toEqual([-32600]);
    },
  );

  test('is not seen in a result that looks like one', async () => {
    const text = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { error: { code: -32600 } } });
    const { send, codes } = await exchanging((reply) => reply(text, true));
    expect((await send()).status).toBe(200);
    expect(codes).toEqual([0]);
  });

  test('in a batch is one of its answers, and not that of the whole', async () => {
    const { send, codes } = await exchanging((reply) => reply(`[${failure(1, -32600)},${answer}]`, true));
    expect((await send()).status).toBe(200);
    expect(codes).toEqual([0]);
  });

  test('for being busy says when to come again', async () => {
    const { send } = await exchanging((reply) => reply(failure(1, -32000), true));
    const { status, headers } = await send();
    expect([status, headers['retry-after']]).toEqual([429, '1']);
  });
});

test.each([
  [0, 200, 200],
  [-32700, 400, 400],
  [-32600, 400, 400],
  [-32601, 200, 404],
  [-32602, 200, 200],
  [-32603, 200, 200],
  [-32002, 200, 200],
  [-32020, 200, 400],
  [-32021, 200, 400],
  [-32022, 200, 400],
])('%i travels with %i in a session and with %i in the stateless era', (code, session, stateless) => {
  expect([sessionStatus(code), statelessStatus(code)]).toEqual([session, stateless]);
});

test.each([
  ['RATE_LIMITED', 429],
  ['SERVICE_UNAVAILABLE', 503],
])('-32000 with %s travels with %i and when to come again', async (code, status) => {
  const error = { code: -32000, message: 'later', data: { code } };
  const { send } = await exchanging((reply) => reply(JSON.stringify({ jsonrpc: '2.0', id: 1, error }), true));
  const given = await send();
  expect([given.status, given.headers['retry-after']]).toEqual([status, '1']);
});

test('what comes before the end goes elsewhere for a client that takes no stream', async () => {
  const elsewhere: string[] = [];
  const url = await servedBy((request, response) => {
    void exchange({
      request,
      response,
      openStream: () => createMessageStream({ id: '' }),
      elsewhere: (message) => void elsewhere.push(message),
      work: async (reply) => {
        reply(progress, false);
        reply(answer, true);
      },
      statusOf: sessionStatus,
    });
  });
  const given = await fetched(url, { method: 'POST', headers: { accept: 'application/json' } });
  expect([given.text, elsewhere]).toEqual([answer, [progress]]);
});
