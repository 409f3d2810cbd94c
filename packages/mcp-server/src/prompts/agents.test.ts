import { expect, test } from 'vitest';
import { fixedShelf } from '../resources/shelf.js';
import { agentPrompts } from './agents.js';
import { completed, got } from './testing.js';

const agents = [
  { id: 'reviewer', team: 'code', enabled: true },
  { id: 'writer', team: 'docs', enabled: true },
  { id: 'retired', team: 'code', enabled: false },
  { id: 'single', enabled: true },
];
const prompts = agentPrompts(fixedShelf(agents));
const idsFor = async (given: Record<string, string>) =>
  [...(await got(prompts, 'list_agents', given)).text.matchAll(/"id":"(\w+)"/g)].map(([, id]) => id);

test('list_agents embeds all agents, or those of a team, enabled or not', async () => {
  expect(await idsFor({})).toEqual(['reviewer', 'writer', 'retired', 'single']);
  expect(await idsFor({ team: '', enabled: '' })).toHaveLength(4);
  expect(await idsFor({ team: 'code' })).toEqual(['reviewer', 'retired']);
  expect(await idsFor({ enabled: 'true' })).toEqual(['reviewer', 'writer', 'single']);
  expect(await idsFor({ team: 'code', enabled: 'false' })).toEqual(['retired']);
});

test('list_agents says so where there are none', async () => {
  expect((await got(prompts, 'list_agents', { team: 'none' })).text).toContain('There are no such agents.');
  expect((await got(agentPrompts(fixedShelf([])), 'list_agents')).text).toContain('There are no such agents.');
});

test('list_agents says how many there are beside those that it shows', async () => {
  const many = Array.from({ length: 120 }, (_, index) => ({ id: `agent${index}` }));
  const { text } = await got(agentPrompts(fixedShelf(many)), 'list_agents');
  expect(text).toContain('The newest 100 of 120 agents:');
});

test('enabled is true or false', async () => {
  await expect(got(prompts, 'list_agents', { enabled: 'yes' })).rejects.toMatchObject({
    code: -32602,
    message: 'The argument enabled is true or false',
  });
});

test('teams and enabled are completed', async () => {
  expect(await completed(prompts, 'list_agents', ['team', ''])).toEqual(['code', 'docs']);
  expect(await completed(prompts, 'list_agents', ['team', 'd'])).toEqual(['docs']);
  expect(await completed(prompts, 'list_agents', ['enabled', 't'])).toEqual(['true']);
  expect(await completed(prompts, 'list_agents', ['other', ''])).toEqual([]);
});
