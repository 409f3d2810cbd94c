import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, type DatabaseOptions, openDatabase } from '../database.js';

export interface Temporary {
  /** A path in a folder that is the test's own. */
  path(name: string): string;
  open(options?: Partial<DatabaseOptions>): Database;
  /** Closes what was opened and removes the folder: for `afterEach`. */
  clear(): Promise<void>;
}

/** Hundreds of databases are made, and each waits several times for the disk, unless it is one in memory. */
const BASE = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** Databases for one test at a time. */
export function temporary(): Temporary {
  let folder: string | undefined;
  let opened: Database[] = [];
  const path = (name: string) => {
    folder ??= realpathSync(mkdtempSync(join(BASE, 'automatosx-storage-')));
    return join(folder, name);
  };
  return {
    path,
    open: (options) => {
      const database = openDatabase({ file: path('automatosx.db'), synchronous: () => 'normal', ...options });
      opened.push(database);
      return database;
    },
    clear: async () => {
      await Promise.all(opened.map((database) => database.close()));
      opened = [];
      if (folder) rmSync(folder, { recursive: true, force: true });
      folder = undefined;
    },
  };
}
