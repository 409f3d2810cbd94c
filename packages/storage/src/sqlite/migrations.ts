import { ToolError } from '@automatosx/contracts';
import { type Connection, rollBack } from './driver.js';
import { SCHEMA_1 } from './schema-1.js';
import { SCHEMA_2 } from './schema-2.js';

/** Marks the file as ours ("AXDB"), so that we never write into somebody else's. */
const APPLICATION_ID = 0x41584442;

/** The n-th step brings a database from version n to n + 1. Steps that were released are never changed. */
export const MIGRATIONS: readonly string[] = [SCHEMA_1, SCHEMA_2];

/** Brings the file to the newest version, or throws and leaves it as it was. */
export function migrate(connection: Connection, migrations: readonly string[] = MIGRATIONS): void {
  const version = versionOf(connection);
  if (version > migrations.length) {
    throw new ToolError(
      'STORAGE_UNAVAILABLE',
      'The database was written by a newer version of AutomatosX; update this one',
    );
  }
  if (version === migrations.length) return;
  if (version === 0) connection.exec('PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL');
  connection.exec('BEGIN IMMEDIATE');
  try {
    // Another process may have been faster.
    for (const step of migrations.slice(versionOf(connection))) connection.exec(step);
    connection.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${migrations.length}`);
    connection.exec('COMMIT');
  } catch (error) {
    rollBack(connection);
    throw error;
  }
}

/** 0 for an empty file. A file with somebody else's tables is refused before anything is written. */
function versionOf(connection: Connection): number {
  const application = Number(connection.get('PRAGMA application_id')?.application_id);
  if (application === APPLICATION_ID) return Number(connection.get('PRAGMA user_version')?.user_version);
  const objects = Number(connection.get('SELECT count(*) AS objects FROM sqlite_master')?.objects);
  if (application === 0 && objects === 0) return 0;
  throw Object.assign(new Error('The file holds the tables of another program'), { rawCode: 26 });
}
