import { type Stats, unwatchFile, watchFile } from 'node:fs';

export interface FileWatcher {
  add(listener: () => void): () => void;
  /** The paths have changed. */
  restart(): void;
}

/**
 * Notices that files appear, change or go. It polls (`fs.watchFile`), because `fs.watch` cannot watch a file that does
 * not exist yet, and loses one that is replaced by a rename, differently on every platform.
 */
export function watchFiles(paths: () => readonly string[], pollMs: number): FileWatcher {
  const listeners = new Set<() => void>();
  let watched: readonly string[] = [];
  const onPoll = (now: Stats, before: Stats) => {
    if (isChanged(now, before)) for (const listener of listeners) listener();
  };
  const restart = () => {
    for (const path of watched) unwatchFile(path, onPoll);
    watched = listeners.size === 0 ? [] : [...new Set(paths())];
    for (const path of watched) watchFile(path, { persistent: false, interval: pollMs }, onPoll);
  };

  return {
    restart,
    add(listener) {
      listeners.add(listener);
      if (listeners.size === 1) restart();
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) restart();
      };
    },
  };
}

/** Reading a file changes its stats too, and a missing file is reported once as it is. */
const isChanged = (now: Stats, before: Stats): boolean =>
  now.mtimeMs !== before.mtimeMs || now.size !== before.size || now.ino !== before.ino;
