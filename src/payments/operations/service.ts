import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import { undo, undoable, type Undone } from '#platform/database/transaction-with-rollback.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import { isUuid } from '#platform/kit/ids.ts';
import { dateRefund, endRefund } from '#payments/refunds/ending.ts';
import type { Happening } from '#payments/transactions/decisions.ts';
import { removalOf, txidOf } from './submission.ts';
import type { CardRail, FollowUp, FollowUpAnswer, PixRail } from './payment-provider.ts';
import type { HappenResult, TransactionKey, TransactionsService } from '#payments/transactions/service.ts';
import {
  closeOrder,
  findCardPlacement,
  findOrderById,
  findOrdersOf,
  findPaymentReport,
  insertOrder,
  type Order,
} from './store.ts';
import type { ReportRecord } from '#payments/transactions/store-change.ts';
import type { Transaction } from '#payments/transactions/transaction.ts';

export type { Order, OrderKind } from './store.ts';

export interface FollowUpDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly transactions: TransactionsService;
  readonly pix: readonly PixRail[];
  readonly card: readonly CardRail[];
}

export type FollowUps = ReturnType<typeof createFollowUps>;

export type CaptureResult =
  | HappenResult
  /** A provider is asked to capture it, and tells what comes of it. */
  | { readonly kind: 'ordered'; readonly transaction: Transaction };

/** Who returns a refund: the provider that has the money, and its own id of the payment. */
export interface RefundSource {
  readonly provider: string;
  readonly paymentReference: string;
}

/** The last word of a provider on an order. */
export type OrderOutcome =
  | { readonly kind: 'done'; readonly reference: string | null }
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * What is done later about charges that a provider of others has: cancel, void, capture, refund. Each is ordered in the
 * transaction that decides it; the sweep calls, and the provider's word ends it here, whether it comes as an answer or as a report.
 */
