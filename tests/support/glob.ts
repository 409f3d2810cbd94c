import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Files below a folder whose path matches, without what was installed or built. */
export function globSync(root: string, folder: string, pattern: RegExp): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      return ['node_modules', 'dist', '.cache', 'coverage'].includes(entry.name) ? [] : globSync(root, path, pattern);
    }
    return pattern.test(path) ? [join(root, path)] : [];
  });
}
