import type { Db } from '#platform/database/connect.ts';
import { runBySeller } from '#platform/jobs/by-seller.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import { MIN_ID } from '#platform/kit/ids.ts';
import { newAttempt, openCycle, retryOf, today } from './decisions.ts';
import type { SubscriptionDeps } from './deps.ts';
import { moveTo } from './lifecycle.ts';
import { findDueRetries, findDueSellers, findDueSubscriptions, insertOpened } from './store-due.ts';
import {
  findInvoice,
  findNewestAttempt,
  insertAttempt,
  updateInvoice,
  type InvoiceKey,
} from './store-invoices.ts';
import { isReadDue } from './store-authorizations.ts';
import { lockSubscription, updateSubscription } from './store.ts';
import { isCharging } from './states.ts';
import type { Invoice, Subscription } from './subscription.ts';

const SELLERS_PER_RUN = 100;
const CYCLES_PER_RUN = 500;
/** Charges of one seller that wait at once. */
const CYCLES_PER_SELLER = 100;
const RETRIES_PER_RUN = 100;

type OpeningDeps = Pick<SubscriptionDeps, 'clock' | 'sellers'> & { readonly db: Db };

/**
 * Creates the job that opens due cycles: it inserts their invoices with an attempt, which the
 * charging job makes. The sellers take turns, so that one with many due subscriptions delays no
 * other. A failure of one delays no other either; the first is thrown at the end. The job returns
 * true if more may be due.
 */
export function createOpeningJob(deps: OpeningDeps): () => Promise<boolean> {
  let after = MIN_ID;
  return async () => {
    const { db, clock } = deps;
    const now = clock.now();
    const errors: unknown[] = [];
    const step = async (work: Promise<void>): Promise<void> => {
      await work.catch((error: unknown) => errors.push(error));
    };
    const retries = await findDueRetries(db, now, RETRIES_PER_RUN);
    await step(runBySeller(retries, (key) => openRetry(db, key, now)));
    const sellers = await findDueSellers(db, { after, now, limit: SELLERS_PER_RUN });
    const isLast = sellers.length < SELLERS_PER_RUN;
    after = isLast ? MIN_ID : (sellers.at(-1)?.sellerId ?? MIN_ID);
    const due = sellers.filter(({ isDue }) => isDue).map(({ sellerId }) => sellerId);
    const active = await activeSellers(deps, due);
    const limits = { now, perSeller: CYCLES_PER_SELLER, total: CYCLES_PER_RUN };
    const opened = active.size === 0 ? [] : await findDueSubscriptions(db, [...active.keys()], limits);
    const unauthorized = opened.filter(({ status }) => status === 'PENDING');
    await step(runBySeller(unauthorized, (subscription) => expire(db, subscription, now)));
    await step(openCycles(db, opened, { now, active }));
    if (errors.length > 0) throw errors[0];
    return !isLast || opened.length > 0 || retries.length === RETRIES_PER_RUN;
  };
}

/** The sellers that are ACTIVE, and since when. Subscriptions of the others wait. */
type ActiveSellers = ReadonlyMap<string, Date | null>;

async function activeSellers({ sellers }: OpeningDeps, sellerIds: readonly string[]): Promise<ActiveSellers> {
  const contexts = await Promise.all(sellerIds.map((id) => sellers.getContext(id)));
  const active = new Map<string, Date | null>();
  for (const context of contexts)
    if (context?.seller.status === 'ACTIVE') active.set(context.seller.id, context.seller.activatedAt);
  return active;
}

/**
 * Opens the next cycle of each in one statement. If that fails, because a row is locked or cannot
 * be written, it opens one after another, so that the others do not wait.
 */
async function openCycles(
  db: Db,
  due: readonly Subscription[],
  { now, active }: { readonly now: Date; readonly active: ActiveSellers },
): Promise<void> {
  const charging = due.filter(({ status }) => isCharging(status));
  if (charging.length === 0) return;
  const open = (subscriptions: readonly Subscription[]) =>
    insertOpened(
      db,
      subscriptions.map((subscription) => openCycle(subscription, now, active.get(subscription.sellerId))),
    );
  try {
    await open(charging);
  } catch {
    await runBySeller(charging, (subscription) => open([subscription]));
  }
  failPoint('subscriptions.opened');
}

/** Ends a subscription that its payer has not authorized before the first cycle. */
const expire = (db: Db, { sellerId, id }: Subscription, now: Date): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const before = await lockSubscription(trx, { sellerId, id });
    if (before?.status !== 'PENDING' || before.dueAt === null || before.dueAt > now) return;
    // The payer may have authorized it meanwhile: the bank decides.
    if (!(await isReadDue(trx, before, now))) await moveTo(trx, before, 'EXPIRED', now);
    else await updateSubscription(trx, postponed(before, now));
  });

const READING_DELAY_MS = 2_000;

const postponed = (before: Subscription, now: Date): Subscription => ({
  ...before,
  dueAt: new Date(now.getTime() + READING_DELAY_MS),
  version: before.version + 1,
});

/** Makes the attempt of a due retry. */
const openRetry = (db: Db, key: InvoiceKey, now: Date): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const subscription = await lockSubscription(trx, { sellerId: key.sellerId, id: key.subscriptionId });
    const before = await findInvoice(trx, key);
    const last = await findNewestAttempt(trx, key);
    if (subscription === undefined || last === undefined) return;
    if (before === undefined || before.retryAt === null || before.retryAt > now) return;
    const chargeDate = before.retryDate ?? today(now);
    const invoice: Invoice = {
      ...before,
      attempts: before.attempts + 1,
      retryAt: null,
      retryDate: null,
      updatedAt: now,
    };
    await updateInvoice(trx, invoice);
    await insertAttempt(
      trx,
      newAttempt(invoice, { chargeDate, ...retryOf(subscription, before, last) }, now),
      now,
    );
  });
