import { describe, expect, it } from 'vitest';

import { bankDaysLater, endOfBankDay, isBankDay } from './calendar.ts';
import type { CommandResult } from './answers.ts';
import { explain } from './linearizability.ts';
import { chargeResponse, type Command } from './commands.ts';
import { emptyState, type State, type Terms } from './state.ts';
import calendar from '#test/vectors/calendar.json' with { type: 'json' };

const FREE = { type: 'FIXED', value: 0 } as const;
const TERMS: Terms = {
  pixIn: FREE,
  pixOut: FREE,
  boleto: FREE,
  card: { type: 'FIXED', values: Array.from({ length: 12 }, () => 0) },
  boletoDelayDays: 1,
  cardDelayDays: 30,
  autoApproveUpTo: 0,
  negativeBalanceUpTo: 0,
  chargebackFee: 0,
};
const NOW = Date.parse('2026-11-20T15:00:00Z');

const results = (command: Command, response: string): CommandResult => ({
  command,
  observed: { createdAt: NOW },
  response,
});
const ends = (starts: readonly State[], steps: readonly CommandResult[]) => explain(starts, steps).ends;

const create = {
  kind: 'create',
  charge: 'c',
  method: 'PIX',
  amount: 1_000,
  installments: 1,
  capture: true,
  declined: false,
  expiration: 3_600,
} as const;
const pending = ends(
  [emptyState(NOW, TERMS)],
  [results(create, `201 ${chargeResponse('PENDING', 1_000, 0, 0)}`)],
);
const pay = results({ kind: 'pay', charge: 'c' }, `200 ${chargeResponse('PAID', 1_000, 0, 0)}`);
const payAgain = results({ kind: 'pay', charge: 'c' }, '422 Transaction cannot go from PAID to PAID');
const late = results({ kind: 'pay', charge: 'c' }, `200 ${chargeResponse('FAILED', 1_000, 0, 0)}`);
const cancel = results({ kind: 'cancel', charge: 'c' }, `200 ${chargeResponse('FAILED', 1_000, 0, 0)}`);
const tick = (seconds: number) => results({ kind: 'tick', to: NOW + seconds * 1_000 }, '');
const refund = (amount: number, refunded: number) =>
  results({ kind: 'refund', charge: 'c', amount }, `200 ${chargeResponse('PAID', 1_000, 0, refunded)}`);

const withdraw = (withdrawal: string, response: string) =>
  results({ kind: 'withdraw', withdrawal, origin: 'PIX', amount: 700 }, response);

describe('linearizability checker', () => {
  it('accepts only orders that explain every observed response', () => {
    expect(ends(pending, [pay])).toHaveLength(1);
    expect(ends(pending, [payAgain, pay])).toHaveLength(1);
    expect(ends(pending, [pay, pay])).toEqual([]);
    expect(ends(pending, [payAgain])).toEqual([]);
    expect(ends(pending, [late, cancel])).toHaveLength(1);
    expect(ends(pending, [pay, cancel])).toEqual([]);
  });

  it('rejects refunds that exceed the payment', () => {
    const paid = ends(pending, [pay]);
    expect(ends(paid, [refund(600, 600), refund(300, 900)])[0]?.wallets.PIX.available).toBe(100);
    expect(ends(paid, [refund(600, 600), refund(600, 1_200)])).toEqual([]);
    expect(ends(paid, [refund(600, 600), refund(300, 300)])).toEqual([]);
  });

  it('allows the clock to move before, between and after commands', () => {
    expect(ends(pending, [pay, tick(4_000)])[0]?.charges['c']?.status).toBe('PAID');
    expect(ends(pending, [late, tick(4_000)])[0]?.charges['c']?.status).toBe('FAILED');
    expect(ends(pending, [late, tick(3_000)])).toEqual([]);
  });

  it('rejects spending a balance twice', () => {
    const paid = ends(pending, [pay]);
    const good = withdraw('w', '201 PENDING of 700, fee 0');
    expect(ends(paid, [good, withdraw('x', '422 Insufficient balance')])).toHaveLength(1);
    expect(ends(paid, [good, withdraw('x', '201 PENDING of 700, fee 0')])).toEqual([]);
    expect(ends(paid, [good, refund(700, 700)])).toEqual([]);
  });
});

describe('model calendar', () => {
  it('matches the published calendar', () => {
    for (const year of ['2026', '2027'] as const) {
      for (const day of calendar.bankHolidays[year]) expect(isBankDay(day)).toBe(false);
    }
    expect(isBankDay(calendar.withoutClearing['2026'])).toBe(false);
    const days = Array.from({ length: 365 }, (_, day) =>
      new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10),
    );
    const weekends = days.filter((day) => [0, 6].includes(new Date(day).getUTCDay()));
    const closed = new Set([...weekends, ...calendar.bankHolidays['2026'], calendar.withoutClearing['2026']]);
    expect(days.filter((day) => !isBankDay(day))).toEqual(days.filter((day) => closed.has(day)));
    // Late on a Friday in São Paulo is Saturday in UTC.
    const friday = Date.parse('2026-11-28T01:00:00Z');
    expect(new Date(bankDaysLater(friday, 1)).toISOString()).toBe('2026-11-30T03:00:00.000Z');
    expect(new Date(endOfBankDay(friday + 86_400_000)).toISOString()).toBe('2026-12-01T02:59:59.999Z');
  });
});
