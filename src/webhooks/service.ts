import { audit, type Action } from '#audit/service.ts';
import type { Author } from '#platform/http/author.ts';
import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import type { Page } from '#platform/http/pages.ts';
import { isUuid, newId } from '#platform/kit/ids.ts';
import { RecentCache } from '#platform/kit/recent-cache.ts';
import { postbackContext, webhookContext } from '#platform/crypto/encrypted-columns.ts';
import type { SecretBox } from '#platform/crypto/secrets.ts';
import { holdMost, SELLER_REASON } from './disabling.ts';
import { PING } from './events.ts';
import { createReplaying } from './replay.ts';
import { newWebhookSecret, signingKey, type SigningKey } from './signature.ts';
import { createStream } from './stream.ts';
import { findUnheld } from './store-disabling.ts';
import type { ClaimedDelivery } from './store-deliveries.ts';
import {
  countDeliveries,
  findDeliveries,
  findDelivery,
  insertTrial,
  repeatDelivery,
  retell,
  type Delivery,
  type DeliveryFilter,
  type DeliveryWithAttempts,
  type News,
} from './store-log.ts';
import {
  countAllWebhooks,
  findAllWebhooks,
  type OperatorWebhookFilter,
  type OwnedWebhook,
} from './store-operator.ts';
import {
  deleteWebhook,
  findWebhook,
  findWebhooks,
  insertWebhook,
  keepPostbackSecret,
  replaceSecret,
  updateWebhook,
  type EventType,
  type Webhook,
  type WebhookChanges,
} from './store.ts';

export { findQueue as queueOf } from './store-deliveries.ts';
export { countAllWebhooks } from './store-operator.ts';
export { initialStatus, insertEvent as writeEvent, type NewEvent } from './store-deliveries.ts';
export { DELIVERY_STATUSES, type Delivery, type DeliveryWithAttempts, type News } from './store-log.ts';
export { EVENT_TYPES, WEBHOOK_STATUSES, type EventType, type Webhook, type WebhookStatus } from './store.ts';
export { MOST_COUNTED, MOST_REPLAYED, type Replayed } from './replay.ts';

export const MAX_WEBHOOKS = 20;

/** How long a replaced secret signs beside the new one. */
const ROTATION_OVERLAP_MS = 24 * 60 * 60 * 1000;

/** For how long after a registration was disabled something is looked for that is still on its way to it. */
const LEFT_OVER_MS = 24 * 60 * 60 * 1000;

/** Replaced secrets that sign at once: as many as a seller may want within a day, and few enough for a header. */
const MAX_RETIRED_SECRETS = 4;

/** Opening a secret costs more than signing with it. */
const KNOWN_KEYS = 16_384;
const KNOWN_KEY_MS = 5 * 60_000;

export interface WebhooksDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly secrets: SecretBox;
  /** Told after a commit that wrote deliveries, so that the worker need not wait for its next look. */
  readonly onDeliveries: () => void;
}

export interface SecretShown {
  readonly webhook: Webhook;
  /** In clear: it is answered here and nowhere else. */
  readonly secret: string;
}

export type WebhooksService = ReturnType<typeof createWebhooksService>;

