import type { Clock } from '#platform/kit/clock.ts';
import { plainBatches, type BatchFactory } from '#platform/database/group-commit.ts';
import type { Database, Db } from '#platform/database/connect.ts';
import { Lanes, queryWithin, type Query } from '#platform/database/lanes.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import { IDEMPOTENCY_LIFE_MS } from '#platform/http/idempotency.ts';
import { inPortions, type Page } from '#platform/http/pages.ts';
import { deleteKeyOlderThan, findKey, type KeyName } from '#payments/idempotency/service.ts';
import { isUuid, newId } from '#platform/kit/ids.ts';
import type { News } from '#webhooks/service.ts';
import type { CardOrder, CardProvider } from './card.ts';
import { decide, type Decision, type Happening, type Terms } from './decisions.ts';
import { postbackOf, transactionUpdated } from './events.ts';
import { createReporting } from './provider-events.ts';
import { keepSnapshot, restoreSnapshot } from './snapshots.ts';
import {
  applyChanges,
  isRefusedChange,
  type Actor,
  type Applied,
  type ChangeRecord,
  type ReportRecord,
} from './store-change.ts';
import { createTransactions, creationKey, type Creation, type CreationOutcome } from './store-create.ts';
import { findSellersToGather, gatherCounts } from './store-counts.ts';
import {
  countMatching,
  findSummaries,
  findWholePages,
  isWhole,
  type Listed,
  type TransactionFilter,
  type TransactionSummary,
  type WholePage,
} from './store-lists.ts';
import { readSought } from './lookup.ts';
import { lookUp, type Found } from './store-lookup.ts';
import type { Placing } from '#payments/operations/store.ts';
import {
  findDueReleases,
  findExpired,
  findPayableById,
  findTransactions,
  lockTransaction,
  type TransactionKey,
} from './store.ts';
import { asCreated, type NewTransaction, type Status, type Transaction } from './transaction.ts';

export type { Transaction } from './transaction.ts';
export type { TransactionKey } from './store.ts';
export { gatherCounts as gatherCountsOf } from './store-counts.ts';
export { countDueOrders as dueOrders } from '#payments/operations/store.ts';
export { findRates as ratesOf, type Rate } from './store-rates.ts';
export { findDueReleases as dueReleases, sumReleasesFrom as releasesFrom } from './store-releases.ts';

/** How often a change is decided anew because another one came between. Each round, at least one of the rivals wins. */
const MAX_ROUNDS = 50;

export type CreateResult =
  | { readonly kind: 'created' | 'replayed'; readonly transaction: Transaction }
  | { readonly kind: 'reused' };

export type HappenResult =
  | { readonly kind: 'applied'; readonly transaction: Transaction }
  /** Nothing was due. */
  | { readonly kind: 'nothing'; readonly transaction: Transaction }
  /** The money is recorded and goes back to the payer; the charge stays as it was. */
  | { readonly kind: 'late'; readonly transaction: Transaction }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'impossible'; readonly from: Status; readonly to: Status }
  | { readonly kind: 'wrong-amount' }
  /** The available balance would fall below what the operator allows. */
  | { readonly kind: 'insufficient' }
  /** The report was told before of another charge. */
  | { readonly kind: 'used' };

export type ReportResult = HappenResult | { readonly kind: 'repeated'; readonly transaction: Transaction };

/** For the bench, which fills the tables as creations do. */
export { CREATE_OPERATION } from './store-create.ts';

export interface TransactionsDeps {
  readonly database: Database;
  readonly clock: Clock;
  /** What of a seller's terms decisions depend on. */
  readonly termsOf: (sellerId: string) => Promise<Terms>;
  /** Told after a commit that wrote deliveries, so that the worker need not wait for its next look. */
  readonly onDeliveries: () => void;
  /** Who makes the batches; plain ones unless told. */
  readonly batches?: BatchFactory;
}

export type TransactionsService = ReturnType<typeof createTransactionsService>;

