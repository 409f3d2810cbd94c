import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ClientRequests } from './protocol/client-requests.js';
import { isObject } from './protocol/json-rpc.js';

/** How long calls wait for a client to tell its folder. */
const ROOTS_TIMEOUT_MS = 2000;

/** The folder that a client works in: the one it was started with, else the client's first root. */
export interface Workspace {
  /** A promise only while the client is being asked. */
  current(): string | Promise<string>;
  clientReady(capabilities: Readonly<Record<string, unknown>>, client: ClientRequests): void;
}

interface WorkspaceOptions {
  readonly folder: string;
  /** True if the user named the folder: then the client is not asked. */
  readonly isFixed: boolean;
  readonly onChange: (folder: string) => Promise<void>;
}

export function createWorkspace({ folder, isFixed, onChange }: WorkspaceOptions): Workspace {
  let current: string | Promise<string> = folder;
  let known = folder;
  const ask = async (client: ClientRequests): Promise<string> => {
    const root = await firstRoot(client);
    if (root !== undefined && root !== known) {
      known = root;
      await onChange(root);
    }
    current = known;
    return known;
  };
  return {
    current: () => current,
    clientReady: (capabilities, client) => {
      if (!isFixed && isObject(capabilities.roots)) current = ask(client);
    },
  };
}

/** Undefined where the client has none, does not answer, or names what is not a folder here. */
async function firstRoot(client: ClientRequests): Promise<string | undefined> {
  try {
    const answer = await client.request('roots/list', ROOTS_TIMEOUT_MS);
    const roots = isObject(answer) && Array.isArray(answer.roots) ? answer.roots : [];
    const uri = roots.find((root) => isObject(root) && typeof root.uri === 'string')?.uri;
    const folder = fileURLToPath(uri);
    return statSync(folder).isDirectory() ? folder : undefined;
  } catch {
    return undefined;
  }
}
