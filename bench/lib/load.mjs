import { cpuSeconds } from './process-usage.mjs';
import { countLines, requestLine } from './stdio-client.mjs';

const FAILURES = ['"isError":true', '"error":{"code"'];

/** JSON text of a call's params. */
export const callParams = (name, input) => JSON.stringify({ name, arguments: input });

/**
 * Keeps `inFlight` calls under way until `calls` are answered. `paramsOf` gives the JSON text of the n-th call's params.
 * Answers are counted, not parsed; one that tells a failure ends it all, because failing is faster than working.
 */
export async function flood(client, { calls, inFlight, paramsOf }) {
  let sent = 0;
  let answered = 0;
  const send = (count) => {
    let text = '';
    for (const end = Math.min(calls, sent + count); sent < end; sent++) {
      text += requestLine(sent, 'tools/call', paramsOf(sent));
    }
    if (text !== '') client.write(text);
  };
  const cpuBefore = cpuSeconds(client.pid);
  const startedAt = performance.now();
  const done = client.receive((chunk) => {
    refuseFailures(chunk);
    const lines = countLines(chunk);
    answered += lines;
    send(lines);
    return answered === calls;
  });
  send(inFlight);
  await done;
  const seconds = (performance.now() - startedAt) / 1000;
  return { perSecond: calls / seconds, cpuMicroseconds: ((cpuSeconds(client.pid) - cpuBefore) / calls) * 1e6 };
}

/** Milliseconds until the answer of each of `calls` equal calls, one after the other. */
export async function latencies(client, calls, params) {
  const times = [];
  for (let id = 0; id < calls; id++) {
    const startedAt = performance.now();
    client.write(requestLine(id, 'tools/call', params));
    await client.receive((chunk) => {
      refuseFailures(chunk);
      return countLines(chunk) > 0;
    });
    times.push(performance.now() - startedAt);
  }
  return times;
}

function refuseFailures(chunk) {
  const isFailure = FAILURES.some((text) => chunk.includes(text));
  if (isFailure) throw new Error(`A call failed: ${chunk.toString().slice(0, 500)}`);
}
