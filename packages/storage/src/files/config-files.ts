import { isUtf8 } from 'node:buffer';
import { readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { type ConfigFiles, type FileScope, MAX_CONFIG_BYTES } from '@automatosx/config-domain';
import { codeOf, Refusal, reasonOf, toToolError } from './file-failure.js';
import { isInside, realTarget } from './real-path.js';
import { replaceFile } from './replace-file.js';
import { watchFiles } from './watch-files.js';

export interface ConfigFilesOptions {
  readonly globalFile: string;
  readonly projectFolder: string;
  /** Runs `work` while no other process runs such work. */
  readonly exclusive: <T>(work: () => T) => Promise<T>;
  readonly pollMs?: number;
}

interface Place {
  /** With every link followed: a link stays, and what it leads to is changed. */
  readonly path: string;
  readonly isGlobal: boolean;
}

const PROJECT_FILE = '.automatosx/config.json';

/** The configuration's files on this machine. */
export function configFiles(options: ConfigFilesOptions): ConfigFiles {
  const { exclusive, pollMs = 500 } = options;
  const globalFile = resolve(options.globalFile);
  let project = resolve(options.projectFolder);
  const placeOf = (scope: FileScope, folder: string) =>
    scope === 'global' ? globalPlace(globalFile) : projectPlace(folder, globalFile);
  const nameOf = (scope: FileScope) => (scope === 'global' ? basename(globalFile) : PROJECT_FILE);
  const watcher = watchFiles(() => [globalFile, join(project, PROJECT_FILE)], pollMs);

  return {
    read: (scope) => ({ name: nameOf(scope), ...readAs(scope, () => placeOf(scope, project)) }),
    async update(scope, change) {
      // The project of the moment of the call, even if another one is chosen while it waits.
      const folder = project;
      await exclusive(() => {
        try {
          rewrite(placeOf(scope, folder), change);
        } catch (error) {
          throw toToolError(error, nameOf(scope));
        }
      });
    },
    useProject(folder) {
      project = resolve(folder);
      watcher.restart();
    },
    watch: watcher.add,
  };
}

const globalPlace = (file: string): Place => ({ path: realTarget(file), isGlobal: true });

function projectPlace(folder: string, globalFile: string): Place {
  const path = realTarget(join(folder, PROJECT_FILE));
  if (path === realTarget(globalFile)) return { path, isGlobal: true };
  // A foreign project must not make us read or write other files of the user.
  if (!isInside(realTarget(folder), path)) throw new Refusal('it is a link that leads out of the project');
  return { path, isGlobal: false };
}

function readAs(scope: FileScope, place: () => Place): { text: string | undefined; error?: string } {
  try {
    const { path, isGlobal } = place();
    // In the home folder both are one file, which is the user's own and applies once.
    return { text: isGlobal && scope === 'project' ? undefined : readText(path) };
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    return { text: undefined, error: `the file cannot be read: ${reason}` };
  }
}

function rewrite({ path, isGlobal }: Place, change: (text: string | undefined) => string | undefined): void {
  const text = readText(path);
  const next = change(text);
  if (next !== undefined && next !== text) replaceFile(path, next, { isPrivate: isGlobal });
}

function readText(path: string): string | undefined {
  try {
    const stats = statSync(path);
    // A pipe would never end, and a device neither.
    if (!stats.isFile()) throw new Refusal('it is not a file');
    if (stats.size > MAX_CONFIG_BYTES) throw new Refusal('it is larger than 1 MiB');
    return decode(readFileSync(path));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function decode(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new Refusal('it is not UTF-8 text');
  return bytes.toString('utf8');
}