export function createTransactionsService({
  database,
  clock,
  termsOf,
  onDeliveries,
  batches = plainBatches,
}: TransactionsDeps) {
  const { db, patience } = database;
  const creationLanes = new Lanes(database, 'create');
  const changeLanes = new Lanes(database, 'change');
  const readLanes = new Lanes(database, 'read', { readsOnly: true });
  const pageLanes = new Lanes(database, 'page', { readsOnly: true });
  // One lane each. The fewer statements for the same charges, the less each costs, and one backend writes more than a process can ask
  // for. Batches of changes that ran side by side would also wait for each other's wallets.
  const creations = batches<Creation, CreationOutcome>('creations', {
    lanes: 1,
    patience,
    run: (lane, items) => createTransactions(creationLanes.on(lane), items),
  });
  const changes = batches<ChangeRecord, Applied>('changes', {
    lanes: 1,
    patience,
    run: (lane, items) => applyChanges(changeLanes.on(lane), items),
  });
  const reads = batches<TransactionKey, Transaction | null>('reads', {
    lanes: 1,
    patience,
    run: (lane, keys) => findTransactions(readLanes.on(lane), keys),
  });

  const pages = batches<WholePage, Listed>('pages', {
    lanes: 1,
    patience,
    maxItems: 64,
    run: (lane, asked) => findWholePages(pageLanes.on(lane), asked),
  });

  async function find(key: TransactionKey): Promise<Transaction | undefined> {
    if (!isUuid(key.id) || !isUuid(key.sellerId)) return undefined;
    return (await reads.add(key)) ?? undefined;
  }

  /** What a key answered before: undefined where it is free. */
  async function replay(name: KeyName, bodyHash: Buffer): Promise<CreateResult | undefined> {
    const known = await findKey(db, name);
    if (known === undefined) return undefined;
    const livingSince = new Date(clock.nowMs() - IDEMPOTENCY_LIFE_MS);
    if (known.createdAt < livingSince) {
      await deleteKeyOlderThan(db, name, livingSince);
      return undefined;
    }
    if (!known.bodyHash.equals(bodyHash)) return { kind: 'reused' };
    const transaction = await find({ sellerId: name.sellerId, id: known.recordId });
    if (transaction === undefined) throw new Error('an idempotency key names a record that does not exist');
    // The first answer again: the charge as it was then, whatever has happened to it since.
    return { kind: 'replayed', transaction: restoreSnapshot(transaction, known.answer) };
  }

  /** Makes a charge that waits to be paid, together with whoever else makes one now; and its order, where a provider is to have it. */
  async function create(
    made: NewTransaction,
    idempotencyKey: string,
    bodyHash: Buffer,
    placing?: Placing,
  ): Promise<CreateResult> {
    const creation = { transaction: made, idempotencyKey, bodyHash };
    for (;;) {
      const outcome = await creations.add(placing === undefined ? creation : { ...creation, placing });
      if (outcome.kind === 'created') {
        failPoint('charges.committed');
        return { kind: 'created', transaction: asCreated(made) };
      }
      const replayed = await replay(creationKey(made.sellerId, idempotencyKey), bodyHash);
      if (replayed !== undefined) return replayed;
    }
  }

  /** Makes a card charge: charge, key, the provider's verdict and its money in one transaction. */
  async function createCard(
    made: NewTransaction,
    order: Omit<CardOrder, 'transactionId' | 'now'>,
    provider: CardProvider,
    idempotencyKey: string,
    bodyHash: Buffer,
  ): Promise<CreateResult> {
    const terms = await termsOf(made.sellerId);
    const name = creationKey(made.sellerId, idempotencyKey);
    const at = made.createdAt;
    const verdict = provider.authorize({ ...order, transactionId: made.id, now: at });
    for (;;) {
      const transaction = await db.transaction().execute(async (within): Promise<Transaction | undefined> => {
        const query = queryWithin(within);
        const [outcome] = await createTransactions(query, [{ transaction: made, idempotencyKey, bodyHash }]);
        if (outcome?.kind !== 'created') return undefined;
        let current = asCreated(made);
        if (verdict.happening !== null) {
          const decision = decide(current, verdict.happening, terms, at);
          if (decision.kind !== 'change') throw new Error('a card verdict does not fit a new charge');
          const record = recordOf(current, decision.change, at, 'PROVIDER', null);
          await applyChanges(query, [record]);
          current = afterwards(current, decision.change, at);
        }
        await verdict.remember?.(within);
        await keepSnapshot(within, name, current);
        return current;
      });
      if (transaction !== undefined) {
        failPoint('cards.committed');
        onDeliveries();
        return { kind: 'created', transaction };
      }
      const replayed = await replay(name, bodyHash);
      if (replayed !== undefined) return replayed;
    }
  }

  /**
   * Applies what happened to a charge. Reads, decides, and writes only if nothing came between; otherwise once more. A caller
   * that has just read the charge hands it on as `known`: the first decision is made on it, since its version guards the write.
   */
  async function happen(
    key: TransactionKey,
    happening: Happening,
    actor: Actor,
    report: ReportRecord | null = null,
    known?: Transaction,
  ): Promise<HappenResult> {
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const before = round === 0 && known !== undefined ? known : await find(key);
      // Only a charge is known to have a seller with terms: a report may name anybody.
      if (before === undefined) return { kind: 'unknown' };
      const terms = await termsOf(key.sellerId);
      const at = clock.now();
      const decision = decide(before, happening, terms, at);
      if (decision.kind !== 'change') return refusalOf(decision, before);
      const outcome = await changes
        .add(recordOf(before, decision.change, at, actor, report))
        .catch((error: unknown) => {
          if (isRefusedChange(error)) return null;
          throw error;
        });
      if (outcome === null) return report === null ? { kind: 'insufficient' } : { kind: 'used' };
      if (!outcome.applied) continue;
      failPoint('changes.committed');
      if (outcome.deliveries) onDeliveries();
      return { kind: 'applied', transaction: afterwards(before, decision.change, at) };
    }
    throw new Error('a charge changed under every attempt to change it');
  }

  /**
   * The same inside a transaction of the caller's, for what must be written together with it. The charge is locked, so
   * one round is enough. The caller must undo its transaction unless the result is `applied`, and call `told` after it.
   * Terms are read before the transaction begins: one that waits for a second connection of the pool while all are held
   * by others of its kind waits for ever.
   */
  async function happenWithin(
    within: Db,
    terms: Terms,
    key: TransactionKey,
    happeningOf: (transaction: Transaction) => Happening,
    actor: Actor,
    report: ReportRecord | null = null,
  ): Promise<HappenResult> {
    const query = queryWithin(within);
    if (!isUuid(key.id) || !(await lockTransaction(within, key))) return { kind: 'unknown' };
    const [before] = await findTransactions(query, [key]);
    if (before === undefined || before === null) return { kind: 'unknown' };
    const at = clock.now();
    const decision = decide(before, happeningOf(before), terms, at);
    if (decision.kind !== 'change') return refusalOf(decision, before);
    const applied = await applyLocked(query, recordOf(before, decision.change, at, actor, report));
    if (!applied) return { kind: 'insufficient' };
    return { kind: 'applied', transaction: afterwards(before, decision.change, at) };
  }

  return {
    find,
    create,
    createCard,
    happen,
    happenWithin,
    /** Holds a charge until the end of the caller's transaction; false where there is none. */
    hold: lockTransaction,
    /** A charge as it is inside the caller's transaction. */
    async findWithin(within: Db, key: TransactionKey): Promise<Transaction | undefined> {
      const [found] = await findTransactions(queryWithin(within), [key]);
      return found ?? undefined;
    },
    /** Why something could not happen to a charge now; undefined where it could. */
    wouldHappen(transaction: Transaction, happening: Happening, terms: Terms): HappenResult | undefined {
      const decision = decide(transaction, happening, terms, clock.now());
      return decision.kind === 'change' ? undefined : refusalOf(decision, transaction);
    },
    termsOf,
    told: onDeliveries,

    replayOf: (
      sellerId: string,
      idempotencyKey: string,
      bodyHash: Buffer,
    ): Promise<CreateResult | undefined> => replay(creationKey(sellerId, idempotencyKey), bodyHash),

    ...createReporting({ db, clock, find, happen }),

    /**
     * Ends charges whose time has passed; answers how many were looked at, so that the caller knows whether more wait.
     * A provider of others is told of authorizations that lapse (`expire`).
     */
    async expireDue(limit: number, expire: (key: TransactionKey) => Promise<unknown>): Promise<number> {
      const due = await findExpired(db, clock.now(), limit);
      await Promise.all(
        due.map(async ({ status, ...key }) =>
          status === 'AUTHORIZED' ? expire(key) : happen(key, { kind: 'EXPIRY' }, 'WORKER'),
        ),
      );
      return due.length;
    },

    /** Makes retained money available whose day has come; answers how many charges were looked at. */
    async releaseDue(limit: number): Promise<number> {
      const due = await findDueReleases(db, clock.now(), limit);
      await Promise.all(due.map((key) => happen(key, { kind: 'RELEASE' }, 'WORKER')));
      return due.length;
    },

    /** Gathers the counts of sellers whose charges have changed; answers how many sellers there were. */
    async gatherCounts(limit: number): Promise<number> {
      const sellerIds = await findSellersToGather(db, limit);
      for (const sellerId of sellerIds) await gatherCounts(db, sellerId);
      return sellerIds.length;
    },

    async list(sellerId: string, filter: TransactionFilter, page: Page): Promise<Listed> {
      if (page.skip === 0 && isWhole(filter))
        return pages.add({ sellerId, take: page.take, after: page.after });
      const [summaries, count] = await Promise.all([
        findSummaries(db, sellerId, filter, page),
        countMatching(db, sellerId, filter),
      ]);
      return { summaries, count };
    },

    /** Every charge that matches, newest first, read page by page as fast as they are taken. */
    all: (sellerId: string, filter: TransactionFilter): AsyncGenerator<TransactionSummary> =>
      inPortions((page) => findSummaries(db, sellerId, filter, page)),

    /** Whole charges that match, newest first. */
    async search(
      sellerId: string,
      filter: TransactionFilter,
      page: Page,
    ): Promise<{ readonly transactions: readonly Transaction[]; readonly count: number }> {
      const [summaries, count] = await Promise.all([
        findSummaries(db, sellerId, filter, page),
        countMatching(db, sellerId, filter),
      ]);
      const found = await Promise.all(summaries.slice(0, page.take).map(({ id }) => find({ sellerId, id })));
      return { transactions: found.filter((one) => one !== undefined), count };
    },

    /** Charges that a text names or describes: `readSought`, `lookUp`. Undefined where the database took too long. */
    lookUp: (sellerId: string, text: string): Promise<Found | undefined> =>
      lookUp(db, sellerId, readSought(text)),

    /** What is true of these charges now, as their seller is told; undefined where one of them is unknown. */
    async newsOf(sellerId: string, ids: readonly string[]): Promise<readonly News[] | undefined> {
      const found = await Promise.all(ids.map((id) => find({ sellerId, id })));
      const known = found.filter((one) => one !== undefined);
      if (known.length < found.length) return undefined;
      return known.map((one) => ({
        recordId: one.id,
        ...transactionUpdated(one),
        postback: postbackOf(one),
      }));
    },

    /** A charge by its id alone, for its public payer addresses. */
    async payable(transactionId: string): Promise<Transaction | undefined> {
      const key = isUuid(transactionId) ? await findPayableById(db, transactionId) : undefined;
      return key === undefined ? undefined : find(key);
    },
  };
}

