import { artifactStoreContract } from '@automatosx/mcp-runtime/ports.contract';
import { afterEach, describe } from 'vitest';
import { sqliteArtifactStore } from './artifact-store.js';
import { temporary } from './testing/temporary.js';

const NOON = Date.UTC(2026, 0, 1, 12);
const { open, clear } = temporary();
afterEach(clear);

function artifacts(file?: string) {
  const clock = { now: NOON };
  const database = open(file ? { file } : {});
  const reopened = () => sqliteArtifactStore(database, () => clock.now);
  return { clock, reopened, store: reopened() };
}

describe('sqlite in a file', () => artifactStoreContract(() => artifacts()));
describe('sqlite in memory', () => artifactStoreContract(() => artifacts(':memory:')));
