import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import type { Logger } from '#platform/kit/log.ts';
import { createCaller } from '#platform/jobs/provider-calls.ts';
import type { FollowUps } from './service.ts';
import { NOBODY_TOOK_IT, pixOrderOf, WAITS, type Placing } from './submission.ts';
import {
  NotTaken,
  type FollowUpAnswer,
  type PixRail,
  type PlacedPix,
  type Refused,
} from './payment-provider.ts';
import type { TransactionsService } from '#payments/transactions/service.ts';
import { claimOrders, moveOrder, postponeOrder, type Order } from './store.ts';
import type { Transaction } from '#payments/transactions/transaction.ts';

const DEADLINE_MS = 15_000;
/** How long after a provider said that it works on an order it is asked again. */
const WORKING_MS = 30_000;
/** How long an order rests after every provider has been asked to take it. */
const ROUND_MS = 10_000;

export interface OrderSweepDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Logger;
  readonly transactions: TransactionsService;
  readonly placing: Placing;
  readonly followUps: FollowUps;
  readonly pix: readonly PixRail[];
}

type Answer =
  | { readonly kind: 'pix'; readonly answer: PlacedPix | Refused }
  | { readonly kind: 'follow-up'; readonly answer: FollowUpAnswer }
  /** The provider certainly has not taken it: another one may. */
  | { readonly kind: 'elsewhere' };

/**
 * Calls for follow-ups, and asks what became of charges whose provider's answer was lost. It never guesses: an order stays open
 * until its provider, or another that certainly is the first to take it, has said what became of it.
 */
export function createOrderSweep(deps: OrderSweepDeps): () => Promise<boolean> {
  const { db, clock, log, transactions, placing, followUps, pix } = deps;

  async function placement(order: Order): Promise<((deadline: AbortSignal) => Promise<Answer>) | undefined> {
    const found = await transactions.find({ sellerId: order.sellerId, id: order.transactionId });
    if (found === undefined) throw new Error('an order names a charge that does not exist');
    if (found.method === 'CREDIT_CARD') {
      await placing.giveUp(order);
      return undefined;
    }
    const rail = pix.find(({ name }) => name === order.provider);
    if (rail === undefined) return async () => ({ kind: 'elsewhere' });
    return async (deadline) => askPix(rail, found, deadline);
  }

  async function askPix(rail: PixRail, found: Transaction, deadline: AbortSignal): Promise<Answer> {
    const wanted = pixOrderOf(found, found.expiresAt ?? found.createdAt);
    const known = await rail.find(wanted, deadline);
    if (known.kind !== 'absent') return { kind: 'pix', answer: known };
    // The charge ended while nobody knew: nothing of it is at the provider, and nothing shall be.
    if (!WAITS.has(found.status) || wanted.expiresAt <= clock.now())
      return { kind: 'pix', answer: { kind: 'refused', reason: NOBODY_TOOK_IT } };
    try {
      return { kind: 'pix', answer: await rail.place(wanted, deadline) };
    } catch (error) {
      if (error instanceof NotTaken && pix.length > 1) return { kind: 'elsewhere' };
      throw error;
    }
  }

  async function recordPlacement(
    order: Order,
    answer: Exclude<Answer, { kind: 'follow-up' }>,
  ): Promise<void> {
    const key = { sellerId: order.sellerId, id: order.transactionId };
    const found = await transactions.find(key);
    if (found === undefined) throw new Error('an order names a charge that does not exist');
    if (answer.kind === 'pix') {
      await placing.recordPix(found, pixOrderOf(found, found.expiresAt ?? found.createdAt), answer.answer);
    } else {
      const at = pix.findIndex(({ name }) => name === order.provider);
      const next = pix[(at + 1) % pix.length];
      const now = clock.now();
      if (next === undefined) return placing.fail(found, NOBODY_TOOK_IT);
      await moveOrder(db, order, { from: order.provider, to: next.name, now });
      // Where none of them takes it, they are not asked in a circle without end.
      const restMs = order.attempts < pix.length ? 0 : ROUND_MS;
      await postponeOrder(db, order, new Date(now.getTime() + restMs), now);
    }
  }

  async function recordFollowUp(order: Order, answer: FollowUpAnswer): Promise<void> {
    switch (answer.kind) {
      case 'done':
      case 'refused':
        await followUps.end(order, answer);
        return;
      case 'accepted':
        await followUps.accept(order, answer.reference);
        return;
      case 'working': {
        const now = clock.now();
        await postponeOrder(db, order, new Date(now.getTime() + WORKING_MS), now);
      }
    }
  }

  return createCaller<Order, Answer>(
    { clock, log },
    {
      name: 'charge order',
      points: 'charge-orders',
      deadlineMs: DEADLINE_MS,
      lease: (lease) => claimOrders(db, lease),
      async prepare(order) {
        const isPlace = order.kind === 'PLACE';
        const call = isPlace ? await placement(order) : followUpCall(followUps.callOf(order));
        if (call !== undefined || isPlace) return call;
        log.error({ provider: order.provider, orderId: order.id }, 'an order has no provider that is set up');
        const now = clock.now();
        await postponeOrder(db, order, new Date(now.getTime() + 600_000), now);
        return undefined;
      },
      async record(order, answer) {
        if (answer.kind === 'follow-up') await recordFollowUp(order, answer.answer);
        else await recordPlacement(order, answer);
      },
      postpone: (order, dueAt, now) => postponeOrder(db, order, dueAt, now),
    },
  );
}

function followUpCall(
  call: ((deadline: AbortSignal) => Promise<FollowUpAnswer>) | undefined,
): ((deadline: AbortSignal) => Promise<Answer>) | undefined {
  return call === undefined
    ? undefined
    : async (deadline) => ({ kind: 'follow-up', answer: await call(deadline) });
}
