import { registerKeys } from '#platform/crypto/service.ts';
import { SecretBox } from '#platform/crypto/secret-box.ts';
import type { Database, Db } from '#platform/database/connect.ts';
import { claimDatabaseMode } from '#platform/database/database-mode.ts';
import { readDomainClock } from '#platform/database/domain-clock.ts';
import { Clock } from '#platform/kit/clock.ts';
import type { Logger } from '#platform/kit/log.ts';
import type { Config } from './config.ts';

/** What everything in one process is composed of. */
export interface Runtime {
  readonly config: Config;
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Reads the clock from a migrated database, claims the database for the mode, and registers the
 * encryption keys.
 *
 * @throws WrongModeError if the database belongs to another mode
 * @throws WrongKeyError if the keys do not decrypt what the database stores
 */
export async function openRuntime(options: Omit<Runtime, 'clock'>): Promise<Runtime> {
  const { config, database } = options;
  await claimDatabaseMode(database.db, config.mode);
  const clock = await openClock(database.db);
  await registerKeys(database.db, new SecretBox(config.encryptionKeys), clock.now());
  return { ...options, clock };
}

/** Returns a clock with the offset that the sandbox has stored. */
export async function openClock(db: Db): Promise<Clock> {
  const clock = new Clock();
  clock.advanceTo((await readDomainClock(db)).offsetMs);
  return clock;
}
