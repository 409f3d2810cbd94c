import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { cpuSeconds } from './process-usage.mjs';

const running = new Set();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Starts a program that says on stderr where it serves. */
export async function startHttp(words) {
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'pipe'] });
  running.add(child);
  child.once('exit', () => running.delete(child));
  const url = await new Promise((resolve, reject) => {
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (chunk) => {
      said += chunk;
      const found = /Serving MCP at (http\S+\/mcp)/.exec(said)?.[1];
      if (found) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`It ended with ${code}: ${said}`)));
  });
  return {
    url,
    pid: child.pid,
    stop: async () => {
      child.kill();
      await once(child, 'exit');
    },
  };
}

/** The bytes of a POST. */
export function bytesOf(url, body, headers = {}) {
  const { host, pathname } = new URL(url);
  const lines = {
    host,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'content-length': Buffer.byteLength(body),
    ...headers,
  };
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}`);
  return Buffer.from([`POST ${pathname} HTTP/1.1`, ...head, '', body].join('\r\n'));
}

/**
 * Keeps one call under way on each of `inFlight` connections until `calls` are answered. Written straight to sockets, so
 * that both sides of a comparison are measured and not the client; `postOf` gives the bytes for a connection. One answer that is no success ends it all.
 */
export async function floodHttp({ url, pid }, { calls, inFlight, postOf, isGood }) {
  const { hostname, port } = new URL(url);
  let sent = 0;
  const cpuBefore = cpuSeconds(pid);
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: Math.min(inFlight, calls) }, (_, id) => keepAsking(postOf(id))));
  const seconds = (performance.now() - startedAt) / 1000;
  return { perSecond: calls / seconds, cpuMicroseconds: ((cpuSeconds(pid) - cpuBefore) / calls) * 1e6 };

  function keepAsking(post) {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: hostname, port, noDelay: true });
      let text = '';
      const ask = () => {
        if (sent >= calls) {
          socket.destroy();
          return resolve();
        }
        sent += 1;
        socket.write(post);
      };
      socket.once('connect', ask);
      socket.once('error', reject);
      socket.on('data', (chunk) => {
        text += chunk.toString('latin1');
        const end = text.indexOf('\r\n\r\n');
        const length = /content-length: (\d+)/i.exec(text)?.[1];
        if (end === -1 || length === undefined || text.length < end + 4 + Number(length)) return;
        if (!isGood(text)) return reject(new Error(`Not a success: ${text.slice(0, 500)}`));
        text = '';
        ask();
      });
    });
  }
}