export function createWebhooksService({ db, clock, secrets, onDeliveries }: WebhooksDeps) {
  /** Of secrets opened lately. A secret that is replaced is another sealed text, and so another key. */
  const keys = new RecentCache<string, SigningKey>(KNOWN_KEYS, KNOWN_KEY_MS);

  /** The secret that signs what goes to the postbackUrl of charges; made when it is first asked for. */
  async function postbackSecret(sellerId: string): Promise<string> {
    const context = postbackContext(sellerId);
    const sealed = secrets.seal(newWebhookSecret(), context);
    return secrets.open(await keepPostbackSecret(db, sellerId, sealed, clock.now()), context);
  }

  return {
    /** Registers an address; undefined at the limit of registrations. */
    async register(
      sellerId: string,
      wanted: { readonly url: string; readonly eventType: EventType; readonly description: string | null },
      author: Author,
    ): Promise<SecretShown | undefined> {
      const now = clock.now();
      const id = newId(now.getTime());
      const secret = newWebhookSecret();
      const sealedSecret = secrets.seal(secret, webhookContext(sellerId, id));
      const enabled = { disabledAt: null, disabledReason: null };
      const webhook: Webhook = { id, sellerId, ...wanted, sealedSecret, createdAt: now, ...enabled };
      const kept = await db.transaction().execute(async (within) => {
        if (!(await insertWebhook(within, webhook, MAX_WEBHOOKS))) return false;
        await told(within, author, 'webhook.created', { sellerId, id, after: webhook }, now);
        return true;
      });
      return kept ? { webhook, secret } : undefined;
    },

    async listOfAllSellers(
      filter: OperatorWebhookFilter,
      page: Page,
    ): Promise<{ readonly found: readonly OwnedWebhook[]; readonly count: number }> {
      const [found, count] = await Promise.all([
        findAllWebhooks(db, filter, page),
        countAllWebhooks(db, filter),
      ]);
      return { found, count };
    },

    list: (sellerId: string): Promise<readonly Webhook[]> => findWebhooks(db, sellerId),

    async find(sellerId: string, id: string): Promise<Webhook | undefined> {
      return isUuid(id) ? findWebhook(db, sellerId, id) : undefined;
    },

    async change(
      sellerId: string,
      id: string,
      changes: Omit<WebhookChanges, 'reason'>,
      author: Author,
    ): Promise<Webhook | undefined> {
      if (!isUuid(id)) return undefined;
      const now = clock.now();
      const reasoned = { ...changes, reason: SELLER_REASON };
      const webhook = await db.transaction().execute(async (within) => {
        const changed = await updateWebhook(within, sellerId, id, reasoned, now);
        if (changed === undefined) return undefined;
        const { before, after } = changed;
        await told(within, author, 'webhook.updated', { sellerId, id: after.id, before, after }, now);
        return after;
      });
      if (webhook !== undefined && changes.status === 'DISABLED') {
        failPoint('webhooks.disabled');
        await holdMost(db, { sellerId, webhookId: webhook.id }, now);
      }
      return webhook;
    },

    async remove(sellerId: string, id: string, author: Author): Promise<boolean> {
      if (!isUuid(id)) return false;
      const now = clock.now();
      return db.transaction().execute(async (within) => {
        const before = await deleteWebhook(within, sellerId, id, now);
        if (before === undefined) return false;
        await told(within, author, 'webhook.deleted', { sellerId, id: before.id, before }, now);
        return true;
      });
    },

    /** Gives a registration a new secret. The old one signs beside it for another day. */
    async rotateSecret(sellerId: string, id: string, author: Author): Promise<SecretShown | undefined> {
      if (!isUuid(id)) return undefined;
      const now = clock.now();
      const secret = newWebhookSecret();
      const sealed = secrets.seal(secret, webhookContext(sellerId, id.toLowerCase()));
      const retired = {
        id: newId(now.getTime()),
        signsUntil: new Date(now.getTime() + ROTATION_OVERLAP_MS),
      };
      const webhook = await db.transaction().execute(async (within) => {
        const most = MAX_RETIRED_SECRETS;
        const changed = await replaceSecret(within, sellerId, id, sealed, { retired, most, now });
        if (changed !== undefined) {
          await told(within, author, 'webhook.secret-rotated', { sellerId, id: changed.id }, now);
        }
        return changed;
      });
      if (webhook === undefined) return undefined;
      failPoint('webhooks.rotated');
      return { webhook, secret };
    },

    /** Sends a PING to one registration; answers the delivery's id. */
    async test(
      sellerId: string,
      id: string,
    ): Promise<
      { readonly kind: 'made'; readonly deliveryId: string } | { readonly kind: 'unknown' | 'disabled' }
    > {
      const webhook = isUuid(id) ? await findWebhook(db, sellerId, id) : undefined;
      if (webhook === undefined) return { kind: 'unknown' };
      if (webhook.disabledAt !== null) return { kind: 'disabled' };
      const at = clock.now();
      const deliveryId = newId(at.getTime());
      const data = { id: id.toLowerCase(), sentAt: at };
      const made = await insertTrial(db, sellerId, id, {
        eventId: newId(at.getTime()),
        deliveryId,
        type: PING,
        payload: JSON.stringify({ event: PING, data }),
        at,
      });
      if (!made) return { kind: 'unknown' };
      onDeliveries();
      return { kind: 'made', deliveryId };
    },

    async listDeliveries(
      sellerId: string,
      filter: DeliveryFilter,
      page: Page,
    ): Promise<{ readonly found: readonly Delivery[]; readonly count: number }> {
      const [found, count] = await Promise.all([
        findDeliveries(db, sellerId, filter, page),
        countDeliveries(db, sellerId, filter),
      ]);
      return { found, count };
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
      const at = clock.now();
      const repetition = { id: newId(at.getTime()), at };
      if (await repeatDelivery(db, sellerId, id, repetition)) {
        onDeliveries();
        return { kind: 'made', id: repetition.id };
      }
      const known = await findDelivery(db, sellerId, id);
      if (known === undefined) return { kind: 'unknown' };
      const webhook = known.webhookId === null ? undefined : await findWebhook(db, sellerId, known.webhookId);
      return { kind: webhook === undefined ? 'receiver-deleted' : 'receiver-disabled' };
    },

    /** Delivers what is true of records now to all their receivers; answers how many deliveries that makes. */
    async resendNews(
      sellerId: string,
      eventType: 'TRANSACTION' | 'WITHDRAWAL',
      news: readonly News[],
    ): Promise<number> {
      const at = clock.now();
      const retold = news.map((one) => ({ ...one, newId: newId(at.getTime()) }));
      const made = await retell(db, sellerId, eventType, retold, at);
      if (made > 0) onDeliveries();
      return made;
    },

    /** Keeps what is still on its way to disabled registrations: a long backlog, or what was made just as one was disabled. */
    async holdLeftOver(): Promise<boolean> {
      let more = false;
      const since = new Date(clock.nowMs() - LEFT_OVER_MS);
      for (const key of await findUnheld(db, since)) more = !(await holdMost(db, key, clock.now())) || more;
      return more;
    },

    ...createReplaying({ db, clock, onDeliveries }),

    ...createStream({ db, clock, secrets }),

    postbackSecret,

    /** What signs a delivery, the newest first; none where its registration was deleted. */
    async signingKeys({
      sellerId,
      webhookId,
      sealedSecrets,
    }: Pick<ClaimedDelivery, 'sellerId' | 'webhookId' | 'sealedSecrets'>): Promise<readonly SigningKey[]> {
      if (webhookId === null && sealedSecrets.length === 0) {
        return [signingKey(await postbackSecret(sellerId))];
      }
      const context = webhookId === null ? postbackContext(sellerId) : webhookContext(sellerId, webhookId);
      return sealedSecrets.map((sealed) =>
        // Found by the record too: what was sealed for one must not sign for another.
        keys.get(`${context} ${sealed}`, () => signingKey(secrets.open(sealed, context))),
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
function told(
  within: Db,
  author: Author,
  action: Extract<Action, `webhook.${string}`>,
  { sellerId, id, before, after }: WebhookChange,
  at: Date,
): Promise<void> {
  const change = { action, recordType: 'webhook', recordId: id, sellerId, at } as const;
  const both = before !== undefined && after !== undefined;
  return audit(within, author, {
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
