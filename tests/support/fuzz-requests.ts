import { once } from 'node:events';
import { Agent, type ClientRequest, type IncomingMessage, request as startRequest } from 'node:http';

export interface Sent {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Hears the text of every message, or of every event with its kind, as it comes. */
  readonly onText?: (text: string, event: string) => void;
  /** Gets hold of the request, so that it can be broken off. */
  readonly onStart?: (request: ClientRequest) => void;
}

/** HTTP requests of one client, over connections of its own. */
export function createRequests(url: string) {
  const agent = new Agent({ keepAlive: true });
  const underWay = new Set<ClientRequest>();

  /** Resolves with the head of the answer; its body goes on to be read. */
  const start = async ({ method, path, headers, body, onText = () => {}, onStart }: Sent): Promise<IncomingMessage> => {
    const request = startRequest(new URL(path, url), { method, agent, headers: { ...headers } });
    underWay.add(request);
    request.once('close', () => underWay.delete(request));
    onStart?.(request);
    request.end(body);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    request.on('error', () => {});
    response.on('error', () => {});
    read(response, onText);
    return response;
  };

  const breakOff = () => {
    for (const request of underWay) request.destroy();
    agent.destroy();
  };
  return { start, breakOff };
}

function read(response: IncomingMessage, onText: (text: string, event: string) => void): void {
  const isStream = response.headers['content-type'] === 'text/event-stream';
  let text = '';
  response.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    if (!isStream) return;
    const events = text.split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) readEvent(event, onText);
  });
  response.once('end', () => {
    if (!isStream && response.headers['content-type'] === 'application/json') onText(text, 'message');
  });
}

function readEvent(event: string, onText: (text: string, event: string) => void): void {
  const field = (name: string) =>
    event
      .split('\n')
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2);
  const data = field('data');
  if (data) onText(data, field('event') ?? 'message');
}
