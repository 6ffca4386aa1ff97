import type { Notifier } from '#notifications/notifier.ts';
import { runBySeller } from '#platform/jobs/by-seller.ts';
import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import type { Dispute } from './dispute.ts';
import { findDueReminders, lockDispute, saveNextReminder } from './store.ts';

const HOUR_MS = 3_600_000;
const HOURS_BEFORE = [48, 24, 6] as const;

/** When the seller is next reminded of the deadline of an appeal. Null: not any more. */
export function nextReminderAt(appealUntil: Date, after: Date): Date | null {
  const times = HOURS_BEFORE.map((hours) => new Date(appealUntil.getTime() - hours * HOUR_MS));
  return times.find((at) => at > after) ?? null;
}

interface ReminderDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly notifier: Notifier;
}

/**
 * Reminds the sellers of up to `limit` OPEN disputes whose deadline is near. Returns how many it
 * read. Reminders that were missed are not sent later.
 */
export async function remindOfDeadlines(deps: ReminderDeps, limit: number): Promise<number> {
  const now = deps.clock.now();
  const due = await findDueReminders(deps.db, now, limit);
  await runBySeller(due, (dispute) => remind(deps, dispute, now));
  return due.length;
}

async function remind({ db, notifier }: ReminderDeps, dispute: Dispute, now: Date): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const current = await lockDispute(trx, dispute);
    const { nextReminderAt: dueAt } = current ?? {};
    if (current?.status !== 'OPEN' || dueAt === null || dueAt === undefined || dueAt > now) return;
    const { sellerId, amount, reason, appealUntil } = current;
    await saveNextReminder(trx, current, nextReminderAt(appealUntil, now));
    if (appealUntil <= now) return;
    const hours = Math.ceil((appealUntil.getTime() - now.getTime()) / HOUR_MS);
    const params = { amount, reason, hours, dueAt: appealUntil.toISOString() };
    const team = { sellerId, permission: 'disputes:appeal' } as const;
    await notifier.notifySeller(trx, team, { kind: 'dispute-reminder', params, at: now });
  });
}
