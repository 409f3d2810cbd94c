import type { Posted } from './body.js';
import { exchange, statelessStatus } from './exchange.js';
import { createMessageStream } from './message-stream.js';
import type { Endpoint, Visit } from './visit.js';

const nothing = () => {};

/** A connection of its own for every request: nothing is kept, and closing the stream cancels. */
export async function postStateless(
  { server, stateless, vigil }: Endpoint,
  { request, response, caller }: Visit,
  { message, sizeBytes }: Posted,
): Promise<void> {
  const { principal, isLocal } = caller;
  const connection = server.connect({ principal, isLocal, send: nothing, onShutdown: nothing });
  stateless.add(connection);
  response.once('close', () => {
    stateless.delete(connection);
    // Only if the answer was not finished: aborting every time doubles the cost.
    if (!response.writableFinished) void connection.abandon();
  });
  await exchange({
    request,
    response,
    openStream: () => {
      const stream = createMessageStream({ id: '' });
      vigil.watch(request, caller, response);
      stream.attach(response);
      return stream;
    },
    work: (reply) => connection.accept(message, sizeBytes, reply),
    statusOf: statelessStatus,
  });
}