export function createFollowUps({ db, clock, transactions, pix, card }: FollowUpDeps) {
  /** Ends or keeps the charge at the provider as the gateway has just decided, in one transaction with it. */
  async function withOrder(
    key: TransactionKey,
    happening: Happening,
    actor: 'SELLER' | 'WORKER',
    kind: 'REMOVE' | 'VOID',
  ): Promise<HappenResult> {
    const terms = await transactions.termsOf(key.sellerId);
    const result = await undoable(db, async (within): Promise<HappenResult | Undone<HappenResult>> => {
      const happened = await transactions.happenWithin(within, terms, key, () => happening, actor);
      if (happened.kind !== 'applied') return undo(happened);
      const orders = await findOrdersOf(within, key);
      // What was ordered in time is decided by the provider, whenever it says so.
      if (actor === 'WORKER' && orders.some(isUnder('CAPTURE'))) {
        return undo({ kind: 'nothing', transaction: happened.transaction });
      }
      const placed = orders.find((order) => order.kind === 'PLACE');
      if (placed !== undefined && placed.state !== 'REFUSED' && !orders.some(isUnder(kind))) {
        const removal = removalOf(placed, clock.now());
        await insertOrder(within, { ...removal, kind, paymentReference: placed.reference });
      }
      return happened;
    });
    if (result.kind === 'applied') {
      failPoint('removals.ordered');
      transactions.told();
    }
    return result;
  }

  const hasRails = pix.length > 0 || card.length > 0;

  async function happen(
    key: TransactionKey,
    happening: Happening,
    actor: 'SELLER' | 'WORKER',
    kind: 'REMOVE' | 'VOID',
  ): Promise<HappenResult> {
    // Where no provider of others was ever set up there is nothing to tell.
    return hasRails ? withOrder(key, happening, actor, kind) : transactions.happen(key, happening, actor);
  }

  return {
    cancel: (key: TransactionKey) => happen(key, { kind: 'CANCELLATION' }, 'SELLER', 'REMOVE'),

    /** The authorization is given up at once; that the provider hears of it later changes nothing for the payer. */
    void: (key: TransactionKey) => happen(key, { kind: 'VOID' }, 'SELLER', 'VOID'),

    /** An authorization that lapses is given back at the provider too. */
    expire: (key: TransactionKey) => happen(key, { kind: 'EXPIRY' }, 'WORKER', 'VOID'),

    /** Captures, or asks the provider to; all of it unless an amount in cents is told. */
    async capture(key: TransactionKey, amount: number | null): Promise<CaptureResult> {
      const found = await transactions.find(key);
      if (found === undefined) return { kind: 'unknown' };
      const wanted = amount ?? found.amount;
      const paidAt = clock.now();
      const happening = { kind: 'CAPTURE', amount: wanted, paidAt } as const;
      const remote = await findCardPlacement(db, key);
      if (remote === undefined) return transactions.happen(key, happening, 'SELLER');
      const terms = await transactions.termsOf(key.sellerId);
      const ordered = await db.transaction().execute(async (within): Promise<CaptureResult> => {
        await transactions.hold(within, key);
        const current = await transactions.findWithin(within, key);
        if (current === undefined) return { kind: 'unknown' };
        const decision = transactions.wouldHappen(current, happening, terms);
        if (decision !== undefined) return decision;
        const orders = await findOrdersOf(within, key);
        if (!orders.some(isUnder('CAPTURE'))) {
          const at = clock.now();
          await insertOrder(within, {
            ...removalOf(remote, at),
            kind: 'CAPTURE',
            amount: wanted,
            paymentReference: remote.reference,
          });
        }
        return { kind: 'ordered', transaction: current };
      });
      if (ordered.kind === 'ordered') failPoint('captures.ordered');
      return ordered;
    },

    /**
     * Who must return this charge's money; undefined where the gateway's own rail does. A provider that has it and is not set
     * up any more is still the one: its order waits until it is. Reads in the caller's transaction.
     */
    async refundSource(within: Db, key: TransactionKey): Promise<RefundSource | undefined> {
      if (!isUuid(key.id)) return undefined;
      const report = await findPaymentReport(within, key);
      const orders = report === undefined ? [] : await findOrdersOf(within, key);
      const isRemote = ({ provider }: { readonly provider: string }) =>
        pix.some(({ name }) => name === provider) ||
        orders.some((order) => order.kind === 'PLACE' && order.provider === provider);
      const placed = await findCardPlacement(within, key);
      if (placed === undefined) {
        if (report === undefined || !isRemote(report)) return undefined;
        return { provider: report.provider, paymentReference: report.reportId };
      }
      if (placed.reference === null) {
        const current = await transactions.findWithin(within, key);
        // Paid by the sandbox's word, which may come before the provider's own; or not at all.
        const isPlayed = report !== undefined && report.provider !== placed.provider;
        if (isPlayed || (current?.paidAt ?? null) === null) return undefined;
        throw new Error('a card was paid and its provider gave it no id');
      }
      return { provider: placed.provider, paymentReference: placed.reference };
    },

    /** Gives a refund to its provider, in the transaction that decided it. */
    async orderRefund(
      within: Db,
      { sellerId, id: transactionId }: TransactionKey,
      refund: { readonly id: string; readonly amount: number; readonly at: Date },
      source: RefundSource,
    ): Promise<void> {
      const { id, amount, at: createdAt } = refund;
      await insertOrder(within, {
        sellerId,
        id,
        transactionId,
        kind: 'REFUND',
        amount,
        createdAt,
        ...source,
      });
    },

    /** Calls the provider of an order; undefined where it is not set up any more. */
    callOf(order: Order): ((deadline: AbortSignal) => Promise<FollowUpAnswer>) | undefined {
      const { provider, kind, transactionId, amount: amountCents, id } = order;
      const pixRail = pix.find(({ name }) => name === provider);
      const cardRail = card.find(({ name }) => name === provider);
      const { paymentReference } = order;
      if (pixRail !== undefined && kind === 'REMOVE') {
        return async (deadline) => pixRail.remove(txidOf(transactionId), deadline);
      }
      const ends = kind === 'REMOVE' || kind === 'VOID';
      if (cardRail !== undefined && ends && paymentReference === null) {
        return async (deadline) => cardRail.abandon(transactionId, deadline);
      }
      if (paymentReference === null) return undefined;
      const followUp: FollowUp = { id, transactionId, amountCents, paymentReference };
      switch (kind) {
        case 'REFUND': {
          const rail = pixRail ?? cardRail;
          return rail === undefined ? undefined : async (deadline) => rail.refund(followUp, deadline);
        }
        case 'CAPTURE':
          return cardRail === undefined
            ? undefined
            : async (deadline) => cardRail.capture(followUp, deadline);
        case 'VOID':
        case 'REMOVE':
          return cardRail === undefined ? undefined : async (deadline) => cardRail.void(followUp, deadline);
        case 'PLACE':
          return undefined;
      }
    },

    /** The provider has the order and will report; it is not called for any more. */
    accept: (order: Order, reference: string | null) =>
      closeOrder(db, order, { state: 'ACCEPTED', reference, detail: null, at: clock.now() }),

    /** By our id alone, as providers name it; undefined where there is none. */
    find: (id: string): Promise<Order | undefined> => findOrderById(db, id),

    /** What of a charge is with a provider, for callbacks that name the charge. */
    ordersOf: (key: TransactionKey): Promise<readonly Order[]> => findOrdersOf(db, key),

    /**
     * The provider's last word on a follow-up: its order ends and the charge's money moves, once, however often and by
     * however many ways it is told. False where it had been told before.
     */
    async end(order: Order, outcome: OrderOutcome): Promise<boolean> {
      const key = { sellerId: order.sellerId, id: order.transactionId };
      const terms = await transactions.termsOf(order.sellerId);
      const at = clock.now();
      const told = await db.transaction().execute(async (within) => {
        await transactions.hold(within, key);
        const state = outcome.kind === 'done' ? 'DONE' : 'REFUSED';
        const reference = outcome.kind === 'done' ? outcome.reference : null;
        const detail = outcome.kind === 'done' ? null : outcome.reason;
        if (!(await closeOrder(within, order, { state, reference, detail, at }))) return true;
        const happening = await happeningOf(within, order, outcome);
        if (happening === undefined) return false;
        const captured = order.kind === 'CAPTURE' && outcome.kind === 'done';
        const report = captured ? captureOf(order, at) : null;
        const happened = await transactions.happenWithin(
          within,
          terms,
          key,
          () => happening,
          'PROVIDER',
          report,
        );
        if (happened.kind === 'applied') await after(within, order, outcome, happened.transaction);
        else if (order.kind !== 'CAPTURE')
          throw new Error(`an order of ${order.kind} does not fit its charge`);
        else if (report !== null) {
          // The charge had ended: the money goes back as all money does that comes too late.
          const current = await transactions.findWithin(within, key);
          if (current === undefined) throw new Error('an order names a charge that does not exist');
          await transactions.returnWithin(within, current, { ...report, kind: 'PAYMENT' });
        }
        return false;
      });
      if (!told) {
        failPoint('follow-ups.ended');
        transactions.told();
      }
      return !told;
    },

    /** A refund that was done came back, since the payer's bank did not take it; false where it is not done. */
    async reverse(order: Order): Promise<boolean> {
      const key = { sellerId: order.sellerId, id: order.transactionId };
      const terms = await transactions.termsOf(order.sellerId);
      const { amount } = order;
      const reversed = await db.transaction().execute(async (within) => {
        await transactions.hold(within, key);
        const retained = await endRefund(within, order, 'FAILED', 'DONE');
        if (retained === undefined) return false;
        const happening = () => ({ kind: 'REFUND_REVERSAL', amount, retained }) as const;
        const happened = await transactions.happenWithin(within, terms, key, happening, 'PROVIDER');
        if (happened.kind !== 'applied') throw new Error('a refund that was done does not fit its charge');
        return true;
      });
      if (reversed) transactions.told();
      return reversed;
    },
  };
}

