import { runStatementIn } from '#platform/database/statements.ts';
import { IDEMPOTENCY_KEY_TTL_MS } from '#platform/http/idempotency.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import { deleteExpiredKey, findKey } from '#payments/idempotency/store.ts';
import { PaymentLinkInactiveError } from './errors.ts';
import { countLinkPayment, isLinkPayment, toChangeRecord, withChange } from './apply-event.ts';
import type { CardAuthorization, FirstDecision, CardAuthorizer } from './card.ts';
import { decide, isCardDecline, type Terms } from './decisions.ts';
import type { TransactionDeps } from './deps.ts';
import { find } from './queries.ts';
import { restoreSnapshot, toSnapshot } from './snapshots.ts';
import type { Actor } from './store-change.ts';
import { createTransactions, creationKey, type Creation } from './store-create.ts';
import { saveDecisions, type DecidedCreation } from './store-decided.ts';
import { toInitialTransaction, type Transaction } from './transaction.ts';

export type CreateResult =
  | { readonly kind: 'created' | 'replayed'; readonly transaction: Transaction }
  /** The idempotency key was used with another body. */
  | { readonly kind: 'reused' };

/**
 * Creates a transaction that waits for its payment, and the CREATE operation of its external
 * provider if it has one. Concurrent creations share one statement.
 */
export async function create(deps: TransactionDeps, creation: Creation): Promise<CreateResult> {
  const { transaction, idempotencyKey, bodyHash } = creation;
  for (;;) {
    if (await deps.creations.add(creation)) {
      failPoint('transactions.committed');
      return { kind: 'created', transaction: toInitialTransaction(transaction) };
    }
    const replayed = await findReplay(deps, transaction.sellerId, idempotencyKey, bodyHash);
    if (replayed !== undefined) return replayed;
  }
}

/**
 * Creates a card transaction. The transaction, its idempotency key, the provider's decision and the
 * resulting ledger entries commit together.
 */
export async function createCard(
  deps: TransactionDeps,
  creation: Creation,
  authorization: Omit<CardAuthorization, 'transactionId' | 'now'>,
  provider: CardAuthorizer,
): Promise<CreateResult> {
  const { transaction } = creation;
  const result = provider.authorize({
    ...authorization,
    transactionId: transaction.id,
    now: transaction.createdAt,
  });
  const card = transaction.card && { ...transaction.card, ...result.codes };
  return createDecided(
    deps,
    { ...creation, transaction: { ...transaction, card } },
    { ...result, actor: 'PROVIDER' },
  );
}

/**
 * Creates a transaction together with the first decision on it, which needs no provider's response.
 */
export async function createDecided(
  deps: TransactionDeps,
  creation: Creation,
  result: FirstDecision & { readonly actor: Actor },
): Promise<CreateResult> {
  const { transaction, idempotencyKey, bodyHash } = creation;
  const terms = await deps.termsOf(transaction.sellerId);
  const { decided, after } = toDecided(deps, creation, result, terms);
  for (;;) {
    const isAlone = result.saveState !== undefined || isPaymentOfLink(decided);
    if (await (isAlone ? createAlone(deps, decided, result.saveState) : deps.decided.add(decided))) {
      failPoint('decided-transactions.committed');
      deps.notifyWorker();
      return { kind: 'created', transaction: after };
    }
    const replayed = await findReplay(deps, transaction.sellerId, idempotencyKey, bodyHash);
    if (replayed !== undefined) return replayed;
  }
}

/** Also returns the transaction as the creation returns it. */
function toDecided(
  deps: TransactionDeps,
  creation: Creation,
  { event, actor }: FirstDecision & { readonly actor: Actor },
  terms: Terms,
): { readonly decided: DecidedCreation; readonly after: Transaction } {
  const before = toInitialTransaction(creation.transaction);
  if (event === null) {
    const decided = { ...creation, record: null, isDecline: false, snapshot: toSnapshot(before) };
    return { decided, after: before };
  }
  const at = creation.transaction.createdAt;
  const decision = decide(before, event, terms, at);
  if (decision.kind !== 'change')
    throw new Error(`the first decision does not fit a new transaction: ${decision.kind}`);
  const { change } = decision;
  const after = withChange(before, change, at);
  const record = toChangeRecord(deps, { before, change, at, actor });
  const isDecline = isCardDecline(before, event);
  return { decided: { ...creation, record, isDecline, snapshot: toSnapshot(after) }, after };
}

const isPaymentOfLink = ({ record }: DecidedCreation): boolean =>
  record !== null && isLinkPayment(record.before, record.change);

/**
 * Creates a transaction in a database transaction of its own: it locks its payment link, or saves
 * the provider's state. Returns false if the idempotency key is in use.
 */
function createAlone(
  deps: TransactionDeps,
  decided: DecidedCreation,
  saveState: FirstDecision['saveState'],
): Promise<boolean> {
  return deps.db.transaction().execute(async (trx) => {
    const query = runStatementIn(trx);
    const [isCreated] = await createTransactions(query, [decided]);
    if (isCreated !== true) return false;
    const { record } = decided;
    // No provider was called, or it decides locally: nothing was charged.
    if (record !== null && !(await countLinkPayment(trx, record.before, record.change, record.at)))
      throw new PaymentLinkInactiveError();
    await saveDecisions(query, [decided], deps.recordDeclines);
    await saveState?.(trx);
    return true;
  });
}

/**
 * Returns the result of an earlier request with this idempotency key; undefined if the key is
 * unused or expired.
 */
export async function findReplay(
  deps: TransactionDeps,
  sellerId: string,
  idempotencyKey: string,
  bodyHash: Buffer,
): Promise<CreateResult | undefined> {
  const key = creationKey(sellerId, idempotencyKey);
  const known = await findKey(deps.db, key);
  if (known === undefined) return undefined;
  const notBefore = new Date(deps.clock.nowMs() - IDEMPOTENCY_KEY_TTL_MS);
  if (known.createdAt < notBefore) {
    await deleteExpiredKey(deps.db, key, notBefore);
    return undefined;
  }
  if (!known.bodyHash.equals(bodyHash)) return { kind: 'reused' };
  const transaction = await find(deps, { sellerId, id: known.recordId });
  if (transaction === undefined)
    throw new Error(`an idempotency key refers to no transaction: ${known.recordId}`);
  return { kind: 'replayed', transaction: restoreSnapshot(transaction, known.response) };
}
