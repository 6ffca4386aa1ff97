import { sql, type Selectable } from 'kysely';

import { toColumns, toFields } from '#platform/database/column-names.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { countRows } from '#platform/database/pagination.ts';
import type { Webhooks } from '#platform/database/types.gen.ts';
import { MIN_ID } from '#platform/kit/ids.ts';
import { isOpen } from './open-deliveries.ts';
import { addToDeliveryCounts } from './store-delivery-counts.ts';
import {
  EVENT_TYPES,
  type DisabledReason,
  type Webhook,
  type WebhookChanges,
  type WebhookKey,
} from './webhook.ts';

/**
 * Inserts a webhook. Returns false if the seller already has `limit` webhooks. Locks the seller's
 * row, so that two concurrent calls cannot both insert the last one.
 */
export async function insertWebhook(
  trx: DatabaseTransaction,
  webhook: Webhook,
  limit: number,
): Promise<boolean> {
  await trx
    .selectFrom('sellers')
    .select('id')
    .where('id', '=', webhook.sellerId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const count = await countRows(trx.selectFrom('webhooks').where('seller_id', '=', webhook.sellerId));
  if (count >= limit) return false;
  await trx.insertInto('webhooks').values(toColumns(webhook)).execute();
  return true;
}

/** The webhooks of a seller, newest first. */
export async function findWebhooks(db: Db, sellerId: string): Promise<readonly Webhook[]> {
  const rows = await db
    .selectFrom('webhooks')
    .selectAll()
    .where('seller_id', '=', sellerId)
    .orderBy('id', 'desc')
    .execute();
  return rows.map(toWebhook);
}

export async function findWebhook(db: Db, { sellerId, id }: WebhookKey): Promise<Webhook | undefined> {
  const row = await db
    .selectFrom('webhooks')
    .selectAll()
    .where((eb) => eb.and({ seller_id: sellerId, id }))
    .executeTakeFirst();
  return row === undefined ? undefined : toWebhook(row);
}

/**
 * Deletes a webhook and fails its pending deliveries. Returns the deleted webhook, or undefined if
 * it does not exist.
 */
export async function deleteWebhook(
  trx: DatabaseTransaction,
  { sellerId, id }: WebhookKey,
  now: Date,
): Promise<Webhook | undefined> {
  const deleted = await trx
    .deleteFrom('webhooks')
    .where((eb) => eb.and({ seller_id: sellerId, id }))
    .returningAll()
    .executeTakeFirst();
  if (deleted === undefined) return undefined;
  await trx
    .deleteFrom('retired_webhook_secrets')
    .where((eb) => eb.and({ seller_id: sellerId, webhook_id: id }))
    .execute();
  for (const status of ['HELD', 'PENDING'] as const) {
    await forEachOpenDelivery(trx, toWebhook(deleted), status, (ids) =>
      sql`
        WITH failed AS (
          UPDATE deliveries SET status = 'FAILED', updated_at = ${now}
          WHERE seller_id = ${sellerId} AND id = ANY (${ids}::uuid[]) AND status = ${status}
          RETURNING seller_id, webhook_id, created_at, status
        )
        ${sql.raw(addToDeliveryCounts('failed'))}`.execute(trx),
    );
  }
  return toWebhook(deleted);
}

/** Deliveries that one statement reads or changes. More of them could exceed its deadline. */
const CHUNK_SIZE = 2_000;

/** Calls `change` with the ids of the deliveries of a webhook that have a status, chunk by chunk. */
async function forEachOpenDelivery(
  trx: DatabaseTransaction,
  { sellerId, id: webhookId }: WebhookKey,
  status: 'PENDING' | 'HELD',
  change: (ids: readonly string[]) => Promise<unknown>,
): Promise<void> {
  for (let after: string | undefined = MIN_ID; after !== undefined;) {
    const { rows }: { readonly rows: readonly OpenDelivery[] } = await sql<OpenDelivery>`
      SELECT id, webhook_id AS "webhookId" FROM deliveries
      WHERE seller_id = ${sellerId} AND status = ${sql.lit(status)} AND ${isOpen('deliveries')} AND id > ${after}
      ORDER BY id LIMIT ${CHUNK_SIZE}`.execute(trx);
    const ids = rows.filter((row) => row.webhookId === webhookId).map(({ id }) => id);
    if (ids.length > 0) await change(ids);
    after = rows.length < CHUNK_SIZE ? undefined : rows.at(-1)?.id;
  }
}

interface OpenDelivery {
  readonly id: string;
  readonly webhookId: string | null;
}

export interface WebhookUpdate extends WebhookChanges {
  /** The reason for the status DISABLED, as shown to the seller. */
  readonly reason: DisabledReason;
}

/**
 * Changes a webhook, and the URL of its pending deliveries. Returns the webhook before and after,
 * or undefined if it does not exist.
 */
export async function updateWebhook(
  trx: DatabaseTransaction,
  { sellerId, id }: WebhookKey,
  update: WebhookUpdate,
  now: Date,
): Promise<{ readonly before: Webhook; readonly after: Webhook } | undefined> {
  const found = await trx
    .selectFrom('webhooks')
    .selectAll()
    .where((eb) => eb.and({ seller_id: sellerId, id }))
    .forUpdate()
    .executeTakeFirst();
  if (found === undefined) return undefined;
  const before = toWebhook(found);
  const { url, eventType, description, status } = update;
  const after: Webhook = {
    ...before,
    url: url ?? before.url,
    eventType: eventType ?? before.eventType,
    description: description === undefined ? before.description : description,
    ...disabledState(before, update, now),
  };
  await trx
    .updateTable('webhooks')
    .set({
      url: after.url,
      event_type: after.eventType,
      description: after.description,
      disabled_at: after.disabledAt,
      disabled_reason: after.disabledReason,
      // Enabling it, or another URL, restarts the period after which failures disable it.
      ...(status === 'ACTIVE' || after.url !== before.url ? { failing_since: null } : {}),
    })
    .where((eb) => eb.and({ seller_id: sellerId, id }))
    .execute();
  if (after.url !== before.url) {
    await forEachOpenDelivery(trx, after, 'PENDING', (ids) =>
      trx
        .updateTable('deliveries')
        .set({ url: after.url, updated_at: now })
        .where((eb) => eb.and({ seller_id: sellerId, status: 'PENDING' }))
        .where('id', '=', sql<string>`ANY (${ids}::uuid[])`)
        .execute(),
    );
  }
  return { before, after };
}

/** A webhook that is already disabled keeps its time and reason. */
function disabledState(before: Webhook, { status, reason }: WebhookUpdate, now: Date) {
  if (status === 'ACTIVE') return { disabledAt: null, disabledReason: null };
  if (status === 'DISABLED' && before.disabledAt === null) return { disabledAt: now, disabledReason: reason };
  return {};
}

export interface SecretRotation {
  readonly encryptedSecret: string;
  /** The id and the end of use of the secret that is replaced. */
  readonly retired: { readonly id: string; readonly signsUntil: Date };
  readonly maxRetired: number;
  readonly now: Date;
}

/**
 * Replaces the secret of a webhook and retires the old one. Of the retired secrets still in use,
 * the newest `maxRetired` remain. Returns undefined if the webhook does not exist.
 */
export async function rotateSecret(
  trx: DatabaseTransaction,
  { sellerId, id }: WebhookKey,
  { encryptedSecret, retired, maxRetired, now }: SecretRotation,
): Promise<Webhook | undefined> {
  const old = await trx
    .selectFrom('webhooks')
    .select('encrypted_secret')
    .where((eb) => eb.and({ seller_id: sellerId, id }))
    .forUpdate()
    .executeTakeFirst();
  if (old === undefined) return undefined;
  await trx
    .insertInto('retired_webhook_secrets')
    .values({
      seller_id: sellerId,
      webhook_id: id,
      id: retired.id,
      encrypted_secret: old.encrypted_secret,
      signs_until: retired.signsUntil,
    })
    .execute();
  const retained = await trx
    .selectFrom('retired_webhook_secrets')
    .select('id')
    .where((eb) => eb.and({ seller_id: sellerId, webhook_id: id }))
    .where('signs_until', '>', now)
    .orderBy('id', 'desc')
    .limit(maxRetired)
    .execute();
  const retainedIds = retained.map((secret) => secret.id);
  await trx
    .deleteFrom('retired_webhook_secrets')
    .where((eb) => eb.and({ seller_id: sellerId, webhook_id: id }))
    .where('id', 'not in', retainedIds)
    .execute();
  const row = await trx
    .updateTable('webhooks')
    .set({ encrypted_secret: encryptedSecret })
    .where((eb) => eb.and({ seller_id: sellerId, id }))
    .returningAll()
    .executeTakeFirstOrThrow();
  return toWebhook(row);
}

/** Inserts the secret unless the seller already has one. Returns the stored secret. */
export async function findOrInsertPostbackSecret(
  db: Db,
  sellerId: string,
  encryptedSecret: string,
  now: Date,
): Promise<string> {
  await db
    .insertInto('postback_secrets')
    .values({ seller_id: sellerId, encrypted_secret: encryptedSecret, created_at: now })
    .onConflict((conflict) => conflict.column('seller_id').doNothing())
    .execute();
  const row = await db
    .selectFrom('postback_secrets')
    .select('encrypted_secret')
    .where('seller_id', '=', sellerId)
    .executeTakeFirstOrThrow();
  return row.encrypted_secret;
}

/** Replaces the secret of postbacks; the one before signs until `previousSignsUntil`. */
export async function replacePostbackSecret(
  trx: DatabaseTransaction,
  sellerId: string,
  encryptedSecret: string,
  previousSignsUntil: Date,
): Promise<void> {
  await trx
    .updateTable('postback_secrets')
    .set((eb) => ({
      encrypted_previous_secret: eb.ref('encrypted_secret'),
      previous_signs_until: previousSignsUntil,
      encrypted_secret: encryptedSecret,
    }))
    .where('seller_id', '=', sellerId)
    .execute();
}

const toWebhook = (row: Selectable<Webhooks>): Webhook => ({
  ...toFields(row),
  eventType: EVENT_TYPES.find((type) => type === row.event_type) ?? 'ALL',
});
