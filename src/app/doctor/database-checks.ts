import { sql } from 'kysely';

import { readDataKeys } from '#platform/crypto/data-keys.ts';
import { openMasterKey, type MasterKeySource } from '#platform/crypto/master-key.ts';
import { measureSkew } from '#platform/database/clock-skew.ts';
import type { Db } from '#platform/database/connect.ts';
import { checkDatabaseMode } from '#platform/database/database-mode.ts';
import { findChangeableHistory } from '#platform/database/history-privileges.ts';
import { findPendingMigrations } from '#platform/database/migrate.ts';
import type { Mode } from '#platform/config/settings.ts';
import { failed, ok, warning, type Finding } from './finding.ts';

const MIN_VERSION = 15;
const DAY_MS = 24 * 3_600_000;

export async function checkVersion(db: Db): Promise<Finding> {
  const { rows } = await sql<{ version: string; isStandby: boolean }>`
    SELECT current_setting('server_version') AS version, pg_is_in_recovery() AS "isStandby"`.execute(db);
  const { version = '', isStandby = false } = rows[0] ?? {};
  if (isStandby)
    return failed('the server is a standby, which accepts no writes: promote it (docs/runbook.md)');
  return Number.parseInt(version, 10) >= MIN_VERSION
    ? ok(`PostgreSQL ${version}`)
    : failed(`PostgreSQL ${version}: version ${MIN_VERSION} or later is required`);
}

export async function checkSchema(db: Db): Promise<Finding> {
  const pending = await findPendingMigrations(db);
  if (pending.length === 0) return ok('no migration is pending');
  return failed(`${pending.length} migrations are pending: run npm run migrate as the owner`);
}

/** The sandbox runs as the owner of its database. */
export async function checkRole(db: Db, mode: Mode): Promise<Finding> {
  const { rows } = await sql<{ name: string; isSuperuser: boolean; mayMakeLargeObjects: boolean }>`
    SELECT current_user::text AS name, rolsuper AS "isSuperuser",
      has_function_privilege('lo_create(oid)', 'EXECUTE') AS "mayMakeLargeObjects"
    FROM pg_roles WHERE rolname = current_user`.execute(db);
  const { name = '', isSuperuser = false, mayMakeLargeObjects = false } = rows[0] ?? {};
  if (mode === 'sandbox') return ok(name);
  const remedy = 'serve with the role of docs/database-roles.md';
  if (isSuperuser) return failed(`${name} is a superuser: ${remedy}`);
  const tables = await findChangeableHistory(db);
  if (tables.length > 0) return failed(`${name} may change ${tables.join(', ')}: ${remedy}`);
  if (!mayMakeLargeObjects) return ok(`${name}, which cannot change history`);
  return warning(`${name} may create large objects: revoke it as docs/database-roles.md does`);
}

/** @throws WrongModeError */
export async function checkMode(db: Db, mode: Mode): Promise<Finding> {
  await checkDatabaseMode(db, mode);
  return ok(mode);
}

/** @throws MasterKeyError */
export async function checkDataKeys(db: Db, source: MasterKeySource): Promise<Finding> {
  const master = openMasterKey(source);
  await readDataKeys(db, master);
  return ok(`${master.setting} fits the database`);
}

export async function checkClock(db: Db): Promise<Finding> {
  const skewMs = await measureSkew(db);
  if (skewMs === undefined) return warning('the database responds too slowly to compare the clocks');
  const text = `${(Math.abs(skewMs) / 1000).toFixed(1)} s from the database's`;
  if (Math.abs(skewMs) > 30_000) return failed(`${text}: synchronize both machines (NTP)`);
  return Math.abs(skewMs) > 2_000 ? warning(`${text}: synchronize both machines (NTP)`) : ok(text);
}

interface Archiver {
  readonly mode: string;
  readonly archivedAt: Date | null;
  readonly failedAt: Date | null;
}

/** Checks the WAL archive. PostgreSQL does not know of dumps and base backups. */
export async function checkBackups(db: Db, mode: Mode, now: Date): Promise<Finding> {
  const { rows } = await sql<Archiver>`
    SELECT current_setting('archive_mode') AS mode, last_archived_time AS "archivedAt",
      last_failed_time AS "failedAt" FROM pg_stat_archiver`.execute(db);
  const { mode: archiveMode = 'off', archivedAt = null, failedAt = null } = rows[0] ?? {};
  if (archiveMode === 'off') {
    if (mode === 'sandbox') return ok('no archive is configured; the sandbox needs none');
    return warning('archive_mode is off: a restore loses what was written since the last dump');
  }
  if (failedAt !== null && (archivedAt === null || failedAt > archivedAt)) {
    return failed(`the archive fails since ${failedAt.toISOString()}: see the log of PostgreSQL`);
  }
  if (archivedAt === null) return warning('nothing has been archived yet');
  const text = `last archived at ${archivedAt.toISOString()}`;
  return now.getTime() - archivedAt.getTime() > DAY_MS ? failed(`${text}, more than a day ago`) : ok(text);
}
