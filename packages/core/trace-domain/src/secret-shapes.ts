/** Stands where a secret stood. */
export const REDACTED = '***';

const SECRET_NAMES = [
  'passw(?:or)?d',
  'secret',
  'token',
  'api[-_ ]?key',
  'authorization',
  'cookie',
  'credential',
  'private[-_ ]?key',
];

const literally = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** Source of an expression, to be used with the flag `i`, that finds a secret's name anywhere in a text. */
export const secretNames = (extraNames: readonly string[]): string =>
  [...SECRET_NAMES, ...extraNames.filter((name) => name !== '').map(literally)].join('|');

/**
 * Finds text that may hold one of the shapes below; text that it does not find holds none.
 * It is asked about JSON too, where a tab is `\t` and where a foreign writer may have spelled any letter as `\u0073`.
 */
export const MAY_HOLD_SHAPE =
  /sk-[\w-]|gh[oprsu]_|github_pat_|xox[a-z]-|A(?:KIA|SIA|Iza)|eyJ|-----BEGIN|[Bb](?:earer|EARER)[\s\\]|:\/\/[^\s/?#"'<>]*@|\\[u/]/;

// After a letter or digit it is part of a word (`task-list`), unless that letter is the n of an escaped line break.
const START = String.raw`(?:(?<![A-Za-z0-9])|(?<=\\[nrtbf]))`;
const shape = (source: string) => new RegExp(START + source, 'g');

const SHAPES: readonly RegExp[] = [
  // A key whose end is missing reaches to the end of the text.
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}-----|$)/g,
  // Not after a hyphen either: a text of nothing but `-eyJ` would be read to its end from each of them.
  shape(String.raw`(?<!-)eyJ[\w-]{4,}\.[\w-]{4,}\.[\w-]*`),
  shape(String.raw`sk-[\w-]{8,}`),
  shape(String.raw`(?:gh[oprsu]_|github_pat_)\w{6,}`),
  shape(String.raw`xox[a-z]-[\w-]{6,}`),
  shape('A[KS]IA[0-9A-Z]{8,}'),
  shape(String.raw`AIza[\w-]{10,}`),
];

// "bearer tokens" is prose: a token has a capital, a digit or a sign, or is longer than a word.
const BEARER = shape(String.raw`([Bb](?:earer|EARER)\s{1,8})(?:(?=[a-z]*[A-Z0-9_+/=~-])|(?=[a-z]{16}))[\w.~+/=-]{6,}`);
const USERINFO = /:\/\/[^\s/?#"'<>]*@/g;

/** Replaces keys that can be told by how they look, wherever they stand. */
export function redactShapes(text: string): string {
  if (!MAY_HOLD_SHAPE.test(text)) return text;
  return SHAPES.reduce((safe, pattern) => safe.replace(pattern, REDACTED), text)
    .replace(BEARER, `$1${REDACTED}`)
    .replace(USERINFO, `://${REDACTED}@`);
}
