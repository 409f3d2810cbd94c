import { basename } from 'node:path/posix';
import type { MemoryStore } from '@automatosx/memory-domain';
import { hitsOf, type Search, textOf } from './memory-hits.js';
import type { Prompt } from './prompt.js';
import { asData, asDataIfGiven, says } from './text.js';

/** So many files are looked up in memory. */
const MAX_FILES = 10;

/** Work on code that begins with what memory holds about it. */
export const codePrompts = (memory: MemoryStore): Prompt[] => [
  {
    name: 'code-review',
    title: 'Code Review',
    description: 'Review code, with what memory holds about the files',
    arguments: [
      { name: 'files', description: 'The files to review, with commas between them', required: true },
      { name: 'focus_areas', description: 'What to look at most, such as security or performance' },
    ],
    messages: async ({ files = '', focus_areas }) => [
      says(
        'Please review the code in the files named below. Read each of them whole, and what it calls where that decides.',
        asData('Files', files),
        asDataIfGiven('Focus areas, to be looked at first and most closely', focus_areas),
        textOf('Memory holds this about the files', await hitsOf(memory, searchesFor(files))),
        REVIEW,
      ),
    ],
  },
  {
    name: 'refactor-plan',
    title: 'Refactoring Plan',
    description: 'Plan a refactoring, with what memory holds about its target',
    arguments: [
      { name: 'target', description: 'What to refactor: a file, a module or a pattern', required: true },
      { name: 'goals', description: 'What is to be better afterwards' },
      { name: 'constraints', description: 'What must stay as it is' },
    ],
    messages: async ({ target = '', goals, constraints }) => [
      says(
        'Please plan a refactoring of the target named below. Read the code first; change nothing yet.',
        asData('Target', target),
        asDataIfGiven('Goals', goals),
        asDataIfGiven('Constraints', constraints),
        textOf('Memory holds this about the target', await hitsOf(memory, [{ text: target, in: 'both' }])),
        PLAN,
      ),
    ],
  },
];

/** By the whole path in keys and values, and by the file's name in keys. */
const searchesFor = (files: string): Search[] =>
  files
    .split(/[,\n]/)
    .map((file) => file.trim())
    .slice(0, MAX_FILES)
    .flatMap((file) => [
      { text: file, in: 'both' },
      { text: basename(file), in: 'key' },
    ]);

const REVIEW = `For each finding give
1. the file and line,
2. the severity: critical, high, medium or low,
3. what goes wrong, and with which input or in which order of events,
4. the change that puts it right.
Look for errors of logic, unhandled failures, races, leaks, missing checks of input, and tests that prove nothing. Leave out what is only taste. End with what is good and should stay, and with a verdict: ready, or ready after which findings.`;

const PLAN = `Give
1. what the code does now, and what of it others rely on,
2. what stands in the way of the goals, with file and line,
3. the steps in order, each small enough to be reviewed and to leave all tests green,
4. for each step: what changes, what could break, and the test that would notice,
5. what should not be touched, and why,
6. how to go back after each step.`;
