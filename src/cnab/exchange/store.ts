import { sql } from 'kysely';

import type { LocalDate } from '#formats/calendar/local-date.ts';
import type { Db } from '#platform/database/connect.ts';
import type { Page } from '#platform/http/pagination.ts';
import type { Sequence, Service, Shipment, ShipmentFile } from '#cnab/codec/shipment.ts';

/** Makes the sequence if it is a new one, and holds it until the end of the transaction: whoever else makes a file waits. */
export async function lockSequence(trx: Db, bankCode: string, sequence: Sequence): Promise<number> {
  await sql`
    INSERT INTO cnab_sequences (bank_code, sequence, last) VALUES (${bankCode}, ${sequence}, 0)
    ON CONFLICT DO NOTHING`.execute(trx);
  const row = await trx
    .selectFrom('cnab_sequences')
    .select('last')
    .where('bank_code', '=', bankCode)
    .where('sequence', '=', sequence)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return row.last;
}

export async function advanceSequence(
  trx: Db,
  bankCode: string,
  sequence: Sequence,
  last: number,
): Promise<void> {
  await trx
    .updateTable('cnab_sequences')
    .set({ last })
    .where('bank_code', '=', bankCode)
    .where('sequence', '=', sequence)
    .execute();
}

/** A charge that can still be paid by its boleto. */
const IS_PAYABLE = sql`t.status IN ('PENDING', 'WAITING_PAYMENT', 'PROCESSING')`;

export interface ShipmentSelection {
  readonly shipmentId: string;
  readonly bankCode: string;
  readonly limit: number;
  readonly at: Date;
}

interface RecordKey {
  readonly sellerId: string;
  readonly id: string;
}

/** What ended before any file told the bank of it needs none. */
export async function endUnshippedBoletos(trx: Db, { bankCode, at }: ShipmentSelection): Promise<void> {
  await sql`
    UPDATE boleto_registrations r SET stage = 'ENDED', updated_at = ${at}
    FROM transactions t
    WHERE r.stage = 'TO_SHIP' AND r.bank_code = ${bankCode}
      AND t.seller_id = r.seller_id AND t.id = r.transaction_id AND NOT ${IS_PAYABLE}`.execute(trx);
}

/** Boletos to register, the oldest first; they are in this file now and in no other. */
export async function claimRegistrations(
  trx: Db,
  selection: ShipmentSelection,
): Promise<readonly RecordKey[]> {
  const { rows } = await sql<RecordKey>`
    UPDATE boleto_registrations SET stage = 'AT_BANK', shipment_id = ${selection.shipmentId}, updated_at = ${selection.at}
    WHERE (seller_id, transaction_id) IN (
      SELECT seller_id, transaction_id FROM boleto_registrations
      WHERE stage = 'TO_SHIP' AND bank_code = ${selection.bankCode} ORDER BY created_at LIMIT ${selection.limit})
    RETURNING seller_id AS "sellerId", transaction_id AS id`.execute(trx);
  return rows;
}

/** Boletos that the bank has and nobody shall pay any more. */
export async function claimWriteOffs(trx: Db, selection: ShipmentSelection): Promise<readonly RecordKey[]> {
  const { rows } = await sql<RecordKey>`
    UPDATE boleto_registrations SET stage = 'WRITING_OFF', write_off_shipment_id = ${selection.shipmentId}, updated_at = ${selection.at}
    WHERE (seller_id, transaction_id) IN (
      SELECT r.seller_id, r.transaction_id
      FROM boleto_registrations r JOIN transactions t ON t.seller_id = r.seller_id AND t.id = r.transaction_id
      WHERE r.stage = 'AT_BANK' AND r.bank_code = ${selection.bankCode} AND NOT ${IS_PAYABLE}
      ORDER BY r.created_at LIMIT ${selection.limit})
    RETURNING seller_id AS "sellerId", transaction_id AS id`.execute(trx);
  return rows;
}

export interface TitleRow extends RecordKey {
  readonly ourNumber: string;
  readonly dueOn: LocalDate;
  readonly amount: number;
  readonly createdAt: Date;
  readonly payerName: string;
  readonly payerDocument: string;
  readonly goods: boolean;
}

