import type { Db } from '#platform/database/connect.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import { keyIdOf, type SecretBox } from './secret-box.ts';
import {
  chainKeyContext,
  LEDGER_CHAIN_CONTEXT,
  ENCRYPTED_COLUMNS,
  type EncryptedColumn,
} from './encrypted-columns.ts';
import {
  findKeyIdsInUse,
  findEncryptionKeys,
  findEncryptedWithOtherKey,
  insertEncryptionKey,
  saveChainKey,
  lockKeys,
  replaceEncrypted,
  retireKeys,
  type EncryptionKey,
} from './store.ts';

/** The keys that the database is sealed with: whether ours fit, and how one follows another. */

/** ENCRYPTION_KEY does not fit the database. A sentence for the operator, without a key. */
export class WrongKeyError extends Error {
  constructor(message: string) {
    super(`ENCRYPTION_KEY ${message}`);
    this.name = 'WrongKeyError';
  }
}

const OLD_KEY_STILL_USED =
  'a node still seals with another key: begin ENCRYPTION_KEY with the new one on every node, start them again, then run this again';

const CHECK_TEXT = 'this is the right key';
const checkContext = (id: string): string => `key check ${id}`;

/** Rows of one statement, and so locked at once. */
const CHUNK_SIZE = 500;

/** After so many rounds that found something, somebody still seals with a key that is to go. */
const MAX_ROUNDS = 10;

/**
 * Refuses keys that do not open what the database keeps, before anything is sealed with them.
 *
 * @throws WrongKeyError
 */
export async function checkKeys(db: Db, secrets: SecretBox): Promise<void> {
  const known = await findEncryptionKeys(db);
  // A database of a version that remembered no keys: what is sealed in it says which they were.
  const requiredKeyIds =
    known.length > 0 ? known.filter(isInUse).map(({ id }) => id) : await findAllKeyIdsInUse(db);
  const missing = requiredKeyIds.filter((id) => !secrets.hasKey(id));
  if (missing.length > 0) {
    throw new WrongKeyError(
      `does not fit this database: it was sealed with ${formatKeyIds(missing)}, and ENCRYPTION_KEY has ${formatKeyIds(secrets.keyIds)}. ` +
        'Give it the key that was used before (a sandbox that was given none made its own, in secrets.json of its DATA_DIR); ' +
        'to replace it, put it after the new one and a comma until npm run rotate-keys has ended',
    );
  }
  if (known.some(({ id, retiredAt }) => id === secrets.currentKeyId && retiredAt !== null)) {
    throw new WrongKeyError(
      `begins with ${formatKeyIds([secrets.currentKeyId])}, which npm run rotate-keys has replaced in this database: begin with the key that followed it`,
    );
  }
  for (const { id, checkValue } of known) if (secrets.hasKey(id)) verifyCheckValue(secrets, id, checkValue);
}

/** Checks the keys and remembers them. To be done before anything is sealed. */
export async function registerKeys(db: Db, secrets: SecretBox, at: Date): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockKeys(trx);
    await checkKeys(trx, secrets);
    const known = (await findEncryptionKeys(trx)).map(({ id }) => id);
    const used = known.length > 0 ? [] : await findAllKeyIdsInUse(trx);
    for (const id of new Set([...used, secrets.currentKeyId])) {
      if (known.includes(id)) continue;
      await insertEncryptionKey(trx, {
        id,
        checkValue: secrets.encryptWith(id, CHECK_TEXT, checkContext(id)),
        at,
      });
    }
  });
}

async function findAllKeyIdsInUse(db: Db): Promise<readonly string[]> {
  const { values, chain } = await findKeyIdsInUse(db);
  return [...new Set([...values, ...chain])];
}

function verifyCheckValue(secrets: SecretBox, id: string, checkValue: string): void {
  try {
    if (secrets.decrypt(checkValue, checkContext(id)) === CHECK_TEXT) return;
  } catch {
    // Said below.
  }
  throw new WrongKeyError(`has a key that only looks like ${id}: its check value does not open`);
}

const isInUse = ({ retiredAt }: EncryptionKey): boolean => retiredAt === null;
const formatKeyIds = (ids: readonly string[]): string =>
  `${ids.length === 1 ? 'key' : 'keys'} ${ids.join(', ')}`;

/** What codes of the ledger's seals are made with, of keys that were given up, by their ids. */
export async function findChainKeys(db: Db, secrets: SecretBox): Promise<ReadonlyMap<string, Buffer>> {
  const known = await findEncryptionKeys(db);
  return new Map(
    known.flatMap(({ id, encryptedChainKey }) =>
      encryptedChainKey === null || !secrets.hasKey(keyIdOf(encryptedChainKey))
        ? []
        : [[id, Buffer.from(secrets.decrypt(encryptedChainKey, chainKeyContext(id)), 'base64url')] as const],
    ),
  );
}

