import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import { newId } from '#platform/kit/ids.ts';
import type { Logger } from '#platform/kit/log.ts';
import { withinDeadline } from '#platform/jobs/provider-calls.ts';
import type { Terms } from '#payments/transactions/decisions.ts';
import type {
  CardAnswer,
  CardPlacement,
  CardRail,
  PixOrder,
  PixRail,
  PlacedPix,
  Refused,
} from './payment-provider.ts';
import { NotTaken } from './payment-provider.ts';
import type { CreateResult, TransactionsService } from '#payments/transactions/service.ts';
import { keepSnapshot } from '#payments/transactions/snapshots.ts';
import { creationKey } from '#payments/transactions/store-create.ts';
import {
  closeOrder,
  findOrder,
  findOrdersOf,
  insertOrder,
  insertPixCharge,
  moveOrder,
  postponeOrder,
  type Order,
} from './store.ts';
import type { ReportRecord } from '#payments/transactions/store-change.ts';
import type { TransactionKey } from '#payments/transactions/store.ts';
import { asCreated, type NewTransaction, type Transaction } from '#payments/transactions/transaction.ts';

/** How long a payer at the checkout waits for a provider; all providers of a method together. */
const PLACE_DEADLINE_MS = 8_000;
const CARD_DEADLINE_MS = 25_000;
/** Beyond the deadline: when another process asks what became of an order whose process died. */
const LEASE_MARGIN_MS = 5_000;
/** A card provider tells by itself what came of an authorization; after this long it is asked to give it back. */
const CARD_PATIENCE_MS = 120_000;
/** One that says that it is still thinking gets longer. */
const PENDING_PATIENCE_MS = 3_600_000;
const REPEAT_LOOK_MS = 100;

export const NOBODY_TOOK_IT = 'no provider took the charge';
const NO_ANSWER = 'the card provider did not answer in time';

export interface PlacingDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Logger;
  readonly transactions: TransactionsService;
  /** Without a slash at the end. */
  readonly publicUrl: string;
}

export type Placing = ReturnType<typeof createPlacing>;

/**
 * Makes charges whose rail is a provider of others. Charge, key and order are committed first, then the provider is called
 * with our own id, then the outcome is committed. A crash between leaves an order that is open, and the sweep asks the
 * provider what became of it: the charge stays PENDING until then, and nothing is charged twice.
 */