type Made = Extract<Decision, { readonly kind: 'change' }>['change'];

function recordOf(
  before: Transaction,
  change: Made,
  at: Date,
  actor: Actor,
  report: ReportRecord | null,
): ChangeRecord {
  const { type, payload } = transactionUpdated(afterwards(before, change, at));
  return { changeId: newId(at.getTime()), before, change, at, actor, report, eventType: type, payload };
}

/** The charge as it is once the change is written. */
function afterwards(before: Transaction, change: Made, at: Date): Transaction {
  const changed = new Map((change.releases ?? []).map((release) => [release.number, release]));
  const kept = before.releases.filter(({ number }) => !changed.has(number));
  return {
    ...before,
    status: change.to,
    statusReason: change.reason ?? before.statusReason,
    version: before.version + 1,
    amount: change.amount ?? before.amount,
    feeAmount: change.feeAmount ?? before.feeAmount,
    refundedAmount: change.refundedAmount ?? before.refundedAmount,
    refundingAmount: change.refundingAmount ?? before.refundingAmount,
    expiresAt: change.expiresAt ?? before.expiresAt,
    releases: [...kept, ...changed.values()],
    paidAt: change.paidAt ?? before.paidAt,
    updatedAt: at,
  };
}

function refusalOf(
  decision: Exclude<Decision, { readonly kind: 'change' }>,
  transaction: Transaction,
): HappenResult {
  switch (decision.kind) {
    case 'late':
      return { kind: 'late', transaction };
    case 'nothing':
      return { kind: 'nothing', transaction };
    case 'wrong-amount':
    case 'impossible':
      return decision;
  }
}

/** False where a wallet did not take its change. The transaction it ran in is then broken and must be undone. */
async function applyLocked(query: Query, record: ChangeRecord): Promise<boolean> {
  try {
    const [outcome] = await applyChanges(query, [record]);
    if (outcome?.applied !== true) throw new Error('a locked charge changed under its lock');
    return true;
  } catch (error) {
    if (isRefusedChange(error)) return false;
    throw error;
  }
}
