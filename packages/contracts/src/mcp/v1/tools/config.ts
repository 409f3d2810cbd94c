import * as z from 'zod';
import { defineContract } from '../contract.js';
import { json, jsonObject } from './json.js';

const path = z.string().min(1).max(500).describe('Dotted; names with dots in brackets: a["b.c"].d');
const scope = z.enum(['merged', 'global', 'project', 'local']).default('merged');
const writable = z.enum(['global', 'project', 'local']).default('global');

export const configGet = defineContract({
  name: 'config_get',
  title: 'Get a setting',
  description: 'Returns one setting. A known one that is not set is found: false. Secrets are shown as ***.',
  category: 'query',
  effect: 'read',
  input: z.strictObject({ path, scope }),
  output: z.object({ path: z.string(), value: json, scope: z.string(), found: z.boolean() }),
  errors: ['CONFIG_KEY_NOT_FOUND'],
});

export const configSet = defineContract({
  name: 'config_set',
  title: 'Change a setting',
  description: "Writes one setting to the global file or the project's. null removes it.",
  category: 'mutation',
  effect: 'world',
  idempotent: true,
  destructive: true,
  input: z.strictObject({ path, value: json, scope: writable }),
  output: z.object({ path: z.string(), oldValue: json, newValue: json, scope: z.string() }),
  errors: ['CONFIG_KEY_NOT_FOUND', 'CONFIG_INVALID_VALUE', 'CONFIG_PROTECTED'],
});

export const configShow = defineContract({
  name: 'config_show',
  title: 'Show the configuration',
  description: 'Shows all settings and the files they come from, with what is wrong in them.',
  category: 'query',
  effect: 'read',
  input: z.strictObject({ scope }),
  output: z.object({
    config: jsonObject,
    sources: z.array(
      z.object({
        scope: z.string(),
        file: z.string(),
        exists: z.boolean(),
        error: z.string().optional(),
        untrusted: z.array(z.string()).optional(),
      }),
    ),
  }),
  errors: ['CONFIG_KEY_NOT_FOUND'],
});

export const ConfigGetInputSchema = configGet.input;
export const ConfigGetOutputSchema = configGet.output;
export const ConfigSetInputSchema = configSet.input;
export const ConfigSetOutputSchema = configSet.output;
export const ConfigShowInputSchema = configShow.input;
export const ConfigShowOutputSchema = configShow.output;
