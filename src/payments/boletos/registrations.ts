/**
 * Registration of boletos with the bank that they are paid through. The statement that creates a
 * transaction inserts the row (see `transactions/store-create.ts`); a module that exchanges files
 * with the bank advances it here.
 */
import { sql } from 'kysely';

import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import type { TransactionKey } from '#payments/transactions/service.ts';

/** The remittance file that claims boletos. */
export interface ShipmentClaim {
  readonly shipmentId: string;
  readonly bankCode: string;
  readonly limit: number;
  readonly at: Date;
}

export interface BoletoRegistration extends TransactionKey {
  /** "Nosso número" without its check digit. */
  readonly number: string;
  readonly registration: string;
  readonly stage: string;
  /** Whether the transaction can still be paid. */
  readonly isPayable: boolean;
  readonly createdAt: Date;
}

/** Absent members keep their values. */
export interface RegistrationChange {
  readonly registration?: 'REGISTERED' | 'REJECTED';
  readonly stage?: 'AT_BANK' | 'ENDED';
  /** Why the bank rejected the registration. */
  readonly reason?: string;
}

/** Statuses in which a transaction `t` can still be paid by its boleto. */
const IS_PAYABLE = sql`t.status IN ('PENDING', 'WAITING_PAYMENT', 'PROCESSING')`;

/** Ends boletos that can no longer be paid and were never sent to the bank. */
export async function endUnshippedBoletos(
  trx: DatabaseTransaction,
  { bankCode, at }: Pick<ShipmentClaim, 'bankCode' | 'at'>,
): Promise<void> {
  await sql`
    UPDATE boleto_registrations r SET stage = 'ENDED', updated_at = ${at}
    FROM transactions t
    WHERE r.stage = 'TO_SHIP' AND r.bank_code = ${bankCode}
      AND t.seller_id = r.seller_id AND t.id = r.transaction_id
      AND (NOT ${IS_PAYABLE} OR t.expires_at < ${at})`.execute(trx);
}

/** Claims boletos to register for one file, oldest first. */
export async function claimRegistrations(
  trx: DatabaseTransaction,
  { shipmentId, bankCode, limit, at }: ShipmentClaim,
): Promise<readonly TransactionKey[]> {
  const { rows } = await sql<TransactionKey>`
    UPDATE boleto_registrations SET stage = 'AT_BANK', shipment_id = ${shipmentId}, updated_at = ${at}
    WHERE (seller_id, transaction_id) IN (
      SELECT seller_id, transaction_id FROM boleto_registrations
      WHERE stage = 'TO_SHIP' AND bank_code = ${bankCode} ORDER BY created_at LIMIT ${limit})
    RETURNING seller_id AS "sellerId", transaction_id AS id`.execute(trx);
  return rows;
}

/** Claims registered boletos that can no longer be paid, to write them off; oldest first. */
export async function claimWriteOffs(
  trx: DatabaseTransaction,
  { shipmentId, bankCode, limit, at }: ShipmentClaim,
): Promise<readonly TransactionKey[]> {
  const { rows } = await sql<TransactionKey>`
    UPDATE boleto_registrations
    SET stage = 'WRITING_OFF', write_off_shipment_id = ${shipmentId}, updated_at = ${at}
    WHERE (seller_id, transaction_id) IN (
      SELECT r.seller_id, r.transaction_id
      FROM boleto_registrations r JOIN transactions t ON t.seller_id = r.seller_id AND t.id = r.transaction_id
      WHERE r.stage = 'AT_BANK' AND r.bank_code = ${bankCode} AND NOT ${IS_PAYABLE}
      ORDER BY r.created_at LIMIT ${limit})
    RETURNING seller_id AS "sellerId", transaction_id AS id`.execute(trx);
  return rows;
}

/** Finds boletos of a bank by their numbers. */
export async function findRegistrations(
  db: Db,
  bankCode: string,
  numbers: readonly string[],
): Promise<ReadonlyMap<string, BoletoRegistration>> {
  if (numbers.length === 0) return new Map();
  const { rows } = await sql<BoletoRegistration>`
    SELECT r.seller_id AS "sellerId", r.transaction_id AS id, r.number, r.registration, r.stage,
      ${IS_PAYABLE} AS "isPayable", r.created_at AS "createdAt"
    FROM boleto_registrations r JOIN transactions t ON t.seller_id = r.seller_id AND t.id = r.transaction_id
    WHERE r.bank_code = ${bankCode} AND r.number = ANY(${numbers}::text[])`.execute(db);
  return new Map(rows.map((row) => [row.number, row]));
}

export async function updateRegistration(
  trx: DatabaseTransaction,
  { sellerId, id }: TransactionKey,
  change: RegistrationChange,
  at: Date,
): Promise<void> {
  await trx
    .updateTable('boleto_registrations')
    .set({ ...change, updated_at: at })
    .where((eb) => eb.and({ seller_id: sellerId, transaction_id: id }))
    .execute();
}
