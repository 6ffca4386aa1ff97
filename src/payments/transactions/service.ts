import type { Clock } from '#platform/kit/clock.ts';
import { createGroupCommit, type GroupCommitFactory } from '#platform/database/group-commit.ts';
import type { Database, Db } from '#platform/database/connect.ts';
import { dedicatedConnection } from '#platform/database/dedicated-connection.ts';
import { runStatementIn, type RunStatement } from '#platform/database/statements.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import { IDEMPOTENCY_KEY_TTL_MS } from '#platform/http/idempotency.ts';
import { paginate, type Page } from '#platform/http/pagination.ts';
import { deleteExpiredKey, findKey, type IdempotencyKey } from '#payments/idempotency/store.ts';
import type { ProviderEventRecord } from '#payments/provider-events/provider-event.ts';
import { isUuid, newId } from '#platform/kit/ids.ts';
import type { EventSnapshot } from '#webhooks/service.ts';
import type { CardAuthorization, CardAuthorizer } from './card.ts';
import { decide, type Decision, type TransactionEvent, type Terms } from './decisions.ts';
import { postbackTarget, transactionUpdated } from './events.ts';
import { saveSnapshot, restoreSnapshot } from './snapshots.ts';
import {
  applyChanges,
  isRejectedChange,
  type Actor,
  type ApplyOutcome,
  type ChangeRecord,
} from './store-change.ts';
import { createTransactions, creationKey, type Creation, type CreationOutcome } from './store-create.ts';
import { findSellersToCompact, compactCounts } from './store-counts.ts';
import {
  countTransactions,
  findSummaries,
  findUnfilteredPages,
  isUnfiltered,
  type SummaryPage,
  type TransactionFilter,
  type TransactionSummary,
  type UnfilteredPage,
} from './store-lists.ts';
import { parseSearch } from './lookup.ts';
import { lookUp, type LookupResult } from './store-lookup.ts';
import type { PendingSubmission } from '#payments/operations/store.ts';
import {
  findTransactionsWithDueReleases,
  findExpiredTransactions,
  findTransactionKeyById,
  findTransactions,
  lockTransaction,
  type TransactionKey,
} from './store.ts';
import { toInitialTransaction, type NewTransaction, type Status, type Transaction } from './transaction.ts';

export type { Transaction } from './transaction.ts';
export type { TransactionKey } from './store.ts';
export { compactCounts as compactSellerCounts } from './store-counts.ts';
export { findPaymentRates, type PaymentRate } from './store-payment-rates.ts';
export { findUpcomingReleases, sumReleasesFrom } from './store-releases.ts';

/** How often a change is decided anew because another one came between. Each round, at least one of the rivals wins. */
const MAX_ROUNDS = 50;

export type CreateResult =
  | { readonly kind: 'created' | 'replayed'; readonly transaction: Transaction }
  | { readonly kind: 'reused' };

export type ApplyResult =
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

/** For the bench, which fills the tables as creations do. */
export { CREATE_OPERATION } from './store-create.ts';

export interface TransactionsDeps {
  readonly database: Database;
  readonly clock: Clock;
  /** What of a seller's terms decisions depend on. */
  readonly termsOf: (sellerId: string) => Promise<Terms>;
  /** Told after a commit that wrote deliveries, so that the worker need not wait for its next look. */
  readonly notifyWorker: () => void;
  /** Defaults to group commits without metrics. */
  readonly groupCommit?: GroupCommitFactory;
}

export type TransactionsService = ReturnType<typeof createTransactionsService>;