export function createPlacing({ db, clock, log, transactions, publicUrl }: PlacingDeps) {
  /** Makes the charge with its order; where its key is known, waits for whoever is calling for it. */
  async function intend(
    made: NewTransaction,
    provider: string,
    patienceMs: number,
    deadlineMs: number,
    capture: boolean,
    idempotencyKey: string,
    bodyHash: Buffer,
  ): Promise<CreateResult> {
    const leaseUntil = new Date(made.createdAt.getTime() + deadlineMs + LEASE_MARGIN_MS);
    const dueAt = new Date(made.createdAt.getTime() + patienceMs);
    const placing = { provider, dueAt, leaseUntil, capture };
    const result = await transactions.create(made, idempotencyKey, bodyHash, placing);
    if (result.kind === 'created') failPoint('orders.committed');
    if (result.kind !== 'replayed') return result;
    await settled(result.transaction, deadlineMs);
    return (await transactions.replayOf(made.sellerId, idempotencyKey, bodyHash)) ?? result;
  }

  /** Waits until nobody calls for the charge any more: its outcome is known then, or its process died. */
  async function settled({ sellerId, id }: Transaction, deadlineMs: number): Promise<void> {
    const end = performance.now() + deadlineMs + LEASE_MARGIN_MS;
    while (performance.now() < end) {
      const order = await findOrder(db, { sellerId, id });
      if (order?.state !== 'OPEN' || order.leaseUntil === null || order.leaseUntil <= clock.now()) return;
      await new Promise((resolve) => setTimeout(resolve, REPEAT_LOOK_MS));
    }
  }

  /** Asks one provider after the other until one takes it; undefined where what came of the call is not known. */
  async function ask<Rail extends { readonly name: string }, Answer>(
    key: { readonly sellerId: string; readonly id: string },
    rails: readonly Rail[],
    deadlineMs: number,
    call: (rail: Rail, deadline: AbortSignal) => Promise<Answer>,
  ): Promise<Answer | 'nobody' | undefined> {
    const deadline = AbortSignal.timeout(deadlineMs);
    for (const [index, rail] of rails.entries()) {
      const before = rails[index - 1];
      if (before !== undefined) {
        const move = { from: before.name, to: rail.name, now: clock.now() };
        if (!(await moveOrder(db, key, move))) return undefined;
      }
      try {
        const answer = await withinDeadline(deadline, (signal) => call(rail, signal));
        failPoint('orders.called');
        return answer;
      } catch (error) {
        const taken = !(error instanceof NotTaken);
        const about = { err: error, provider: rail.name, transactionId: key.id };
        log.warn(about, taken ? 'an order has no outcome yet' : 'a provider did not take an order');
        if (taken) return undefined;
      }
    }
    return 'nobody';
  }

  async function reread(made: NewTransaction): Promise<Transaction> {
    const transaction = await transactions.find(made);
    if (transaction === undefined) throw new Error('a charge that was made is gone');
    return transaction;
  }

  /** Writes a provider's code to its charge. One that has ended meanwhile gets it too, and is removed at the provider. */
  async function keepCode(order: PixOrder & { readonly sellerId: string }, placed: PlacedPix): Promise<void> {
    const key = { sellerId: order.sellerId, id: order.transactionId };
    const at = clock.now();
    await db.transaction().execute(async (within) => {
      await transactions.hold(within, key);
      const closed = { state: 'ACCEPTED', reference: placed.reference, detail: null, at } as const;
      if (!(await closeOrder(within, key, closed))) return;
      const { txid, expiresAt } = order;
      const location = `${publicUrl}/pix/${txid}`;
      const pix = { id: newId(at.getTime()), txid, location, code: placed.code, expiresAt };
      await insertPixCharge(within, key, pix, at);
      const [current, placing] = await Promise.all([
        transactions.findWithin(within, key),
        findOrder(within, key),
      ]);
      if (current?.status !== 'FAILED' || placing === undefined) return;
      await insertOrder(within, removalOf(placing, at));
    });
  }

  /** No provider has the charge, nor ever will: it fails, unless it can be paid otherwise. */
  async function fail(
    { sellerId, id, method }: Pick<Transaction, 'sellerId' | 'id' | 'method'>,
    reason: string,
    keep?: (within: Db, failed: Transaction) => Promise<void>,
  ): Promise<void> {
    const key = { sellerId, id };
    const terms = await transactions.termsOf(sellerId);
    const at = clock.now();
    await db.transaction().execute(async (within) => {
      await transactions.hold(within, key);
      if (!(await closeOrder(within, key, { state: 'REFUSED', reference: null, detail: reason, at }))) return;
      // A boleto is paid by its line as well.
      if (method === 'BOLETO') return;
      const current = await transactions.findWithin(within, key);
      if (current === undefined || !WAITS.has(current.status)) return;
      const failure = () => ({ kind: 'FAILURE', reason }) as const;
      const failed = await transactions.happenWithin(within, terms, key, failure, 'PROVIDER');
      if (failed.kind === 'applied') await keep?.(within, failed.transaction);
    });
    transactions.told();
  }

  async function recordPix(
    made: Pick<Transaction, 'sellerId' | 'id' | 'method'>,
    order: PixOrder,
    answer: PlacedPix | Refused,
    keep?: (within: Db, failed: Transaction) => Promise<void>,
  ): Promise<void> {
    if (answer.kind === 'placed') await keepCode({ ...order, sellerId: made.sellerId }, answer);
    else await fail(made, answer.reason, keep);
  }

  /**
   * What a card's provider decided, as an answer or as a report, with the order's end in one transaction; the charge as it is
   * then. What was taken for a charge that has ended, or a second time, is given back.
   */
  async function recordCard(
    { sellerId, id }: TransactionKey,
    provider: string,
    answer: CardAnswer,
    keep?: (within: Db, decided: Transaction) => Promise<void>,
  ): Promise<Transaction> {
    const key = { sellerId, id };
    const terms = await transactions.termsOf(sellerId);
    const at = clock.now();
    const decided = await db.transaction().execute(async (within): Promise<Transaction> => {
      await transactions.hold(within, key);
      const [order, current] = [await findOrder(within, key), await transactions.findWithin(within, key)];
      if (order === undefined || current === undefined) throw new Error('a card charge has no order');
      const after = await settle(within, order, current, provider, answer, terms, at);
      await keep?.(within, after);
      return after;
    });
    transactions.told();
    return decided;
  }

  async function settle(
    within: Db,
    order: Order,
    current: Transaction,
    provider: string,
    answer: CardAnswer,
    terms: Terms,
    at: Date,
  ): Promise<Transaction> {
    const { reference } = answer;
    const asked = order.provider === provider;
    if (answer.kind === 'pending') {
      // It stays open: a provider that thinks for ever is asked to give back what it has.
      if (asked)
        await postponeOrder(within, current, new Date(at.getTime() + PENDING_PATIENCE_MS), at, reference);
      return current;
    }
    const { happening } = answer;
    const report = paymentOf(provider, answer, at);
    if (asked && order.state === 'OPEN') {
      const state = happening.kind === 'FAILURE' ? 'REFUSED' : 'ACCEPTED';
      await closeOrder(within, current, { state, reference, detail: null, at });
      const happened = await transactions.happenWithin(
        within,
        terms,
        current,
        () => happening,
        'PROVIDER',
        report ?? null,
      );
      if (happened.kind === 'applied') return happened.transaction;
      // The charge has ended meanwhile; anything else would be a provider that decides what it was not asked.
      if (happened.kind !== 'late' && happened.kind !== 'impossible') {
        throw new Error(`a card provider's decision does not fit its charge: ${happened.kind}`);
      }
    } else if (asked && order.state === 'ACCEPTED' && order.reference === reference) {
      // It told the same before.
      return current;
    }
    if (happening.kind === 'FAILURE') return current;
    if (report !== undefined) await transactions.returnWithin(within, current, report);
    else if (reference !== null) await giveBack(within, { ...order, provider }, reference, at);
    return current;
  }

  return {
    recordPix,
    recordCard,
    fail,

    /**
     * A card's provider has not told in time what came of an order. The charge ends first and the provider is told then, so
     * that whatever it says later of money it took finds a charge that does not want it.
     */
    async giveUp({ sellerId, transactionId: id }: Order): Promise<void> {
      const key = { sellerId, id };
      const terms = await transactions.termsOf(sellerId);
      const at = clock.now();
      await db.transaction().execute(async (within) => {
        await transactions.hold(within, key);
        const [order, current] = [await findOrder(within, key), await transactions.findWithin(within, key)];
        if (order?.state !== 'OPEN' || current === undefined) return;
        await closeOrder(within, key, { state: 'REFUSED', reference: null, detail: NO_ANSWER, at });
        await giveBack(within, order, order.reference, at);
        if (!WAITS.has(current.status)) return;
        const failure = () => ({ kind: 'FAILURE', reason: NO_ANSWER }) as const;
        await transactions.happenWithin(within, terms, key, failure, 'PROVIDER');
      });
      transactions.told();
    },

    /** Places a charge with the first provider that takes it, and answers it with its code where that is known in time. */
    async pix(
      made: NewTransaction,
      codeUntil: Date,
      rails: readonly PixRail[],
      idempotencyKey: string,
      bodyHash: Buffer,
    ): Promise<CreateResult> {
      const first = rails[0]?.name ?? '';
      const patience = PLACE_DEADLINE_MS + LEASE_MARGIN_MS;
      const result = await intend(made, first, patience, PLACE_DEADLINE_MS, true, idempotencyKey, bodyHash);
      if (result.kind !== 'created') return result;
      const order = pixOrderOf(made, codeUntil);
      const answer = await ask(made, rails, PLACE_DEADLINE_MS, (rail, deadline) =>
        rail.place(order, deadline),
      );
      const keep = (within: Db, failed: Transaction) =>
        keepSnapshot(within, creationKey(made.sellerId, idempotencyKey), failed);
      if (answer === 'nobody') await fail(made, NOBODY_TOOK_IT, keep);
      else if (answer === undefined) await postponeOrder(db, made, clock.now(), clock.now());
      else await recordPix(made, order, answer, keep);
      failPoint('orders.recorded');
      return { kind: 'created', transaction: await reread(made) };
    },

    /** Has a card authorized by the first provider that takes the order. The card is kept nowhere. */
    async card(
      made: NewTransaction,
      placement: Omit<CardPlacement, 'transactionId'>,
      rails: readonly CardRail[],
      idempotencyKey: string,
      bodyHash: Buffer,
    ): Promise<CreateResult> {
      const first = rails[0]?.name ?? '';
      const patience = CARD_DEADLINE_MS + CARD_PATIENCE_MS;
      const result = await intend(
        made,
        first,
        patience,
        CARD_DEADLINE_MS,
        placement.capture,
        idempotencyKey,
        bodyHash,
      );
      if (result.kind !== 'created') return result;
      const order = { ...placement, transactionId: made.id };
      const answer = await ask(made, rails, CARD_DEADLINE_MS, async (rail, deadline) => ({
        provider: rail.name,
        said: await rail.authorize(order, deadline),
      }));
      const keep = (within: Db, decided: Transaction) =>
        keepSnapshot(within, creationKey(made.sellerId, idempotencyKey), decided);
      if (answer === undefined) {
        const now = clock.now();
        await postponeOrder(db, made, new Date(now.getTime() + CARD_PATIENCE_MS), now);
        return { kind: 'created', transaction: asCreated(made) };
      }
      if (answer !== 'nobody') {
        const transaction = await recordCard(made, answer.provider, answer.said, keep);
        failPoint('orders.recorded');
        return { kind: 'created', transaction };
      }
      await fail(made, NOBODY_TOOK_IT, keep);
      return { kind: 'created', transaction: await reread(made) };
    },
  };
}

