import { hasRun, type Step, textOf } from './steps.js';

/** Clocks are read in whole milliseconds, so what follows at once may seem to begin a little early. */
const TOLERANCE_MS = 1;

/**
 * The steps that decided how long the call took, in order: each of them had to wait for the one before it.
 * What a step called (`parentId`) stands right after it.
 */
export function criticalPath(steps: readonly Step[]): Step[] {
  const ran = steps.filter(hasRun);
  const known = new Set(ran.map(({ stepId }) => stepId));
  const families = groupBy(ran, ({ stepId, payload }) => {
    const parentId = textOf(payload, 'parentId');
    return parentId !== undefined && parentId !== stepId && known.has(parentId) ? parentId : '';
  });
  const path: Step[] = [];
  // Parents that name each other in a circle leave no step at the top.
  const waiting = chainBackwards(families.get('') ?? ran);
  for (let step = waiting.pop(); step !== undefined; step = waiting.pop()) {
    path.push(step);
    const children = families.get(step.stepId) ?? [];
    families.delete(step.stepId);
    for (const child of chainBackwards(children)) waiting.push(child);
  }
  return path;
}

/** From the step that ended last back to the one that waited for none. A step's place is its rank in the order of ends. */
function chainBackwards(steps: readonly Step[]): Step[] {
  const byEnd = steps.toSorted((one, other) => one.endedAt - other.endedAt);
  const places = [...byEnd.keys()];
  const placesById = groupBy(places, (place) => byEnd[place]?.stepId ?? '');

  /** The last of these places whose step had ended when this one began. */
  const lastBefore = (step: Step, place: number, candidates: readonly number[] = []): number | undefined => {
    const beganAt = step.startedAt + TOLERANCE_MS;
    return lastThat(candidates, (other) => other < place && (byEnd[other]?.endedAt ?? 0) <= beganAt);
  };

  const awaitedBy = (step: Step, place: number): number | undefined => {
    const earlierTry = lastBefore(step, place, placesById.get(step.stepId));
    if (earlierTry !== undefined) return earlierTry;
    const dependencies = dependenciesOf(step);
    if (dependencies === undefined) return lastBefore(step, place, places);
    return dependencies.reduce((last, id) => Math.max(last, placesById.get(id)?.at(-1) ?? -1), -1);
  };

  const chain: Step[] = [];
  let place = byEnd.length - 1;
  for (let step = byEnd[place]; step !== undefined; step = byEnd[place]) {
    chain.push(step);
    const awaited = awaitedBy(step, place) ?? -1;
    // Steps that wait for each other end the chain instead of going round in it.
    place = awaited < place ? awaited : -1;
  }
  return chain;
}

/** Absent: it began when the step before it was done. Empty: it waited for none. */
const dependenciesOf = ({ payload: { dependsOn } }: Step): readonly string[] | undefined => {
  if (typeof dependsOn === 'string') return [dependsOn];
  return Array.isArray(dependsOn) ? dependsOn.filter((id) => typeof id === 'string') : undefined;
};

/** The last item of those at the beginning for which it holds. */
function lastThat<T>(items: readonly T[], holds: (item: T) => boolean): T | undefined {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(items[middle] as T)) low = middle + 1;
    else high = middle;
  }
  return items[low - 1];
}

// Map.groupBy comes with Node 21.
function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
