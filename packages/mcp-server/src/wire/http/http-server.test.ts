import { networkInterfaces } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import {
  envelopeOf,
  fetched,
  openEvents,
  openSession,
  rpc,
  stateless,
} from '../../../../../tests/support/http-requests.js';
import { rawSocket } from '../../../../../tests/support/raw-socket.js';
import { servedHttp } from '../../../../../tests/support/served-http.js';
import { slowTools } from '../../../../../tests/support/websocket-client.js';

const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));

describe('an address', () => {
  test('that the network can reach is refused where strangers would be let in', async () => {
    await expect(servedHttp({ host: '0.0.0.0' })).rejects.toThrow(
      /0\.0\.0\.0 is open to the network.*AUTOMATOSX_TOKEN/,
    );
  });

  test('that the network can reach is served where a token is needed', async () => {
    const { port } = await servedHttp({ host: '0.0.0.0', environment: { AUTOMATOSX_TOKEN: 'right' } });
    const url = `http://127.0.0.1:${port}`;
    expect((await fetched(`${url}/metrics`)).status).toBe(401);
    expect((await fetched(`${url}/metrics`, { headers: { authorization: 'Bearer right' } })).status).toBe(200);
  });

  test('that is in use is refused, and says what to do', async () => {
    const { port } = await servedHttp();
    await expect(servedHttp({ port })).rejects.toThrow(`127.0.0.1:${port} cannot be listened on: it is in use; --port`);
  });

  test('that is none of this machine is refused, with the reason', async () => {
    const environment = { AUTOMATOSX_TOKEN: 'right' };
    await expect(servedHttp({ host: '192.0.2.1', environment })).rejects.toThrow(
      /192\.0\.2\.1:0 cannot be listened on/,
    );
  });

  test.skipIf(!hasIpv6).each(['::1', '[::1]'])('%s is told in brackets', async (host) => {
    const { url, port } = await servedHttp({ host });
    expect(url).toBe(`http://[::1]:${port}`);
    expect((await fetched(`${url}/healthz`)).status).toBe(200);
  });
});

test('a token whose variable is not set is told of in the log', async () => {
  const tokens = [
    { subject: 'ada', env: 'ADA' },
    { subject: 'bob', env: 'BOB' },
  ];
  const { logged } = await servedHttp({ settings: { server: { tokens } }, environment: { ADA: 'a' } });
  expect(logged).toEqual(['warn: A token is configured whose variable is not set: nobody gets in with it']);
});

describe('the end', () => {
  test('refuses a request that was begun before it and came after', async () => {
    const { tools, seen } = slowTools();
    const { url, port, close } = await servedHttp({ extra: { tools } });
    const called = stateless(url, 'tools/call', { name: 'test_wait', arguments: { ms: 300 } });
    await vi.waitFor(() => expect(seen.started).toBe(1));
    const { send, received, closed } = await rawSocket(port);
    await send(Buffer.from('GET /healthz HTTP/1.1\r\n'));
    await sleep(50);
    const ended = close();
    await send(Buffer.from(`Host: ${new URL(url).host}\r\n\r\n`));
    await Promise.all([ended, closed]);
    expect(received().toString()).toMatch(/^HTTP\/1\.1 503 .*"SERVICE_UNAVAILABLE"/s);
    expect(envelopeOf(await called).success).toBe(true);
  });

  test('waits for what is under way in sessions and without, and answers it', async () => {
    const { tools, seen } = slowTools();
    const { url, close } = await servedHttp({ extra: { tools } });
    const session = await openSession(url);
    const params = { name: 'test_wait', arguments: { ms: 200 } };
    const called = [rpc(url, session, 'tools/call', params), stateless(url, 'tools/call', params)];
    await vi.waitFor(() => expect(seen.started).toBe(2));
    await close();
    for (const answer of await Promise.all(called)) expect(envelopeOf(answer).success).toBe(true);
    expect(seen.cancelled).toBe(0);
    await expect(fetched(`${url}/healthz`)).rejects.toThrow();
  });

  test('ends streams, and connections that nobody uses', async () => {
    const { url, close } = await servedHttp();
    const { headers } = await openSession(url);
    const streams = [await openEvents(`${url}/mcp`, { headers }), await openEvents(`${url}/sse`)];
    await fetch(`${url}/healthz`);
    const started = performance.now();
    await close();
    await Promise.all(streams.map(({ ended }) => ended));
    expect(performance.now() - started).toBeLessThan(3000);
  });

  test('interrupts what does not end in five seconds, and says why', async () => {
    const { tools, seen } = slowTools();
    const { url, close } = await servedHttp({ extra: { tools } });
    const session = await openSession(url);
    const called = rpc(url, session, 'tools/call', { name: 'test_wait', arguments: { ms: 20_000 } });
    await vi.waitFor(() => expect(seen.started).toBe(1));
    await sleep(10);
    await close();
    expect(envelopeOf(await called).error).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      context: { toolCode: 'SERVER_STOPPING' },
    });
  });
});
