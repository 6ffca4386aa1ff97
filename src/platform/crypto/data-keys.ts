import { randomBytes } from 'node:crypto';

import type { Db } from '#platform/database/connect.ts';
import { MasterKeyError, type MasterKey } from './master-key.ts';
import { keyIdFor, SecretBox } from './secret-box.ts';
import {
  findDataKeys,
  findKeyIdsInUse,
  insertDataKey,
  lockKeys,
  replaceWrappedKey,
  type DataKey,
} from './store.ts';

/** How often a process looks for data keys that a rotation made or retired. */
export const DATA_KEY_REFRESH_INTERVAL_MS = 2_000;

/**
 * How long a new data key only decrypts, and how long after that the previous one is not retired.
 * Until then every process must have looked.
 */
export const DATA_KEY_DELAY_MS = 2.5 * DATA_KEY_REFRESH_INTERVAL_MS;

/** The data keys of one process, unwrapped. */
export interface DataKeys {
  readonly secrets: SecretBox;
  /** Unwraps keys that a rotation has made since, and follows its change of the current key. */
  readonly refresh: () => Promise<void>;
}

/**
 * Unwraps the data keys of a database, which stay in memory. A new database gets its first one.
 * Must precede any encryption.
 *
 * @throws MasterKeyError
 */
export async function openDataKeys(db: Db, master: MasterKey, at: Date): Promise<DataKeys> {
  const stored = await findDataKeys(db);
  if (!stored.some(isInUse)) await makeFirstDataKey(db, master, at);
  const unwrapped = new Map<string, Buffer>();
  const read = async () => readKeys(await findDataKeys(db), master, unwrapped);
  const { inUse, retired } = await read();
  const secrets = new SecretBox(inUse, retired);
  return {
    secrets,
    async refresh() {
      const keys = await read();
      secrets.replaceKeys(keys.inUse, keys.retired);
    },
  };
}

/**
 * Unwraps the data keys of a database and changes nothing, for a command that verifies.
 *
 * @throws MasterKeyError
 */
export async function readDataKeys(db: Db, master: MasterKey): Promise<SecretBox> {
  const stored = await findDataKeys(db);
  if (!stored.some(isInUse)) await refuseMissingKeys(db);
  const { inUse, retired } = await readKeys(stored, master, new Map());
  // Without data keys only an empty ledger verifies.
  return new SecretBox(inUse.length > 0 ? inUse : [randomBytes(32)], retired);
}

const isInUse = ({ retiredAt }: DataKey): boolean => retiredAt === null;

/** Puts the key that encrypts first: the newest one that all processes know. */
async function readKeys(
  stored: readonly DataKey[],
  master: MasterKey,
  unwrapped: Map<string, Buffer>,
): Promise<{ readonly inUse: readonly Buffer[]; readonly retired: readonly Buffer[] }> {
  for (const { id, wrappedKey } of stored) {
    if (!unwrapped.has(id)) unwrapped.set(id, await unwrapKey(master, id, wrappedKey));
  }
  const keysOf = (keys: readonly DataKey[]) => keys.flatMap(({ id }) => unwrapped.get(id) ?? []);
  const active = stored.filter(isInUse);
  const current = active.find(({ encrypts }) => encrypts);
  return {
    inUse: keysOf(current === undefined ? active : [current, ...active.filter((key) => key !== current)]),
    retired: keysOf(stored.filter((key) => !isInUse(key))),
  };
}

async function unwrapKey(master: MasterKey, id: string, wrappedKey: string): Promise<Buffer> {
  const key = await master.unwrap(id, wrappedKey);
  if (keyIdFor(key) === id) return key;
  throw new MasterKeyError(`${master.setting} unwraps another key than data key ${id}`);
}

/** Of processes that start at once, one makes the key. */
async function makeFirstDataKey(db: Db, master: MasterKey, at: Date): Promise<void> {
  await refuseMissingKeys(db);
  const made = await wrapNewKey(master);
  await db.transaction().execute(async (trx) => {
    await lockKeys(trx);
    if ((await findDataKeys(trx)).some(isInUse)) return;
    await insertDataKey(trx, { ...made, at, delayMs: 0 });
  });
}

/** Makes a data key, and reads it back before anything is encrypted with it. */
export async function wrapNewKey(
  master: MasterKey,
): Promise<{ readonly id: string; readonly wrappedKey: string }> {
  const key = randomBytes(32);
  const id = keyIdFor(key);
  return { id, wrappedKey: await wrapKey(master, id, key) };
}

async function wrapKey(master: MasterKey, id: string, key: Buffer): Promise<string> {
  const wrappedKey = await master.wrap(id, key);
  await unwrapKey(master, id, wrappedKey);
  return wrappedKey;
}

/**
 * Wraps the data keys again that something else than the current master key has wrapped, or all of
 * them. Values encrypted with data keys do not change. Returns the ids of those keys.
 */
export async function rewrapDataKeys(
  db: Db,
  master: MasterKey,
  { from = master, all = false }: { readonly from?: MasterKey; readonly all?: boolean } = {},
): Promise<readonly string[]> {
  const outdated = (await findDataKeys(db)).filter(({ wrappedKey }) => all || !master.isCurrent(wrappedKey));
  for (const stored of outdated) {
    const source = master.isCurrent(stored.wrappedKey) ? master : from;
    const key = await unwrapKey(source, stored.id, stored.wrappedKey);
    await replaceWrappedKey(db, stored, await wrapKey(master, stored.id, key));
  }
  return outdated.map(({ id }) => id);
}

/** A database with encrypted values has lost its data keys. New ones would not decrypt them. */
async function refuseMissingKeys(db: Db): Promise<void> {
  const { values, chain } = await findKeyIdsInUse(db);
  if (values.length + chain.length === 0) return;
  throw new MasterKeyError(
    'the table encryption_keys has no data key, and values are encrypted with ' +
      `${[...new Set([...values, ...chain])].join(', ')}: ` +
      'restore its rows from a backup',
  );
}
