import { createHash, timingSafeEqual } from 'node:crypto';

import { hmacValidator as HmacValidator } from '@adyen/api-library';
import { NotificationRequestItem } from '@adyen/api-library/lib/src/typings/notification/notificationRequestItem.js';

import { HttpError } from '#platform/http/errors.ts';
import type { App } from '#platform/http/server.ts';
import { NotificationBodySchema, type NotificationItem } from './notification.ts';
import type { AdyenSettings } from './settings.ts';

/** Response that acknowledges notifications. Adyen resends them until it receives it. */
const ACCEPTED = '[accepted]';

interface NotificationRouteDeps {
  readonly name: string;
  readonly settings: AdyenSettings['notifications'];
  /** Resolves once all effects are committed. */
  readonly handleNotification: (item: NotificationItem) => Promise<void>;
}

/** Registers the webhook that Adyen calls. It is not part of the sellers' API. */
export function notificationRoutes(
  app: App,
  { name, settings, handleNotification }: NotificationRouteDeps,
): void {
  const expected = digest(`Basic ${Buffer.from(`${settings.user}:${settings.password}`).toString('base64')}`);
  const isGenuine = createSignatureCheck(settings.hmacKey);
  app.post(
    `/providers/${name}/notifications`,
    {
      // Adyen calls from few addresses, as often as payments change.
      config: { access: 'public', unlimited: true },
      schema: { hide: true, body: NotificationBodySchema },
      onRequest: async (request) => {
        if (!timingSafeEqual(digest(request.headers.authorization ?? ''), expected))
          throw new HttpError('invalid_notification');
      },
    },
    async (request, reply) => {
      const items = request.body.notificationItems.map(({ NotificationRequestItem: item }) => item);
      // All signatures are verified before the first item is handled.
      if (!items.every(isGenuine)) {
        request.log.warn({ provider: name }, 'notification rejected: invalid signature');
        throw new HttpError('invalid_notification');
      }
      for (const item of items) await handleNotification(item);
      return reply.type('text/plain; charset=utf-8').send(ACCEPTED);
    },
  );
}

/** Returns a check of Adyen's signature, which Adyen's library compares in constant time. */
export function createSignatureCheck(hmacKey: string): (item: NotificationItem) => boolean {
  const validator = new HmacValidator();
  return (item) => {
    const signature = item.additionalData?.['hmacSignature'];
    // The library throws if there is no signature.
    if (typeof signature !== 'string' || signature === '') return false;
    return validator.validateHMAC(Object.assign(new NotificationRequestItem(), item), hmacKey);
  };
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
