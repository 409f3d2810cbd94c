import { expect, test } from 'vitest';
import { InputRequired, NO_CLIENT } from './client.js';

test('where no client is behind a call, it offers nothing, and asking it fails as unavailable', async () => {
  expect(NO_CLIENT.capabilities).toEqual({});
  await expect(NO_CLIENT.ask({ folders: { method: 'roots/list' } })).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: 'There is no client to ask',
  });
});

test('what a call waits for is carried whole, and named in the message', () => {
  const requests = {
    folders: { method: 'roots/list' },
    name: { method: 'elicitation/create', params: { a: 1 } },
  } as const;
  const error = new InputRequired(requests);
  expect(error).toMatchObject({ name: 'InputRequired', requests });
  expect(error.message).toBe('The client has to answer folders, name first');
});
