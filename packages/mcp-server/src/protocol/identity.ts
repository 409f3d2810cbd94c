/** Who we are, as every stateless result tells it in its `_meta`. */
export interface Identity {
  readonly meta: Readonly<Record<string, unknown>>;
  /** The same as JSON text. */
  readonly json: string;
}

/** Made anew only when what it comes from is another object: every result has it. */
export function createIdentity(serverInfo: () => object, source: () => object): () => Identity {
  let known: { readonly of: object; readonly identity: Identity } | undefined;
  return () => {
    const of = source();
    if (known?.of !== of) {
      const meta = { 'io.modelcontextprotocol/serverInfo': serverInfo() };
      known = { of, identity: { meta, json: JSON.stringify(meta) } };
    }
    return known.identity;
  };
}
