import type { Config } from '@automatosx/contracts/config';
import type { ConfigFiles } from './config-files.js';
import type { Environment } from './expand.js';
import type { Json, JsonObject } from './json.js';

/** `local` is another name for `project`. */
export type Scope = 'merged' | 'global' | 'project' | 'local';
export type WritableScope = Exclude<Scope, 'merged'>;

export interface Setting {
  path: string;
  /** Null where nothing is set. In the merged scope the one in force, which may be a default. */
  value: Json;
  scope: string;
  /** True if a file sets it. */
  found: boolean;
}

export interface ChangedSetting {
  path: string;
  oldValue: Json;
  newValue: Json;
  scope: string;
}

export interface ShownSource {
  scope: string;
  file: string;
  exists: boolean;
  error?: string;
  untrusted?: string[];
}

export interface Configuration {
  /** The effective settings, complete; a new object after every change. */
  current(): Config;
  get(path: string, scope: Scope): Setting;
  set(path: string, value: unknown, scope: WritableScope): Promise<ChangedSetting>;
  show(scope: Scope): { config: JsonObject; sources: ShownSource[] };
  onChange(listener: (config: Config) => void): () => void;
  /** Moves to another project folder (the client told its root). */
  useProject(folder: string): Promise<void>;
  close(): void;
}

export interface ConfigurationOptions {
  readonly files: ConfigFiles;
  readonly environment: Environment;
  /** Hides secrets in what is shown; it is given whole files, so that it sees the names. */
  readonly redact: <T>(value: T) => T;
  readonly log: (level: 'error' | 'warn', message: string, details: Readonly<Record<string, unknown>>) => void;
}
