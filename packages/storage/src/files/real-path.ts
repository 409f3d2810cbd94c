import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { codeOf } from './file-failure.js';

/** Where a path leads when every link is followed, also if nothing is there yet. */
export function realTarget(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  const folder = realTarget(dirname(path));
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink();
  return isLink ? realTarget(resolve(folder, readlinkSync(path))) : join(folder, basename(path));
}

/** Both are real paths. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
