import { REDACTED } from './secret-shapes.js';

/** Replaces the values in `password=hunter2`, `"token": "abc"`, `Cookie: a=b; c=d`, at any depth of quoting. */
export type RedactAssignments = (text: string) => string;

const WHOLE_LINE = /authorization|cookie/i;
const COUNTS = /tokens|count|limit/i;
const NUMBER = /^[0-9][0-9.,_]*$/;
/** What code and documentation write after a secret's name without giving it away. */
const KEYWORD = /^(?:string|number|boolean|unknown|null|undefined|true|false)$/;
const BARE = /(?:(?:bearer|basic|digest|token)[ \t]{1,8})?[^\s"'`&]*/iy;
const OPENING_QUOTE = /(\\*)(["'`])/y;
const WORD = /[^\s"'`\\,:[\]{}]+/g;

const matchAt = (pattern: RegExp, text: string, start: number): RegExpExecArray | null => {
  pattern.lastIndex = start;
  return pattern.exec(text);
};

const orEnd = (index: number, text: string) => (index === -1 ? text.length : index);

/** Where the quote that was opened with so many backslashes before it is closed. */
function endOfQuoted(text: string, start: number, { quote, depth }: { quote: string; depth: number }): number {
  for (let end = text.indexOf(quote, start); end !== -1; end = text.indexOf(quote, end + 1)) {
    let backslashes = 0;
    while (end - backslashes > start && text[end - backslashes - 1] === '\\') backslashes++;
    // Without backslashes of its own, a pair of them is one in the value; else a quote with fewer ends what lies around it.
    const isClosing = depth === 0 ? backslashes % 2 === 0 : backslashes <= depth;
    if (isClosing) return end - Math.min(backslashes, depth);
  }
  return text.length;
}

/** Where the bracket that opens at `start` is closed; brackets inside quotes count, which can only make it longer. */
function endOfBracket(text: string, start: number): number {
  let depth = 0;
  for (let index = start; index < text.length; index++) {
    const character = text[index];
    if (character === '[' || character === '{') depth++;
    else if (character === ']' || character === '}') depth--;
    if (depth === 0) return index + 1;
  }
  return text.length;
}

const isHarmless = (value: string) => NUMBER.test(value) || KEYWORD.test(value);
const redactWord = (word: string) => (isHarmless(word) ? word : REDACTED);

/** The value that begins at `start`: where it ends, and what to show in its place. */
function valueAt(text: string, start: number, name: string): { end: number; shown: string } {
  const opening = matchAt(OPENING_QUOTE, text, start);
  if (opening) {
    const [marks, backslashes = '', quote = ''] = opening;
    const end = endOfQuoted(text, start + marks.length, { quote, depth: backslashes.length });
    return { end, shown: marks + REDACTED };
  }
  if (text[start] === '[' || text[start] === '{') {
    const end = endOfBracket(text, start);
    return { end, shown: text.slice(start, end).replace(WORD, redactWord) };
  }
  if (WHOLE_LINE.test(name)) {
    const line = text.slice(start, orEnd(text.indexOf('\n', start), text)).trimEnd();
    return { end: start + line.length, shown: line === '' ? '' : REDACTED };
  }
  const value = (matchAt(BARE, text, start)?.[0] ?? '').replace(/[,;.)\]}]{1,8}$/, '');
  const isShown = value === '' || KEYWORD.test(value) || (NUMBER.test(value) && COUNTS.test(name));
  return { end: start + value.length, shown: isShown ? value : REDACTED };
}

export function createAssignments(names: string): RedactAssignments {
  const equals = String.raw`(?:=>(?=[ \t]{0,8}\\*["'])|:(?!:|//)|=(?![=>~]))`;
  // The lookahead takes the rest of the name at once and gives nothing back: a text of nothing but names stays cheap.
  const name = String.raw`((?:${names})(?=([\w-]{0,40}))\2)`;
  const assigned = new RegExp(String.raw`${name}\\*["'\`]?\]?[ \t]{0,8}${equals}[ \t]{0,8}`, 'gi');

  return (text) => {
    let safe = '';
    let done = 0;
    assigned.lastIndex = 0;
    for (let match = assigned.exec(text); match !== null; match = assigned.exec(text)) {
      const start = assigned.lastIndex;
      const { end, shown } = valueAt(text, start, match[1] ?? '');
      safe += text.slice(done, start) + shown;
      done = end;
      assigned.lastIndex = end;
    }
    return done === 0 ? text : safe + text.slice(done);
  };
}
