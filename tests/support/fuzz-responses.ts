export interface RawResponse {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** The whole answers at the beginning of these bytes. Throws where they are no HTTP. */
export function responsesIn(bytes: Buffer): RawResponse[] {
  const responses: RawResponse[] = [];
  let rest = bytes.toString('latin1');
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    if (end === -1) return responses;
    const [first = '', ...lines] = rest.slice(0, end).split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]);
    if (Number.isNaN(status)) throw new Error(`Not the beginning of an answer: ${JSON.stringify(first.slice(0, 80))}`);
    const headers = new Map(lines.map(fieldOf));
    const found = bodyIn(rest.slice(end + 4), headers);
    if (!found) return responses;
    responses.push({ status, headers, body: Buffer.from(found.body, 'latin1').toString('utf8') });
    rest = found.rest;
  }
}

function fieldOf(line: string): [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}

interface Body {
  readonly body: string;
  readonly rest: string;
}

function bodyIn(text: string, headers: ReadonlyMap<string, string>): Body | undefined {
  if (headers.get('transfer-encoding') === 'chunked') return chunksIn(text);
  const length = Number(headers.get('content-length') ?? 0);
  return text.length < length ? undefined : { body: text.slice(0, length), rest: text.slice(length) };
}

function chunksIn(text: string): Body | undefined {
  let body = '';
  let rest = text;
  for (;;) {
    const match = /^([0-9a-f]+)\r\n/i.exec(rest);
    const length = Number.parseInt(match?.[1] ?? '', 16);
    const start = match?.[0].length ?? 0;
    if (!match || rest.length < start + length + 2) return undefined;
    body += rest.slice(start, start + length);
    rest = rest.slice(start + length + 2);
    if (length === 0) return { body, rest };
  }
}
