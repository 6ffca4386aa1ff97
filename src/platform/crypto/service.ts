import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import {
  chainKeyContext,
  ENCRYPTED_COLUMNS,
  LEDGER_CHAIN_CONTEXT,
  type EncryptedColumn,
} from './encrypted-columns.ts';
import { keyIdOf, type SecretBox } from './secret-box.ts';
import {
  findEncryptionKeys,
  findKeyIdsInUse,
  findOutdatedValues,
  insertEncryptionKey,
  lockKeys,
  replaceValues,
  retireKeys,
  saveChainKey,
  type EncryptionKey,
} from './store.ts';

/**
 * ENCRYPTION_KEY does not match the database. The message is for the operator and contains no key.
 */
export class WrongKeyError extends Error {
  override readonly name = 'WrongKeyError';
  constructor(message: string) {
    super(`ENCRYPTION_KEY ${message}`);
  }
}

const OLD_KEY_STILL_USED =
  'a node still encrypts with another key: put the new key first in ENCRYPTION_KEY on every ' +
  'node, restart them, then run this again';

const CHECK_TEXT = 'this is the right key';
const checkContext = (id: string): string => `key check ${id}`;

/** Rows read, and locked, by one statement. */
const CHUNK_SIZE = 500;

/**
 * If the last of these rounds still finds values of another key, a node must still encrypt with it.
 */
const MAX_ROUNDS = 10;

/**
 * Checks that the keys decrypt what is in the database, before anything is encrypted with them.
 *
 * @throws WrongKeyError
 */
export async function checkKeys(db: Db, secrets: SecretBox): Promise<void> {
  const registered = await findEncryptionKeys(db);
  // A database without registered keys: its encrypted values name them.
  const requiredKeyIds =
    registered.length > 0 ? registered.filter(isInUse).map(({ id }) => id) : await findAllKeyIdsInUse(db);
  const missing = requiredKeyIds.filter((id) => !secrets.hasKey(id));
  if (missing.length > 0) {
    throw new WrongKeyError(
      `does not fit this database, which is encrypted with ${formatKeyIds(missing)}; ` +
        `ENCRYPTION_KEY has ${formatKeyIds(secrets.keyIds)}. Set it to the key used before ` +
        '(a sandbox without the setting stores its key in secrets.json of DATA_DIR). To replace a key, ' +
        'set ENCRYPTION_KEY to the new key, a comma and the old key, and run npm run rotate-keys',
    );
  }
  if (registered.some(({ id, retiredAt }) => id === secrets.currentKeyId && retiredAt !== null)) {
    throw new WrongKeyError(
      `begins with ${formatKeyIds([secrets.currentKeyId])}, which npm run rotate-keys has replaced ` +
        'in this database: begin with the key that replaced it',
    );
  }
  for (const { id, checkValue } of registered) {
    if (secrets.hasKey(id)) verifyCheckValue(secrets, id, checkValue);
  }
}

/** Checks the keys and registers them. Must precede any encryption. */
export async function registerKeys(db: Db, secrets: SecretBox, at: Date): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockKeys(trx);
    await checkKeys(trx, secrets);
    const registered = (await findEncryptionKeys(trx)).map(({ id }) => id);
    const used = registered.length > 0 ? [] : await findAllKeyIdsInUse(trx);
    for (const id of new Set([...used, secrets.currentKeyId])) {
      if (registered.includes(id)) continue;
      const checkValue = secrets.encryptWith(id, CHECK_TEXT, checkContext(id));
      await insertEncryptionKey(trx, { id, checkValue, at });
    }
  });
}

async function findAllKeyIdsInUse(db: Db): Promise<readonly string[]> {
  const { values, chain } = await findKeyIdsInUse(db);
  return [...new Set([...values, ...chain])];
}

/** Tells keys apart whose ids are equal. */
function verifyCheckValue(secrets: SecretBox, id: string, checkValue: string): void {
  let text: string | undefined;
  try {
    text = secrets.decrypt(checkValue, checkContext(id));
  } catch {
    // The key does not decrypt it.
  }
  if (text !== CHECK_TEXT)
    throw new WrongKeyError(`has a key that only looks like ${id}: its check value cannot be decrypted`);
}

