import { recordAudit, type Action } from '#audit/service.ts';
import type { AuditActor } from '#platform/http/audit-actor.ts';
import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import type { Page } from '#platform/http/pagination.ts';
import { isUuid, newId } from '#platform/kit/ids.ts';
import { RecentCache } from '#platform/kit/recent-cache.ts';
import { postbackContext, webhookContext } from '#platform/crypto/encrypted-columns.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import { holdPendingInChunks, SELLER_REASON } from './endpoint-health.ts';
import { PING } from './ping-event.ts';
import { createReplay } from './replay.ts';
import { newWebhookSecret, signingKey, type SigningKey } from './signature.ts';
import { createEventStream } from './event-stream.ts';
import { findDisabledWithPending } from './store-endpoint-health.ts';
import type { ClaimedDelivery } from './store-deliveries.ts';
import {
  countDeliveries,
  findDeliveries,
  findDelivery,
  insertTestDelivery,
  resendDelivery,
  resendSnapshots,
  type Delivery,
  type DeliveryFilter,
  type DeliveryWithAttempts,
  type EventSnapshot,
} from './store-delivery-log.ts';
import {
  countAllWebhooks,
  findAllWebhooks,
  type OperatorWebhookFilter,
  type OperatorWebhook,
} from './store-operator.ts';
import {
  deleteWebhook,
  findWebhook,
  findWebhooks,
  insertWebhook,
  findOrInsertPostbackSecret,
  replaceSecret,
  updateWebhook,
  type EventType,
  type Webhook,
  type WebhookChanges,
} from './store.ts';

export { findQueueStats } from './store-deliveries.ts';
export { countAllWebhooks } from './store-operator.ts';
export {
  DELIVERY_STATUSES,
  type Delivery,
  type DeliveryWithAttempts,
  type EventSnapshot,
} from './store-delivery-log.ts';
export { EVENT_TYPES, WEBHOOK_STATUSES, type EventType, type Webhook, type WebhookStatus } from './store.ts';
export { MAX_COUNTED, MAX_REPLAYED, type ReplayResult } from './replay.ts';

export const MAX_WEBHOOKS = 20;

/** How long a replaced secret signs beside the new one. */
const ROTATION_OVERLAP_MS = 24 * 60 * 60 * 1000;

/** For how long after a registration was disabled something is looked for that is still on its way to it. */
const HOLD_LOOKBACK_MS = 24 * 60 * 60 * 1000;

/** Replaced secrets that sign at once: as many as a seller may want within a day, and few enough for a header. */
const MAX_RETIRED_SECRETS = 4;

/** Opening a secret costs more than signing with it. */
const MAX_CACHED_KEYS = 16_384;
const KEY_CACHE_TTL_MS = 5 * 60_000;

export interface WebhooksDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly secrets: SecretBox;
  /** Told after a commit that wrote deliveries, so that the worker need not wait for its next look. */
  readonly notifyWorker: () => void;
}

export interface WebhookWithSecret {
  readonly webhook: Webhook;
  /** In clear: it is answered here and nowhere else. */
  readonly secret: string;
}

export type WebhooksService = ReturnType<typeof createWebhooksService>;