/** The report of a payment that a card's provider has decided. */
function paymentOf(
  provider: string,
  { happening, reference }: Extract<CardAnswer, { kind: 'decided' }>,
  occurredAt: Date,
): ReportRecord | undefined {
  if (happening.kind !== 'PAYMENT' || reference === null) return undefined;
  return { provider, reportId: reference, kind: 'PAYMENT', amount: happening.amount, occurredAt };
}

/** Has an authorization given back that nobody wants, once. */
async function giveBack(within: Db, order: Order, reference: string | null, at: Date): Promise<void> {
  const { sellerId, transactionId: id } = order;
  const ordered = (await findOrdersOf(within, { sellerId, id })).some(
    ({ kind, paymentReference }) => (kind === 'VOID' || kind === 'REMOVE') && paymentReference === reference,
  );
  if (ordered) return;
  await insertOrder(within, { ...removalOf(order, at), kind: 'VOID', paymentReference: reference });
}

/** While a provider has not decided, a charge may be in these. */
export const WAITS: ReadonlySet<string> = new Set(['PENDING', 'WAITING_PAYMENT', 'PROCESSING']);

export const txidOf = (transactionId: string): string => transactionId.replaceAll('-', '');

export function pixOrderOf(made: NewTransaction, codeUntil: Date): PixOrder {
  const { name, document, documentType } = made.customer;
  return {
    transactionId: made.id,
    txid: txidOf(made.id),
    amountCents: made.amount,
    payer: { name, document, documentType },
    createdAt: made.createdAt,
    expiresAt: codeUntil,
  };
}

/** Makes what a provider has unpayable. */
export function removalOf({ sellerId, transactionId, provider, amount }: Order, at: Date) {
  return {
    sellerId,
    id: newId(at.getTime()),
    transactionId,
    kind: 'REMOVE',
    provider,
    amount,
    paymentReference: null,
    createdAt: at,
  } as const;
}
