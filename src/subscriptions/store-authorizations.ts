import { sql } from 'kysely';

import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { inTransaction } from '#platform/database/in-transaction.ts';
import { leaseRows, type Lease, type Leased } from '#platform/database/leases.ts';
import { AUTHORIZATIONS_TABLE } from './leased-table.ts';
import type { BankAuthorization } from './pix-automatico.ts';
import type { AuthorizationStatus, Journey, PayerAccount, SubscriptionKey } from './subscription.ts';

/** The authorization of a subscription by Pix Automático. */
export interface Authorization {
  readonly sellerId: string;
  readonly subscriptionId: string;
  readonly provider: string;
  readonly journey: Journey;
  readonly idRec: string | null;
  readonly status: AuthorizationStatus;
  readonly code: string | null;
  readonly firstTransactionId: string | null;
  /** Of journey 1. */
  readonly payerAccount: PayerAccount | null;
}

const COLUMNS = sql<Authorization>`seller_id AS "sellerId", subscription_id AS "subscriptionId", provider,
  journey, id_rec AS "idRec", status, code, first_transaction_id AS "firstTransactionId",
  payer_account AS "payerAccount"`;

/** Inserts an authorization. One that its bank has not issued is created by the worker. */
export async function insertAuthorization(
  trx: DatabaseTransaction,
  authorization: Authorization,
  now: Date,
): Promise<void> {
  await trx
    .insertInto('pix_authorizations')
    .values({
      seller_id: authorization.sellerId,
      subscription_id: authorization.subscriptionId,
      provider: authorization.provider,
      journey: authorization.journey,
      id_rec: authorization.idRec,
      status: authorization.status,
      code: authorization.code,
      first_transaction_id: authorization.firstTransactionId,
      payer_account: authorization.payerAccount && JSON.stringify(authorization.payerAccount),
      action: authorization.idRec === null ? 'CREATE' : null,
      attempts: 0,
      due_at: now,
      created_at: now,
      updated_at: now,
    })
    .execute();
}

export async function findAuthorization(
  db: Db,
  { sellerId, id }: SubscriptionKey,
): Promise<Authorization | undefined> {
  const { rows } = await sql<Authorization>`
    SELECT ${COLUMNS} FROM pix_authorizations
    WHERE seller_id = ${sellerId} AND subscription_id = ${id}`.execute(db);
  return rows[0];
}

/** Finds an authorization by the bank's id, which is all that a bank knows. */
export async function findAuthorizationByRec(db: Db, idRec: string): Promise<Authorization | undefined> {
  const { rows } = await sql<Authorization>`
    SELECT ${COLUMNS} FROM pix_authorizations WHERE id_rec = ${idRec} AND id_rec IS NOT NULL LIMIT 1`.execute(
    db,
  );
  return rows[0];
}

export interface DueAuthorization extends Authorization, Leased {
  readonly id: string;
  readonly action: 'CREATE' | 'READ' | 'CANCEL';
  /** When it was requested for. A later request of the same action has a later time. */
  readonly dueAt: Date;
  readonly attempts: number;
}

export const leaseAuthorizations = (db: Db, lease: Lease): Promise<readonly DueAuthorization[]> =>
  leaseRows<Omit<DueAuthorization, 'leasedBy'>>(db, lease, {
    ...AUTHORIZATIONS_TABLE,
    columns: sql`${COLUMNS}, subscription_id AS id, action, due_at AS "dueAt", attempts`,
  });

const isHeld = (sellerId: string, subscriptionId: string, leasedBy: string) =>
  sql`seller_id = ${sellerId} AND subscription_id = ${subscriptionId} AND leased_by = ${leasedBy}`;

export async function postponeAuthorization(
  db: Db,
  { sellerId, subscriptionId, leasedBy }: DueAuthorization,
  dueAt: Date,
  now: Date,
): Promise<void> {
  await sql`
    UPDATE pix_authorizations SET due_at = ${dueAt}, lease_until = NULL, attempts = attempts + 1,
      updated_at = ${now}
    WHERE ${isHeld(sellerId, subscriptionId, leasedBy)} AND action IS NOT NULL`.execute(db);
}

/**
 * Stores the bank's state, and ends the action that was carried out; one that was requested since
 * stays. The account of the payer is kept until the payer has answered.
 */
export async function recordAuthorization(
  trx: DatabaseTransaction,
  { sellerId, id }: SubscriptionKey,
  { idRec, status, code }: Pick<BankAuthorization, 'status'> & Partial<BankAuthorization>,
  { done, now }: { readonly done: Pick<DueAuthorization, 'action' | 'dueAt'> | null; readonly now: Date },
): Promise<void> {
  await sql`
    UPDATE pix_authorizations SET status = ${status}, id_rec = coalesce(${idRec ?? null}, id_rec),
      code = coalesce(${code ?? null}, code), lease_until = NULL,
      payer_account = CASE WHEN ${status} = 'CRIADA' THEN payer_account END, attempts = 0,
      updated_at = ${now},
      action = CASE WHEN action = ${done?.action ?? null}::text
        AND due_at <= ${done?.dueAt ?? null}::timestamptz
        THEN NULL ELSE action END
    WHERE seller_id = ${sellerId} AND subscription_id = ${id}`.execute(trx);
}

/** Requests that the bank end the authorization of an ended subscription, if it has one. */
export async function requestCancellation(
  trx: DatabaseTransaction,
  { sellerId, id }: SubscriptionKey,
  now: Date,
): Promise<void> {
  await sql`
    UPDATE pix_authorizations SET action = 'CANCEL', due_at = ${now}, attempts = 0, updated_at = ${now}
    WHERE seller_id = ${sellerId} AND subscription_id = ${id} AND status IN ('CRIADA', 'APROVADA')`.execute(
    trx,
  );
}

/**
 * Requests a read of an authorization from the bank, unless another action is due. One that is
 * being read is read again afterward.
 */
export async function requestRead(
  db: Db,
  { sellerId, id }: SubscriptionKey,
  { dueAt, now }: { readonly dueAt: Date; readonly now: Date },
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const { rows } = await sql<CurrentAction>`
      SELECT action, due_at AS "dueAt", lease_until IS NOT NULL AS "isLeased" FROM pix_authorizations
      WHERE seller_id = ${sellerId} AND subscription_id = ${id} AND (action IS NULL OR action = 'READ')
      FOR NO KEY UPDATE`.execute(trx);
    const [current] = rows;
    if (current === undefined) return;
    await sql`
      UPDATE pix_authorizations SET action = 'READ', attempts = 0, updated_at = ${now},
        due_at = ${nextReading(current, dueAt)}
      WHERE seller_id = ${sellerId} AND subscription_id = ${id}`.execute(trx);
  });
}

interface CurrentAction {
  readonly action: DueAuthorization['action'] | null;
  readonly dueAt: Date;
  readonly isLeased: boolean;
}

function nextReading({ action, dueAt: current, isLeased }: CurrentAction, dueAt: Date): Date {
  if (action === null) return dueAt;
  const [earlier, later] = [current.getTime(), dueAt.getTime()];
  return new Date(isLeased ? Math.max(earlier + 1, later) : Math.min(earlier, later));
}

/** Whether the state of an authorization is still to be read from the bank. */
export async function isReadDue(db: Db, { sellerId, id }: SubscriptionKey, now: Date): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM (
      SELECT action, due_at FROM pix_authorizations
      WHERE seller_id = ${sellerId} AND subscription_id = ${id} OFFSET 0) a
    WHERE action = 'READ' AND due_at <= ${now}`.execute(db);
  return rows.length > 0;
}
