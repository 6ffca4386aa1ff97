import type { Db } from '#platform/database/connect.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import { keyIdOf, type SecretBox } from './secrets.ts';
import { chainKeyContext, LEDGER_SEAL, SEALED_COLUMNS, type SealedColumn } from './encrypted-columns.ts';
import {
  findKeyIdsInUse,
  findKnownKeys,
  findSealedOtherwise,
  insertKnownKey,
  keepChainKey,
  lockKeys,
  replaceSealed,
  retireKeys,
  type KnownKey,
} from './store.ts';

/** The keys that the database is sealed with: whether ours fit, and how one follows another. */

/** ENCRYPTION_KEY does not fit the database. A sentence for the operator, without a key. */
export class WrongKeyError extends Error {
  constructor(message: string) {
    super(`ENCRYPTION_KEY ${message}`);
    this.name = 'WrongKeyError';
  }
}

const STILL_USED =
  'a node still seals with another key: begin ENCRYPTION_KEY with the new one on every node, start them again, then run this again';

const CHECKED = 'this is the right key';
const checkContext = (id: string): string => `key check ${id}`;

/** Rows of one statement, and so locked at once. */
const PORTION = 500;

/** After so many rounds that found something, somebody still seals with a key that is to go. */
const MOST_ROUNDS = 10;

/**
 * Refuses keys that do not open what the database keeps, before anything is sealed with them.
 *
 * @throws WrongKeyError
 */
export async function checkKeys(db: Db, secrets: SecretBox): Promise<void> {
  const known = await findKnownKeys(db);
  // A database of a version that remembered no keys: what is sealed in it says which they were.
  const needed = known.length > 0 ? known.filter(isInUse).map(({ id }) => id) : await allInUse(db);
  const lacking = needed.filter((id) => !secrets.has(id));
  if (lacking.length > 0) {
    throw new WrongKeyError(
      `does not fit this database: it was sealed with ${named(lacking)}, and ENCRYPTION_KEY has ${named(secrets.ids)}. ` +
        'Give it the key that was used before (a sandbox that was given none made its own, in secrets.json of its DATA_DIR); ' +
        'to replace it, put it after the new one and a comma until npm run rotate-keys has ended',
    );
  }
  if (known.some(({ id, retiredAt }) => id === secrets.currentId && retiredAt !== null)) {
    throw new WrongKeyError(
      `begins with ${named([secrets.currentId])}, which npm run rotate-keys has replaced in this database: begin with the key that followed it`,
    );
  }
  for (const { id, checkValue } of known) if (secrets.has(id)) mustOpen(secrets, id, checkValue);
}

/** Checks the keys and remembers them. To be done before anything is sealed. */
export async function recogniseKeys(db: Db, secrets: SecretBox, at: Date): Promise<void> {
  await db.transaction().execute(async (within) => {
    await lockKeys(within);
    await checkKeys(within, secrets);
    const known = (await findKnownKeys(within)).map(({ id }) => id);
    const used = known.length > 0 ? [] : await allInUse(within);
    for (const id of new Set([...used, secrets.currentId])) {
      if (known.includes(id)) continue;
      await insertKnownKey(within, { id, checkValue: secrets.sealWith(id, CHECKED, checkContext(id)), at });
    }
  });
}

async function allInUse(db: Db): Promise<readonly string[]> {
  const { values, seals } = await findKeyIdsInUse(db);
  return [...new Set([...values, ...seals])];
}

function mustOpen(secrets: SecretBox, id: string, checkValue: string): void {
  try {
    if (secrets.open(checkValue, checkContext(id)) === CHECKED) return;
  } catch {
    // Said below.
  }
  throw new WrongKeyError(`has a key that only looks like ${id}: its check value does not open`);
}

const isInUse = ({ retiredAt }: KnownKey): boolean => retiredAt === null;
const named = (ids: readonly string[]): string => `${ids.length === 1 ? 'key' : 'keys'} ${ids.join(', ')}`;