export function createWebhooksService({ db, clock, secrets, notifyWorker }: WebhooksDeps) {
  /** Of secrets opened lately. A secret that is replaced is another sealed text, and so another key. */
  const keyCache = new RecentCache<string, SigningKey>(MAX_CACHED_KEYS, KEY_CACHE_TTL_MS);

  /** The secret that signs what goes to the postbackUrl of charges; made when it is first asked for. */
  async function postbackSecret(sellerId: string): Promise<string> {
    const context = postbackContext(sellerId);
    const encrypted = secrets.encrypt(newWebhookSecret(), context);
    return secrets.decrypt(await findOrInsertPostbackSecret(db, sellerId, encrypted, clock.now()), context);
  }

  return {
    /** Registers an address; undefined at the limit of registrations. */
    async create(
      sellerId: string,
      input: { readonly url: string; readonly eventType: EventType; readonly description: string | null },
      author: AuditActor,
    ): Promise<WebhookWithSecret | undefined> {
      const now = clock.now();
      const id = newId(now.getTime());
      const secret = newWebhookSecret();
      const encryptedSecret = secrets.encrypt(secret, webhookContext(sellerId, id));
      const enabled = { disabledAt: null, disabledReason: null };
      const webhook: Webhook = { id, sellerId, ...input, encryptedSecret, createdAt: now, ...enabled };
      const inserted = await db.transaction().execute(async (trx) => {
        if (!(await insertWebhook(trx, webhook, MAX_WEBHOOKS))) return false;
        await recordWebhookAudit(trx, author, 'webhook.created', { sellerId, id, after: webhook }, now);
        return true;
      });
      return inserted ? { webhook, secret } : undefined;
    },

    async listAll(
      filter: OperatorWebhookFilter,
      page: Page,
    ): Promise<{ readonly items: readonly OperatorWebhook[]; readonly count: number }> {
      const [items, count] = await Promise.all([
        findAllWebhooks(db, filter, page),
        countAllWebhooks(db, filter),
      ]);
      return { items, count };
    },

    list: (sellerId: string): Promise<readonly Webhook[]> => findWebhooks(db, sellerId),

    async find(sellerId: string, id: string): Promise<Webhook | undefined> {
      return isUuid(id) ? findWebhook(db, sellerId, id) : undefined;
    },

    async update(
      sellerId: string,
      id: string,
      changes: Omit<WebhookChanges, 'reason'>,
      author: AuditActor,
    ): Promise<Webhook | undefined> {
      if (!isUuid(id)) return undefined;
      const now = clock.now();
      const changesWithReason = { ...changes, reason: SELLER_REASON };
      const webhook = await db.transaction().execute(async (trx) => {
        const changed = await updateWebhook(trx, sellerId, id, changesWithReason, now);
        if (changed === undefined) return undefined;
        const { before, after } = changed;
        await recordWebhookAudit(
          trx,
          author,
          'webhook.updated',
          { sellerId, id: after.id, before, after },
          now,
        );
        return after;
      });
      if (webhook !== undefined && changes.status === 'DISABLED') {
        failPoint('webhooks.disabled');
        await holdPendingInChunks(db, { sellerId, webhookId: webhook.id }, now);
      }
      return webhook;
    },

    async delete(sellerId: string, id: string, author: AuditActor): Promise<boolean> {
      if (!isUuid(id)) return false;
      const now = clock.now();
      return db.transaction().execute(async (trx) => {
        const before = await deleteWebhook(trx, sellerId, id, now);
        if (before === undefined) return false;
        await recordWebhookAudit(trx, author, 'webhook.deleted', { sellerId, id: before.id, before }, now);
        return true;
      });
    },

    /** Gives a registration a new secret. The old one signs beside it for another day. */
    async rotateSecret(
      sellerId: string,
      id: string,
      author: AuditActor,
    ): Promise<WebhookWithSecret | undefined> {
      if (!isUuid(id)) return undefined;
      const now = clock.now();
      const secret = newWebhookSecret();
      const encrypted = secrets.encrypt(secret, webhookContext(sellerId, id.toLowerCase()));
      const retired = {
        id: newId(now.getTime()),
        signsUntil: new Date(now.getTime() + ROTATION_OVERLAP_MS),
      };
      const webhook = await db.transaction().execute(async (trx) => {
        const limit = MAX_RETIRED_SECRETS;
        const changed = await replaceSecret(trx, sellerId, id, encrypted, { retired, most: limit, now });
        if (changed !== undefined) {
          await recordWebhookAudit(trx, author, 'webhook.secret-rotated', { sellerId, id: changed.id }, now);
        }
        return changed;
      });
      if (webhook === undefined) return undefined;
      failPoint('webhooks.rotated');
      return { webhook, secret };
    },

    /** Sends a PING to one registration; answers the delivery's id. */
    async sendTest(
      sellerId: string,
      id: string,
    ): Promise<
      { readonly kind: 'made'; readonly deliveryId: string } | { readonly kind: 'unknown' | 'disabled' }
    > {
      const webhook = isUuid(id) ? await findWebhook(db, sellerId, id) : undefined;
      if (webhook === undefined) return { kind: 'unknown' };
      if (webhook.disabledAt !== null) return { kind: 'disabled' };
      const at = clock.now();
      const data = { id: id.toLowerCase(), sentAt: at };
      const payload = JSON.stringify({ event: PING, data });
      const event = { id: newId(at.getTime()), type: PING, payload, at };
      const deliveryId = await insertTestDelivery(db, sellerId, id, event);
      if (deliveryId === undefined) return { kind: 'unknown' };
      notifyWorker();
      return { kind: 'made', deliveryId };
    },

    async listDeliveries(
      sellerId: string,
      filter: DeliveryFilter,
      page: Page,
    ): Promise<{ readonly items: readonly Delivery[]; readonly count: number }> {
      const [items, count] = await Promise.all([
        findDeliveries(db, sellerId, filter, page),
        countDeliveries(db, sellerId, filter),
      ]);
      return { items, count };
    },

    async findDelivery(sellerId: string, id: string): Promise<DeliveryWithAttempts | undefined> {
      return isUuid(id) ? findDelivery(db, sellerId, id) : undefined;
    },

    /** Delivers an event to the same receiver once more; answers the new delivery's id. */
    async resendDelivery(
      sellerId: string,
      id: string,
    ): Promise<
      | { readonly kind: 'made'; readonly id: string }
      | { readonly kind: 'unknown' | 'receiver-deleted' | 'receiver-disabled' }
    > {
      if (!isUuid(id)) return { kind: 'unknown' };
      const resentId = await resendDelivery(db, sellerId, id, clock.now());
      if (resentId !== undefined) {
        notifyWorker();
        return { kind: 'made', id: resentId };
      }
      const known = await findDelivery(db, sellerId, id);
      if (known === undefined) return { kind: 'unknown' };
      const webhook = known.webhookId === null ? undefined : await findWebhook(db, sellerId, known.webhookId);
      return { kind: webhook === undefined ? 'receiver-deleted' : 'receiver-disabled' };
    },

    /** Delivers what is true of records now to all their receivers; answers how many deliveries that makes. */
    async resendSnapshots(
      sellerId: string,
      eventType: 'TRANSACTION' | 'WITHDRAWAL',
      snapshots: readonly EventSnapshot[],
    ): Promise<number> {
      const at = clock.now();
      const inputs = snapshots.map((one) => ({ ...one, newId: newId(at.getTime()) }));
      const request = { sellerId, eventType, snapshots: inputs, at };
      const made = await db.transaction().execute((trx) => resendSnapshots(trx, request));
      if (made > 0) notifyWorker();
      return made;
    },

    /** Keeps what is still on its way to disabled registrations: a long backlog, or what was made just as one was disabled. */
    async holdRemaining(): Promise<boolean> {
      let more = false;
      const since = new Date(clock.nowMs() - HOLD_LOOKBACK_MS);
      for (const key of await findDisabledWithPending(db, since))
        more = !(await holdPendingInChunks(db, key, clock.now())) || more;
      return more;
    },

    ...createReplay({ db, clock, notifyWorker }),

    ...createEventStream({ db, clock, secrets }),

    postbackSecret,

    /** What signs a delivery, the newest first; none where its registration was deleted. */
    async signingKeys({
      sellerId,
      webhookId,
      encryptedSecrets,
    }: Pick<ClaimedDelivery, 'sellerId' | 'webhookId' | 'encryptedSecrets'>): Promise<readonly SigningKey[]> {
      if (webhookId === null && encryptedSecrets.length === 0) {
        return [signingKey(await postbackSecret(sellerId))];
      }
      const context = webhookId === null ? postbackContext(sellerId) : webhookContext(sellerId, webhookId);
      return encryptedSecrets.map((encrypted) =>
        // Found by the record too: what was sealed for one must not sign for another.
        keyCache.get(`${context} ${encrypted}`, () => signingKey(secrets.decrypt(encrypted, context))),
      );
    },
  };
}

interface WebhookChange {
  readonly sellerId: string;
  readonly id: string;
  readonly before?: Webhook;
  readonly after?: Webhook;
}

/** Writes down what became of a registration, in the transaction that did it. Its secret is no part of that. */
function recordWebhookAudit(
  trx: Db,
  author: AuditActor,
  action: Extract<Action, `webhook.${string}`>,
  { sellerId, id, before, after }: WebhookChange,
  at: Date,
): Promise<void> {
  const change = { action, recordType: 'webhook', recordId: id, sellerId, at } as const;
  const both = before !== undefined && after !== undefined;
  return recordAudit(trx, author, {
    ...change,
    before: before === undefined ? null : { ...membersOf(before), ...(both ? stateOf(before) : {}) },
    after: after === undefined ? null : { ...membersOf(after), ...(both ? stateOf(after) : {}) },
  });
}

const membersOf = ({ url, eventType, description }: Webhook) => ({ url, eventType, description });

const stateOf = ({ disabledAt, disabledReason }: Webhook) => ({
  status: disabledAt === null ? 'ACTIVE' : 'DISABLED',
  disabledReason,
});
