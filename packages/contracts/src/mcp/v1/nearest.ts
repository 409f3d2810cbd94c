/** The known name that a misspelt one most likely means, letters' case aside, if any is close. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const wanted = name.toLowerCase();
  const [best] = known
    .filter((candidate) => Math.abs(candidate.length - wanted.length) <= toleranceOf(candidate))
    .map((candidate) => ({ candidate, distance: editDistance(wanted, candidate.toLowerCase()) }))
    .filter(({ candidate, distance }) => distance <= toleranceOf(candidate))
    .sort((one, other) => one.distance - other.distance);
  return best?.candidate;
}

const toleranceOf = (candidate: string): number => Math.max(2, candidate.length / 3);

/**
 * Letters to insert, remove or replace (Levenshtein), one row of the table at a time. It takes the product of the two
 * lengths, so a stranger's name must not be much longer than one of ours.
 */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let line = 1; line <= from.length; line++) {
    const next = [line];
    for (let column = 1; column <= to.length; column++) {
      const replaced = cell(row, column - 1) + (from[line - 1] === to[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, cell(row, column) + 1, cell(next, column - 1) + 1));
    }
    row = next;
  }
  return cell(row, to.length);
}

const cell = (row: readonly number[], column: number): number => row[column] ?? 0;
