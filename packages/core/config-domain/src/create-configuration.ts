import { type Config, ConfigSchema } from '@automatosx/contracts/config';
import { valueAt } from './at-path.js';
import type { FileScope } from './config-files.js';
import type {
  ChangedSetting,
  Configuration,
  ConfigurationOptions,
  Scope,
  Setting,
  ShownSource,
  WritableScope,
} from './configuration.js';
import { type EditedFile, editConfig, requireUnprotected } from './edit.js';
import type { Json, JsonObject } from './json.js';
import { effectiveConfig, merge, withoutKeys } from './merge.js';
import { parsePath } from './path.js';
import { requireKnown } from './schema-keys.js';
import { nextSource, parserFor, type Source } from './source.js';

/** Reads the files and follows them until it is closed. */
export const createConfiguration = (options: ConfigurationOptions): Configuration => new LiveConfiguration(options);

class LiveConfiguration implements Configuration {
  readonly #options: ConfigurationOptions;
  readonly #listeners = new Set<(config: Config) => void>();
  readonly #unwatch: () => void;
  #global: Source;
  #project: Source;
  #config: Config;

  constructor(options: ConfigurationOptions) {
    this.#options = options;
    // Watch before the first read, so that no change falls between them.
    this.#unwatch = options.files.watch(() => this.#reload());
    this.#global = this.#load('global');
    this.#project = this.#load('project');
    this.#config = this.#merged() ?? ConfigSchema.parse({});
  }

  current(): Config {
    return this.#config;
  }

  get(path: string, scope: Scope): Setting {
    const names = parsePath(path);
    requireKnown(names);
    const value = valueAt(this.#options.redact(this.#shown(scope)), names) ?? null;
    const found = valueAt(this.#written(scope), names) !== undefined;
    return { path, value, scope: toScope(scope), found };
  }

  async set(path: string, value: unknown, scope: WritableScope): Promise<ChangedSetting> {
    const names = parsePath(path);
    requireUnprotected(names, toScope(scope));
    requireKnown(names);
    const edited = await this.#edit(toScope(scope), names, (value ?? null) as Json);
    this.#reload();
    const shownAt = (file: JsonObject) => valueAt(this.#options.redact(file), names) ?? null;
    return { path, oldValue: shownAt(edited.before), newValue: shownAt(edited.after), scope: toScope(scope) };
  }

  show(scope: Scope): { config: JsonObject; sources: ShownSource[] } {
    const sources = [toShown('global', this.#global), toShown('project', this.#project)];
    const isAsked = (source: ShownSource) => scope === 'merged' || source.scope === toScope(scope);
    return { config: this.#options.redact(this.#shown(scope)), sources: sources.filter(isAsked) };
  }

  onChange(listener: (config: Config) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async useProject(folder: string): Promise<void> {
    this.#options.files.useProject(folder);
    // What was good in the old project means nothing in the new one.
    this.#project = this.#load('project');
    this.#reload();
  }

  close(): void {
    this.#unwatch();
    this.#listeners.clear();
  }

  /** Settings as the files spell them, with `${VAR}`, and where nothing is set the defaults. */
  #shown(scope: Scope): JsonObject {
    const written = this.#written(scope);
    return scope === 'merged' ? merge(this.#config as unknown as JsonObject, written) : written;
  }

  #written(scope: Scope): JsonObject {
    if (scope === 'global') return this.#global.file;
    if (scope !== 'merged') return this.#project.file;
    return merge(this.#global.file, withoutKeys(this.#project.file, this.#project.untrusted).kept);
  }

  async #edit(scope: FileScope, path: readonly string[], value: Json): Promise<EditedFile> {
    const parse = parserFor(scope, this.#options.environment);
    let edited: EditedFile | undefined;
    await this.#options.files.update(scope, (text) => {
      edited = editConfig(text, { scope, path, value }, parse);
      return edited.text;
    });
    return edited as EditedFile;
  }

  #reload(): void {
    this.#global = this.#load('global', this.#global);
    this.#project = this.#load('project', this.#project);
    const config = this.#merged() ?? this.#config;
    if (JSON.stringify(config) === JSON.stringify(this.#config)) return;
    this.#config = config;
    for (const listener of this.#listeners) this.#tell(listener);
  }

  /** The change is made, whatever a listener thinks of it; and it may come from a timer, where a throw ends the process. */
  #tell(listener: (config: Config) => void): void {
    try {
      listener(this.#config);
    } catch (error) {
      this.#options.log('error', 'A listener failed on a change of the configuration', { error });
    }
  }

  #load(scope: FileScope, previous?: Source): Source {
    const { files, environment, log } = this.#options;
    const source = nextSource(previous, files.read(scope), parserFor(scope, environment));
    if (source.error !== undefined && source.error !== previous?.error) {
      log('warn', `${source.name} is broken; what held before stays in force`, { scope, error: source.error });
    }
    return source;
  }

  #merged(): Config | undefined {
    return effectiveConfig(this.#global.settings, this.#project.settings);
  }
}

const toScope = <S extends Scope>(scope: S) => (scope === 'local' ? 'project' : scope) as Exclude<S, 'local'>;

const toShown = (scope: FileScope, { name, exists, error, untrusted }: Source): ShownSource => ({
  scope,
  file: name,
  exists,
  ...(error !== undefined && { error }),
  ...(untrusted.length > 0 && { untrusted: [...untrusted] }),
});
