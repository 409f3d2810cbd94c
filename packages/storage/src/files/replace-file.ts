import { randomUUID } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** For files that may hold secrets; others keep the mode they have. */
export interface ReplaceOptions {
  readonly isPrivate: boolean;
}

/** Readers see the old text or the new one, also after a crash; if it fails, the old file stays and nothing else. */
export function replaceFile(path: string, text: string, { isPrivate }: ReplaceOptions): void {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true, mode: isPrivate ? 0o700 : 0o777 });
  const existing = statSync(path, { throwIfNoEntry: false });
  // A rename would replace a file that its owner made read-only.
  if (existing) accessSync(path, constants.W_OK);

  const temporary = join(folder, `.automatosx-${randomUUID()}.tmp`);
  try {
    writeDurably(temporary, text, isPrivate ? 0o600 : existing?.mode);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function writeDurably(path: string, text: string, mode: number | undefined): void {
  // Private from the first byte; wx: never through a link that somebody put there.
  const file = openSync(path, 'wx', mode === 0o600 ? mode : 0o666);
  try {
    if (mode !== undefined) fchmodSync(file, mode & 0o777);
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
