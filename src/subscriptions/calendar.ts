import { addDays, formatLocalDate, parseLocalDate, type LocalDate } from '#formats/calendar/local-date.ts';
import { startOfSaoPauloDay } from '#formats/calendar/sao-paulo.ts';
import type { Attempt, Interval, Invoice, Subscription } from './subscription.ts';

/** Dates are days in São Paulo. All functions are pure. */

const MONTHS: Readonly<Record<Exclude<Interval, 'WEEKLY'>, number>> = {
  MONTHLY: 1,
  QUARTERLY: 3,
  SEMIANNUAL: 6,
  YEARLY: 12,
};

/**
 * A charge by Pix Automático is sent between ten and two days before its date. The earliest day
 * leaves the most time for the payer's bank to announce it to the payer.
 */
const LEAD_DAYS = 10;

/** Days after the date of an invoice on which it is tried again: three within seven days. */
export const RETRY_DAYS = [2, 4, 6] as const;

/** In the morning, when fewer cards are declined. */
const CARD_RETRY_HOUR_MS = 10 * 3_600_000;

/** The payer has a week to give another card. */
const CARD_CHECK_DAYS = 7;

/** When it is checked whether a card can pay a cycle: in the morning, since the payer is mailed. */
export const cardCheckTimeOf = (dueDate: LocalDate): Date =>
  new Date(startOfSaoPauloDay(addDays(dueDate, -CARD_CHECK_DAYS)).getTime() + CARD_RETRY_HOUR_MS);

type Schedule = Pick<Subscription, 'startDate' | 'interval'>;

/**
 * The date of a cycle, from 0. Counted from the start date, so that a month that lacks the day does
 * not move the dates after it: 31 January, 28 February, 31 March.
 */
export function cycleDate({ startDate, interval }: Schedule, cycle: number): LocalDate {
  const start = parseLocalDate(startDate);
  const duration = interval === 'WEEKLY' ? { weeks: cycle } : { months: MONTHS[interval] * cycle };
  return formatLocalDate(start.add(duration, { overflow: 'constrain' }));
}

/** The first cycle, not before `from`, that is due after `now`. Earlier ones were missed. */
export function nextCycleAfter(schedule: Schedule, from: number, now: Date): number {
  let cycle = from;
  while (startOfSaoPauloDay(cycleDate(schedule, cycle)) <= now) cycle += 1;
  return cycle;
}

/** When the invoice of a cycle is created. */
export function openingTime({ method }: Pick<Subscription, 'method'>, dueDate: LocalDate): Date {
  return startOfSaoPauloDay(method === 'PIX_AUTOMATICO' ? addDays(dueDate, -LEAD_DAYS) : dueDate);
}

/**
 * Whether a cycle is opened only after the one before it is paid or given up. The payer of a boleto
 * or a Pix may take longer, and a weekly charge by Pix Automático is sent before the last retry of
 * the week before.
 */
export const waitsForPrevious = ({ method, interval }: Pick<Subscription, 'method' | 'interval'>): boolean =>
  method === 'CREDIT_CARD' || (method === 'PIX_AUTOMATICO' && interval !== 'WEEKLY');

/**
 * The day of the next retry that the policy allows. A bank counts from the day of its charge, which
 * is later than that of the cycle if the charge reached it late.
 */
export function retryDate(
  { method }: Pick<Subscription, 'method'>,
  { dueDate, retriesLeft }: Pick<Invoice, 'dueDate' | 'retriesLeft'>,
  { chargeDate }: Pick<Attempt, 'chargeDate'>,
): LocalDate | undefined {
  const days = RETRY_DAYS[RETRY_DAYS.length - retriesLeft];
  if (days === undefined) return undefined;
  return method === 'PIX_AUTOMATICO' ? addDays(chargeDate, RETRY_DAYS[0]) : addDays(dueDate, days);
}

/**
 * When a retry is made. The payer's bank has to know of a retry by Pix Automático before its day.
 */
export function retryTime({ method }: Pick<Subscription, 'method'>, date: LocalDate, now: Date): Date {
  if (method === 'PIX_AUTOMATICO') return now;
  return new Date(startOfSaoPauloDay(date).getTime() + CARD_RETRY_HOUR_MS);
}
