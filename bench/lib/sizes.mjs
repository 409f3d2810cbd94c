/** A run of some minutes fills less than the table of promises says; `--full` fills all of it. */
export const manyEntries = (isFull) => (isFull ? 1_000_000 : 300_000);

export const inThousands = (count) => `${count / 1000}k`;
