import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { openEvents, openSession, postForEvents, statelessRequest } from '../../support/http-requests.js';
import { startHttp } from '../../support/http-server.js';
import { temporaryFolder } from '../../support/paths.js';

const tokensFor = (...subjects: string[]) =>
  JSON.stringify({
    server: { tokens: subjects.map((subject) => ({ subject, env: `${subject.toUpperCase()}_TOKEN` })) },
  });

/** What ada keeps open, and when each of it has ended. */
async function openAll(url: string, token: string) {
  const headers = { authorization: `Bearer ${token}` };
  const session = await openSession(url, { headers });
  const listen = statelessRequest('subscriptions/listen', { notifications: { toolsListChanged: true } }, headers);
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, 'mcp', { headers });
  socket.on('error', () => {});
  await once(socket, 'open');
  const streams = await Promise.all([
    openEvents(`${url}/mcp`, { headers: session.headers }),
    openEvents(`${url}/sse`, { headers }),
    postForEvents(url, listen.message, listen.headers),
  ]);
  expect(streams.map(({ status }) => status)).toEqual([200, 200, 200]);
  return [...streams.map(({ ended }) => ended), once(socket, 'close').then(() => {})];
}

test('what was opened with a token that is taken back ends, and nothing else does', { timeout: 60_000 }, async () => {
  const file = join(temporaryFolder(), 'config.json');
  writeFileSync(file, tokensFor('ada', 'bob'));
  const env = { ADA_TOKEN: 'the token of ada', BOB_TOKEN: 'the token of bob' };
  const { url } = await startHttp({ args: ['--config', file], env });
  const adas = await openAll(url, env.ADA_TOKEN);
  const bobs = await openAll(url, env.BOB_TOKEN);
  let hasBobLost = false;
  for (const ended of bobs) void ended.then(() => (hasBobLost = true));
  writeFileSync(file, tokensFor('bob'));
  await Promise.all(adas);
  expect(hasBobLost).toBe(false);
});
