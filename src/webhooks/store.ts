import type { Selectable } from 'kysely';

import type { Db } from '#platform/database/connect.ts';
import { countRows } from '#platform/database/pagination.ts';
import type { Webhooks } from '#platform/database/types.gen.ts';

export const EVENT_TYPES = ['TRANSACTION', 'WITHDRAWAL', 'DISPUTE', 'ALL'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export const WEBHOOK_STATUSES = ['ACTIVE', 'DISABLED'] as const;
export type WebhookStatus = (typeof WEBHOOK_STATUSES)[number];

export interface Webhook {
  readonly id: string;
  readonly sellerId: string;
  readonly url: string;
  readonly eventType: EventType;
  readonly description: string | null;
  readonly encryptedSecret: string;
  readonly createdAt: Date;
  /** Null where it is enabled; then there is no reason either. */
  readonly disabledAt: Date | null;
  readonly disabledReason: string | null;
}

/**
 * What changes registrations runs in a transaction of the caller's, who writes down what was done. False where the seller
 * has `limit` registrations already. The seller's row is locked, so that two at once cannot both be the last.
 */
export async function insertWebhook(trx: Db, webhook: Webhook, limit: number): Promise<boolean> {
  await trx
    .selectFrom('sellers')
    .select('id')
    .where('id', '=', webhook.sellerId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const count = await countRows(trx.selectFrom('webhooks').where('seller_id', '=', webhook.sellerId));
  if (count >= limit) return false;
  await trx
    .insertInto('webhooks')
    .values({
      seller_id: webhook.sellerId,
      id: webhook.id,
      url: webhook.url,
      event_type: webhook.eventType,
      description: webhook.description,
      encrypted_secret: webhook.encryptedSecret,
      created_at: webhook.createdAt,
    })
    .execute();
  return true;
}

export async function findWebhooks(db: Db, sellerId: string): Promise<readonly Webhook[]> {
  const rows = await db
    .selectFrom('webhooks')
    .selectAll()
    .where('seller_id', '=', sellerId)
    .orderBy('id', 'desc')
    .execute();
  return rows.map(toWebhook);
}

export async function findWebhook(db: Db, sellerId: string, id: string): Promise<Webhook | undefined> {
  const row = await db
    .selectFrom('webhooks')
    .selectAll()
    .where('seller_id', '=', sellerId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row === undefined ? undefined : toWebhook(row);
}

/** Deletes a registration and ends what was still on its way to it. Answers it as it was; undefined where there is none. */
export async function deleteWebhook(
  trx: Db,
  sellerId: string,
  id: string,
  now: Date,
): Promise<Webhook | undefined> {
  const deleted = await trx
    .deleteFrom('webhooks')
    .where('seller_id', '=', sellerId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  if (deleted === undefined) return undefined;
  await trx
    .deleteFrom('retired_webhook_secrets')
    .where('seller_id', '=', sellerId)
    .where('webhook_id', '=', id)
    .execute();
  await trx
    .updateTable('deliveries')
    .set({ status: 'FAILED', updated_at: now })
    .where('seller_id', '=', sellerId)
    .where('webhook_id', '=', id)
    .where('status', 'in', ['PENDING', 'HELD'])
    .execute();
  return toWebhook(deleted);
}

export interface WebhookChanges {
  readonly url?: string;
  readonly eventType?: EventType;
  readonly description?: string | null;
  readonly status?: WebhookStatus;
  /** Why it is to be DISABLED, in words for its seller. */
  readonly reason?: string;
}

/** What is on its way is sent to the new address too. Undefined where there is no such registration. */
export async function updateWebhook(
  trx: Db,
  sellerId: string,
  id: string,
  { url, eventType, description, status, reason = '' }: WebhookChanges,
  now: Date,
): Promise<{ readonly before: Webhook; readonly after: Webhook } | undefined> {
  const found = await trx
    .selectFrom('webhooks')
    .selectAll()
    .where('seller_id', '=', sellerId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (found === undefined) return undefined;
  const before = toWebhook(found);
  const after: Webhook = {
    ...before,
    url: url ?? before.url,
    eventType: eventType ?? before.eventType,
    description: description === undefined ? before.description : description,
    ...disabledState(before, status, reason, now),
  };
  await trx
    .updateTable('webhooks')
    .set({
      url: after.url,
      event_type: after.eventType,
      description: after.description,
      disabled_at: after.disabledAt,
      disabled_reason: after.disabledReason,
      // Who enables it again gives it another five days.
      ...(status === 'ACTIVE' ? { failing_since: null } : {}),
    })
    .where('seller_id', '=', sellerId)
    .where('id', '=', id)
    .execute();
  if (after.url !== before.url) {
    await trx
      .updateTable('deliveries')
      .set({ url: after.url, updated_at: now })
      .where('seller_id', '=', sellerId)
      .where('webhook_id', '=', id)
      .where('status', '=', 'PENDING')
      .execute();
  }
  return { before, after };
}

/** Disabling what is disabled leaves since when and why. */
function disabledState(before: Webhook, status: WebhookStatus | undefined, reason: string, now: Date) {
  if (status === 'ACTIVE') return { disabledAt: null, disabledReason: null };
  if (status === 'DISABLED' && before.disabledAt === null) return { disabledAt: now, disabledReason: reason };
  return {};
}

export interface RetiredSecret {
  readonly id: string;
  readonly signsUntil: Date;
}

/**
 * Puts a new secret in the place of the old one, which is kept until it has signed long enough. Of secrets replaced
 * before, the newest `most` that still sign are kept. Undefined where there is no such registration.
 */
export async function replaceSecret(
  trx: Db,
  sellerId: string,
  webhookId: string,
  encryptedSecret: string,
  {
    retired,
    most: maxRetired,
    now,
  }: { readonly retired: RetiredSecret; readonly most: number; readonly now: Date },
): Promise<Webhook | undefined> {
  const old = await trx
    .selectFrom('webhooks')
    .select('encrypted_secret')
    .where('seller_id', '=', sellerId)
    .where('id', '=', webhookId)
    .forUpdate()
    .executeTakeFirst();
  if (old === undefined) return undefined;
  await trx
    .insertInto('retired_webhook_secrets')
    .values({
      seller_id: sellerId,
      webhook_id: webhookId,
      id: retired.id,
      encrypted_secret: old.encrypted_secret,
      signs_until: retired.signsUntil,
    })
    .execute();
  const active = await trx
    .selectFrom('retired_webhook_secrets')
    .select('id')
    .where('seller_id', '=', sellerId)
    .where('webhook_id', '=', webhookId)
    .where('signs_until', '>', now)
    .orderBy('id', 'desc')
    .limit(maxRetired)
    .execute();
  await trx
    .deleteFrom('retired_webhook_secrets')
    .where('seller_id', '=', sellerId)
    .where('webhook_id', '=', webhookId)
    .where(
      'id',
      'not in',
      active.map(({ id }) => id),
    )
    .execute();
  const row = await trx
    .updateTable('webhooks')
    .set({ encrypted_secret: encryptedSecret })
    .where('seller_id', '=', sellerId)
    .where('id', '=', webhookId)
    .returningAll()
    .executeTakeFirstOrThrow();
  return toWebhook(row);
}

/** Keeps the secret unless the seller has one, and answers the one that is kept. */
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

function toWebhook(row: Selectable<Webhooks>): Webhook {
  return {
    id: row.id,
    sellerId: row.seller_id,
    url: row.url,
    eventType: EVENT_TYPES.find((type) => type === row.event_type) ?? 'ALL',
    description: row.description,
    encryptedSecret: row.encrypted_secret,
    createdAt: row.created_at,
    disabledAt: row.disabled_at,
    disabledReason: row.disabled_reason,
  };
}
