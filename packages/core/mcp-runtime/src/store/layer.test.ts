import { expect, test, vi } from 'vitest';
import { createCancellation } from '../cancellation.js';
import { callOf, failureOf, toolOf } from '../testing.js';
import { store } from './layer.js';

test('a tool that stores runs once the store is ready, others at once', async () => {
  const ready = vi.fn(async () => {});
  const layer = store(ready);
  expect(await layer(callOf({ tool: toolOf({ effect: 'read' }) }), async () => 'read')).toBe('read');
  expect(ready).not.toHaveBeenCalled();
  expect(await layer(callOf(), async () => 'stored')).toBe('stored');
  expect(ready).toHaveBeenCalledOnce();
});

test('a call that was stopped while it waited never runs', async () => {
  const cancellation = createCancellation();
  const handler = vi.fn(async () => 'stored');
  const layer = store(async () => cancellation.cancel('enough'));
  expect(await failureOf(() => layer(callOf({ cancellation }), handler))).toMatchObject({ toolCode: 'CANCELLED' });
  expect(handler).not.toHaveBeenCalled();
});
