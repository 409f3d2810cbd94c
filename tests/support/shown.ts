import { isObject } from './json.js';

/** Stands for what an example leaves out: a value, the rest of a list, or (as a key) further members. */
const LEFT_OUT = '…';

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
const DURATION = /\b\d+ ms\b/g;

/** Fields that differ from run to run. */
const DURATIONS = ['durationMs', 'totalDuration', 'averageStepDuration'];
const PLACES = ['workspace', 'nextCursor'];

const shapeOf = (text: string) => text.replace(UUID, '<id>').replace(TIME, '<time>').replace(DURATION, '<ms>');

/** The ids, cursors and places of a page's examples, and what they really are in this run. */
export class Examples {
  readonly #real = new Map<string, string>();

  /** A request with the ids that are real in this run. */
  real<T>(request: T): T {
    const text = [...this.#real].reduce((json, [shown, real]) => json.replaceAll(shown, real), JSON.stringify(request));
    return JSON.parse(text);
  }

  /** The real answer as the page would show it: where only ids, times and durations differ, the two are equal. */
  shown(real: unknown, page: unknown, name = ''): unknown {
    if (real === undefined || page === undefined) return real;
    if (page === LEFT_OUT) return page;
    if (typeof real === 'number' && typeof page === 'number' && DURATIONS.includes(name)) return page;
    if (typeof real === 'string' && typeof page === 'string') return this.#shownText(real, page, name);
    if (Array.isArray(real) && Array.isArray(page)) return this.#shownList(real, page);
    if (isObject(real) && isObject(page)) return this.#shownObject(real, page);
    return real;
  }

  #shownText(real: string, page: string, name: string): string {
    if (PLACES.includes(name)) return this.#isSame(page, real) ? page : real;
    if (shapeOf(real) !== shapeOf(page)) return real;
    const ids = page.match(UUID) ?? [];
    const isSame = ids.every((id, index) => this.#isSame(id, real.match(UUID)?.[index] as string));
    return isSame ? page : real;
  }

  /** True if what a page calls so is called so in this run, and nothing else is. */
  #isSame(shown: string, real: string): boolean {
    const isNew = !this.#real.has(shown) && ![...this.#real.values()].includes(real);
    if (isNew) this.#real.set(shown, real);
    return this.#real.get(shown) === real;
  }

  #shownList(real: readonly unknown[], page: readonly unknown[]): unknown[] {
    const isCut = page.at(-1) === LEFT_OUT;
    const items = isCut ? real.slice(0, page.length - 1) : real;
    return [...items.map((item, index) => this.shown(item, page[index])), ...(isCut ? [LEFT_OUT] : [])];
  }

  #shownObject(real: Record<string, unknown>, page: Record<string, unknown>): Record<string, unknown> {
    const isOpen = LEFT_OUT in page;
    const members = Object.entries(real)
      .filter(([name]) => !isOpen || name in page)
      .map(([name, value]) => [name, this.shown(value, page[name], name)]);
    return { ...Object.fromEntries(members), ...(isOpen && { [LEFT_OUT]: page[LEFT_OUT] }) };
  }
}
