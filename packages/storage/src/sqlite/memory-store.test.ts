import { memoryStoreContract } from '@automatosx/memory-domain/store.contract';
import { afterEach, describe } from 'vitest';
import { sqliteMemoryStore } from './memory-store.js';
import { temporary } from './testing/temporary.js';

const NOON = Date.UTC(2026, 0, 1, 12);
const { open, clear } = temporary();
afterEach(clear);

function memory(file?: string) {
  const clock = { now: NOON };
  return { clock, store: sqliteMemoryStore(file ? open({ file }) : open(), () => clock.now) };
}

describe('sqlite in a file', () => memoryStoreContract(() => memory()));
describe('sqlite in memory', () => memoryStoreContract(() => memory(':memory:')));
