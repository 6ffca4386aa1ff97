import { sql } from 'kysely';

import type { Backlog } from '#platform/database/backlog.ts';
import type { Db } from '#platform/database/connect.ts';
import { isUuid } from '#platform/kit/ids.ts';
import { findDueBacklog, leaseRows, type Lease } from '#platform/database/leases.ts';
import type { TransactionKey } from '#payments/transactions/store.ts';
import type { PixPayment } from '#payments/transactions/transaction.ts';
import { OPERATIONS_TABLE } from './leased-table.ts';

/** Orders to providers of others about charges. */

export type OperationKind = 'CREATE' | 'CANCEL' | 'CAPTURE' | 'VOID' | 'REFUND';
export type OperationState = 'OPEN' | 'ACCEPTED' | 'DONE' | 'REFUSED';

export interface PendingSubmission {
  /** Who is asked first. */
  readonly provider: string;
  /** When somebody else asks what became of it, unless its outcome is known by then. */
  readonly dueAt: Date;
  /** Until when the process that makes the charge is calling. */
  readonly leaseUntil: Date;
  /** False: a card is authorized only. */
  readonly capture: boolean;
}

/** The part of the statement that makes charges which writes the orders of those that are placed with a provider. */
export const INSERT_SUBMISSIONS = `
      INSERT INTO provider_operations (seller_id, id, transaction_id, kind, provider, amount, state, attempts, due_at, lease_until,
        capture, created_at, updated_at)
      SELECT seller_id, id, id, 'CREATE', operation_provider, amount, 'OPEN', 0, operation_due_at, operation_lease_until,
        coalesce(operation_capture, true), created_at, created_at
      FROM fresh WHERE operation_provider IS NOT NULL`;

export interface ProviderOperation {
  readonly sellerId: string;
  readonly id: string;
  readonly transactionId: string;
  readonly kind: OperationKind;
  readonly provider: string;
  /** Cents. */
  readonly amount: number;
  readonly state: OperationState;
  readonly paymentReference: string | null;
  readonly reference: string | null;
  readonly attempts: number;
  readonly leaseUntil: Date | null;
  /** Of PLACE: false where a card is authorized only. */
  readonly capture: boolean;
  readonly createdAt: Date;
}

const COLUMNS = sql`seller_id AS "sellerId", id, transaction_id AS "transactionId", kind, provider, amount, state,
  payment_reference AS "paymentReference", reference, attempts, lease_until AS "leaseUntil", capture,
  created_at AS "createdAt"`;

type OperationKey = Pick<ProviderOperation, 'sellerId' | 'id'>;

export interface NewProviderOperation extends OperationKey {
  readonly transactionId: string;
  readonly kind: Exclude<OperationKind, 'CREATE'>;
  readonly provider: string;
  readonly amount: number;
  readonly paymentReference: string | null;
  readonly createdAt: Date;
}

/** Orders something about a charge, in the transaction that decided it. */
export async function insertOperation(db: Db, operation: NewProviderOperation): Promise<void> {
  await db
    .insertInto('provider_operations')
    .values({
      seller_id: operation.sellerId,
      id: operation.id,
      transaction_id: operation.transactionId,
      kind: operation.kind,
      provider: operation.provider,
      amount: operation.amount,
      state: 'OPEN',
      payment_reference: operation.paymentReference,
      due_at: operation.createdAt,
      created_at: operation.createdAt,
      updated_at: operation.createdAt,
    })
    .execute();
}

/** Takes orders whose call is due. */
export const claimOperations = (db: Db, until: Lease): Promise<readonly ProviderOperation[]> =>
  leaseRows<ProviderOperation>(db, until, { ...OPERATIONS_TABLE, columns: COLUMNS });

/** Orders whose call is due. */
export const countDueOperations = (db: Db, now: Date): Promise<Backlog> =>
  findDueBacklog(db, OPERATIONS_TABLE, now);

export async function findOperation(db: Db, key: OperationKey): Promise<ProviderOperation | undefined> {
  const { rows } = await sql<ProviderOperation>`
    SELECT ${COLUMNS} FROM provider_operations WHERE seller_id = ${key.sellerId} AND id = ${key.id}`.execute(
    db,
  );
  return rows[0];
}

/** An order by its id alone, as a provider names it. */
export async function findOperationById(db: Db, id: string): Promise<ProviderOperation | undefined> {
  const { rows } =
    await sql<ProviderOperation>`SELECT ${COLUMNS} FROM provider_operations WHERE id = ${id} LIMIT 1`.execute(
      db,
    );
  return rows[0];
}

