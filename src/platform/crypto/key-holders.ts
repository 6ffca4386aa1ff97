import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

import type { Db } from '#platform/database/connect.ts';
import { MasterKeyError, type MasterKey } from './master-key.ts';
import { deleteKeyHolder, deleteStaleKeyHolders, findProcessesWithoutKey, saveKeyHolder } from './store.ts';

/** A process without a renewal for this long has ended. */
const RECENT_MS = 15_000;
const RENEWAL_INTERVAL_MS = 5_000;
const STALE_AFTER_MS = 24 * 3_600_000;

/** The row of this process with the master keys that it has. */
export interface KeyHolderRegistration {
  /** Renews the row, unless it was renewed within the interval. */
  renew(): Promise<void>;
  end(): Promise<void>;
}

export async function registerKeyHolder(db: Db, { keyIds }: MasterKey): Promise<KeyHolderRegistration> {
  const holder = { id: randomUUID(), process: `${hostname()}:${process.pid}`, keyIds };
  await saveKeyHolder(db, holder);
  await deleteStaleKeyHolders(db, STALE_AFTER_MS);
  let savedAt = performance.now();
  const renew = async () => {
    const now = performance.now();
    if (now - savedAt < RENEWAL_INTERVAL_MS) return;
    await saveKeyHolder(db, holder);
    savedAt = now;
  };
  return { renew, end: () => deleteKeyHolder(db, holder.id) };
}

/**
 * Refuses to wrap data keys with a master key that a running process lacks: what others then
 * encrypt would not decrypt there.
 *
 * @throws MasterKeyError
 */
export async function requireKnownMasterKey(db: Db, { keyIds, setting }: MasterKey): Promise<void> {
  const [current] = keyIds;
  const lacking = await findProcessesWithoutKey(db, current, RECENT_MS);
  if (lacking.length === 0) return;
  throw new MasterKeyError(
    `these running processes do not have the master key ${current} of ${setting}: ${lacking.join(', ')}. ` +
      `Restart them with the same ${setting}, then run this again (a process that was killed counts for ` +
      `${RECENT_MS / 1_000} seconds)`,
  );
}
