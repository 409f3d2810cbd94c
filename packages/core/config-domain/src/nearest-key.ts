/** The known name with the fewest letters to change, letters' case aside. */
export function nearestKey(name: string, known: readonly string[]): string | undefined {
  const wanted = name.toLowerCase();
  const distances = known.map((candidate) => editDistance(wanted, candidate.toLowerCase()));
  return known[distances.indexOf(Math.min(...distances))];
}

/** Letters to insert, remove or replace (Levenshtein), one row of the table at a time. */
export function editDistance(from: string, to: string): number {
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
