import { sql } from 'kysely';

import type { LocalDate } from '#formats/calendar/local-date.ts';
import { toColumns } from '#platform/database/column-names.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { findPage } from '#platform/database/pagination.ts';
import type { Page } from '#platform/http/pagination.ts';
import type { TransactionKey } from '#payments/transactions/service.ts';
import {
  sequenceOf,
  type EncryptedShipment,
  type Sequence,
  type Service,
  type Shipment,
} from './shipment.ts';

/**
 * Locks a sequence until the end of the transaction, creating it first if needed, and returns its
 * last number; undefined if that number is unknown since a restore. The lock serializes the
 * creation of files.
 */
export async function lockSequence(
  trx: DatabaseTransaction,
  bankCode: string,
  sequence: Sequence,
): Promise<number | undefined> {
  await sql`
    INSERT INTO cnab_sequences (bank_code, sequence, last) VALUES (${bankCode}, ${sequence}, 0)
    ON CONFLICT DO NOTHING`.execute(trx);
  const row = await trx
    .selectFrom('cnab_sequences')
    .select(['last', 'is_open'])
    .where((eb) => eb.and({ bank_code: bankCode, sequence }))
    .forUpdate()
    .executeTakeFirstOrThrow();
  return row.is_open ? undefined : row.last;
}

export interface FileNumbers {
  readonly bankCode: string;
  readonly sequence: Sequence;
  readonly last: number;
  /** Whether files with later numbers may have been sent before a restore. */
  readonly isOpen: boolean;
}

export async function findFileNumbers(db: Db): Promise<readonly FileNumbers[]> {
  const rows = await db
    .selectFrom('cnab_sequences')
    .selectAll()
    .orderBy('bank_code')
    .orderBy('sequence')
    .execute();
  return rows.map((row) => ({
    bankCode: row.bank_code,
    sequence: row.sequence === 'BOLETOS' ? 'BOLETOS' : 'PAYMENTS',
    last: row.last,
    isOpen: row.is_open,
  }));
}

/** Marks the last number of each sequence as unknown. */
export async function openFileNumbers(trx: DatabaseTransaction): Promise<void> {
  await trx.updateTable('cnab_sequences').set({ is_open: true }).execute();
}

/**
 * Marks the last number as unknown of services that have had no file: their first one may have been
 * sent after the restored time.
 */
export async function openFirstFileNumbers(
  trx: DatabaseTransaction,
  { bankCode, services }: { readonly bankCode: string | null; readonly services: readonly Service[] },
): Promise<void> {
  for (const service of services) {
    await sql`
      INSERT INTO cnab_sequences (bank_code, sequence, last, is_open)
      VALUES (${bankCode}, ${sequenceOf(service)}, 0, true)
      ON CONFLICT DO NOTHING`.execute(trx);
  }
}

/**
 * Sets the last number of a sequence at every bank. Numbers only rise. The bank has the files up to
 * that number, so that none of them is written again. Returns false if no file has a number of it.
 */
export async function setLastFileNumber(
  trx: DatabaseTransaction,
  sequence: Sequence,
  last: number,
  at: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('cnab_sequences')
    .set((eb) => ({ last: eb.fn<number>('greatest', ['last', eb.val(last)]), is_open: false }))
    .where('sequence', '=', sequence)
    .executeTakeFirst();
  await trx
    .updateTable('cnab_shipments')
    .set({ written_at: at })
    .where('sequence', '=', sequence)
    .where('number', '<=', last)
    .where('written_at', 'is', null)
    .execute();
  return numUpdatedRows > 0n;
}

export async function advanceSequence(
  trx: DatabaseTransaction,
  bankCode: string,
  sequence: Sequence,
  last: number,
): Promise<void> {
  await trx
    .updateTable('cnab_sequences')
    .set({ last })
    .where((eb) => eb.and({ bank_code: bankCode, sequence }))
    .execute();
}

export interface TitleRow extends TransactionKey {
  readonly ourNumber: string;
  readonly dueOn: LocalDate;
  readonly amount: number;
  readonly createdAt: Date;
  readonly payerName: string;
  readonly payerDocument: string;
  readonly goods: boolean;
}

/** Finds the content of boletos for a file, oldest first. */
export async function findTitles(
  trx: DatabaseTransaction,
  keys: readonly TransactionKey[],
): Promise<readonly TitleRow[]> {
  const { rows } = await sql<TitleRow>`
    SELECT t.seller_id AS "sellerId", t.id, b.our_number AS "ourNumber", b.due_date::text AS "dueOn",
      t.amount, t.created_at AS "createdAt", c.name AS "payerName", c.document AS "payerDocument",
      (SELECT bool_and(i.tangible) FROM transaction_items i
        WHERE i.seller_id = t.seller_id AND i.transaction_id = t.id) AS goods
    FROM unnest(${keys.map(({ sellerId }) => sellerId)}::uuid[], ${keys.map(({ id }) => id)}::uuid[])
      AS claimed (seller_id, id)
    JOIN transactions t ON t.seller_id = claimed.seller_id AND t.id = claimed.id
    JOIN boleto_payments b ON b.seller_id = t.seller_id AND b.transaction_id = t.id
    JOIN transaction_customers c ON c.seller_id = t.seller_id AND c.transaction_id = t.id
    ORDER BY t.created_at, t.id`.execute(trx);
  return rows;
}

export async function insertShipment(trx: DatabaseTransaction, shipment: EncryptedShipment): Promise<void> {
  await trx.insertInto('cnab_shipments').values(toColumns(shipment)).execute();
}

const SHIPMENT_COLUMNS = sql<Shipment>`id, bank_code AS "bankCode", sequence, number, service, registrations,
  write_offs AS "writeOffs", payments, amount, sha256, made_by AS "madeBy", made_at AS "madeAt"`;

/** Returns shipments newest first, plus one row beyond the page if there are more. */
export function findShipments(db: Db, service: Service | undefined, page: Page) {
  const matching = sql`
    FROM cnab_shipments WHERE (${service ?? null}::text IS NULL OR service = ${service ?? null})`;
  return findPage(db, SHIPMENT_COLUMNS, matching, page);
}

export async function findEncryptedShipment(db: Db, id: string): Promise<EncryptedShipment | undefined> {
  const { rows } = await sql<EncryptedShipment>`
    SELECT ${SHIPMENT_COLUMNS}, encrypted_file AS "encryptedFile" FROM cnab_shipments
    WHERE id = ${id}`.execute(db);
  return rows[0];
}

/** Returns the oldest file that the command line created and could not write. */
export async function findUnwrittenShipment(db: Db, service: Service): Promise<string | undefined> {
  const row = await db
    .selectFrom('cnab_shipments')
    .select('id')
    .where('service', '=', service)
    .where('written_at', 'is', null)
    .where('made_by', 'is', null)
    .orderBy('number')
    .executeTakeFirst();
  return row?.id;
}

/** Records that the content of a file has left the database. */
export async function markShipmentWritten(db: Db, id: string, at: Date): Promise<void> {
  await db
    .updateTable('cnab_shipments')
    .set({ written_at: at })
    .where('id', '=', id)
    .where('written_at', 'is', null)
    .execute();
}
