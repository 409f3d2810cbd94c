import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fetched, type Headers, openEvents, openSession, post, rpc, stateless } from '../../support/http-requests.js';
import { type RunningServer, startHttp, startHttpServer } from '../../support/http-server.js';
import { temporaryFolder } from '../../support/paths.js';
import { run } from '../../support/run.js';

let server: RunningServer;
let url: string;
beforeAll(async () => {
  server = await startHttpServer({ program: 'fixture' });
  url = server.url;
});
afterAll(() => server.stop());

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };
const UPGRADE = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
  'sec-websocket-protocol': 'mcp',
};

/** The head of what the server answers to a request for a WebSocket. */
const upgrade = (headers: Headers, { port } = server): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const all = { host: `127.0.0.1:${port}`, ...UPGRADE, ...headers };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
    socket.write(['GET /ws HTTP/1.1', ...lines, '', ''].join('\r\n'));
    socket.once('data', (chunk) => {
      resolve(chunk.toString());
      socket.destroy();
    });
  });

describe('the Host', () => {
  test.each(['127.0.0.1:PORT', 'localhost:PORT', '[::1]:PORT', 'LocalHost:PORT'])('%s is ours', async (name) => {
    const host = name.replace('PORT', String(server.port));
    expect((await openSession(url, { headers: { host } })).opening.status).toBe(200);
    expect(await upgrade({ host })).toMatch(/^HTTP\/1.1 101 /);
  });

  test.each([
    'localhost.evil:PORT',
    'localhost.:PORT',
    '127.0.0.1.:PORT',
    'evil.example:PORT',
    'localhost:1',
    'localhost',
    '127.0.0.2:PORT',
    '0.0.0.0:PORT',
    'user@localhost:PORT',
  ])('%s is 403 everywhere', async (name) => {
    const host = name.replace('PORT', String(server.port));
    expect((await post(url, PING, { host })).status).toBe(403);
    for (const path of ['/mcp', '/sse', '/messages', '/metrics', '/healthz', '/readyz', '/nothing']) {
      expect([path, (await fetched(`${url}${path}`, { headers: { host } })).status]).toEqual([path, 403]);
    }
    expect(await upgrade({ host })).toMatch(/^HTTP\/1.1 403 /);
  });
});

describe('the Origin', () => {
  test.each(['https://evil.example', 'null', 'http://localhost:1', 'http://localhost.evil', ''])(
    '%j is 403 everywhere, and no page is told that it may read',
    async (origin) => {
      const session = await openSession(url);
      const headers = { ...session.headers, origin };
      const answers = [
        await post(url, PING, headers),
        await fetched(`${url}/mcp`, { headers: { ...headers, accept: 'text/event-stream' } }),
        await fetched(`${url}/mcp`, { method: 'DELETE', headers }),
        await fetched(`${url}/mcp`, {
          method: 'OPTIONS',
          headers: { origin, 'access-control-request-method': 'POST' },
        }),
        await fetched(`${url}/sse`, { headers }),
      ];
      for (const answer of answers) {
        expect(answer.status).toBe(403);
        expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
      }
      const refused = await upgrade({ origin });
      expect(refused).toMatch(/^HTTP\/1.1 403 /);
      expect(refused.toLowerCase()).not.toContain('access-control');
      expect((await rpc(url, session, 'ping')).status).toBe(200);
    },
  );

  test('that the configuration allows may call, after asking first', async () => {
    const config = join(temporaryFolder(), 'config.json');
    writeFileSync(config, '{"server": {"allowedOrigins": ["https://app.example.com"]}}');
    const own = await startHttp({ args: ['--config', config], env: { AUTOMATOSX_TOKEN: 't' } });
    const origin = 'https://app.example.com';
    const preflight = await fetched(`${own.url}/mcp`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,mcp-session-id',
      },
    });
    expect(preflight).toMatchObject({
      status: 204,
      headers: { 'access-control-allow-origin': origin, vary: expect.stringContaining('Origin') },
    });
    expect(preflight.headers['access-control-allow-headers']).toContain('authorization');
    expect(preflight.headers['access-control-allow-methods']).toContain('DELETE');
    const { opening } = await openSession(own.url, { headers: { origin, authorization: 'Bearer t' } });
    expect(opening.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': expect.stringMatching(/mcp-session-id/i),
    });
    expect(await upgrade({ origin, authorization: 'Bearer t' }, own)).toMatch(/^HTTP\/1.1 101 /);
    expect((await post(own.url, PING, { origin: `${origin}.evil`, authorization: 'Bearer t' })).status).toBe(403);
  });
});

test.each([
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/jsonp',
  '',
])('a POST of %j, as a form of any page can send it, is 415', async (type) => {
  const headers = { 'content-type': type, accept: '*/*' };
  const body = JSON.stringify(PING);
  for (const path of ['/mcp', '/messages?sessionId=x']) {
    const { status } = await fetched(`${url}${path}`, { method: 'POST', headers, body });
    expect([path, status]).toEqual([path, path === '/mcp' ? 415 : expect.toSatisfy((s: number) => s >= 400)]);
  }
});

