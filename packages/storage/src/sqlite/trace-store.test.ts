import { traceStoreContract } from '@automatosx/trace-domain/store.contract';
import { afterEach, describe } from 'vitest';
import { temporary } from './testing/temporary.js';
import { sqliteTraceStore } from './trace-store.js';

const NOON = Date.UTC(2026, 0, 1, 12);
const { open, clear } = temporary();
afterEach(clear);

function traces(file?: string) {
  const clock = { now: NOON };
  const database = open(file ? { file } : {});
  const restart = () => sqliteTraceStore(database, () => clock.now);
  return { clock, restart, store: restart() };
}

describe('sqlite in a file', () => traceStoreContract(() => traces()));
describe('sqlite in memory', () => traceStoreContract(() => traces(':memory:')));