export function createTransactionsService({
  database,
  clock,
  termsOf,
  notifyWorker,
  groupCommit = createGroupCommit,
}: TransactionsDeps) {
  const { db, queryDeadline } = database;
  const createQuery = dedicatedConnection(database, 'create');
  const changeQuery = dedicatedConnection(database, 'change');
  const readQuery = dedicatedConnection(database, 'read', { readOnly: true });
  const pageQuery = dedicatedConnection(database, 'page', { readOnly: true });
  const creations = groupCommit<Creation, CreationOutcome>('creations', {
    queryDeadline,
    run: (items) => createTransactions(createQuery, items),
  });
  const changes = groupCommit<ChangeRecord, ApplyOutcome>('changes', {
    queryDeadline,
    run: (items) => applyChanges(changeQuery, items),
  });
  const reads = groupCommit<TransactionKey, Transaction | null>('reads', {
    queryDeadline,
    run: (keys) => findTransactions(readQuery, keys),
  });

  const pages = groupCommit<UnfilteredPage, SummaryPage>('pages', {
    queryDeadline,
    maxItems: 64,
    run: (requests) => findUnfilteredPages(pageQuery, requests),
  });

  async function find(key: TransactionKey): Promise<Transaction | undefined> {
    if (!isUuid(key.id) || !isUuid(key.sellerId)) return undefined;
    return (await reads.add(key)) ?? undefined;
  }

  /** What a key answered before: undefined where it is free. */
  async function findReplay(name: IdempotencyKey, bodyHash: Buffer): Promise<CreateResult | undefined> {
    const known = await findKey(db, name);
    if (known === undefined) return undefined;
    const notBefore = new Date(clock.nowMs() - IDEMPOTENCY_KEY_TTL_MS);
    if (known.createdAt < notBefore) {
      await deleteExpiredKey(db, name, notBefore);
      return undefined;
    }
    if (!known.bodyHash.equals(bodyHash)) return { kind: 'reused' };
    const transaction = await find({ sellerId: name.sellerId, id: known.recordId });
    if (transaction === undefined) throw new Error('an idempotency key names a record that does not exist');
    // The first answer again: the charge as it was then, whatever has happened to it since.
    return { kind: 'replayed', transaction: restoreSnapshot(transaction, known.response) };
  }

  /** Makes a charge that waits to be paid, together with whoever else makes one now; and its order, where a provider is to have it. */
  async function create(
    newTransaction: NewTransaction,
    idempotencyKey: string,
    bodyHash: Buffer,
    operation?: PendingSubmission,
  ): Promise<CreateResult> {
    const creation = { transaction: newTransaction, idempotencyKey, bodyHash };
    for (;;) {
      const outcome = await creations.add(operation === undefined ? creation : { ...creation, operation });
      if (outcome.kind === 'created') {
        failPoint('transactions.committed');
        return { kind: 'created', transaction: toInitialTransaction(newTransaction) };
      }
      const replayed = await findReplay(creationKey(newTransaction.sellerId, idempotencyKey), bodyHash);
      if (replayed !== undefined) return replayed;
    }
  }

  /** Makes a card charge: charge, key, the provider's verdict and its money in one transaction. */
  async function createCard(
    newTransaction: NewTransaction,
    authorization: Omit<CardAuthorization, 'transactionId' | 'now'>,
    provider: CardAuthorizer,
    idempotencyKey: string,
    bodyHash: Buffer,
  ): Promise<CreateResult> {
    const terms = await termsOf(newTransaction.sellerId);
    const name = creationKey(newTransaction.sellerId, idempotencyKey);
    const at = newTransaction.createdAt;
    const result = provider.authorize({ ...authorization, transactionId: newTransaction.id, now: at });
    for (;;) {
      const transaction = await db.transaction().execute(async (trx): Promise<Transaction | undefined> => {
        const query = runStatementIn(trx);
        const [outcome] = await createTransactions(query, [
          { transaction: newTransaction, idempotencyKey, bodyHash },
        ]);
        if (outcome?.kind !== 'created') return undefined;
        let current = toInitialTransaction(newTransaction);
        if (result.event !== null) {
          const decision = decide(current, result.event, terms, at);
          if (decision.kind !== 'change') throw new Error('a card verdict does not fit a new charge');
          const record = toChangeRecord(current, decision.change, at, 'PROVIDER', null);
          await applyChanges(query, [record]);
          current = withChange(current, decision.change, at);
        }
        await result.saveState?.(trx);
        await saveSnapshot(trx, name, current);
        return current;
      });
      if (transaction !== undefined) {
        failPoint('card-transactions.committed');
        notifyWorker();
        return { kind: 'created', transaction };
      }
      const replayed = await findReplay(name, bodyHash);
      if (replayed !== undefined) return replayed;
    }
  }

  /**
   * Applies what happened to a charge. Reads, decides, and writes only if nothing came between; otherwise once more. A caller
   * that has just read the charge hands it on as `known`: the first decision is made on it, since its version guards the write.
   */
  async function applyEvent(
    key: TransactionKey,
    event: TransactionEvent,
    actor: Actor,
    providerEvent: ProviderEventRecord | null = null,
    known?: Transaction,
  ): Promise<ApplyResult> {
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const before = round === 0 && known !== undefined ? known : await find(key);
      // Only a charge is known to have a seller with terms: a report may name anybody.
      if (before === undefined) return { kind: 'unknown' };
      const terms = await termsOf(key.sellerId);
      const at = clock.now();
      const decision = decide(before, event, terms, at);
      if (decision.kind !== 'change') return refusalOf(decision, before);
      const outcome = await changes
        .add(toChangeRecord(before, decision.change, at, actor, providerEvent))
        .catch((error: unknown) => {
          if (isRejectedChange(error)) return null;
          throw error;
        });
      if (outcome === null) return providerEvent === null ? { kind: 'insufficient' } : { kind: 'used' };
      if (!outcome.applied) continue;
      failPoint('transaction-events.committed');
      if (outcome.hasDeliveries) notifyWorker();
      return { kind: 'applied', transaction: withChange(before, decision.change, at) };
    }
    throw new Error('a charge changed under every attempt to change it');
  }

  /**
   * The same inside a transaction of the caller's, for what must be written together with it. The charge is locked, so
   * one round is enough. The caller must undo its transaction unless the result is `applied`, and call `told` after it.
   * Terms are read before the transaction begins: one that waits for a second connection of the pool while all are held
   * by others of its kind waits for ever.
   */
  async function applyEventInTransaction(
    trx: Db,
    terms: Terms,
    key: TransactionKey,
    eventOf: (transaction: Transaction) => TransactionEvent,
    actor: Actor,
    providerEvent: ProviderEventRecord | null = null,
  ): Promise<ApplyResult> {
    const query = runStatementIn(trx);
    if (!isUuid(key.id) || !(await lockTransaction(trx, key))) return { kind: 'unknown' };
    const [before] = await findTransactions(query, [key]);
    if (before === undefined || before === null) return { kind: 'unknown' };
    const at = clock.now();
    const decision = decide(before, eventOf(before), terms, at);
    if (decision.kind !== 'change') return refusalOf(decision, before);
    const applied = await applyLocked(
      query,
      toChangeRecord(before, decision.change, at, actor, providerEvent),
    );
    if (!applied) return { kind: 'insufficient' };
    return { kind: 'applied', transaction: withChange(before, decision.change, at) };
  }

  return {
    find,
    create,
    createCard,
    applyEvent,
    applyEventInTransaction,
    /** Holds a charge until the end of the caller's transaction; false where there is none. */
    lock: lockTransaction,
    /** A charge as it is inside the caller's transaction. */
    async findInTransaction(trx: Db, key: TransactionKey): Promise<Transaction | undefined> {
      const [found] = await findTransactions(runStatementIn(trx), [key]);
      return found ?? undefined;
    },
    /** Why something could not happen to a charge now; undefined where it could. */
    checkTransition(
      transaction: Transaction,
      event: TransactionEvent,
      terms: Terms,
    ): ApplyResult | undefined {
      const decision = decide(transaction, event, terms, clock.now());
      return decision.kind === 'change' ? undefined : refusalOf(decision, transaction);
    },
    termsOf,
    notifyWorker: notifyWorker,

    findReplay: (
      sellerId: string,
      idempotencyKey: string,
      bodyHash: Buffer,
    ): Promise<CreateResult | undefined> => findReplay(creationKey(sellerId, idempotencyKey), bodyHash),

    /**
     * Ends charges whose time has passed; answers how many were looked at, so that the caller knows whether more wait.
     * A provider of others is told of authorizations that lapse (`expire`).
     */
    async expireDue(limit: number, expire: (key: TransactionKey) => Promise<unknown>): Promise<number> {
      const due = await findExpiredTransactions(db, clock.now(), limit);
      await Promise.all(
        due.map(async ({ status, ...key }) =>
          status === 'AUTHORIZED' ? expire(key) : applyEvent(key, { kind: 'EXPIRY' }, 'WORKER'),
        ),
      );
      return due.length;
    },

    /** Makes retained money available whose day has come; answers how many charges were looked at. */
    async releaseDue(limit: number): Promise<number> {
      const due = await findTransactionsWithDueReleases(db, clock.now(), limit);
      await Promise.all(due.map((key) => applyEvent(key, { kind: 'RELEASE' }, 'WORKER')));
      return due.length;
    },

    /** Gathers the counts of sellers whose charges have changed; answers how many sellers there were. */
    async compactCounts(limit: number): Promise<number> {
      const sellerIds = await findSellersToCompact(db, limit);
      for (const sellerId of sellerIds) await compactCounts(db, sellerId);
      return sellerIds.length;
    },

    async list(sellerId: string, filter: TransactionFilter, page: Page): Promise<SummaryPage> {
      if (page.skip === 0 && isUnfiltered(filter))
        return pages.add({ sellerId, take: page.take, after: page.after });
      const [summaries, count] = await Promise.all([
        findSummaries(db, sellerId, filter, page),
        countTransactions(db, sellerId, filter),
      ]);
      return { summaries, count };
    },

    /** Every charge that matches, newest first, read page by page as fast as they are taken. */
    all: (sellerId: string, filter: TransactionFilter): AsyncGenerator<TransactionSummary> =>
      paginate((page) => findSummaries(db, sellerId, filter, page)),

    /** Whole charges that match, newest first. */
    async search(
      sellerId: string,
      filter: TransactionFilter,
      page: Page,
    ): Promise<{ readonly transactions: readonly Transaction[]; readonly count: number }> {
      const [summaries, count] = await Promise.all([
        findSummaries(db, sellerId, filter, page),
        countTransactions(db, sellerId, filter),
      ]);
      const found = await Promise.all(summaries.slice(0, page.take).map(({ id }) => find({ sellerId, id })));
      return { transactions: found.filter((one) => one !== undefined), count };
    },

    /** Charges that a text names or describes: `readSought`, `lookUp`. Undefined where the database took too long. */
    lookUp: (sellerId: string, text: string): Promise<LookupResult | undefined> =>
      lookUp(db, sellerId, parseSearch(text)),

    /** What is true of these charges now, as their seller is told; undefined where one of them is unknown. */
    async snapshotsOf(
      sellerId: string,
      ids: readonly string[],
    ): Promise<readonly EventSnapshot[] | undefined> {
      const found = await Promise.all(ids.map((id) => find({ sellerId, id })));
      const known = found.filter((one) => one !== undefined);
      if (known.length < found.length) return undefined;
      return known.map((one) => ({
        recordId: one.id,
        ...transactionUpdated(one),
        postback: postbackTarget(one),
      }));
    },

    /** A charge by its id alone, for its public payer addresses. */
    async findById(transactionId: string): Promise<Transaction | undefined> {
      const key = isUuid(transactionId) ? await findTransactionKeyById(db, transactionId) : undefined;
      return key === undefined ? undefined : find(key);
    },
  };
}

