import {
  type Cancellation,
  type ClientPort,
  type ClientRequest,
  InputRequired,
  type Questions,
} from '@automatosx/mcp-runtime';

type Answers = Readonly<Record<string, unknown>>;

interface Way {
  /** What the client sent along with the call is asked first; it refuses what the client cannot do. */
  readonly first: ClientPort;
  readonly cancellation: Cancellation;
  /** Shows the questions to the client. */
  readonly show: (questions: Questions) => Promise<void>;
}

/** Asks through the task: the questions stand in it until the client has answered. */
export class TaskClient implements ClientPort {
  readonly #way: Way;
  /** Every key that was ever used: none means two questions. */
  readonly #used = new Set<string>();
  /** What takes the answers, by the keys that the client sees. */
  readonly #waiting = new Map<string, (answer: unknown) => void>();

  constructor(way: Way) {
    this.#way = way;
  }

  get capabilities(): ClientPort['capabilities'] {
    return this.#way.first.capabilities;
  }

  async ask(requests: Questions): Promise<Answers> {
    try {
      return await this.#way.first.ask(requests);
    } catch (error) {
      if (!(error instanceof InputRequired)) throw error;
      const given = Object.entries(requests).filter(([key]) => !Object.hasOwn(error.requests, key));
      const early = await this.#way.first.ask(Object.fromEntries(given));
      return { ...early, ...(await this.#askOpenly(error.requests)) };
    }
  }

  /** Takes what the client answered. What nobody waits for is ignored. */
  settle(answers: Answers): void {
    for (const [key, answer] of Object.entries(answers)) this.#waiting.get(key)?.(answer);
  }

  async #askOpenly(requests: Questions): Promise<Answers> {
    const asked = Object.entries(requests).map(([key, request]) => ({ key, shown: this.#unused(key), request }));
    const answers = asked.map(async ({ key, shown }) => [key, await this.#answerTo(shown)] as const);
    const questions: Record<string, ClientRequest> = Object.fromEntries(
      asked.map(({ shown, request }) => [shown, request]),
    );
    const [answered] = await Promise.all([Promise.all(answers), this.#way.show(questions)]);
    return Object.fromEntries(answered);
  }

  #unused(key: string): string {
    let unused = key;
    for (let count = 2; this.#used.has(unused); count++) unused = `${key}-${count}`;
    this.#used.add(unused);
    return unused;
  }

  #answerTo(shown: string): Promise<unknown> {
    return new Promise<unknown>((resolve, reject) => {
      const forget = this.#way.cancellation.onCancel(reject);
      this.#waiting.set(shown, (answer) => {
        this.#waiting.delete(shown);
        forget();
        resolve(answer);
      });
    });
  }
}
