import { isObject } from '../../protocol/json-rpc.js';
import type { Posted } from './body.js';
import { acceptedOf, exchange, statelessStatus } from './exchange.js';
import { createMessageStream } from './message-stream.js';
import { Refusal } from './refusal.js';
import type { Endpoint, Visit } from './visit.js';

const nothing = () => {};

const isListening = (message: unknown): boolean => isObject(message) && message.method === 'subscriptions/listen';

/** A connection of its own for every request: nothing is kept, and closing the stream cancels. */
export async function postStateless(
  { server, stateless, vigil }: Endpoint,
  { request, response, caller }: Visit,
  { message, sizeBytes }: Posted,
): Promise<void> {
  if (isListening(message) && !acceptedOf(request).stream) {
    throw Refusal.of(406, 'Accept must name text/event-stream: what is listened to comes as a stream');
  }
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