/** What a file tells of these boletos, the oldest first. */
export async function findTitles(trx: Db, keys: readonly RecordKey[]): Promise<readonly TitleRow[]> {
  const { rows } = await sql<TitleRow>`
    SELECT t.seller_id AS "sellerId", t.id, b.our_number AS "ourNumber", b.due_date::text AS "dueOn", t.amount,
      t.created_at AS "createdAt", c.name AS "payerName", c.document AS "payerDocument",
      (SELECT bool_and(i.tangible) FROM transaction_items i WHERE i.seller_id = t.seller_id AND i.transaction_id = t.id) AS goods
    FROM unnest(${keys.map(({ sellerId }) => sellerId)}::uuid[], ${keys.map(({ id }) => id)}::uuid[]) AS w (seller_id, id)
    JOIN transactions t ON t.seller_id = w.seller_id AND t.id = w.id
    JOIN boleto_payments b ON b.seller_id = t.seller_id AND b.transaction_id = t.id
    JOIN transaction_customers c ON c.seller_id = t.seller_id AND c.transaction_id = t.id
    ORDER BY t.created_at, t.id`.execute(trx);
  return rows;
}

/** Keeps a payment until a file takes it; one that is there already stays as it was. */
export async function insertPayment(
  db: Db,
  payment: RecordKey & {
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

export interface PaymentRow extends RecordKey {
  readonly reference: number;
  readonly amount: number;
  readonly encryptedInstruction: string;
}

/** Payments to make, the oldest first; they are in this file now and in no other. */
export async function claimPayments(
  trx: Db,
  service: 'PIX' | 'TRANSFERS',
  { shipmentId, limit, at }: Omit<ShipmentSelection, 'bankCode'>,
): Promise<readonly PaymentRow[]> {
  const { rows } = await sql<PaymentRow>`
    UPDATE cnab_payments SET stage = 'AT_BANK', shipment_id = ${shipmentId}, updated_at = ${at}
    WHERE (seller_id, withdrawal_id) IN (
      SELECT seller_id, withdrawal_id FROM cnab_payments
      WHERE stage = 'TO_SHIP' AND service = ${service} ORDER BY created_at LIMIT ${limit})
    RETURNING seller_id AS "sellerId", withdrawal_id AS id, reference, amount, encrypted_instruction AS "encryptedInstruction"`.execute(
    trx,
  );
  return rows.toSorted((one, other) => one.reference - other.reference);
}

export async function insertShipment(trx: Db, shipment: Shipment, encryptedFile: string): Promise<void> {
  await trx
    .insertInto('cnab_shipments')
    .values({
      id: shipment.id,
      bank_code: shipment.bankCode,
      sequence: shipment.sequence,
      number: shipment.number,
      service: shipment.service,
      registrations: shipment.registrations,
      write_offs: shipment.writeOffs,
      payments: shipment.payments,
      amount: shipment.amount,
      sha256: shipment.sha256,
      encrypted_file: encryptedFile,
      made_by: shipment.madeBy,
      made_at: shipment.madeAt,
    })
    .execute();
}

const SHIPMENT = sql`id, bank_code AS "bankCode", sequence, number, service, registrations, write_offs AS "writeOffs",
  payments, amount, sha256, made_by AS "madeBy", made_at AS "madeAt"`;

/** Newest first; one more than asked for where there is a next page. */
export async function findShipments(
  db: Db,
  service: Service | undefined,
  page: Page,
): Promise<{ readonly found: readonly Shipment[]; readonly count: number }> {
  const matching = sql`FROM cnab_shipments WHERE (${service ?? null}::text IS NULL OR service = ${service ?? null})`;
  const [found, counted] = await Promise.all([
    sql<Shipment>`
      SELECT ${SHIPMENT} ${matching} AND (${page.after ?? null}::uuid IS NULL OR id < ${page.after ?? null}::uuid)
      ORDER BY id DESC LIMIT ${page.take + 1} OFFSET ${page.skip}`.execute(db),
    sql<{ count: number }>`SELECT count(*) AS count ${matching}`.execute(db),
  ]);
  return { found: found.rows, count: counted.rows[0]?.count ?? 0 };
}

export async function findShipmentFile(db: Db, id: string): Promise<ShipmentFile | undefined> {
  const { rows } = await sql<ShipmentFile>`
    SELECT ${SHIPMENT}, encrypted_file AS "encryptedFile" FROM cnab_shipments WHERE id = ${id}`.execute(db);
  return rows[0];
}
