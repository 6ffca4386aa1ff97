import { sql, type RawBuilder } from 'kysely';

import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { countList } from '#platform/database/pagination.ts';
import { onShardOf } from '#platform/database/shards/each-shard.ts';
import type { ListCount, Page } from '#platform/http/pagination.ts';
import { MAX_ID } from '#platform/kit/ids.ts';
import { cardCheckTime } from './decisions.ts';
import { hasEnded } from './states.ts';
import {
  SUBSCRIPTION_STATUSES,
  type Subscription,
  type SubscriptionKey,
  type SubscriptionRecord,
  type SubscriptionStatus,
} from './subscription.ts';

export const SUBSCRIPTION_COLUMNS = sql<Subscription>`s.seller_id AS "sellerId", s.id, s.method, s.status,
  s.version, s.amount, s.amount_type AS "amountType", s.minimum_amount AS "minimumAmount",
  s.charge_interval AS interval, s.start_date::text AS "startDate", s.cycles, s.retry_policy AS "retryPolicy",
  s.on_unpaid AS "onUnpaid", s.description, s.customer_id AS "customerId", s.customer,
  s.card_token_id AS "cardTokenId", s.network_reference AS "networkReference",
  s.external_ref AS "externalRef", s.metadata,
  s.postback_url AS "postbackUrl", s.payer_secret AS "payerSecret", s.next_cycle AS "nextCycle",
  s.charged_cycles AS "chargedCycles", s.invoices, s.due_at AS "dueAt",
  s.card_checked_cycle AS "cardCheckedCycle",
  s.next_outcome AS "nextOutcome",
  s.created_at AS "createdAt", s.updated_at AS "updatedAt"`;

/** SQL: the dates of the SCHEDULED invoices of the subscription `s`, which has a few at most. */
const SCHEDULED_DATES = sql`
  ARRAY(SELECT i.due_date::text FROM subscription_invoices i
   WHERE i.seller_id = s.seller_id AND i.subscription_id = s.id AND i.status IN ('SCHEDULED', 'PENDING')
     AND i.status = 'SCHEDULED'
   ORDER BY i.number LIMIT 10)`;

const RECORD_COLUMNS = sql<SubscriptionRecord>`${SUBSCRIPTION_COLUMNS},
  ${SCHEDULED_DATES} AS "scheduledDates",
  (SELECT json_build_object('idRec', a.id_rec, 'status', a.status, 'journey', a.journey, 'code', a.code)
   FROM pix_authorizations a WHERE a.seller_id = s.seller_id AND a.subscription_id = s.id) AS authorization`;

const toJson = (value: object | null): string | null => (value === null ? null : JSON.stringify(value));

export async function insertSubscription(trx: DatabaseTransaction, one: Subscription): Promise<void> {
  await trx
    .insertInto('subscriptions')
    .values({
      seller_id: one.sellerId,
      id: one.id,
      method: one.method,
      status: one.status,
      version: one.version,
      amount: one.amount,
      amount_type: one.amountType,
      minimum_amount: one.minimumAmount,
      charge_interval: one.interval,
      start_date: sql`${one.startDate}::date`,
      cycles: one.cycles,
      retry_policy: one.retryPolicy,
      on_unpaid: one.onUnpaid,
      description: one.description,
      customer_id: one.customerId,
      customer: toJson(one.customer),
      card_token_id: one.cardTokenId,
      network_reference: one.networkReference,
      external_ref: one.externalRef,
      metadata: toJson(one.metadata),
      postback_url: one.postbackUrl,
      payer_secret: one.payerSecret,
      next_cycle: one.nextCycle,
      charged_cycles: one.chargedCycles,
      invoices: one.invoices,
      due_at: one.dueAt,
      card_check_at: cardCheckTime(one),
      card_checked_cycle: one.cardCheckedCycle,
      next_outcome: one.nextOutcome,
      created_at: one.createdAt,
      updated_at: one.updatedAt,
    })
    .execute();
}

/** Writes the members that change. Returns false if the subscription has another version. */
export async function updateSubscription(trx: DatabaseTransaction, one: Subscription): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('subscriptions')
    .set({
      status: one.status,
      version: one.version,
      amount: one.amount,
      description: one.description,
      card_token_id: one.cardTokenId,
      network_reference: one.networkReference,
      metadata: toJson(one.metadata),
      next_cycle: one.nextCycle,
      charged_cycles: one.chargedCycles,
      invoices: one.invoices,
      due_at: one.dueAt,
      card_check_at: cardCheckTime(one),
      card_checked_cycle: one.cardCheckedCycle,
      next_outcome: one.nextOutcome,
      updated_at: one.updatedAt,
    })
    .where((eb) => eb.and({ seller_id: one.sellerId, id: one.id, version: one.version - 1 }))
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

