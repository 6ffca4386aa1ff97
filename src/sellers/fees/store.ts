import type { Selectable } from 'kysely';

import { invalidateCaches } from '#platform/database/cache-invalidations.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import type { NamedStatement, RunStatement } from '#platform/database/statements.ts';
import type { FeeSchedules } from '#platform/database/types.gen.ts';
import { feeParts, type Fee, type FeeSchedule, type FeeType } from './schedule.ts';

export async function findFees(db: Db, sellerId: string): Promise<FeeSchedule | undefined> {
  const row = await selectFees(db, sellerId).executeTakeFirst();
  return row === undefined ? undefined : toFees(row);
}

const FIND_FEES: NamedStatement = {
  name: 'find-fees',
  text: 'SELECT * FROM fee_schedules WHERE seller_id = ANY ($1::uuid[])',
};

/** The fee schedules of several sellers, by seller id. */
export async function findFeesBySeller(
  query: RunStatement,
  sellerIds: readonly string[],
): Promise<ReadonlyMap<string, FeeSchedule>> {
  const rows = await query<Selectable<FeeSchedules>>(FIND_FEES, [sellerIds]);
  return new Map(rows.map((row) => [row.seller_id, toFees(row)]));
}

/** Locks the row until the end of the transaction. */
export async function lockFees(trx: DatabaseTransaction, sellerId: string): Promise<FeeSchedule | undefined> {
  const row = await selectFees(trx, sellerId).forUpdate().executeTakeFirst();
  return row === undefined ? undefined : toFees(row);
}

/** Inserts or replaces the fee schedule. */
export async function saveFees(
  trx: DatabaseTransaction,
  sellerId: string,
  fees: FeeSchedule,
  now: Date,
): Promise<void> {
  const row = {
    pix_in_type: fees.pixIn.type,
    pix_in_value: fees.pixIn.value,
    pix_in_fixed_part: fees.pixIn.fixedPart ?? 0,
    pix_in_minimum: fees.pixIn.minimum ?? 0,
    pix_out_type: fees.pixOut.type,
    pix_out_value: fees.pixOut.value,
    pix_out_fixed_part: fees.pixOut.fixedPart ?? 0,
    pix_out_minimum: fees.pixOut.minimum ?? 0,
    boleto_type: fees.boleto.type,
    boleto_value: fees.boleto.value,
    boleto_fixed_part: fees.boleto.fixedPart ?? 0,
    boleto_minimum: fees.boleto.minimum ?? 0,
    credit_card_type: fees.creditCard.type,
    credit_card_values: [...fees.creditCard.values],
    credit_card_fixed_part: fees.creditCard.fixedPart ?? 0,
    credit_card_minimum: fees.creditCard.minimum ?? 0,
    updated_at: now,
  };
  await trx
    .insertInto('fee_schedules')
    .values({ seller_id: sellerId, ...row })
    .onConflict((conflict) => conflict.column('seller_id').doUpdateSet(row))
    .execute();
  await invalidateCaches(trx, [sellerId]);
}

const selectFees = (db: Db, sellerId: string) =>
  db.selectFrom('fee_schedules').selectAll().where('seller_id', '=', sellerId);

function toFees(row: Selectable<FeeSchedules>): FeeSchedule {
  return {
    pixIn: toFee(row.pix_in_type, row.pix_in_value, row.pix_in_fixed_part, row.pix_in_minimum),
    pixOut: toFee(row.pix_out_type, row.pix_out_value, row.pix_out_fixed_part, row.pix_out_minimum),
    boleto: toFee(row.boleto_type, row.boleto_value, row.boleto_fixed_part, row.boleto_minimum),
    creditCard: {
      type: toFeeType(row.credit_card_type),
      values: row.credit_card_values.map(Number),
      ...feeParts({ fixedPart: row.credit_card_fixed_part, minimum: row.credit_card_minimum }),
    },
  };
}

const toFee = (type: string, value: number, fixedPart: number, minimum: number): Fee => ({
  type: toFeeType(type),
  value,
  ...feeParts({ fixedPart, minimum }),
});

/** A CHECK constraint limits the column to the two types. */
function toFeeType(text: string): FeeType {
  return text === 'FIXED' ? 'FIXED' : 'PERCENTAGE';
}