test.each(['0.0.0.0', '::'])('listening on %s without a token refuses to start, and says why', async (host) => {
  const { code, stderr } = await run(['--transport', 'http', '--port', '0', '--host', host]);
  expect(code).not.toBe(0);
  expect(stderr).toContain('AUTOMATOSX_TOKEN');
  expect(stderr).not.toContain('    at ');
});

describe('tokens', () => {
  let guarded: RunningServer;
  beforeAll(async () => {
    const home = temporaryFolder();
    const tokens = ['ann', 'bob'].map((subject) => ({ subject, env: `TOKEN_OF_${subject.toUpperCase()}` }));
    writeFileSync(join(home, 'config.json'), JSON.stringify({ server: { tokens } }));
    const env = { TOKEN_OF_ANN: 'token-of-ann', TOKEN_OF_BOB: 'token-of-bob' };
    guarded = await startHttpServer({ home, env, program: 'fixture' });
  });
  afterAll(() => guarded.stop());
  const as = (name: string) => ({ authorization: `Bearer token-of-${name}` });

  test.each(['', 'Bearer', 'Bearer ', 'Bearer wrong', 'Bearer token-of-anna', 'Basic token-of-ann', 'token-of-ann'])(
    '%j is 401 on every path that holds data',
    async (authorization) => {
      const headers: Headers = authorization === '' ? {} : { authorization };
      for (const path of ['/mcp', '/sse', '/metrics', '/nothing']) {
        const answer = await fetched(`${guarded.url}${path}`, { headers });
        expect([path, answer.status]).toEqual([path, 401]);
        expect(answer.headers['www-authenticate']).toMatch(/^Bearer/);
      }
      expect((await post(guarded.url, PING, headers)).status).toBe(401);
      expect(await upgrade(headers, guarded)).toMatch(/^HTTP\/1.1 401 /);
    },
  );

  test('are not needed to ask whether the server lives', async () => {
    for (const path of ['/healthz', '/readyz']) expect((await fetched(`${guarded.url}${path}`)).status).toBe(200);
    expect((await fetched(`${guarded.url}/metrics`, { headers: as('ann') })).status).toBe(200);
    expect(await upgrade(as('bob'), guarded)).toMatch(/^HTTP\/1.1 101 /);
    expect((await fetched(`${guarded.url}/metrics?token=token-of-ann`)).status).toBe(401);
  });

  test('a session is there for whoever opened it, and for nobody else', async () => {
    const session = await openSession(guarded.url, { headers: as('ann') });
    const stolen = { ...session.headers, ...as('bob') };
    expect((await post(guarded.url, PING, stolen)).status).toBe(404);
    expect((await openEvents(`${guarded.url}/mcp`, { headers: stolen })).status).toBe(404);
    expect((await fetched(`${guarded.url}/mcp`, { method: 'DELETE', headers: stolen })).status).toBe(404);
    expect((await rpc(guarded.url, session, 'ping')).status).toBe(200);
    const sse = await openEvents(`${guarded.url}/sse`, { headers: as('ann') });
    while (sse.events.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const headers = { ...as('bob'), 'content-type': 'application/json' };
    const place = `${guarded.url}${sse.events[0]?.data}`;
    expect((await fetched(place, { method: 'POST', headers, body: JSON.stringify(PING) })).status).toBe(404);
    sse.close();
  });

  test('traces and artifacts are shown to whoever caused them, and to nobody else', async () => {
    const [ann, bob] = [
      await openSession(guarded.url, { headers: as('ann') }),
      await openSession(guarded.url, { headers: as('bob') }),
    ];
    const call = async (session: typeof ann, name: string, input: object) =>
      JSON.parse(
        (await rpc(guarded.url, session, 'tools/call', { name, arguments: input })).message.result.content[0].text,
      );
    const { metadata } = await call(ann, 'test_size', { items: 99, length: 20_000 });
    const [trace] = (await call(ann, 'trace_list', { toolName: 'test_size' })).data.traces;
    expect((await call(bob, 'trace_list', { toolName: 'test_size' })).data.traces).toEqual([]);
    for (const name of ['trace_get', 'trace_analyze']) {
      expect((await call(bob, name, { traceId: trace.traceId })).error?.code).toBe('NOT_FOUND');
    }
    for (const uri of [metadata.artifact, `traces://${trace.traceId}`]) {
      expect((await rpc(guarded.url, ann, 'resources/read', { uri })).message.result?.contents).toHaveLength(1);
      expect((await rpc(guarded.url, bob, 'resources/read', { uri })).message.error?.code).toBe(-32002);
    }
    expect((await stateless(guarded.url, 'tools/list')).status).toBe(401);
  });
});
