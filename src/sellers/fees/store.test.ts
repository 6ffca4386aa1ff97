import { randomUUID } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { useDatabase } from '#test/support/opened-database.ts';
import { DEFAULT_FEES, type FeeSchedule } from './schedule.ts';
import { findFees, saveFees } from './store.ts';

const store = useDatabase();

const save = (sellerId: string, fees: FeeSchedule): Promise<void> =>
  store.db.transaction().execute((trx) => saveFees(trx, sellerId, fees, new Date()));

async function newSeller(): Promise<string> {
  const id = randomUUID();
  await store.query(
    `INSERT INTO sellers (id, name, document_type, document, status,
       requests_per_minute, creations_per_minute,
       boleto_delay_days, card_delay_days, auto_approve_up_to, negative_balance_up_to, created_at, updated_at)
     VALUES ($1, 'Loja', 'CPF', '52998224725', 'ACTIVE', 120, 60, 1, 30, 0, 0, $2, $2)`,
    [id, new Date()],
  );
  return id;
}

/** Differs from the default schedule in every value and type. */
const OTHER_FEES: FeeSchedule = {
  pixIn: { type: 'FIXED', value: 150, fixedPart: 3 },
  pixOut: { type: 'PERCENTAGE', value: 10, minimum: 4 },
  boleto: { type: 'PERCENTAGE', value: 250 },
  creditCard: { type: 'FIXED', values: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], fixedPart: 5, minimum: 6 },
};

describe('a fee schedule', () => {
  it.each([DEFAULT_FEES, OTHER_FEES])('is returned as it was stored', async (fees) => {
    const sellerId = await newSeller();
    expect(await findFees(store.db, sellerId)).toBeUndefined();
    await save(sellerId, fees);
    expect(await findFees(store.db, sellerId)).toEqual(fees);
  });

  it('is replaced when saved again, without effect on other sellers', async () => {
    const [one, other] = [await newSeller(), await newSeller()];
    await save(one, DEFAULT_FEES);
    await save(other, DEFAULT_FEES);
    await save(one, OTHER_FEES);
    expect(await findFees(store.db, one)).toEqual(OTHER_FEES);
    expect(await findFees(store.db, other)).toEqual(DEFAULT_FEES);
  });

  it('without a fee for each of the twelve installments is rejected', async () => {
    const sellerId = await newSeller();
    const incomplete: FeeSchedule = { ...DEFAULT_FEES, creditCard: { type: 'FIXED', values: [1, 2, 3] } };
    await expect(save(sellerId, incomplete)).rejects.toThrow('fee_schedules');
    expect(await findFees(store.db, sellerId)).toBeUndefined();
  });
});
