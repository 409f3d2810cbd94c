import type { ChangeSource } from '@automatosx/mcp-runtime';
import type { Database } from './database.js';
import type { Connection } from './driver.js';

/** Raises the counter of a kind of thing, in the transaction that changes one. */
export const raise = (connection: Connection, topic: string): void =>
  void connection.run(
    'INSERT INTO changes (topic, version) VALUES (?, 1) ON CONFLICT (topic) DO UPDATE SET version = version + 1',
    topic,
  );

export const sqliteChanges = (database: Database): ChangeSource => ({
  stamp: (topics) =>
    database.read((connection) => {
      const versionOf = (topic: string) => connection.get('SELECT version FROM changes WHERE topic = ?', topic)?.version;
      return topics.map((topic) => versionOf(topic) ?? 0).join('.');
    }),
});
