import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { globSync } from './glob.js';
import { ROOT } from './paths.js';

/** A fenced block of code. */
export interface Block {
  readonly line: number;
  readonly language: string;
  readonly text: string;
}

/** A page of the documentation. */
export interface Page {
  /** From the repository's root. */
  readonly path: string;
  readonly blocks: readonly Block[];
  /** All but the blocks. */
  readonly prose: string;
}

const FENCED = /^```(\w*)\n([\s\S]*?)^```$/gm;

function toPage(file: string): Page {
  const text = readFileSync(file, 'utf8');
  const blocks = [...text.matchAll(FENCED)].map(({ index, 1: language = '', 2: body = '' }) => ({
    line: text.slice(0, index).split('\n').length,
    language,
    text: body,
  }));
  return { path: relative(ROOT, file), blocks, prose: text.replace(FENCED, '') };
}

/** Everything that is written for people, without the invariants, which have a test of their own. */
export const pages: readonly Page[] = globSync(ROOT, '.', /(?<!invariants)\.md$/).map(toPage);

/** The page at a path, which must exist. */
export function pageAt(path: string): Page {
  const page = pages.find((candidate) => candidate.path === path);
  if (!page) throw new Error(`There is no ${path}`);
  return page;
}

/** What users read: the README at the root and docs/. */
export const isForUsers = ({ path }: Page): boolean => path === 'README.md' || path.startsWith('docs/');

/** What stands in backticks. */
export const codeSpansIn = (prose: string): string[] =>
  [...prose.matchAll(/`([^`\n]+)`/g)].map(([, span]) => span as string);

/** Targets of links and pictures. */
export const linksIn = (prose: string): string[] =>
  [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target as string);

/** The names by which a heading can be linked to, as GitHub makes them. */
export const anchorsIn = (prose: string): string[] =>
  [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    (heading as string)
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );

/** The cells of all rows of tables. */
export const rowsIn = (prose: string): string[][] =>
  [...prose.matchAll(/^\| (.+) \|$/gm)].map(([, row]) => (row as string).split(' | ').map((cell) => cell.trim()));