type DecidedChange = Extract<Decision, { readonly kind: 'change' }>['change'];

function toChangeRecord(
  before: Transaction,
  change: DecidedChange,
  at: Date,
  actor: Actor,
  providerEvent: ProviderEventRecord | null,
): ChangeRecord {
  const { type, payload } = transactionUpdated(withChange(before, change, at));
  return {
    changeId: newId(at.getTime()),
    before,
    change,
    at,
    actor,
    providerEvent,
    eventType: type,
    payload,
  };
}

/** The charge as it is once the change is written. */
function withChange(before: Transaction, change: DecidedChange, at: Date): Transaction {
  const changed = new Map((change.releases ?? []).map((release) => [release.number, release]));
  const unchanged = before.releases.filter(({ number }) => !changed.has(number));
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
    releases: [...unchanged, ...changed.values()],
    paidAt: change.paidAt ?? before.paidAt,
    updatedAt: at,
  };
}

function refusalOf(
  decision: Exclude<Decision, { readonly kind: 'change' }>,
  transaction: Transaction,
): ApplyResult {
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
async function applyLocked(query: RunStatement, record: ChangeRecord): Promise<boolean> {
  try {
    const [outcome] = await applyChanges(query, [record]);
    if (outcome?.applied !== true) throw new Error('a locked charge changed under its lock');
    return true;
  } catch (error) {
    if (isRejectedChange(error)) return false;
    throw error;
  }
}
