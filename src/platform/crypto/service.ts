import { setTimeout as sleep } from 'node:timers/promises';

import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import { DATA_KEY_DELAY_MS, openDataKeys, rewrapDataKeys, wrapNewKey, type DataKeys } from './data-keys.ts';
import { ENCRYPTED_COLUMNS, type EncryptedColumn } from './encrypted-columns.ts';
import { requireKnownMasterKey } from './key-holders.ts';
import type { MasterKey } from './master-key.ts';
import type { SecretBox } from './secret-box.ts';
import {
  findDataKeys,
  findKeyAgeMs,
  findKeyIdsInUse,
  findOutdatedValues,
  insertDataKey,
  lockKeys,
  replaceValues,
  retireKeys,
} from './store.ts';

const OLD_KEY_STILL_USED =
  'a process still encrypts with another data key: its log says why it cannot read the new one; run ' +
  'this again';

/** Rows read, and locked, by one statement. */
const CHUNK_SIZE = 500;

/**
 * If the last of these rounds still finds values of another key, a process must still encrypt with
 * it.
 */
const MAX_ROUNDS = 10;

export interface RotationResult {
  /** The id of the data key that everything is encrypted with now. */
  readonly key: string;
  /** The ids of the data keys that the master key has wrapped again. */
  readonly rewrapped: readonly string[];
  /** How many values were encrypted again, by table and column. */
  readonly reencrypted: Readonly<Record<string, number>>;
  /** How many chains of the ledger were extended with the new key. */
  readonly chains: number;
  /** The ids of the keys that this run retired. */
  readonly retired: readonly string[];
}

export interface RotationDeps {
  readonly db: Db;
  readonly master: MasterKey;
  readonly at: Date;
  /** Adds an entry of the current key to the ledger's chains. Returns to how many. */
  readonly extendChainWithCurrentKey: (secrets: SecretBox) => Promise<number>;
  /** Records the rotation in the transaction that retires the other keys. */
  readonly recordAudit: (trx: DatabaseTransaction, result: RotationResult) => Promise<void>;
}

/**
 * Makes a data key and encrypts every value with it, in chunks, while the gateway serves requests.
 * A value that changes meanwhile is left for the next round. After an interruption, the next run
 * continues with the remaining values. The other keys are retired when a full round finds none of
 * their values. Wraps the keys with the current master key too.
 *
 * @throws MasterKeyError also if a running process lacks the current master key
 */
export async function rotateKeys(deps: RotationDeps): Promise<RotationResult> {
  const { db, master, at } = deps;
  await openDataKeys(db, master, at);
  await requireKnownMasterKey(db, master);
  const rewrapped = await rewrapDataKeys(db, master);
  const { secrets } = await prepareNewKey(db, master, at);
  const reencrypted: Record<string, number> = {};
  let chains = 0;
  for (let round = 1; ; round += 1) {
    const before = chains + total(reencrypted);
    for (const column of ENCRYPTED_COLUMNS) {
      const name = `${column.table}.${column.column}`;
      reencrypted[name] = (reencrypted[name] ?? 0) + (await reencryptColumn(db, secrets, column));
    }
    chains += await deps.extendChainWithCurrentKey(secrets);
    if (chains + total(reencrypted) === before) break;
    if (round === MAX_ROUNDS) throw new Error(OLD_KEY_STILL_USED);
  }
  failPoint('keys.chains-extended');
  return retireOtherKeys(deps, { key: secrets.currentKeyId, rewrapped, reencrypted, chains });
}

/** Makes a data key, unless an interrupted rotation has, and waits until every process uses it. */
async function prepareNewKey(db: Db, master: MasterKey, at: Date): Promise<DataKeys> {
  const made = await wrapNewKey(master);
  await db.transaction().execute(async (trx) => {
    await lockKeys(trx);
    const inUse = (await findDataKeys(trx)).filter(({ retiredAt }) => retiredAt === null);
    if (inUse.length === 1) await insertDataKey(trx, { ...made, at, delayMs: DATA_KEY_DELAY_MS });
  });
  failPoint('keys.created');
  const [newest] = (await findDataKeys(db)).filter(({ retiredAt }) => retiredAt === null);
  if (newest === undefined) throw new Error('there is no data key');
  const waitMs = DATA_KEY_DELAY_MS - (await findKeyAgeMs(db, newest.id));
  if (waitMs > 0) await sleep(waitMs);
  return openDataKeys(db, master, at);
}

async function reencryptColumn(db: Db, secrets: SecretBox, column: EncryptedColumn): Promise<number> {
  const keyId = secrets.currentKeyId;
  let reencrypted = 0;
  for (let after: readonly string[] | undefined; ;) {
    const page = await findOutdatedValues(db, column, { keyId, after, limit: CHUNK_SIZE });
    const values = page.outdated.map((value) => {
      const context = column.contextOf(...value.key);
      return { ...value, replacement: secrets.encrypt(secrets.decrypt(value.encrypted, context), context) };
    });
    reencrypted += await replaceValues(db, column, values);
    if (values.length > 0) failPoint('keys.reencrypted');
    if (page.rows < CHUNK_SIZE) return reencrypted;
    after = page.last;
  }
}

async function retireOtherKeys(
  { db, at, recordAudit }: RotationDeps,
  result: Omit<RotationResult, 'retired'>,
): Promise<RotationResult> {
  const inUse = await findKeyIdsInUse(db);
  if (inUse.values.some((id) => id !== result.key)) throw new Error(OLD_KEY_STILL_USED);
  return db.transaction().execute(async (trx) => {
    await lockKeys(trx);
    const retired = await retireKeys(trx, result.key, at);
    const rotated = { ...result, retired };
    await recordAudit(trx, rotated);
    return rotated;
  });
}

const total = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);