/** What follows in the same transaction from what a provider said. */
async function after(
  within: Db,
  order: Order,
  outcome: OrderOutcome,
  { updatedAt }: Transaction,
): Promise<void> {
  if (order.kind === 'REFUND' && outcome.kind === 'done') await dateRefund(within, order, updatedAt);
  if (order.kind !== 'CAPTURE' || outcome.kind === 'done') return;
  // The authorization may stand there still.
  const { paymentReference } = order;
  await insertOrder(within, { ...removalOf(order, updatedAt), kind: 'VOID', paymentReference });
}

/** The report of a payment that was authorized before, under the provider's id of the payment. */
function captureOf({ provider, paymentReference, id, amount }: Order, occurredAt: Date): ReportRecord {
  return { provider, reportId: paymentReference ?? id, kind: 'CAPTURE', amount, occurredAt };
}

async function happeningOf(within: Db, order: Order, outcome: OrderOutcome): Promise<Happening | undefined> {
  const { amount } = order;
  switch (order.kind) {
    case 'CAPTURE':
      // Ordered while the authorization lived: when the provider says so does not make it late.
      if (outcome.kind === 'done') return { kind: 'CAPTURE', amount, paidAt: order.createdAt };
      return { kind: 'FAILURE', reason: `capture refused: ${outcome.reason}` };
    case 'REFUND': {
      const done = outcome.kind === 'done';
      const retained = await endRefund(within, order, done ? 'DONE' : 'FAILED');
      if (retained === undefined) return undefined;
      return done ? { kind: 'REFUND_DONE', amount } : { kind: 'REFUND_FAILURE', amount, retained };
    }
    case 'PLACE':
    case 'REMOVE':
    case 'VOID':
      return undefined;
  }
}

const isUnder = (kind: Order['kind']) => (order: Order) => order.kind === kind && order.state !== 'REFUSED';
