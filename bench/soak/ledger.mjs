const ABSENT = 'absent';

/**
 * What one writer was promised. Each key has the states that it may be in: the one that was acknowledged last, and the
 * one that was asked for since then, because a server may be killed between the commit and the answer.
 */
export class Ledger {
  acknowledged = 0;
  lost = [];
  #states;
  #next = 0;

  constructor(namespace, keys) {
    this.namespace = namespace;
    this.#states = new Map(Array.from({ length: keys }, (_, index) => [`key-${index}`, new Set([ABSENT])]));
  }

  get keys() {
    return [...this.#states.keys()];
  }

  /** How many keys surely hold a value now; only right after a check, when nothing is under way. */
  get present() {
    return [...this.#states.values()].filter((states) => !states.has(ABSENT)).length;
  }

  /** The next write, on each key in turn: every tenth a deletion. Call `acknowledge` when it is answered. */
  nextWrite() {
    const number = this.#next++;
    const { namespace } = this;
    const key = `key-${number % this.#states.size}`;
    const isDeletion = number % 10 === 9;
    const state = isDeletion ? ABSENT : String(number);
    this.#states.get(key).add(state);
    return {
      tool: isDeletion ? 'memory_delete' : 'memory_store',
      input: isDeletion ? { namespace, key } : { namespace, key, value: number },
      acknowledge: () => {
        this.acknowledged += 1;
        this.#states.set(key, new Set([state]));
      },
    };
  }

  /** Holds what a server says of a key against what was promised. */
  check(key, { found, value }) {
    const actual = found ? String(value) : ABSENT;
    const states = this.#states.get(key);
    if (!states.has(actual)) this.lost.push(`${this.namespace}/${key} is ${actual}, not ${[...states].join(' or ')}`);
    this.#states.set(key, new Set([actual]));
  }
}
