/** A message of two bytes is answered with a hundred, so a batch of millions must not be answered one by one. */
const MAX_BATCH = 1000;

/** What is wrong with the number of messages, if anything is. */
export const sizeProblem = (batch: readonly unknown[]): string | undefined =>
  batch.length === 0 || batch.length > MAX_BATCH ? `A batch has between 1 and ${MAX_BATCH} messages` : undefined;

/** Far from the longest that a string can be, which the answers of a batch together may exceed. */
const MAX_ARRAY_LENGTH = 64 * 1024 * 1024;

/** The answers of a batch as JSON: none where there are none, one array, or several where one would be too long. */
export function arraysOf(replies: readonly string[], maxLength = MAX_ARRAY_LENGTH): string[] {
  const arrays: string[][] = [];
  let length = Number.POSITIVE_INFINITY;
  for (const reply of replies) {
    length += reply.length;
    if (length > maxLength) {
      arrays.push([]);
      length = reply.length;
    }
    arrays.at(-1)?.push(reply);
  }
  return arrays.map((parts) => `[${parts.join(',')}]`);
}
