/** What a line of input turned out to be. */
export type Line =
  | { readonly kind: 'text'; readonly text: string; readonly sizeBytes: number }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'not-utf8' };

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** A Buffer takes far more than a byte, so a line that comes byte by byte must not keep one for each. */
const MAX_PARTS = 1024;

/**
 * Cuts bytes into lines. A line that is longer than allowed is given up as soon as that is known, before it is decoded
 * or parsed: its bytes are let go, up to its end.
 */
export function createLineSplitter(maxBytes: () => number): (chunk: Buffer) => Line[] {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  /** Parts that were put together. They are not copied again: that would take quadratic time for a long line. */
  let blocks: Buffer[] = [];
  let parts: Buffer[] = [];
  let length = 0;
  let isSkipping = false;

  const take = (part: Buffer) => {
    if (isSkipping) return;
    parts.push(part);
    length += part.length;
    if (parts.length <= MAX_PARTS) return;
    blocks.push(Buffer.concat(parts));
    parts = [];
  };

  const forget = () => {
    blocks = [];
    parts = [];
    length = 0;
  };

  const finish = (): Line | undefined => {
    const all = blocks.length === 0 ? parts : [...blocks, ...parts];
    const bytes = all.length === 1 ? (all[0] as Buffer) : Buffer.concat(all);
    forget();
    if (isSkipping) {
      isSkipping = false;
      return undefined;
    }
    return decode(bytes, decoder);
  };

  return (chunk) => {
    const lines: Line[] = [];
    let start = 0;
    while (start < chunk.length) {
      const end = chunk.indexOf(NEWLINE, start);
      take(chunk.subarray(start, end === -1 ? chunk.length : end));
      if (length > maxBytes()) {
        lines.push({ kind: 'too-large' });
        forget();
        isSkipping = true;
      }
      if (end === -1) break;
      const line = finish();
      if (line) lines.push(line);
      start = end + 1;
    }
    return lines;
  };
}

function decode(bytes: Buffer, decoder: InstanceType<typeof TextDecoder>): Line | undefined {
  const line = bytes.at(-1) === CARRIAGE_RETURN ? bytes.subarray(0, -1) : bytes;
  if (line.length === 0) return undefined;
  try {
    return { kind: 'text', text: decoder.decode(line), sizeBytes: line.length };
  } catch {
    return { kind: 'not-utf8' };
  }
}
