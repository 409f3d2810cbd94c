/** The first released schema. Rows are found newest or oldest first by their integer or time-ordered key. */
export const SCHEMA_1 = `
CREATE TABLE memory (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, -- grows with every write, so a cursor never hides a new entry
  namespace TEXT NOT NULL,
  key TEXT NOT NULL,
  version INTEGER NOT NULL,
  stored_at INTEGER NOT NULL,
  expires_at INTEGER,
  size INTEGER NOT NULL,
  value TEXT NOT NULL
);
CREATE UNIQUE INDEX memory_by_key ON memory (namespace, key);
CREATE INDEX memory_by_namespace ON memory (namespace, seq);
CREATE INDEX memory_by_expiry ON memory (expires_at) WHERE expires_at IS NOT NULL;
CREATE TABLE memory_counts (namespace TEXT PRIMARY KEY, entries INTEGER NOT NULL) WITHOUT ROWID;

-- rowid = memory.seq. Trigrams of the key answer "contains", words of the value answer full-text search.
CREATE VIRTUAL TABLE memory_keys USING fts5
  (key, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1');
CREATE VIRTUAL TABLE memory_words USING fts5
  (words, content = '', contentless_delete = 1, detail = none,
   -- Marks belong to words: without them a word of Hindi is a phrase, which an index without detail refuses.
   tokenize = "unicode61 remove_diacritics 2 categories 'L* N* M* Co'");

CREATE TABLE sessions (
  seq INTEGER PRIMARY KEY,
  session_id TEXT NOT NULL UNIQUE,
  status TEXT NOT NULL,
  initiator TEXT NOT NULL,
  workspace TEXT,
  version INTEGER NOT NULL,
  document TEXT NOT NULL
);
CREATE INDEX sessions_by_status ON sessions (status, seq);
CREATE INDEX sessions_by_initiator ON sessions (initiator, seq);
CREATE INDEX sessions_by_workspace ON sessions (workspace, seq);

CREATE TABLE traces (
  trace_id TEXT PRIMARY KEY,          -- time-ordered
  tool TEXT NOT NULL,
  workflow_id TEXT NOT NULL,
  status TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  duration_ms INTEGER,
  events INTEGER NOT NULL,
  principal TEXT NOT NULL,
  workspace TEXT NOT NULL,
  session_id TEXT,
  correlation_id TEXT NOT NULL,
  error_code TEXT,
  tool_code TEXT,
  replayed INTEGER NOT NULL,
  owner TEXT,                         -- the process, while it runs
  size INTEGER NOT NULL,
  body TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX traces_by_tool ON traces (tool, trace_id);
CREATE INDEX traces_by_workspace ON traces (workspace, trace_id);
CREATE INDEX traces_by_status ON traces (status, trace_id) WHERE status <> 'success';
CREATE INDEX traces_by_session ON traces (session_id, trace_id) WHERE session_id IS NOT NULL;
CREATE INDEX traces_by_principal ON traces (principal, trace_id) WHERE principal <> 'user';
CREATE TABLE trace_counts (
  principal TEXT NOT NULL,
  workspace TEXT NOT NULL,
  tool TEXT NOT NULL,
  status TEXT NOT NULL,
  entries INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  PRIMARY KEY (principal, workspace, tool, status)
) WITHOUT ROWID;

CREATE TABLE idempotency (
  principal TEXT NOT NULL,
  tool TEXT NOT NULL,
  key TEXT NOT NULL,
  arguments TEXT NOT NULL,            -- a hash
  owner TEXT,                         -- the process, while it runs
  answer TEXT,
  claimed_at INTEGER NOT NULL,
  PRIMARY KEY (principal, tool, key)
) WITHOUT ROWID;
CREATE INDEX idempotency_by_age ON idempotency (claimed_at);

CREATE TABLE artifacts (
  artifact_id TEXT PRIMARY KEY,       -- time-ordered
  principal TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  size INTEGER NOT NULL,
  body TEXT NOT NULL
);

-- One counter per kind of thing, raised by whoever changes one: how processes notice each other's changes.
CREATE TABLE changes (topic TEXT PRIMARY KEY, version INTEGER NOT NULL) WITHOUT ROWID;
`;