/** All orders of a charge; of these there are few. */
export async function findOperationsByTransaction(
  db: Db,
  { sellerId, id }: TransactionKey,
): Promise<readonly ProviderOperation[]> {
  const { rows } = await sql<ProviderOperation>`
    SELECT ${COLUMNS} FROM provider_operations WHERE seller_id = ${sellerId} AND transaction_id = ${id}
    ORDER BY created_at, id`.execute(db);
  return rows;
}

/** The order by which a provider of others has a card; undefined for every other charge. */
export async function findCardAuthorization(
  db: Db,
  { sellerId, id }: TransactionKey,
): Promise<ProviderOperation | undefined> {
  if (!isUuid(id)) return undefined;
  const { rows } = await sql<ProviderOperation>`
    SELECT ${COLUMNS} FROM provider_operations WHERE seller_id = ${sellerId} AND id = ${id} AND kind = 'CREATE'
      AND EXISTS (SELECT FROM card_payments WHERE seller_id = ${sellerId} AND transaction_id = ${id})`.execute(
    db,
  );
  return rows[0];
}

/** The provider's word on an order, where it has not said its last one before; false where it has. */
export async function closeOperation(
  db: Db,
  key: OperationKey,
  outcome: {
    readonly state: Exclude<OperationState, 'OPEN'>;
    readonly reference: string | null;
    readonly detail: string | null;
    readonly at: Date;
  },
): Promise<boolean> {
  const from: OperationState[] = outcome.state === 'ACCEPTED' ? ['OPEN'] : ['OPEN', 'ACCEPTED'];
  const result = await db
    .updateTable('provider_operations')
    .set((expression) => ({
      state: outcome.state,
      reference: expression.fn.coalesce(expression.val(outcome.reference), 'reference'),
      detail: outcome.detail,
      attempts: expression('attempts', '+', 1),
      lease_until: null,
      updated_at: outcome.at,
    }))
    .where('seller_id', '=', key.sellerId)
    .where('id', '=', key.id)
    .where('state', 'in', from)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** What came of the call is not known yet: it is asked for, or called again, later. */
export async function postponeOperation(
  db: Db,
  operation: OperationKey,
  dueAt: Date,
  now: Date,
  reference: string | null = null,
): Promise<void> {
  await db
    .updateTable('provider_operations')
    .set((expression) => ({
      due_at: dueAt,
      reference: expression.fn.coalesce(expression.val(reference), 'reference'),
      lease_until: null,
      attempts: expression('attempts', '+', 1),
      updated_at: now,
    }))
    .where('seller_id', '=', operation.sellerId)
    .where('id', '=', operation.id)
    .where('state', '=', 'OPEN')
    .execute();
}

/** The first provider has certainly not taken it: another one is asked. False where the order is not open any more. */
export async function reassignOperation(
  db: Db,
  operation: OperationKey,
  { from, to, now }: { readonly from: string; readonly to: string; readonly now: Date },
): Promise<boolean> {
  const result = await db
    .updateTable('provider_operations')
    .set({ provider: to, updated_at: now })
    .where('seller_id', '=', operation.sellerId)
    .where('id', '=', operation.id)
    .where('state', '=', 'OPEN')
    .where('provider', '=', from)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Keeps the code that a provider made for a charge; one that has a code keeps it. */
export async function insertPixCharge(
  db: Db,
  { sellerId, id }: TransactionKey,
  pix: PixPayment,
  at: Date,
): Promise<void> {
  await db
    .insertInto('pix_payments')
    .values({
      seller_id: sellerId,
      transaction_id: id,
      id: pix.id,
      txid: pix.txid,
      location: pix.location,
      code: pix.code,
      expires_at: pix.expiresAt,
      created_at: at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Where a charge's money came from: the provider that reported its payment, and that provider's own id of it. */
export async function findPaymentEvent(
  db: Db,
  { sellerId, id }: TransactionKey,
): Promise<{ readonly provider: string; readonly eventId: string } | undefined> {
  const row = await db
    .selectFrom('provider_events')
    .select(['provider', 'provider_event_id'])
    .where('seller_id', '=', sellerId)
    .where('record_id', '=', id)
    .where('kind', '=', 'PAYMENT')
    .where('outcome', '=', 'APPLIED')
    .executeTakeFirst();
  return row === undefined ? undefined : { provider: row.provider, eventId: row.provider_event_id };
}