/** What codes of the ledger's seals are made with, of keys that were given up, by their ids. */
export async function chainKeys(db: Db, secrets: SecretBox): Promise<ReadonlyMap<string, Buffer>> {
  const known = await findKnownKeys(db);
  return new Map(
    known.flatMap(({ id, sealedChainKey }) =>
      sealedChainKey === null || !secrets.has(keyIdOf(sealedChainKey))
        ? []
        : [[id, Buffer.from(secrets.open(sealedChainKey, chainKeyContext(id)), 'base64url')] as const],
    ),
  );
}

export interface Rotated {
  /** The id of the key that everything is sealed with now. */
  readonly key: string;
  /** Values that were sealed anew, by the column they stand in. */
  readonly resealed: Readonly<Record<string, number>>;
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
  readonly capChains: () => Promise<number>;
  /** Writes down, in the transaction that retires keys, that it was done. */
  readonly told: (within: Db, rotated: Rotated) => Promise<void>;
}

/**
 * Seals everything anew that another key than the current one has sealed, some rows at a time, while the gateway serves. A value
 * that changes meanwhile is left and looked at again. It may be cut off at any moment: the next run goes on with what is left. Other
 * keys are retired when a whole round has found nothing under them.
 *
 * @throws WrongKeyError where a key is lacking
 */
export async function rotateKeys(deps: RotationDeps): Promise<Rotated> {
  const { db, secrets, at } = deps;
  await recogniseKeys(db, secrets, at);
  await keepChainKeys(db, secrets);
  failPoint('keys.chains-kept');
  const resealed: Record<string, number> = {};
  let chains = 0;
  for (let round = 1; ; round += 1) {
    const before = chains + total(resealed);
    for (const column of SEALED_COLUMNS) {
      const name = `${column.table}.${column.column}`;
      resealed[name] = (resealed[name] ?? 0) + (await resealColumn(db, secrets, column));
    }
    chains += await deps.capChains();
    if (chains + total(resealed) === before) break;
    if (round === MOST_ROUNDS) throw new Error(STILL_USED);
  }
  failPoint('keys.capped');
  const { values, seals } = await findKeyIdsInUse(db);
  const left = values.filter((id) => id !== secrets.currentId);
  if (left.length > 0) throw new Error(STILL_USED);
  return db.transaction().execute(async (within) => {
    await lockKeys(within);
    const known = await findKnownKeys(within);
    const unkept = seals.filter(
      (id) => id !== secrets.currentId && !known.some((key) => key.id === id && key.sealedChainKey !== null),
    );
    if (unkept.length > 0) throw new Error(`nothing is kept to check the seals of ${named(unkept)} with`);
    const retired = await retireKeys(within, secrets.currentId, at);
    const rotated = { key: secrets.currentId, resealed, chains, retired };
    if (retired.length > 0 || chains + total(resealed) > 0) await deps.told(within, rotated);
    return rotated;
  });
}

const total = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

/** Old seals of the ledger stay as they are; what they are checked with is kept under the new key. */
async function keepChainKeys(db: Db, secrets: SecretBox): Promise<void> {
  for (const { id, sealedChainKey } of await findKnownKeys(db)) {
    if (id === secrets.currentId || sealedChainKey !== null || !secrets.has(id)) continue;
    const key = secrets.macKey(id, LEDGER_SEAL).toString('base64url');
    await keepChainKey(db, id, secrets.seal(key, chainKeyContext(id)));
  }
}

async function resealColumn(db: Db, secrets: SecretBox, column: SealedColumn): Promise<number> {
  let resealed = 0;
  for (let after: readonly string[] | undefined; ;) {
    const { rows, last, found } = await findSealedOtherwise(db, column, secrets.currentId, after, PORTION);
    const values = found.map((value) => {
      const context = column.contextOf(...value.key);
      return { ...value, resealed: secrets.seal(secrets.open(value.sealed, context), context) };
    });
    resealed += await replaceSealed(db, column, values);
    if (values.length > 0) failPoint('keys.resealed');
    if (rows < PORTION) return resealed;
    after = last;
  }
}
