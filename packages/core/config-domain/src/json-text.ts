const SPACE = /[ \t\n\r]*/y;
const STRING = /"[^"\\\n]*(?:\\.[^"\\\n]*)*"/y;
const WORD = /[^\s,:[\]{}"]+/y;

/** Deeper than any setting, and shallow enough for functions that call themselves. */
const MAX_DEPTH = 64;

/** What is wrong in a text, and where: an offset into it. */
export interface SyntaxProblem {
  readonly offset: number;
  readonly message: string;
}

export interface ScannedJson {
  /** Where a member's name, or an item, begins. */
  offsetOf(path: readonly string[]): number;
}

/**
 * Checks that a text is JSON and notes where everything stands. `JSON.parse` on Node 20 does not tell the place,
 * and its messages quote the text, which may hold a secret.
 */
export function scanJson(text: string): ScannedJson | SyntaxProblem {
  const scanner = new Scanner(text);
  try {
    scanner.document();
    return scanner;
  } catch (error) {
    if (error instanceof Unexpected) return { offset: error.offset, message: error.message };
    throw error;
  }
}

/** Line and column of an offset, counted from 1 as editors do. */
export function placeOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  const lines = text.slice(0, offset).split('\n');
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}

class Unexpected extends Error {
  constructor(
    readonly offset: number,
    message: string,
  ) {
    super(message);
  }
}

class Scanner implements ScannedJson {
  readonly #text: string;
  readonly #offsets = new Map<string, number>();
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): void {
    this.#value([]);
    this.#take(SPACE);
    if (this.#at < this.#text.length) this.#expected('the end of the file');
  }

  offsetOf(path: readonly string[]): number {
    const offset = this.#offsets.get(JSON.stringify(path));
    return offset ?? (path.length === 0 ? 0 : this.offsetOf(path.slice(0, -1)));
  }

  #value(path: readonly string[]): void {
    if (path.length > MAX_DEPTH) throw new Unexpected(this.#at, `nested deeper than ${MAX_DEPTH} levels`);
    if (this.#has('{')) this.#members(path);
    else if (this.#has('[')) this.#items(path);
    else this.#token(this.#text[this.#at] === '"' ? STRING : WORD, 'a value');
  }

  #members(path: readonly string[]): void {
    if (this.#has('}')) return;
    do {
      this.#take(SPACE);
      const offset = this.#at;
      const name = String(this.#token(STRING, 'a name in double quotes'));
      if (!this.#has(':')) this.#expected('a colon');
      this.#offsets.set(JSON.stringify([...path, name]), offset);
      this.#value([...path, name]);
    } while (this.#has(','));
    if (!this.#has('}')) this.#expected('a comma or }');
  }

  #items(path: readonly string[]): void {
    if (this.#has(']')) return;
    let index = 0;
    do {
      const item = [...path, String(index++)];
      this.#take(SPACE);
      this.#offsets.set(JSON.stringify(item), this.#at);
      this.#value(item);
    } while (this.#has(','));
    if (!this.#has(']')) this.#expected('a comma or ]');
  }

  #has(sign: string): boolean {
    this.#take(SPACE);
    if (this.#text[this.#at] !== sign) return false;
    this.#at += 1;
    return true;
  }

  #token(kind: RegExp, expected: string): unknown {
    const start = this.#at;
    const token = this.#take(kind);
    try {
      return JSON.parse(token);
    } catch {
      this.#at = start;
      return this.#expected(expected);
    }
  }

  #take(kind: RegExp): string {
    kind.lastIndex = this.#at;
    const found = kind.exec(this.#text)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }

  #expected(what: string): never {
    throw new Unexpected(this.#at, `expected ${what}`);
  }
}
