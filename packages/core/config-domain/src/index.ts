export type { ConfigFiles, FileContent, FileScope } from './config-files.js';
export type {
  ChangedSetting,
  Configuration,
  ConfigurationOptions,
  Scope,
  Setting,
  ShownSource,
  WritableScope,
} from './configuration.js';
export { createConfiguration } from './create-configuration.js';
export type { Environment } from './expand.js';
export type { Json, JsonObject } from './json.js';
export type { ConfigProblem, ParsedConfig, ParseOptions } from './parse.js';
export { describeProblem, MAX_CONFIG_BYTES, parseConfig } from './parse.js';