const isInUse = ({ retiredAt }: EncryptionKey): boolean => retiredAt === null;

const formatKeyIds = (ids: readonly string[]): string =>
  `${ids.length === 1 ? 'key' : 'keys'} ${ids.join(', ')}`;

/**
 * Returns the keys of the ledger's chain that follow from retired encryption keys, by the ids of
 * those.
 */
export async function findChainKeys(db: Db, secrets: SecretBox): Promise<ReadonlyMap<string, Buffer>> {
  const registered = await findEncryptionKeys(db);
  return new Map(
    registered.flatMap(({ id, encryptedChainKey }) =>
      encryptedChainKey === null || !secrets.hasKey(keyIdOf(encryptedChainKey))
        ? []
        : [[id, Buffer.from(secrets.decrypt(encryptedChainKey, chainKeyContext(id)), 'base64url')] as const],
    ),
  );
}

export interface RotationResult {
  /** The id of the key that everything is encrypted with now. */
  readonly key: string;
  /** How many values were encrypted again, by table and column. */
  readonly reencrypted: Readonly<Record<string, number>>;
  /** How many chains of the ledger were extended with the new key. */
  readonly chains: number;
  /** The ids of the keys that this run retired. */
  readonly retired: readonly string[];
}

export interface RotationDeps {
  readonly db: Db;
  readonly secrets: SecretBox;
  readonly at: Date;
  /** Adds an entry of the current key to the ledger's chains. Returns to how many. */
  readonly extendChainWithCurrentKey: () => Promise<number>;
  /** Records the rotation in the transaction that retires the other keys. */
  readonly recordAudit: (trx: DatabaseTransaction, result: RotationResult) => Promise<void>;
}

/**
 * Encrypts every value with the current key, in chunks, while the gateway serves requests. A value
 * that changes meanwhile is left for the next round. After an interruption, the next run continues
 * with the remaining values. The other keys are retired when a full round finds none of their
 * values.
 *
 * @throws WrongKeyError if a key is missing
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
  return retireOtherKeys(deps, { key: secrets.currentKeyId, reencrypted, chains });
}

/**
 * Old entries of the ledger's chain are not encrypted again. The keys that verify them are stored
 * under the new key.
 */
async function saveChainKeys(db: Db, secrets: SecretBox): Promise<void> {
  for (const { id, encryptedChainKey } of await findEncryptionKeys(db)) {
    if (id === secrets.currentKeyId || encryptedChainKey !== null || !secrets.hasKey(id)) continue;
    const key = secrets.deriveMacKey(id, LEDGER_CHAIN_CONTEXT).toString('base64url');
    await saveChainKey(db, id, secrets.encrypt(key, chainKeyContext(id)));
  }
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
  { db, secrets, at, recordAudit }: RotationDeps,
  result: Omit<RotationResult, 'retired'>,
): Promise<RotationResult> {
  const { currentKeyId } = secrets;
  const inUse = await findKeyIdsInUse(db);
  if (inUse.values.some((id) => id !== currentKeyId)) throw new Error(OLD_KEY_STILL_USED);
  return db.transaction().execute(async (trx) => {
    await lockKeys(trx);
    const registered = await findEncryptionKeys(trx);
    const hasChainKey = (id: string) =>
      registered.some((key) => key.id === id && key.encryptedChainKey !== null);
    const unsaved = inUse.chain.filter((id) => id !== currentKeyId && !hasChainKey(id));
    if (unsaved.length > 0)
      throw new Error(`there is no key to verify the ledger entries of ${formatKeyIds(unsaved)}`);
    const retired = await retireKeys(trx, currentKeyId, at);
    const rotated = { ...result, retired };
    if (retired.length > 0 || result.chains + total(result.reencrypted) > 0) await recordAudit(trx, rotated);
    return rotated;
  });
}

const total = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);
