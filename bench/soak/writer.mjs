import { setTimeout as sleep } from 'node:timers/promises';
import { messageReader } from '../lib/lines.mjs';
import { callParams } from '../lib/load.mjs';
import { INITIALIZE, INITIALIZED_LINE, requestLine, StdioClient, serverWords } from '../lib/stdio-client.mjs';

const IN_FLIGHT = 16;

/**
 * One life of a server: it is asked for every key of the ledger, and then written to until it is killed. Gives whether
 * the keys could all be checked before that, and what went wrong.
 */
export async function liveAndDie({ home, ledger, lifeMs }) {
  const client = new StdioClient(serverWords(home));
  const failures = [];
  const { ask, answered } = createAsker(client, failures);
  let isChecked = false;
  const write = () => {
    const { tool, input, acknowledge } = ledger.nextWrite();
    ask(callParams(tool, input), (data) => {
      if (data !== undefined) acknowledge();
      write();
    });
  };
  checkKeys({ client, ledger, ask }, () => {
    isChecked = true;
    for (let count = 0; count < IN_FLIGHT; count++) write();
  });
  const death = client.receive(messageReader(answered)).catch(() => {}); // Nothing else ends it.
  await sleep(lifeMs);
  await client.stop('SIGKILL');
  await death;
  return { isChecked, failures };
}

/** Checks every key on a server that lives. Gives what went wrong. */
export async function checkAll(home, ledger) {
  const client = new StdioClient(serverWords(home));
  const failures = [];
  const { ask, answered } = createAsker(client, failures);
  const read = messageReader(answered);
  let isDone = false;
  checkKeys({ client, ledger, ask }, () => {
    isDone = true;
  });
  await client.receive((chunk) => {
    read(chunk);
    return isDone;
  });
  await client.stop();
  return failures;
}

function checkKeys({ client, ledger, ask }, onDone) {
  const { namespace, keys } = ledger;
  let open = keys.length;
  client.write(requestLine(0, 'initialize', JSON.stringify(INITIALIZE)) + INITIALIZED_LINE);
  for (const key of keys) {
    ask(callParams('memory_retrieve', { namespace, key }), (data) => {
      if (data !== undefined) ledger.check(key, data);
      open -= 1;
      if (open === 0) onDone();
    });
  }
}

/** Sends calls and hands the data of each answer to who asked; undefined where there is none, and the reason is kept. */
function createAsker(client, failures) {
  const waiting = new Map();
  let nextId = 1;
  return {
    ask: (params, onData) => {
      waiting.set(nextId, onData);
      client.write(requestLine(nextId++, 'tools/call', params));
    },
    answered: ({ id, result, error }) => {
      const envelope = result?.structuredContent;
      const failure = error ?? envelope?.error;
      if (failure) failures.push(`A call failed: ${failure.message}`);
      waiting.get(id)?.(envelope?.data);
      waiting.delete(id);
    },
  };
}
