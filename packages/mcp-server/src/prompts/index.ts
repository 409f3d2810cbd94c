import type { MemoryStore } from '@automatosx/memory-domain';
import type { TraceStore } from '@automatosx/trace-domain';
import type { Shelves } from '../resources/shelf.js';
import { agentPrompts } from './agents.js';
import { codePrompts } from './code.js';
import { debugPrompts } from './debug.js';
import { memoryPrompts } from './memory.js';
import type { Prompt } from './prompt.js';
import { runPrompts } from './runs.js';
import { tracePrompts } from './traces.js';

interface Options {
  readonly memory: MemoryStore;
  readonly traces: TraceStore;
  readonly shelves: Shelves;
}

/** Everything that a person can ask for by name. */
export const ownPrompts = ({ memory, traces, shelves }: Options): readonly Prompt[] => [
  ...codePrompts(memory),
  ...debugPrompts(traces),
  ...runPrompts(shelves),
  ...tracePrompts(traces),
  ...memoryPrompts(memory),
  ...agentPrompts(shelves.agents),
];
