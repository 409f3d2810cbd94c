import type { TaskRecord } from '@automatosx/mcp-runtime';
import * as z from 'zod';
import type { Tasks } from '../../tasks/create-tasks.js';
import { mustKnowTasks } from '../../tasks/extension.js';
import { detailsOf } from '../../tasks/task-result.js';
import type { Announcer, Audience, ListKind } from '../announcer.js';
import { RpcError } from '../json-rpc.js';
import type { Methods, Services } from '../method.js';
import type { RequestContext } from '../request.js';
import { resourceNotFoundCode } from '../versions.js';
import { HANDSHAKE, method, STATELESS } from './define.js';

const SUBSCRIPTION_ID_KEY = 'io.modelcontextprotocol/subscriptionId';

/** As many as one principal may have running. */
const MAX_TASKS = 256;

const uri = z.string().max(10_000);
const uriParams = z.looseObject({ uri });

/** How changes are announced: in the handshake era by resource, in the stateless one by an open-ended request. */
export function subscriptionMethods({ announcer, tasks }: Services): Methods {
  const kinds = filterKinds(announcer, tasks);
  const filter = z.object(
    Object.fromEntries(Object.entries(kinds).map(([name, { asked }]) => [name, asked.optional()])),
  );
  return [
    method('resources/subscribe', {
      eras: HANDSHAKE,
      params: uriParams,
      handle: async ({ uri }, { principal, state, version }) => {
        const added = await announcer.subscribe({ principal, uris: state.subscriptions }, [uri]);
        if (added.length > 0) return {};
        throw new RpcError(resourceNotFoundCode(version), 'Resource not found', { uri });
      },
    }),
    method('resources/unsubscribe', {
      eras: HANDSHAKE,
      params: uriParams,
      handle: ({ uri }, { principal, state }) => {
        announcer.unsubscribe({ principal, uris: state.subscriptions }, uri);
        return {};
      },
    }),
    method('subscriptions/listen', {
      eras: STATELESS,
      params: z.looseObject({ notifications: filter }),
      isOpenEnded: true,
      handle: ({ notifications }, request) => listen(kinds, notifications, request),
    }),
  ];
}

/** The stream of one `subscriptions/listen`: whose it is, and how it is told something. */
type Stream = Pick<Audience, 'principal' | 'notify'> & Pick<RequestContext, 'client' | 'isFull'>;

/** What a client may listen for. */
interface FilterKind<Asked> {
  readonly asked: z.ZodType<Asked>;
  /** Makes ready to tell of it; nothing is told before `begin`, which returns the way to end it. */
  prepare(asked: Asked, stream: Stream): Promise<{ readonly honoured: Asked; begin(): () => void } | undefined>;
}

type FilterKinds = Readonly<Record<string, FilterKind<unknown>>>;

/** By their names in the filter. What may refuse the whole request comes first. */
const filterKinds = (announcer: Announcer, tasks: Tasks): FilterKinds => ({
  taskIds: taskKind(tasks),
  toolsListChanged: listKind(announcer, 'tools'),
  promptsListChanged: listKind(announcer, 'prompts'),
  resourcesListChanged: listKind(announcer, 'resources'),
  resourceSubscriptions: uriKind(announcer),
});

const listKind = (announcer: Announcer, kind: ListKind): FilterKind<boolean> => ({
  asked: z.boolean(),
  prepare: async (isAsked, stream) =>
    isAsked
      ? { honoured: true, begin: () => announcer.join({ ...stream, uris: new Set(), lists: new Set([kind]) }) }
      : undefined,
});

const uriKind = (announcer: Announcer): FilterKind<readonly string[]> => ({
  asked: z.array(uri),
  prepare: async (asked, stream) => {
    const audience = { ...stream, uris: new Set<string>(), lists: new Set<ListKind>() };
    const honoured = await announcer.subscribe(audience, asked);
    return { honoured, begin: () => announcer.join(audience) };
  },
});

const taskKind = ({ watch }: Tasks): FilterKind<readonly string[]> => ({
  asked: z.array(z.string().max(200)).max(MAX_TASKS),
  prepare: async (asked, { principal, client, notify }) => {
    mustKnowTasks(client.capabilities);
    const tell = (task: TaskRecord) => notify('notifications/tasks', JSON.parse(`{${detailsOf(task)}}`));
    const { taskIds, begin } = await watch.prepare(principal, asked, tell);
    return { honoured: taskIds, begin };
  },
});

/** Acknowledges what is honoured, tells of it until somebody ends it, and answers if that is the server. */
async function listen(kinds: FilterKinds, filter: Readonly<Record<string, unknown>>, request: RequestContext) {
  const { id, principal, client, notify, isFull, cancellation } = request;
  const meta = { _meta: { [SUBSCRIPTION_ID_KEY]: id } };
  const tell: Stream['notify'] = (name, params) => notify(name, { ...meta, ...params });
  const stream: Stream = { principal, client, isFull, notify: tell };

  const honoured: Record<string, unknown> = {};
  const begins: (() => () => void)[] = [];
  for (const [name, asked] of Object.entries(filter)) {
    const prepared = await kinds[name]?.prepare(asked, stream);
    if (!prepared) continue;
    honoured[name] = prepared.honoured;
    begins.push(prepared.begin);
  }
  stream.notify('notifications/subscriptions/acknowledged', { notifications: honoured });
  const ends = begins.map((begin) => begin());
  await new Promise((resolve) => cancellation.onCancel(resolve));
  for (const end of ends) end();
  return meta;
}
