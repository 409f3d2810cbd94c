export type FileScope = 'global' | 'project';

export interface FileContent {
  /** Short, and tells nothing of the host. */
  readonly name: string;
  /** Undefined if there is no file, or none that can be read. */
  readonly text: string | undefined;
  /** Why a file that is there cannot be read. */
  readonly error?: string;
}

/** What the configuration needs of the disk. Adapters live in packages/storage. */
export interface ConfigFiles {
  read(scope: FileScope): FileContent;
  /**
   * Runs while no other process changes configuration files: reads the newest text and writes what `change` makes
   * of it, atomically. Where that is undefined, nothing is written.
   */
  update(scope: FileScope, change: (text: string | undefined) => string | undefined): Promise<void>;
  useProject(folder: string): void;
  /** Calls back when a file appeared, changed or went. */
  watch(listener: () => void): () => void;
}
