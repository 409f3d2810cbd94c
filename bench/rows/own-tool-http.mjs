import { bytesOf, floodHttp, startHttp } from '../lib/http-load.mjs';
import { referencePath, SERVER, temporaryFolder } from '../lib/paths.mjs';
import { interleaved, median, medianRatio } from '../lib/statistics.mjs';

const VALUE = { text: 'The build runs on two cores', tags: ['build', 'ci'], count: 3 };
const CALLS = 10_000;
const IN_FLIGHT = 64;
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** A read through every layer, its trace durable before the answer, against an echo on bare `node:http`. */
export async function measure({ rounds }) {
  const home = temporaryFolder('http');
  const own = await startHttp([SERVER, '--transport', 'http', '--port', '0', '--home', home, '--workspace', home]);
  const echo = await startHttp([referencePath('http-echo')]);
  const session = await openSession(own.url);
  const call = (id, name, input, more = {}) =>
    JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: input, ...more } });
  await request(own.url, call(0, 'memory_store', { key: 'decisions/build', value: VALUE }), session);

  const retrieve = { key: 'decisions/build' };
  const isFound = (text) => text.includes('"found":true');
  const isEchoed = (text) => text.includes('"echo"');
  const run = {
    session: () => load(own, (id) => bytesOf(own.url, call(id, 'memory_retrieve', retrieve), session), isFound),
    stateless: () => {
      const stamped = (id) => call(id, 'memory_retrieve', retrieve, { _meta: META });
      return load(own, (id) => bytesOf(own.url, stamped(id), statelessHeaders), isFound);
    },
    echo: () => load(echo, (id) => bytesOf(echo.url, call(id, 'memory_retrieve', retrieve)), isEchoed),
  };
  await interleaved(1, run); // The compiler needs a while.
  const samples = await interleaved(rounds, run);
  await Promise.all([own.stop(), echo.stop()]);
  return [
    ...linesOf('over /mcp, a session', samples.session, samples.echo),
    ...linesOf('over /mcp, stateless', samples.stateless, samples.echo),
  ];
}

const statelessHeaders = {
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': 'memory_retrieve',
};

const load = (server, postOf, isGood) => floodHttp(server, { calls: CALLS, inFlight: IN_FLIGHT, postOf, isGood });

const request = (url, body, headers) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body,
  });

async function openSession(url) {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } };
  const opened = await request(url, JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params }));
  const session = {
    'mcp-session-id': opened.headers.get('mcp-session-id'),
    'mcp-protocol-version': '2025-11-25',
  };
  await request(url, JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }), session);
  return session;
}

function linesOf(how, own, echo) {
  const line = (field) => ({
    measured: median(own.map((sample) => sample[field])),
    reference: median(echo.map((sample) => sample[field])),
    ratio: medianRatio(
      own.map((sample) => sample[field]),
      echo.map((sample) => sample[field]),
    ),
  });
  return [
    {
      what: `memory_retrieve ${how}, ${IN_FLIGHT} in flight`,
      unit: 'calls/s',
      ...line('perSecond'),
      bar: { atLeast: 0.35 },
      aim: { atLeast: 0.6 },
    },
    { what: `  CPU per call ${how}`, unit: 'µs', ...line('cpuMicroseconds') },
  ];
}
