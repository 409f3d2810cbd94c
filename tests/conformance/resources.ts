import type { ResourceSource } from '@automatosx/mcp-server';
import { PNG } from './media.js';

const TEXT = 'This is the content of the static text resource.';

/** Resources of the suite. */
export const testResources: ResourceSource = {
  resources: [
    { uri: 'test://static-text', name: 'static-text', description: 'A text', mimeType: 'text/plain' },
    { uri: 'test://static-binary', name: 'static-binary', description: 'An image', mimeType: 'image/png' },
    { uri: 'test://watched-resource', name: 'watched', description: 'Can be watched', mimeType: 'text/plain' },
  ],
  templates: [
    {
      uriTemplate: 'test://template/{id}/data',
      name: 'template',
      description: 'Data by its id',
      mimeType: 'application/json',
    },
  ],
  read: async (uri) => {
    if (uri === 'test://static-binary') return [{ uri, mimeType: 'image/png', blob: PNG }];
    if (uri === 'test://static-text') return [{ uri, mimeType: 'text/plain', text: TEXT }];
    if (uri === 'test://watched-resource') return [{ uri, mimeType: 'text/plain', text: 'Watched' }];
    const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
    if (id === undefined) return undefined;
    const data = { id, templateTest: true, data: `Data for ID: ${id}` };
    return [{ uri, mimeType: 'application/json', text: JSON.stringify(data) }];
  },
  stamp: (uri) => (uri.startsWith('test://') ? Promise.resolve('') : undefined),
};
