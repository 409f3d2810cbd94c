export function median(numbers) {
  const sorted = numbers.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * Measures each of the subjects once per round, forwards and backwards in turn: what else the machine does in a minute
 * hits them alike. Gives the list of measurements of each, by its name.
 */
export async function interleaved(rounds, subjects) {
  const names = Object.keys(subjects);
  const samples = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) samples[name].push(await subjects[name](round));
  }
  return samples;
}

/** The median of the rounds' own ratios: a disturbed round counts once, not in both medians. */
export const medianRatio = (measured, reference) => median(measured.map((value, round) => value / reference[round]));
