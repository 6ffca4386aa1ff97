import { sql } from 'kysely';

import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { ACTIVE_SELLERS } from '#sellers/active.ts';
import type { WithdrawalKey } from '#payouts/withdrawals/withdrawal.ts';

/** Stores a payment for the next file. A payment that exists already is left unchanged. */
export async function insertPayment(
  db: Db,
  payment: WithdrawalKey & {
    readonly service: 'PIX' | 'TRANSFERS';
    readonly amount: number;
    readonly encryptedInstruction: string;
    readonly at: Date;
  },
): Promise<void> {
  await db
    .insertInto('cnab_payments')
    .values({
      seller_id: payment.sellerId,
      withdrawal_id: payment.id,
      service: payment.service,
      amount: payment.amount,
      encrypted_instruction: payment.encryptedInstruction,
      stage: 'TO_SHIP',
      created_at: payment.at,
      updated_at: payment.at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export interface PaymentRow extends WithdrawalKey {
  /** Number that files carry. */
  readonly reference: number;
  readonly amount: number;
  readonly encryptedInstruction: string;
}

/** Claims payments of ACTIVE sellers whose ledger is not on hold for one file, oldest first. */
export async function claimPayments(
  trx: DatabaseTransaction,
  service: 'PIX' | 'TRANSFERS',
  { shipmentId, limit, at }: { readonly shipmentId: string; readonly limit: number; readonly at: Date },
): Promise<readonly PaymentRow[]> {
  const { rows } = await sql<PaymentRow>`
    UPDATE cnab_payments SET stage = 'AT_BANK', shipment_id = ${shipmentId}, updated_at = ${at}
    WHERE (seller_id, withdrawal_id) IN (
      SELECT seller_id, withdrawal_id FROM cnab_payments
      WHERE stage = 'TO_SHIP' AND service = ${service} AND seller_id IN ${ACTIVE_SELLERS}
        AND NOT EXISTS (SELECT FROM ledger_holds h WHERE h.seller_id = cnab_payments.seller_id)
      ORDER BY created_at LIMIT ${limit})
    RETURNING seller_id AS "sellerId", withdrawal_id AS id, reference, amount,
      encrypted_instruction AS "encryptedInstruction"`.execute(trx);
  return rows.toSorted((a, b) => a.reference - b.reference);
}

export interface ShippedPayment extends WithdrawalKey {
  readonly reference: number;
  readonly amount: number;
  readonly createdAt: Date;
}

/** Finds payments that a file has carried by their references. */
export async function findPayments(
  db: Db,
  references: readonly number[],
): Promise<ReadonlyMap<number, ShippedPayment>> {
  if (references.length === 0) return new Map();
  const { rows } = await sql<ShippedPayment>`
    SELECT seller_id AS "sellerId", withdrawal_id AS id, reference, amount, created_at AS "createdAt"
    FROM cnab_payments WHERE reference = ANY(${references}::bigint[]) AND stage <> 'TO_SHIP'`.execute(db);
  return new Map(rows.map((row) => [row.reference, row]));
}

export async function completePayment(
  trx: DatabaseTransaction,
  { sellerId, id }: WithdrawalKey,
  at: Date,
): Promise<void> {
  await trx
    .updateTable('cnab_payments')
    .set({ stage: 'ENDED', updated_at: at })
    .where((eb) => eb.and({ seller_id: sellerId, withdrawal_id: id }))
    .execute();
}

/** Skips references that may have been given before the database was restored. */
export async function advancePaymentReferences(trx: DatabaseTransaction, count: number): Promise<void> {
  await sql`
    SELECT setval(name, nextval(name) + ${count}::bigint)
    FROM pg_get_serial_sequence('cnab_payments', 'reference') name`.execute(trx);
}

/** A payment that a file carried after the time to which the database was restored. */
export interface SentPayment {
  readonly withdrawalId: string;
  /** Its reference in that file, if it was given. */
  readonly reference: number | undefined;
}

/** Lets no other file carry a payment. Returns false if it does not wait for one. */
export async function markPaymentSent(
  trx: DatabaseTransaction,
  { withdrawalId, reference }: SentPayment,
  at: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('cnab_payments')
    .set({ stage: 'AT_BANK', updated_at: at })
    .where('withdrawal_id', '=', withdrawalId)
    .where('stage', '=', 'TO_SHIP')
    .$if(reference !== undefined, (query) => query.where('reference', '=', reference ?? 0))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Stores a payment as sent that the restored database did not have yet. Returns false if the
 * withdrawal or the reference has another one.
 */
export async function insertSentPayment(
  trx: DatabaseTransaction,
  payment: Parameters<typeof insertPayment>[1] & { readonly reference: number },
): Promise<boolean> {
  const { sellerId, id, reference, service, amount, encryptedInstruction, at } = payment;
  const { numAffectedRows = 0n } = await sql`
    INSERT INTO cnab_payments (seller_id, withdrawal_id, reference, service, amount, encrypted_instruction,
      stage, created_at, updated_at) OVERRIDING SYSTEM VALUE
    SELECT ${sellerId}, ${id}, ${reference}, ${service}, ${amount}, ${encryptedInstruction}, 'AT_BANK',
      ${at}::timestamptz, ${at}::timestamptz
    WHERE NOT EXISTS (SELECT 1 FROM cnab_payments WHERE reference = ${reference})
    ON CONFLICT DO NOTHING`.execute(trx);
  return numAffectedRows > 0n;
}