export interface RotationResult {
  /** The id of the key that everything is sealed with now. */
  readonly key: string;
  /** Values that were sealed anew, by the column they stand in. */
  readonly reencrypted: Readonly<Record<string, number>>;
  /** Chains of the ledger that were given a seal of the new key. */
  readonly chains: number;
  /** Keys that nothing is sealed with any more since this run. */
  readonly retired: readonly string[];
}

export interface RotationDeps {
  readonly db: Db;
  readonly secrets: SecretBox;
  readonly at: Date;
  /** Puts a seal of the current key onto the ledger's chains; answers onto how many. */
  readonly extendChainWithCurrentKey: () => Promise<number>;
  /** Writes down, in the transaction that retires keys, that it was done. */
  readonly recordAudit: (trx: Db, rotated: RotationResult) => Promise<void>;
}

/**
 * Seals everything anew that another key than the current one has sealed, some rows at a time, while the gateway serves. A value
 * that changes meanwhile is left and looked at again. It may be cut off at any moment: the next run goes on with what is left. Other
 * keys are retired when a whole round has found nothing under them.
 *
 * @throws WrongKeyError where a key is lacking
 */
export async function rotateKeys(deps: RotationDeps): Promise<RotationResult> {
  const { db, secrets, at } = deps;
  await registerKeys(db, secrets, at);
  await saveChainKeys(db, secrets);
  failPoint('keys.chain-keys-saved');
  const reencrypted: Record<string, number> = {};
  let chains = 0;
  for (let round = 1; ; round += 1) {
    const before = chains + total(reencrypted);
    for (const column of ENCRYPTED_COLUMNS) {
      const name = `${column.table}.${column.column}`;
      reencrypted[name] = (reencrypted[name] ?? 0) + (await reencryptColumn(db, secrets, column));
    }
    chains += await deps.extendChainWithCurrentKey();
    if (chains + total(reencrypted) === before) break;
    if (round === MAX_ROUNDS) throw new Error(OLD_KEY_STILL_USED);
  }
  failPoint('keys.chains-extended');
  const { values, chain } = await findKeyIdsInUse(db);
  const remaining = values.filter((id) => id !== secrets.currentKeyId);
  if (remaining.length > 0) throw new Error(OLD_KEY_STILL_USED);
  return db.transaction().execute(async (trx) => {
    await lockKeys(trx);
    const known = await findEncryptionKeys(trx);
    const unsavedKeyIds = chain.filter(
      (id) =>
        id !== secrets.currentKeyId && !known.some((key) => key.id === id && key.encryptedChainKey !== null),
    );
    if (unsavedKeyIds.length > 0)
      throw new Error(`nothing is kept to check the seals of ${formatKeyIds(unsavedKeyIds)} with`);
    const retired = await retireKeys(trx, secrets.currentKeyId, at);
    const rotated = { key: secrets.currentKeyId, reencrypted, chains, retired };
    if (retired.length > 0 || chains + total(reencrypted) > 0) await deps.recordAudit(trx, rotated);
    return rotated;
  });
}

const total = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

/** Old seals of the ledger stay as they are; what they are checked with is kept under the new key. */
async function saveChainKeys(db: Db, secrets: SecretBox): Promise<void> {
  for (const { id, encryptedChainKey } of await findEncryptionKeys(db)) {
    if (id === secrets.currentKeyId || encryptedChainKey !== null || !secrets.hasKey(id)) continue;
    const key = secrets.deriveMacKey(id, LEDGER_CHAIN_CONTEXT).toString('base64url');
    await saveChainKey(db, id, secrets.encrypt(key, chainKeyContext(id)));
  }
}

async function reencryptColumn(db: Db, secrets: SecretBox, column: EncryptedColumn): Promise<number> {
  let reencrypted = 0;
  for (let after: readonly string[] | undefined; ;) {
    const { rows, last, outdated } = await findEncryptedWithOtherKey(
      db,
      column,
      secrets.currentKeyId,
      after,
      CHUNK_SIZE,
    );
    const values = outdated.map((value) => {
      const context = column.contextOf(...value.key);
      return { ...value, resealed: secrets.encrypt(secrets.decrypt(value.sealed, context), context) };
    });
    reencrypted += await replaceEncrypted(db, column, values);
    if (values.length > 0) failPoint('keys.reencrypted');
    if (rows < CHUNK_SIZE) return reencrypted;
    after = last;
  }
}
