/** The known name that a misspelt one most likely means, if any is close. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const near = known
    .map((candidate) => ({
      candidate,
      distance: editDistance(name.slice(0, 64).toLowerCase(), candidate.toLowerCase()),
    }))
    .sort((one, other) => one.distance - other.distance)[0];
  return near && near.distance <= Math.max(2, near.candidate.length / 3) ? near.candidate : undefined;
}

/** How many letters must be put in, taken out or replaced. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 0; i < from.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < to.length; j++) {
      const replaced = (row[j] as number) + (from[i] === to[j] ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] as number) + 1, (next[j] as number) + 1));
    }
    row = next;
  }
  return row[to.length] as number;
}
