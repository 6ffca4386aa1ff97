import { addDays } from '#formats/calendar/local-date.ts';
import { saoPauloDate, startOfSaoPauloDay } from '#formats/calendar/sao-paulo.ts';
import type { Notifier } from '#notifications/notifier.ts';
import type { Db } from '#platform/database/connect.ts';
import { runBySeller } from '#platform/jobs/by-seller.ts';
import type { Clock } from '#platform/kit/clock.ts';
import { endReminderTurn, findReminderTurns, type ReminderTurn } from '#sellers/preferences/service.ts';
import { findDueBoletos, type DueBoleto } from './store-reminders.ts';

const MAX_SELLERS = 20;
const MAX_BOLETOS = 100;

interface ReminderDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly notifier: Notifier;
}

/**
 * Creates the job that mails payers the boletos that are due tomorrow, once for each boleto, where
 * the seller wants that. A boleto of today needs no reminder. It returns true if more may be due.
 */
export function createBoletoReminderJob(deps: ReminderDeps): () => Promise<boolean> {
  return async () => {
    const today = saoPauloDate(deps.clock.now());
    const turns = await findReminderTurns(deps.db, addDays(today, 1), MAX_SELLERS);
    let isFull = turns.length === MAX_SELLERS;
    await runBySeller(turns, async (turn) => {
      if (await remind(deps, turn, today)) isFull = true;
    });
    return isFull;
  };
}

/** Reminds the payers of the next boletos of a seller. Returns whether there may be more. */
async function remind({ db, clock, notifier }: ReminderDeps, turn: ReminderTurn, today: string) {
  const day = addDays(today, 1);
  return db.transaction().execute(async (trx) => {
    const period = { day, createdBefore: startOfSaoPauloDay(today) };
    const boletos = await findDueBoletos(trx, turn, period, MAX_BOLETOS);
    const last = boletos.length === MAX_BOLETOS ? boletos.at(-1) : undefined;
    if (!(await endReminderTurn(trx, turn, day, last?.transactionId ?? null))) return false;
    const at = clock.now();
    for (const boleto of boletos.filter(({ email }) => email !== ''))
      await notifier.writeMail(trx, toMail(boleto, { turn, day, at }));
    return last !== undefined;
  });
}

const toMail = (
  { transactionId, email, amount, digitableLine: line, location: url }: DueBoleto,
  { turn, day, at }: { readonly turn: ReminderTurn; readonly day: string; readonly at: Date },
) => {
  const seller = turn.displayName ?? turn.sellerName;
  return {
    template: 'boleto-reminder' as const,
    params: { seller, amount, dueDate: day, line, url },
    sellerId: turn.sellerId,
    to: email,
    locale: turn.language,
    at,
    recordId: transactionId,
  };
};
