import type { MemoryEntry, MemoryStore } from '@automatosx/memory-domain';
import { ENTRY } from '../resources/memory.js';
import { expand } from '../resources/uri-template.js';
import { isoTime } from '../tools/paging.js';
import { asData, beginningOf } from './text.js';

const MAX_HITS = 20;
const MAX_BYTES = 50_000;

/** What `memory_search` takes. */
const MAX_TEXT_LENGTH = 500;

export interface Search {
  readonly text: string;
  readonly in: 'key' | 'both';
  readonly namespace?: string | undefined;
}

/** The newest entries that any of the searches finds, those of the first search first. */
export async function hitsOf(memory: MemoryStore, searches: readonly Search[]): Promise<readonly MemoryEntry[]> {
  const asked = searches.filter(({ text }) => text.trim() !== '');
  const page = { limit: MAX_HITS, offset: 0 };
  const found = await Promise.all(
    asked.map((search) => memory.search({ ...search, text: search.text.slice(0, MAX_TEXT_LENGTH), page })),
  );
  const hits = found.flatMap(({ items }) => items);
  const byName = new Map(hits.map((hit) => [JSON.stringify([hit.namespace, hit.key]), hit]));
  return [...byName.values()].slice(0, MAX_HITS);
}

/** The entries with their values, as long as there is room; undefined where there are none. */
export function textOf(title: string, hits: readonly MemoryEntry[]): string | undefined {
  const blocks: string[] = [];
  let left = MAX_BYTES;
  for (const hit of hits) {
    const room = left - Buffer.byteLength(blockOf(hit, ''));
    if (room < 0) break;
    const block = blockOf(hit, beginningOf(hit.json, room));
    blocks.push(block);
    left -= Buffer.byteLength(block);
  }
  const more = hits.length - blocks.length;
  const rest = more > 0 ? [`${more} more of them did not fit; memory_retrieve reads them.`] : [];
  return hits.length === 0 ? undefined : [`${title}:`, ...blocks, ...rest].join('\n\n');
}

function blockOf(hit: MemoryEntry, shown: string): string {
  const { namespace, key, version, storedAt } = hit;
  const cut = shown.length < hit.json.length ? ', cut here' : '';
  const label = `${expand(ENTRY, { namespace, key })} (version ${version}, stored ${isoTime(storedAt)}${cut})`;
  return asData(label, shown);
}
