import { referencePath, temporaryFolder } from '../lib/paths.mjs';
import { fineCpuSeconds } from '../lib/process-usage.mjs';
import { interleaved, median, medianRatio } from '../lib/statistics.mjs';
import {
  countLines,
  INITIALIZE,
  INITIALIZED_LINE,
  requestLine,
  StdioClient,
  serverWords,
  startServer,
} from '../lib/stdio-client.mjs';

const HANDSHAKE = [
  requestLine(1, 'initialize', JSON.stringify(INITIALIZE)),
  INITIALIZED_LINE,
  requestLine(2, 'tools/list', '{}'),
].join('');

/** From the start of the process to the first answer to `tools/list`, sent together with `initialize`. */
export async function measure({ rounds }) {
  const home = temporaryFolder('home');
  await (await startServer(home)).stop(); // The data folder is there already, as it is on every day but the first.
  const run = {
    own: () => coldStart(serverWords(home)),
    reference: () => coldStart([referencePath('one-tool-server')]),
  };
  await interleaved(1, run); // Reads the files into the system's cache.
  const { own, reference } = await interleaved(rounds * 3, run);
  const line = (field) => {
    const [measured, expected] = [own, reference].map((samples) => samples.map((sample) => sample[field]));
    return {
      unit: 'ms',
      measured: median(measured),
      reference: median(expected),
      ratio: medianRatio(measured, expected),
    };
  };
  return [
    { what: 'cold start to the tools/list answer', ...line('ms'), bar: { atMost: 1.1 }, aim: { atMost: 0.8 } },
    { what: '  CPU until then', ...line('cpuMs') },
  ];
}

async function coldStart(words) {
  const startedAt = performance.now();
  const client = new StdioClient(words);
  client.write(HANDSHAKE);
  let lines = 0;
  await client.receive((chunk) => {
    lines += countLines(chunk);
    return lines >= 2;
  });
  const ms = performance.now() - startedAt;
  const cpuMs = fineCpuSeconds(client.pid) * 1000;
  await client.stop('SIGKILL');
  return { ms, cpuMs };
}
