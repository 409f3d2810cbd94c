/** What serving over a network needs. */
export const SCHEMA_2 = `
-- Random keys that all processes of this store sign with.
CREATE TABLE keys (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- Calls that outlive the connection they were made on.
CREATE TABLE tasks (
  task_id TEXT PRIMARY KEY,
  principal TEXT NOT NULL,
  status TEXT NOT NULL,               -- working, input_required, completed, failed, cancelled
  owner TEXT,                         -- the process, while it runs
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  cancelled INTEGER NOT NULL,         -- 1 once somebody asked for its end
  size INTEGER NOT NULL DEFAULT 0,    -- of the outcome
  message TEXT,                       -- how far it is, or why it ended
  questions TEXT,                     -- JSON: what the client has not answered yet
  answers TEXT,                       -- JSON: what its process has not taken yet
  outcome TEXT                        -- JSON: the result, or the error
);
CREATE INDEX tasks_by_expiry ON tasks (expires_at);
CREATE INDEX tasks_by_end ON tasks (updated_at, size) WHERE owner IS NULL;
CREATE INDEX tasks_by_owner ON tasks (owner) WHERE owner IS NOT NULL;
`;
