import type { Clock } from '#clock.ts';
import type { Db } from '#database/connect.ts';
import { isUuid, newId } from '#ids.ts';
import type { SecretBox } from '#secrets.ts';
import { newWebhookSecret } from './signature.ts';
import {
  deleteWebhook,
  findWebhook,
  findWebhooks,
  insertWebhook,
  keepPostbackSecret,
  type EventType,
  type Webhook,
} from './store.ts';

export { EVENT_TYPES, insertEvent as writeEvent, type NewEvent, type Webhook } from './store.ts';

export const MAX_WEBHOOKS = 20;

export type WebhooksService = ReturnType<typeof createWebhooksService>;

export function createWebhooksService(db: Db, clock: Clock, secrets: SecretBox) {
  return {
    /** Registers an address. The signing secret is answered here and nowhere else; undefined at the limit of registrations. */
    async register(
      sellerId: string,
      wanted: { readonly url: string; readonly eventType: EventType; readonly description: string | null },
    ): Promise<{ readonly webhook: Webhook; readonly secret: string } | undefined> {
      const now = clock.now();
      const id = newId(now.getTime());
      const secret = newWebhookSecret();
      const sealedSecret = secrets.seal(secret, webhookContext(sellerId, id));
      const webhook: Webhook = { id, sellerId, ...wanted, sealedSecret, createdAt: now };
      return (await insertWebhook(db, webhook, MAX_WEBHOOKS)) ? { webhook, secret } : undefined;
    },

    list: (sellerId: string): Promise<readonly Webhook[]> => findWebhooks(db, sellerId),

    async find(sellerId: string, id: string): Promise<Webhook | undefined> {
      return isUuid(id) ? findWebhook(db, sellerId, id) : undefined;
    },

    async remove(sellerId: string, id: string): Promise<boolean> {
      return isUuid(id) && deleteWebhook(db, sellerId, id, clock.now());
    },

    /** The secret that signs what goes to the postbackUrl of charges; made when it is first asked for. */
    async postbackSecret(sellerId: string): Promise<string> {
      const context = postbackContext(sellerId);
      const sealed = secrets.seal(newWebhookSecret(), context);
      return secrets.open(await keepPostbackSecret(db, sellerId, sealed, clock.now()), context);
    },

    /** The secrets that sign what goes to a registered address now; none where the address was deleted. */
    async signingSecrets(sellerId: string, webhookId: string): Promise<readonly string[]> {
      const webhook = await findWebhook(db, sellerId, webhookId);
      if (webhook === undefined) return [];
      return [secrets.open(webhook.sealedSecret, webhookContext(sellerId, webhookId))];
    },
  };
}

const webhookContext = (sellerId: string, id: string) => `webhook ${sellerId} ${id}`;
const postbackContext = (sellerId: string) => `postback ${sellerId}`;
