import { expect, test } from 'vitest';
import { textOf } from '../../support/database.js';
import { fetched, openSession, post, rpc, stateless } from '../../support/http-requests.js';
import { startHttp } from '../../support/http-server.js';

const SECRET = `sk-${'Zy9xWv6uTs3rQp0oNm7l'.repeat(2)}`;
const TOKEN = 'bearer-sentinel-that-nobody-guesses';

test('a secret in arguments, the bearer header or the URL reaches no log, trace, metric or error', async () => {
  const env = { AUTOMATOSX_TOKEN: TOKEN };
  const server = await startHttp({ program: 'fixture', args: ['--log-level', 'debug'], env });
  const { url } = server;
  const authorization = `Bearer ${TOKEN}`;
  const session = await openSession(url, { headers: { authorization } });
  const call = (name: string, input: object) => rpc(url, session, 'tools/call', { name, arguments: input });
  await call('test_echo', { password: SECRET, text: `use ${SECRET}`, authorization });
  const errors = [
    await call('test_bug', { message: `it broke with ${SECRET}` }),
    await call('memory_store', { key: 'k', [SECRET]: 1 }),
    await fetched(`${url}/mcp?token=${SECRET}`, { headers: { authorization } }),
    await fetched(`${url}/${SECRET}`, { headers: { authorization } }),
    await fetched(`${url}/messages?sessionId=${SECRET}`, { method: 'POST', headers: { authorization } }),
    await post(url, { jsonrpc: '2.0', id: 1, method: 'ping' }, { authorization: `Bearer ${SECRET}` }),
    await post(url, { jsonrpc: '2.0', id: 1, method: 'ping' }, { authorization, 'mcp-session-id': SECRET }),
    await post(url, `{"jsonrpc": ${SECRET}`, session.headers),
    await stateless(url, 'tools/list'),
  ];
  const metrics = await fetched(`${url}/metrics`, { headers: { authorization } });
  const traces = await call('trace_list', { limit: 100 });
  const told = JSON.stringify([errors, metrics.text, traces.text]);
  await server.stop();
  await expect.poll(() => server.stderr()).toContain('A request has ended');
  for (const [where, text] of Object.entries({ told, stderr: server.stderr(), stored: await textOf(server.home) })) {
    for (const secret of [SECRET, TOKEN]) expect([where, text.includes(secret)]).toEqual([where, false]);
  }
});

test('no answer names a path of the host or shows a stack', async () => {
  const { url, home } = await startHttp({ program: 'fixture' });
  const session = await openSession(url);
  const answers = [
    session.opening,
    await rpc(url, session, 'tools/call', { name: 'test_bug', arguments: { message: 'x' } }),
    await rpc(url, session, 'tools/call', { name: 'config_show', arguments: {} }),
    await rpc(url, session, 'tools/call', { name: 'trace_list', arguments: {} }),
    await rpc(url, session, 'resources/read', { uri: 'file:///etc/passwd' }),
    await post(url, '{', session.headers),
    await post(url, { jsonrpc: '2.0', id: 1, method: 'ping' }, { 'content-type': 'text/plain' }),
    ...(await Promise.all(
      ['/readyz', '/metrics', '/nothing', '/mcp', '/%2e%2e/%2e%2e/etc/passwd', '/..%2f'].map((path) =>
        fetched(`${url}${path}`),
      ),
    )),
  ];
  const text = answers.map((answer) => answer.text + JSON.stringify(answer.headers)).join('\n');
  expect(text).not.toContain(home);
  expect(text).not.toMatch(/at \w+ \(|\.js:\d+|node_modules|root:x/);
});
