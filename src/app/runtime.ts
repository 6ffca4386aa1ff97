import { openDataKeys, type DataKeys } from '#platform/crypto/data-keys.ts';
import { openMasterKey } from '#platform/crypto/master-key.ts';
import type { Database, Db } from '#platform/database/connect.ts';
import { claimDatabaseMode } from '#platform/database/database-mode.ts';
import { readDomainClock } from '#platform/database/domain-clock.ts';
import { Clock } from '#platform/kit/clock.ts';
import type { Logger } from '#platform/kit/log.ts';
import type { Config } from './config.ts';

/** The dependencies that all parts of a process share. */
export interface Runtime {
  readonly config: Config;
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly dataKeys: DataKeys;
}

/**
 * Reads the clock from a migrated database, claims the database for the mode, and unwraps the
 * data keys.
 *
 * @throws WrongModeError if the database belongs to another mode
 * @throws MasterKeyError if the master key does not unwrap the data keys
 */
export async function openRuntime(options: Omit<Runtime, 'clock' | 'dataKeys'>): Promise<Runtime> {
  const { config, database } = options;
  await claimDatabaseMode(database.db, config.mode);
  const clock = await openClock(database.db);
  const dataKeys = await openDataKeys(database.db, openMasterKey(config.masterKey), clock.now());
  return { ...options, clock, dataKeys };
}

/** Returns a clock with the offset that the sandbox has stored. */
export async function openClock(db: Db): Promise<Clock> {
  const clock = new Clock();
  clock.advanceTo((await readDomainClock(db)).offsetMs);
  return clock;
}
