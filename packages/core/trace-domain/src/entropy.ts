const MIN_RUN = 20;
/** A longer run without a break is a file or a text in base64, not a key. */
const MAX_RUN = 200;
/** So many characters must look random, with at least so many bits in each of them. */
const MIN_TANGLED = 12;
const MIN_BITS = 3.2;

const DIGIT = 1;
const HEX_LETTER = 2;
const OTHER_LETTER = 4;
const PUNCTUATION = 8;

/** What each character of a run is; 0 for characters that end a run. */
const KINDS = new Uint8Array(65_536);
const mark = (characters: string, kind: number) => {
  for (const character of characters) KINDS[character.charCodeAt(0)] = kind;
};
mark('0123456789', DIGIT);
mark('abcdefABCDEF', HEX_LETTER);
mark('ghijklmnopqrstuvwxyzGHIJKLMNOPQRSTUVWXYZ', OTHER_LETTER);
mark('+/_=-', PUNCTUATION);

const kindAt = (text: string, index: number): number => KINDS[text.charCodeAt(index)] ?? 0;

/** Bits of Shannon entropy in each character. */
function bitsPerCharacter(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/** Places where digits, small and capital letters take turns; the capital that opens a word counts once. */
const TURN = /[a-z](?=[A-Z0-9])|[A-Z](?=[0-9])|[0-9](?=[A-Za-z])|(?<=[A-Z])[A-Z](?=[a-z])/g;
const HEX = /^[0-9a-f]*$/i;
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** Words and identifiers take few turns (`sha256` one), keys take one at every second or third character. */
function isTangled(part: string): boolean {
  if (HEX.test(part) || ULID.test(part)) return false;
  const isMixedCase = /[a-z]/.test(part) && /[A-Z]/.test(part);
  const turns = part.match(TURN)?.length ?? 0;
  return turns >= 2 && turns / part.length >= (isMixedCase ? 0.27 : 0.15);
}

/** True for what a generator of keys wrote; false for words, paths, identifiers, dates, UUIDs and digests in hex. */
export function isRandom(run: string): boolean {
  if (run.length < MIN_RUN || run.length > MAX_RUN) return false;
  const tangled = run
    .split(/[^A-Za-z0-9]+/)
    .filter(isTangled)
    .join('');
  return tangled.length >= MIN_TANGLED && /[0-9]/.test(tangled) && bitsPerCharacter(tangled) >= MIN_BITS;
}

const BACKSLASH = 0x5c;

/** An id in hex has none of the other letters, a word has no digit. */
const isMixed = (kinds: number) => (kinds & DIGIT) !== 0 && (kinds & OTHER_LETTER) !== 0;

/**
 * True if something in the text, or in the strings of a JSON text, is random.
 * Every call is asked this twice, so it looks at each twentieth character only and at what surrounds it.
 */
export function hasRandomRun(text: string): boolean {
  for (let index = MIN_RUN - 1; index < text.length; index += MIN_RUN) {
    let kinds = kindAt(text, index);
    if (kinds === 0) continue;
    let before = index - 1;
    let end = index + 1;
    for (let kind = 0; before >= 0; before--, kinds |= kind) {
      kind = kindAt(text, before);
      if (kind === 0) break;
    }
    for (let kind = 0; end < text.length; end++, kinds |= kind) {
      kind = kindAt(text, end);
      if (kind === 0) break;
    }
    if (end - before > MIN_RUN && isMixed(kinds)) {
      // After a backslash the first letter may be the n of a line break and no part of the run: assume the worst.
      if (text.charCodeAt(before) === BACKSLASH || isRandom(text.slice(before + 1, end))) return true;
    }
    index = end;
  }
  return false;
}

// The first lookbehind makes it try each run once. Without the bound, a run of some megabytes fills the stack.
const RUN = /(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/_=-]{20,201}/g;

export const replaceRandomRuns = (text: string, replacement: string): string =>
  text.replace(RUN, (run) => (isRandom(run) ? replacement : run));
