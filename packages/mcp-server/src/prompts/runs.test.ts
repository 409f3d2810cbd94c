import { expect, test } from 'vitest';
import { fixedShelf } from '../resources/shelf.js';
import { runPrompts } from './runs.js';
import { completed, got } from './testing.js';

const workflow = { id: 'data-pipeline', inputSchema: { required: ['source'] }, steps: [{ id: 'fetch' }] };
const agent = { id: 'code reviewer', description: 'Reads code' };
const prompts = runPrompts({ workflows: fixedShelf([workflow]), agents: fixedShelf([agent]) });

test('run_workflow embeds the workflow, and the input as data', async () => {
  const { text, resources } = await got(prompts, 'run_workflow', {
    workflowId: 'data-pipeline',
    input: '{"source": "api"}',
  });
  expect(text).toContain("Please execute the 'data-pipeline' workflow with the tool workflow_run.");
  expect(text).toContain('Input:\n<data-1>\n{"source": "api"}\n</data-1>');
  expect(resources).toEqual([
    { uri: 'automatosx://workflows/data-pipeline', mimeType: 'application/json', text: JSON.stringify(workflow) },
  ]);
});

test('run_agent embeds the agent, and the input as data', async () => {
  const { text, resources } = await got(prompts, 'run_agent', { agentId: 'code reviewer', input: 'Look at a.ts' });
  expect(text).toContain("Please execute the 'code reviewer' agent with the tool agent_run.");
  expect(text).toContain('Input:\n<data-1>\nLook at a.ts\n</data-1>');
  expect(resources[0]).toMatchObject({ uri: 'automatosx://agents/code%20reviewer', text: JSON.stringify(agent) });
});

test('input may be left out', async () => {
  const inputs: Record<string, string>[] = [{}, { input: '' }];
  for (const given of inputs) {
    expect((await got(prompts, 'run_workflow', { workflowId: 'data-pipeline', ...given })).text).not.toContain(
      'Input:',
    );
    expect((await got(prompts, 'run_agent', { agentId: 'code reviewer', ...given })).text).not.toContain('Input:');
  }
});

test('input of a workflow that is not JSON is refused', async () => {
  await expect(
    got(prompts, 'run_workflow', { workflowId: 'data-pipeline', input: '{source: api}' }),
  ).rejects.toMatchObject({ code: -32602, message: 'The argument input is not JSON', data: { argument: 'input' } });
});

test.each([
  ['run_workflow', 'workflowId', 'workflow'],
  ['run_agent', 'agentId', 'agent'],
])('%s names the %s that there is not', async (name, argument, kind) => {
  for (const id of ['missing', '', '__proto__', 'x'.repeat(1000)]) {
    await expect(got(prompts, name, { [argument]: id })).rejects.toMatchObject({
      code: -32602,
      message: `There is no ${kind} ${id.slice(0, 200)}`,
      data: { [argument]: id },
    });
  }
});

test('ids are completed', async () => {
  expect(await completed(prompts, 'run_workflow', ['workflowId', 'data'])).toEqual(['data-pipeline']);
  expect(await completed(prompts, 'run_agent', ['agentId', ''])).toEqual(['code reviewer']);
  expect(await completed(prompts, 'run_agent', ['input', ''])).toEqual([]);
});
