import type { Clock } from '#clock.ts';
import type { Db } from '#database/connect.ts';
import { undo, undoable, type Undone } from '#database/undoable.ts';
import { endRefund } from '#refunds/service.ts';
import type { Happening } from './decisions.ts';
import { removalOf, txidOf } from './placing.ts';
import type { CardRail, FollowUp, FollowUpAnswer, PixRail } from './rails.ts';
import type { HappenResult, TransactionKey, TransactionsService } from './service.ts';
import {
  closeOrder,
  findOrderById,
  findOrdersOf,
  findPaymentReport,
  insertOrder,
  type Order,
} from './store-orders.ts';
import type { Transaction } from './transaction.ts';

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
      const placed = orders.find((order) => order.kind === 'PLACE');
      if (placed !== undefined && placed.state !== 'REFUSED' && !orders.some(isUnder(kind))) {
        const removal = removalOf(placed, clock.now());
        await insertOrder(within, { ...removal, kind, paymentReference: placed.reference });
      }
      return happened;
    });
    if (result.kind === 'applied') transactions.told();
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
      const remote = await remotePlacement(db, key, card);
      if (remote === undefined) return transactions.happen(key, happening, 'SELLER');
      const terms = await transactions.termsOf(key.sellerId);
      return db.transaction().execute(async (within) => {
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
    },

    /** Who must return this charge's money; undefined where the gateway's own rail does. Reads in the caller's transaction. */
    async refundSource(within: Db, key: TransactionKey): Promise<RefundSource | undefined> {
      if (!hasRails) return undefined;
      const report = await findPaymentReport(within, key);
      if (report !== undefined && pix.some(({ name }) => name === report.provider)) {
        return { provider: report.provider, paymentReference: report.reportId };
      }
      const placed = await remotePlacement(within, key, card);
      if (placed?.reference === null || placed === undefined) return undefined;
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
      if (cardRail !== undefined && (kind === 'REMOVE' || paymentReference === null)) {
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
          return cardRail === undefined ? undefined : async (deadline) => cardRail.void(followUp, deadline);
        case 'PLACE':
        case 'REMOVE':
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
      const ended = await db.transaction().execute(async (within) => {
        await transactions.hold(within, key);
        const state = outcome.kind === 'done' ? 'DONE' : 'REFUSED';
        const reference = outcome.kind === 'done' ? outcome.reference : null;
        const detail = outcome.kind === 'done' ? null : outcome.reason;
        if (!(await closeOrder(within, order, { state, reference, detail, at }))) return 'told';
        const happening = await happeningOf(within, order, outcome, at);
        if (happening === undefined) return 'ended';
        const happened = await transactions.happenWithin(within, terms, key, () => happening, 'PROVIDER');
        if (happened.kind === 'applied') return 'ended';
        if (order.kind !== 'CAPTURE') throw new Error(`an order of ${order.kind} does not fit its charge`);
        return outcome.kind === 'done' ? 'captured-late' : 'ended';
      });
      if (ended === 'captured-late') {
        // The charge had ended: the money is recorded, and goes back as all money does that comes too late.
        const { provider, id, amount, paymentReference } = order;
        const report = {
          provider,
          reportId: paymentReference ?? id,
          kind: 'PAYMENT',
          amount,
          occurredAt: at,
        };
        await transactions.report(key, { kind: 'PAYMENT', amount, paidAt: at }, report);
      }
      if (ended !== 'told') transactions.told();
      return ended !== 'told';
    },
  };
}

async function happeningOf(
  within: Db,
  order: Order,
  outcome: OrderOutcome,
  at: Date,
): Promise<Happening | undefined> {
  const { amount } = order;
  switch (order.kind) {
    case 'CAPTURE':
      if (outcome.kind === 'done') return { kind: 'CAPTURE', amount, paidAt: at };
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

/** The order by which a provider of others has the charge. */
async function remotePlacement(
  db: Db,
  key: TransactionKey,
  rails: readonly { readonly name: string }[],
): Promise<Order | undefined> {
  if (rails.length === 0) return undefined;
  const orders = await findOrdersOf(db, key);
  return orders.find(({ kind, provider }) => kind === 'PLACE' && rails.some(({ name }) => name === provider));
}

const isUnder = (kind: Order['kind']) => (order: Order) => order.kind === kind && order.state !== 'REFUSED';
