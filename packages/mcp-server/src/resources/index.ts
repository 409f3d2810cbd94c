import type { ArtifactStore, ChangeSource } from '@automatosx/mcp-runtime';
import type { MemoryStore } from '@automatosx/memory-domain';
import type { SessionStore } from '@automatosx/session-domain';
import type { TraceStore } from '@automatosx/trace-domain';
import { artifactResources } from './artifacts.js';
import { memoryResources } from './memory.js';
import type { ResourceSource } from './resource.js';
import { sessionResources } from './sessions.js';
import type { Shelves } from './shelf.js';
import { shelfResources } from './shelf-resources.js';
import { traceResources } from './traces.js';

interface Options {
  readonly memory: MemoryStore;
  readonly sessions: SessionStore;
  readonly traces: TraceStore;
  readonly artifacts: ArtifactStore;
  readonly shelves: Shelves;
  readonly changes: ChangeSource;
}

/** Everything that can be read. */
export const ownResources = ({ changes, ...options }: Options): readonly ResourceSource[] => [
  shelfResources(options.shelves),
  sessionResources({ ...options, stamp: () => changes.stamp(['sessions']) }),
  memoryResources({ ...options, stamp: () => changes.stamp(['memory']) }),
  traceResources(options.traces),
  artifactResources(options.artifacts),
];
