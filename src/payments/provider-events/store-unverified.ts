import { sql } from 'kysely';

import type { Backlog } from '#platform/database/backlog.ts';
import type { Db } from '#platform/database/connect.ts';
import { findDueBacklog, leaseRows, type Lease, type Leased } from '#platform/database/leases.ts';
import { newId } from '#platform/kit/ids.ts';
import { UNVERIFIED_TABLE } from './leased-table.ts';

/** A payment as a callback reports it. */
export interface ReportedPayment {
  readonly provider: string;
  /** The provider's id of the payment; for Pix the end-to-end id. */
  readonly eventId: string;
  /** Our reference at the provider; for Pix the txid. */
  readonly reference: string;
  /** In cents. */
  readonly amount: number;
  readonly occurredAt: Date;
}

/** A reported payment that is to be read from its provider. */
export interface DueVerification extends ReportedPayment, Leased {
  readonly id: string;
  readonly attempts: number;
}

/** Stores a reported payment until its provider is queried. A repeated report changes nothing. */
export async function insertUnverifiedPayment(
  db: Db,
  { provider, eventId, reference, amount, occurredAt }: ReportedPayment,
  receivedAt: Date,
): Promise<void> {
  await db
    .insertInto('unverified_payments')
    .values({
      provider,
      provider_event_id: eventId,
      id: newId(receivedAt.getTime()),
      claimed_record: reference,
      amount,
      occurred_at: occurredAt,
      received_at: receivedAt,
      attempts: 0,
      due_at: receivedAt,
      updated_at: receivedAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Leases the payments that are to be read from one provider. */
export const leaseUnverifiedPayments = (
  db: Db,
  provider: string,
  lease: Lease,
): Promise<readonly DueVerification[]> =>
  leaseRows<Omit<DueVerification, 'leasedBy'>>(db, lease, {
    ...UNVERIFIED_TABLE,
    pending: sql`provider = ${provider}`,
    columns: sql`id, provider, provider_event_id AS "eventId", claimed_record AS reference, amount,
      occurred_at AS "occurredAt", attempts`,
  });

/** Payments whose provider is to be queried. */
export const countDueVerifications = (db: Db, now: Date): Promise<Backlog> =>
  findDueBacklog(db, UNVERIFIED_TABLE, now);

/** Schedules the next query, unless another process has leased the payment meanwhile. */
export async function postponeUnverifiedPayment(
  db: Db,
  { provider, eventId, attempts, leasedBy }: DueVerification,
  dueAt: Date,
  now: Date,
): Promise<void> {
  await db
    .updateTable('unverified_payments')
    .set({ due_at: dueAt, lease_until: null, attempts: attempts + 1, updated_at: now })
    .where((eb) => eb.and({ provider, provider_event_id: eventId, attempts, leased_by: leasedBy }))
    .execute();
}

/** Deletes a payment that its provider has confirmed or denied. */
export async function deleteUnverifiedPayment(
  db: Db,
  { provider, eventId, id }: DueVerification,
): Promise<void> {
  await db
    .deleteFrom('unverified_payments')
    .where((eb) => eb.and({ provider, provider_event_id: eventId, id }))
    .execute();
}
