const IDS = /((?:INV-[A-Z0-9-]+\d(?:, )?)+)/.source;

/** A title follows the head of a test, or the end of its table of cases. */
const TITLE = new RegExp(`(?:^[\\w.]+|\\))\\(\\s*['"\`]${IDS}`);

/** Ids that open the title of a test in this source. A test that never runs proves nothing. */
export const idsProvedIn = (source: string): string[] =>
  `\n${source}`
    .split(/^\s*(?=(?:test|it)[.(])/m)
    .slice(1)
    .filter((test) => !/^[\w.]*\.(?:skip|todo)\b/.test(test))
    .flatMap((test) => TITLE.exec(test)?.[1]?.split(', ') ?? []);
