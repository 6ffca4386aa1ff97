import { writeSubscriptionMail } from '#notifications/subscription-mail.ts';
import type { Db } from '#platform/database/connect.ts';
import { runBySeller } from '#platform/jobs/by-seller.ts';
import { publishEvent } from '#webhooks/outbox.ts';
import { cycleDate } from './calendar.ts';
import { cardCheckTime } from './decisions.ts';
import type { SubscriptionDeps } from './deps.ts';
import { cardRequired, type CardProblem } from './events.ts';
import { findDueCardChecks, recordChecked, type CardCheck } from './store-cards.ts';
import { findSubscription, lockSubscription, updateSubscription } from './store.ts';
import { payerTokenOf } from './views.ts';

export { CARD_CHECKS_DUE } from './store-cards.ts';

const CHECKS_PER_RUN = 500;

type CheckDeps = Pick<SubscriptionDeps, 'clock'> & { readonly db: Db };

/**
 * Creates the job that asks payers for another card a week before a cycle that theirs cannot pay,
 * once for each cycle. The job returns true if more may be due.
 */
export function createCardCheckJob(deps: CheckDeps): () => Promise<boolean> {
  return async () => {
    const { db, clock } = deps;
    const now = clock.now();
    const due = await findDueCardChecks(db, now, CHECKS_PER_RUN);
    const asked = due.flatMap((check) => {
      const problem = problemOf(check);
      return problem === undefined ? [] : [{ ...check, problem }];
    });
    const valid = due.filter((check) => problemOf(check) === undefined);
    if (valid.length > 0) await recordChecked(db, valid);
    await runBySeller(asked, (check) => ask(deps, check, now));
    return due.length === CHECKS_PER_RUN;
  };
}

/** A card is valid until the end of its month. */
function problemOf(check: CardCheck): CardProblem | undefined {
  const { expirationMonth, expirationYear, nextCycle } = check;
  if (expirationMonth === null || expirationYear === null) return 'DELETED';
  const lastMonth = `${expirationYear}-${String(expirationMonth).padStart(2, '0')}`;
  return cycleDate(check, nextCycle).slice(0, 7) > lastMonth ? 'EXPIRES' : undefined;
}

const ask = (
  { db }: CheckDeps,
  { sellerId, id, version, problem }: CardCheck & { readonly problem: CardProblem },
  now: Date,
): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const before = await lockSubscription(trx, { sellerId, id });
    if (before?.version !== version || cardCheckTime(before) === null) return;
    const { nextCycle, amount, description } = before;
    await updateSubscription(trx, {
      ...before,
      cardCheckedCycle: nextCycle,
      version: version + 1,
      updatedAt: now,
    });
    const after = await findSubscription(trx, before);
    if (after === undefined) throw new Error(`subscription ${id} is missing after a change`);
    await publishEvent(trx, cardRequired(after, problem));
    const params = { amount, description: description ?? '', date: cycleDate(before, nextCycle), problem };
    await writeSubscriptionMail(trx, {
      sellerId,
      subscriptionId: id,
      template: 'card-required',
      at: now,
      params: {
        ...params,
        payerToken: payerTokenOf(before),
      },
    });
  });
