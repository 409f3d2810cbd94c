import { statSync } from 'node:fs';
import { resolve } from 'node:path';
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
  let known = folder;
  let asking: Promise<string> | undefined;
  let isStale = false;

  const ask = async (client: ClientRequests): Promise<string> => {
    do {
      isStale = false;
      const root = await firstRoot(client);
      if (root === undefined || root === known) continue;
      await onChange(root);
      known = root;
    } while (isStale);
    return known;
  };

  return {
    current: () => asking ?? known,
    clientReady: (capabilities, client) => {
      if (isFixed || !isObject(capabilities.roots)) return;
      // One question at a time: answers cannot overtake each other, and a flood of changes is not a flood of questions.
      isStale = true;
      asking ??= ask(client)
        // A folder that cannot be made the project does not become the workspace.
        .catch(() => known)
        .finally(() => {
          asking = undefined;
        });
    },
  };
}

/** Undefined where the client has none, does not answer, or names what is not a folder here. */
async function firstRoot(client: ClientRequests): Promise<string | undefined> {
  try {
    const answer = await client.request({ method: 'roots/list' }, { timeoutMs: ROOTS_TIMEOUT_MS });
    const roots = isObject(answer) && Array.isArray(answer.roots) ? answer.roots : [];
    const uri = roots.find((root) => isObject(root) && typeof root.uri === 'string')?.uri;
    // Written as `--workspace` is, so that both mean the same folder.
    const folder = resolve(fileURLToPath(uri));
    return statSync(folder).isDirectory() ? folder : undefined;
  } catch {
    return undefined;
  }
}
