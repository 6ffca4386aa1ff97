import { sql, type RawBuilder } from 'kysely';

import type { Reason } from '#payments/transactions/reasons.ts';
import type { Backlog } from '#platform/database/backlog.ts';
import { toColumns } from '#platform/database/column-names.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { isUuid } from '#platform/kit/ids.ts';
import { findDueBacklog, leaseRows, type Lease, type Leased } from '#platform/database/leases.ts';
import type { CardCodes } from '#payments/transactions/card.ts';
import type { PixPayment, Transaction, TransactionKey } from '#payments/transactions/transaction.ts';
import { OPERATIONS_TABLE } from './leased-table.ts';
import type {
  NewProviderOperation,
  OperationKey,
  OperationState,
  ProviderOperation,
} from './provider-operation.ts';

/** The CREATE operation of a new transaction that an external provider processes. */
export interface PendingSubmission {
  /** The provider that is called first. */
  readonly provider: string;
  /** When the sweep takes over, unless the outcome is recorded by then. */
  readonly dueAt: Date;
  /** Until when the creating process may still be calling the provider. */
  readonly leaseUntil: Date;
  /** False when a card is only authorized. */
  readonly capture: boolean;
}

/** SQL: inserts the CREATE operations of the rows of the CTE `created` that have one. */
export const INSERT_SUBMISSIONS = `
      INSERT INTO provider_operations (seller_id, id, transaction_id, kind, provider, amount, state, attempts,
        due_at, lease_until, capture, created_at, updated_at)
      SELECT seller_id, id, id, 'CREATE', operation_provider, amount, 'OPEN', 0,
        operation_due_at, operation_lease_until, coalesce(operation_capture, true), created_at, created_at
      FROM created WHERE operation_provider IS NOT NULL`;

const COLUMNS = sql`seller_id AS "sellerId", id, transaction_id AS "transactionId", kind, provider, amount,
  state, payment_reference AS "paymentReference", reference, attempts, lease_until AS "leaseUntil", capture,
  created_at AS "createdAt"`;

/** Inserts an operation in the transaction that decided it. */
export async function insertOperation(
  trx: DatabaseTransaction,
  operation: NewProviderOperation,
): Promise<void> {
  const { createdAt } = operation;
  await trx
    .insertInto('provider_operations')
    .values(toColumns({ ...operation, state: 'OPEN', dueAt: createdAt, updatedAt: createdAt }))
    .execute();
}

/**
 * Inserts the CREATE operation of a transaction whose review was approved, for the sweep to call.
 */
export async function insertSubmission(
  trx: DatabaseTransaction,
  { sellerId, id, amount }: Pick<Transaction, 'sellerId' | 'id' | 'amount'>,
  { provider, dueAt }: { readonly provider: string; readonly dueAt: Date },
): Promise<void> {
  const operation = { sellerId, id, transactionId: id, kind: 'CREATE', provider, amount } as const;
  const times = { dueAt, createdAt: dueAt, updatedAt: dueAt };
  await trx
    .insertInto('provider_operations')
    .values(toColumns({ ...operation, ...times, state: 'OPEN' }))
    .execute();
}

/** An operation with the process that holds its lease: null is the request that created it. */
export interface LeasedOperation extends OperationKey {
  readonly leasedBy?: string | null;
}

/** An operation whose call this process makes. */
export type ClaimedOperation = ProviderOperation & Leased;

/** Leases operations whose call is due. */
export const claimOperations = (db: Db, lease: Lease): Promise<readonly ClaimedOperation[]> =>
  leaseRows<ProviderOperation>(db, lease, { ...OPERATIONS_TABLE, columns: COLUMNS });

/** Operations whose call is due. */
export const countDueOperations = (db: Db, now: Date): Promise<Backlog> =>
  findDueBacklog(db, OPERATIONS_TABLE, now);

async function select(db: Db, condition: RawBuilder<unknown>): Promise<readonly ProviderOperation[]> {
  const query = sql<ProviderOperation>`SELECT ${COLUMNS} FROM provider_operations WHERE ${condition}`;
  return (await query.execute(db)).rows;
}

const byKey = ({ sellerId, id }: OperationKey) => sql`seller_id = ${sellerId} AND id = ${id}`;

export async function findOperation(db: Db, key: OperationKey): Promise<ProviderOperation | undefined> {
  return (await select(db, byKey(key)))[0];
}

/** Finds an operation by its id alone, which is all that a provider knows. */
export async function findOperationById(db: Db, id: string): Promise<ProviderOperation | undefined> {
  return (await select(db, sql`id = ${id} LIMIT 1`))[0];
}