export async function findSubscription(
  db: Db,
  { sellerId, id }: SubscriptionKey,
): Promise<SubscriptionRecord | undefined> {
  const { rows } = await sql<SubscriptionRecord>`
    SELECT ${RECORD_COLUMNS} FROM subscriptions s WHERE s.seller_id = ${sellerId} AND s.id = ${id}`.execute(
    db,
  );
  return rows[0];
}

/** Finds a subscription of any seller, which a payer's page knows by its id. */
export async function findSubscriptionById(db: Db, id: string): Promise<SubscriptionRecord | undefined> {
  const { rows } = await sql<SubscriptionRecord>`
    SELECT ${RECORD_COLUMNS} FROM subscriptions s WHERE s.id = ${id}`.execute(db);
  return rows[0];
}

/** Locks a subscription, so that its invoices change one after another. */
export async function lockSubscription(
  trx: DatabaseTransaction,
  { sellerId, id }: SubscriptionKey,
): Promise<Subscription | undefined> {
  const { rows } = await sql<Subscription>`
    SELECT ${SUBSCRIPTION_COLUMNS} FROM subscriptions s
    WHERE s.seller_id = ${sellerId} AND s.id = ${id} FOR UPDATE`.execute(trx);
  return rows[0];
}

/** Locks the subscriptions of a customer record that have not ended. */
export async function lockSubscriptionsOf(
  trx: DatabaseTransaction,
  { sellerId, id }: { readonly sellerId: string; readonly id: string },
): Promise<readonly Subscription[]> {
  const { rows } = await sql<Subscription>`
    SELECT ${SUBSCRIPTION_COLUMNS} FROM subscriptions s
    WHERE s.seller_id = ${sellerId} AND s.customer_id = ${id} AND s.customer_id IS NOT NULL
      AND s.status = ANY (${SUBSCRIPTION_STATUSES.filter((status) => !hasEnded(status))})
    ORDER BY s.seller_id, s.customer_id, s.id FOR UPDATE`.execute(trx);
  return rows;
}

export interface SubscriptionFilter {
  readonly statuses: readonly SubscriptionStatus[];
  readonly customerId: string | undefined;
}

/** Newest first; one more than a page if there is a next page. */
export async function findSubscriptions(
  db: Db,
  sellerId: string,
  filter: SubscriptionFilter,
  { take, skip, after = MAX_ID }: Page,
): Promise<readonly SubscriptionRecord[]> {
  const found = sql<SubscriptionRecord>`
    SELECT ${RECORD_COLUMNS} FROM (
      SELECT * FROM (${matching(sellerId, filter, after, take + skip + 1)}) found
      ORDER BY found.id DESC LIMIT ${take + 1} OFFSET ${skip}) s
    ORDER BY s.id DESC`;
  return onShardOf(db, sellerId, async (shard) => (await found.execute(shard)).rows);
}

/** The newest matches: of each status by itself, so that each follows the index. */
function matching(
  sellerId: string,
  { statuses, customerId }: SubscriptionFilter,
  after: string,
  limit: number,
): RawBuilder<unknown> {
  if (customerId !== undefined) {
    const isStatus = statuses.length === 0 ? sql`true` : sql`status = ANY (${[...statuses]}::text[])`;
    return sql`SELECT * FROM subscriptions WHERE seller_id = ${sellerId} AND customer_id = ${customerId}
      AND customer_id IS NOT NULL AND id < ${after}::uuid AND ${isStatus}
      ORDER BY seller_id DESC, customer_id DESC, id DESC LIMIT ${limit}`;
  }
  if (statuses.length === 0)
    return sql`SELECT * FROM subscriptions WHERE seller_id = ${sellerId} AND id < ${after}::uuid
      ORDER BY seller_id DESC, id DESC LIMIT ${limit}`;
  const ofEach = statuses.map(
    (status) => sql`(SELECT * FROM subscriptions WHERE seller_id = ${sellerId} AND status = ${status}
      AND id < ${after}::uuid ORDER BY seller_id DESC, status DESC, id DESC LIMIT ${limit})`,
  );
  return sql.join(ofEach, sql` UNION ALL `);
}

export const countSubscriptions = (
  db: Db,
  sellerId: string,
  { statuses, customerId }: SubscriptionFilter,
): Promise<ListCount> =>
  countList(
    db,
    db
      .selectFrom('subscriptions')
      .where('seller_id', '=', sellerId)
      .$if(statuses.length > 0, (query) => query.where('status', 'in', [...statuses]))
      .$if(customerId !== undefined, (query) => query.where('customer_id', '=', customerId ?? '')),
    { isExact: false },
  );

export async function setNextOutcome(
  db: Db,
  { sellerId, id }: SubscriptionKey,
  outcome: Subscription['nextOutcome'],
): Promise<void> {
  await db
    .updateTable('subscriptions')
    .set({ next_outcome: outcome })
    .where((eb) => eb.and({ seller_id: sellerId, id }))
    .execute();
}
