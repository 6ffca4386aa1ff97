import type { Selectable } from 'kysely';

import type { Db } from '#database/connect.ts';
import type { Webhooks } from '#database/types.gen.ts';

export const EVENT_TYPES = ['TRANSACTION', 'WITHDRAWAL', 'DISPUTE', 'ALL'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export interface Webhook {
  readonly id: string;
  readonly sellerId: string;
  readonly url: string;
  readonly eventType: EventType;
  readonly description: string | null;
  readonly sealedSecret: string;
  readonly createdAt: Date;
}

/** False where the seller has `limit` registrations already. The seller's row is locked, so that two at once cannot both be the last. */
export async function insertWebhook(db: Db, webhook: Webhook, limit: number): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    await transaction
      .selectFrom('sellers')
      .select('id')
      .where('id', '=', webhook.sellerId)
      .forUpdate()
      .executeTakeFirstOrThrow();
    const { count } = await transaction
      .selectFrom('webhooks')
      .select((expression) => expression.fn.countAll<number>().as('count'))
      .where('seller_id', '=', webhook.sellerId)
      .executeTakeFirstOrThrow();
    if (count >= limit) return false;
    await transaction
      .insertInto('webhooks')
      .values({
        seller_id: webhook.sellerId,
        id: webhook.id,
        url: webhook.url,
        event_type: webhook.eventType,
        description: webhook.description,
        sealed_secret: webhook.sealedSecret,
        created_at: webhook.createdAt,
      })
      .execute();
    return true;
  });
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

/** Deletes a registration and ends what was still on its way to it. False where there is none. */
export async function deleteWebhook(db: Db, sellerId: string, id: string, now: Date): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const deleted = await transaction
      .deleteFrom('webhooks')
      .where('seller_id', '=', sellerId)
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst();
    if (deleted === undefined) return false;
    await transaction
      .deleteFrom('retired_webhook_secrets')
      .where('seller_id', '=', sellerId)
      .where('webhook_id', '=', id)
      .execute();
    await transaction
      .updateTable('deliveries')
      .set({ status: 'FAILED', updated_at: now })
      .where('seller_id', '=', sellerId)
      .where('webhook_id', '=', id)
      .where('status', '=', 'PENDING')
      .execute();
    return true;
  });
}

/** What is on its way is sent to the new address too. Undefined where there is no such registration. */
export async function updateWebhook(
  db: Db,
  sellerId: string,
  id: string,
  changes: { readonly url?: string; readonly eventType?: EventType; readonly description?: string | null },
  now: Date,
): Promise<Webhook | undefined> {
  const { url, eventType, description } = changes;
  if (url === undefined && eventType === undefined && description === undefined)
    return findWebhook(db, sellerId, id);
  return db.transaction().execute(async (transaction) => {
    const row = await transaction
      .updateTable('webhooks')
      .set({
        ...(url === undefined ? {} : { url }),
        ...(eventType === undefined ? {} : { event_type: eventType }),
        ...(description === undefined ? {} : { description }),
      })
      .where('seller_id', '=', sellerId)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst();
    if (row === undefined) return undefined;
    if (url !== undefined) {
      await transaction
        .updateTable('deliveries')
        .set({ url, updated_at: now })
        .where('seller_id', '=', sellerId)
        .where('webhook_id', '=', id)
        .where('status', '=', 'PENDING')
        .execute();
    }
    return toWebhook(row);
  });
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
  db: Db,
  sellerId: string,
  webhookId: string,
  sealedSecret: string,
  { retired, most, now }: { readonly retired: RetiredSecret; readonly most: number; readonly now: Date },
): Promise<Webhook | undefined> {
  return db.transaction().execute(async (transaction) => {
    const old = await transaction
      .selectFrom('webhooks')
      .select('sealed_secret')
      .where('seller_id', '=', sellerId)
      .where('id', '=', webhookId)
      .forUpdate()
      .executeTakeFirst();
    if (old === undefined) return undefined;
    await transaction
      .insertInto('retired_webhook_secrets')
      .values({
        seller_id: sellerId,
        webhook_id: webhookId,
        id: retired.id,
        sealed_secret: old.sealed_secret,
        signs_until: retired.signsUntil,
      })
      .execute();
    const living = await transaction
      .selectFrom('retired_webhook_secrets')
      .select('id')
      .where('seller_id', '=', sellerId)
      .where('webhook_id', '=', webhookId)
      .where('signs_until', '>', now)
      .orderBy('id', 'desc')
      .limit(most)
      .execute();
    await transaction
      .deleteFrom('retired_webhook_secrets')
      .where('seller_id', '=', sellerId)
      .where('webhook_id', '=', webhookId)
      .where(
        'id',
        'not in',
        living.map(({ id }) => id),
      )
      .execute();
    const row = await transaction
      .updateTable('webhooks')
      .set({ sealed_secret: sealedSecret })
      .where('seller_id', '=', sellerId)
      .where('id', '=', webhookId)
      .returningAll()
      .executeTakeFirstOrThrow();
    return toWebhook(row);
  });
}

/** Keeps the secret unless the seller has one, and answers the one that is kept. */
export async function keepPostbackSecret(
  db: Db,
  sellerId: string,
  sealedSecret: string,
  now: Date,
): Promise<string> {
  await db
    .insertInto('postback_secrets')
    .values({ seller_id: sellerId, sealed_secret: sealedSecret, created_at: now })
    .onConflict((conflict) => conflict.column('seller_id').doNothing())
    .execute();
  const row = await db
    .selectFrom('postback_secrets')
    .select('sealed_secret')
    .where('seller_id', '=', sellerId)
    .executeTakeFirstOrThrow();
  return row.sealed_secret;
}

function toWebhook(row: Selectable<Webhooks>): Webhook {
  return {
    id: row.id,
    sellerId: row.seller_id,
    url: row.url,
    eventType: EVENT_TYPES.find((type) => type === row.event_type) ?? 'ALL',
    description: row.description,
    sealedSecret: row.sealed_secret,
    createdAt: row.created_at,
  };
}
