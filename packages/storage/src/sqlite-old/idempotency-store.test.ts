import { idempotencyStoreContract } from '@automatosx/mcp-runtime/ports.contract';
import { afterEach, describe } from 'vitest';
import { sqliteIdempotencyStore } from './idempotency-store.js';
import { temporary } from './testing/temporary.js';

const NOON = Date.UTC(2026, 0, 1, 12);
const { open, clear } = temporary();
afterEach(clear);

function idempotency(file?: string) {
  const clock = { now: NOON };
  const database = open(file ? { file } : {});
  const reopened = () => sqliteIdempotencyStore(database, () => clock.now);
  return { clock, reopened, store: reopened() };
}

describe('sqlite in a file', () => idempotencyStoreContract(() => idempotency()));
describe('sqlite in memory', () => idempotencyStoreContract(() => idempotency(':memory:')));
