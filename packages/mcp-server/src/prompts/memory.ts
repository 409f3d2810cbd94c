import type { MemoryStore } from '@automatosx/memory-domain';
import { COMPLETIONS } from '../resources/json-resources.js';
import { hitsOf, textOf } from './memory-hits.js';
import type { Prompt } from './prompt.js';
import { asData, asDataIfGiven, says } from './text.js';

export const memoryPrompts = (memory: MemoryStore): Prompt[] => [
  {
    name: 'search_memory',
    title: 'Search Memory',
    description: 'Search memory, and answer from what is found in keys and values',
    arguments: [
      { name: 'query', description: 'What to look for: a part of a key, or words of a value', required: true },
      { name: 'namespace', description: 'Where to look; everywhere unless given' },
    ],
    messages: async ({ query = '', namespace }) => {
      const where = namespace === '' ? undefined : namespace;
      const hits = await hitsOf(memory, [{ text: query, in: 'both', namespace: where }]);
      return [
        says(
          'Please answer from memory what is asked below.',
          asData('Query', query),
          asDataIfGiven('Namespace', namespace),
          textOf('Found, newest first', hits) ?? 'Nothing in memory matches it.',
          'Say which entries your answer rests on. Where they contradict each other, the newer one holds; where they do not answer it, say so, and name what else to search for with memory_search.',
        ),
      ];
    },
    complete: async ({ argument, typed }) => (argument === 'namespace' ? memory.namespaces(typed, COMPLETIONS) : []),
  },
];
