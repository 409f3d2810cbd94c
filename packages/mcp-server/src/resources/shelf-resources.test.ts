import { mcpRuntimePolicy } from '@automatosx/guard';
import { expect, test } from 'vitest';
import { policyShelf } from './policies.js';
import { fixedShelf, type Shelves, shelvesWith } from './shelf.js';
import { shelfResources } from './shelf-resources.js';
import { asked, readIn } from './testing.js';

const agents = [
  { id: 'reviewer', team: 'code', enabled: true, prompt: 'long' },
  { id: 'retired', team: 'code', enabled: false, prompt: 'long' },
];

const sourceWith = (shelves: Partial<Shelves> = {}) =>
  shelfResources(shelvesWith({ policies: policyShelf([mcpRuntimePolicy]), ...shelves }));

test.each([
  ['automatosx://workflows', 'workflows'],
  ['automatosx://agents', 'agents'],
  ['agents://available', 'agents'],
  ['memory://conversations', 'conversations'],
])('%s is empty as long as there are none, and nothing is in it', async (uri, name) => {
  const source = sourceWith();
  expect(await readIn(source, uri)).toEqual({ [name]: [], total: 0, hasMore: false });
  expect(await source.read(`${uri}/any`, asked())).toBeUndefined();
  expect(await source.stamp(uri, 'user')).toBe('fixed');
});

test.each(['automatosx://workflows/', 'automatosx://agents/', 'automatosx://policies/', 'memory://conversations/'])(
  '%s with an id that nothing has yet can be watched',
  async (base) => {
    expect(await sourceWith().stamp(`${base}later`, 'user')).toBe('none');
    expect(sourceWith().stamp(`${base}a/b`, 'user')).toBeUndefined();
  },
);

test('the policy that guards every call is there, with its gates', async () => {
  const source = sourceWith();
  const head = { id: 'mcp-runtime-policy', name: 'MCP runtime governance', description: expect.any(String) };
  expect(await readIn(source, 'automatosx://policies')).toEqual({
    policies: [{ ...head, gateCount: 4 }],
    total: 1,
    hasMore: false,
  });
  const whole = await readIn(source, 'automatosx://policies/mcp-runtime-policy');
  expect(whole).toMatchObject(head);
  expect(whole.gates.map(({ id }: { id: string }) => id)).toEqual([
    'memory-pressure-check',
    'request-size-check',
    'array-size-check',
    'timeout-audit',
  ]);
  expect(whole.gates[0]).toEqual({ id: expect.any(String), name: expect.any(String), description: expect.any(String) });
});

test('a shelf with things on it is listed without what is large, and each is read whole', async () => {
  const source = sourceWith({ agents: fixedShelf(agents, ({ prompt, ...head }) => head) });
  expect(await readIn(source, 'automatosx://agents')).toEqual({
    agents: [
      { id: 'reviewer', team: 'code', enabled: true },
      { id: 'retired', team: 'code', enabled: false },
    ],
    total: 2,
    hasMore: false,
  });
  expect(await readIn(source, 'agents://available')).toMatchObject({ agents: [{ id: 'reviewer' }], total: 1 });
  expect(await readIn(source, 'automatosx://agents/retired')).toEqual(agents[1]);
  expect(await readIn(source, 'automatosx://agents/__proto__')).toBeUndefined();
});

test('a hundred are shown, and that there are more', async () => {
  const many = Array.from({ length: 101 }, (_, index) => ({ id: `workflow ${index}` }));
  const source = sourceWith({ workflows: fixedShelf(many) });
  const read = await readIn(source, 'automatosx://workflows');
  expect([read.workflows.length, read.total, read.hasMore]).toEqual([100, 101, true]);
  expect(await readIn(source, 'automatosx://workflows/workflow%20100')).toEqual({ id: 'workflow 100' });
});

test('ids are completed', async () => {
  const source = sourceWith({ agents: fixedShelf(agents) });
  const complete = (of: string, typed: string) =>
    source.complete?.({ of, argument: 'id', typed, chosen: {}, principal: 'user' });
  expect(await complete('automatosx://agents/{id}', 're')).toEqual(['reviewer', 'retired']);
  expect(await complete('automatosx://agents/{id}', 'rev')).toEqual(['reviewer']);
  expect(await complete('automatosx://policies/{id}', '')).toEqual(['mcp-runtime-policy']);
  expect(await complete('automatosx://workflows/{id}', '')).toEqual([]);
});

test('what a shelf says belongs to a principal is asked for with its name', async () => {
  const seen: unknown[] = [];
  const conversations = fixedShelf([]);
  const source = sourceWith({
    conversations: {
      list: (query) => {
        seen.push(query.principal);
        return conversations.list(query);
      },
      get: async (id, principal) => (principal === 'bob' ? { id } : undefined),
      stamp: async (principal, id) => `${principal} ${id}`,
    },
  });
  await readIn(source, 'memory://conversations', 'bob');
  expect(seen).toEqual(['bob']);
  expect(await readIn(source, 'memory://conversations/one', 'bob')).toEqual({ id: 'one' });
  expect(await readIn(source, 'memory://conversations/one', 'ada')).toBeUndefined();
  expect(await source.stamp('memory://conversations/one', 'bob')).toBe('bob one');
});
