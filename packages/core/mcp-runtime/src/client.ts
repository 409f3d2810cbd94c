import { ToolError } from '@automatosx/contracts';

/** What a server may ask of the client that called it. */
export interface ClientRequest {
  readonly method: 'sampling/createMessage' | 'elicitation/create' | 'roots/list';
  readonly params?: Readonly<Record<string, unknown>>;
}

/** The client at the other end of a call. */
export interface ClientPort {
  /** What it said it can do, by the protocol's names. */
  readonly capabilities: Readonly<Record<string, unknown>>;
  /**
   * Asks everything at once and gives the answers by the same keys. In the stateless era the call ends here and is run
   * again from its beginning when the answers have come: do nothing before it that must not be done twice.
   */
  ask(requests: Readonly<Record<string, ClientRequest>>): Promise<Readonly<Record<string, unknown>>>;
}

/** Thrown where a call cannot go on before the client has answered; the client calls again with what it answers. */
export class InputRequired extends Error {
  constructor(readonly requests: Readonly<Record<string, ClientRequest>>) {
    super(`The client has to answer ${Object.keys(requests).join(', ')} first`);
    this.name = 'InputRequired';
  }
}

/** For calls that no client is behind. */
export const NO_CLIENT: ClientPort = {
  capabilities: {},
  ask: async () => {
    throw new ToolError('SERVICE_UNAVAILABLE', 'There is no client to ask');
  },
};