/** All operations of a transaction, oldest first. A transaction has a handful at most. */
export function findOperationsByTransaction(
  db: Db,
  { sellerId, id }: TransactionKey,
): Promise<readonly ProviderOperation[]> {
  return select(db, sql`seller_id = ${sellerId} AND transaction_id = ${id} ORDER BY created_at, id`);
}

/** The CREATE operation of a card transaction; undefined for any other transaction. */
export async function findCardAuthorization(
  db: Db,
  key: TransactionKey,
): Promise<ProviderOperation | undefined> {
  if (!isUuid(key.id)) return undefined;
  const hasCard = sql`EXISTS (
    SELECT FROM card_payments WHERE seller_id = ${key.sellerId} AND transaction_id = ${key.id})`;
  return (await select(db, sql`${byKey(key)} AND kind = 'CREATE' AND ${hasCard}`))[0];
}

export async function updateCardCodes(
  trx: DatabaseTransaction,
  { sellerId, id }: TransactionKey,
  { authorizationCode, nsu, networkReference = null }: CardCodes,
): Promise<void> {
  await trx
    .updateTable('card_payments')
    .set({ authorization_code: authorizationCode, nsu, network_reference: networkReference })
    .where((eb) => eb.and({ seller_id: sellerId, transaction_id: id }))
    .execute();
}

export interface OperationResult {
  readonly state: Exclude<OperationState, 'OPEN'>;
  readonly reference: string | null;
  /** Why the operation was refused. */
  readonly detail: Reason | null;
  readonly at: Date;
}

/** Records the provider's response. Returns false, and changes nothing, if the state is final. */
export async function recordOperationResult(
  db: Db,
  key: OperationKey,
  result: OperationResult,
): Promise<boolean> {
  const from: OperationState[] = result.state === 'ACCEPTED' ? ['OPEN'] : ['OPEN', 'ACCEPTED'];
  const updated = await db
    .updateTable('provider_operations')
    .set((expression) => ({
      state: result.state,
      reference: expression.fn.coalesce(expression.val(result.reference), 'reference'),
      detail: result.detail,
      attempts: expression('attempts', '+', 1),
      lease_until: null,
      updated_at: result.at,
    }))
    .where((eb) => eb.and({ seller_id: key.sellerId, id: key.id }))
    .where('state', 'in', from)
    .executeTakeFirst();
  return updated.numUpdatedRows > 0n;
}

/**
 * Schedules the next call of an operation whose outcome is not known yet. Changes nothing if
 * another process has leased it.
 */
export async function postponeOperation(
  db: Db,
  operation: LeasedOperation,
  {
    dueAt,
    now,
    reference = null,
  }: { readonly dueAt: Date; readonly now: Date; readonly reference?: string | null },
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
    .where((eb) => eb.and({ seller_id: operation.sellerId, id: operation.id, state: 'OPEN' }))
    .$if(operation.leasedBy !== undefined, (query) =>
      query.where('leased_by', 'is not distinct from', operation.leasedBy ?? null),
    )
    .execute();
}

/**
 * Assigns an operation to another provider. Returns false if it is no longer open, or if another
 * process has leased it and may be calling the provider.
 */
export async function reassignOperation(
  db: Db,
  operation: LeasedOperation,
  { from, to, now }: { readonly from: string; readonly to: string; readonly now: Date },
): Promise<boolean> {
  const result = await db
    .updateTable('provider_operations')
    .set({ provider: to, updated_at: now })
    .where((eb) => eb.and({ seller_id: operation.sellerId, id: operation.id, state: 'OPEN', provider: from }))
    .$if(operation.leasedBy !== undefined, (query) =>
      query.where('leased_by', 'is not distinct from', operation.leasedBy ?? null),
    )
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Stores the Pix code that a provider created for a transaction, unless it has one. */
export async function insertPixPayment(
  trx: DatabaseTransaction,
  { sellerId, id }: TransactionKey,
  pix: PixPayment,
  createdAt: Date,
): Promise<void> {
  await trx
    .insertInto('pix_payments')
    .values({ ...toColumns(pix), seller_id: sellerId, transaction_id: id, created_at: createdAt })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The provider event that paid a transaction. */
export async function findPaymentEvent(
  db: Db,
  { sellerId, id }: TransactionKey,
): Promise<{ readonly provider: string; readonly eventId: string } | undefined> {
  const row = await db
    .selectFrom('provider_events')
    .select(['provider', 'provider_event_id'])
    .where((eb) => eb.and({ seller_id: sellerId, record_id: id, kind: 'PAYMENT', outcome: 'APPLIED' }))
    .executeTakeFirst();
  return row === undefined ? undefined : { provider: row.provider, eventId: row.provider_event_id };
}
