import { createHash, timingSafeEqual } from 'node:crypto';

import { hmacValidator as HmacValidator } from '@adyen/api-library';
import { NotificationRequestItem } from '@adyen/api-library/lib/src/typings/notification/notificationRequestItem.js';

import { unauthorized } from '#platform/http/errors.ts';
import type { App } from '#platform/http/server.ts';
import { NotificationBodySchema, type NotificationItem } from './notification.ts';
import type { AdyenSettings } from './settings.ts';

/** What Adyen waits for: it sends everything again until it reads this. */
const ACCEPTED = '[accepted]';

interface NotificationRouteDeps {
  readonly name: string;
  readonly settings: AdyenSettings['notifications'];
  /** Returns once all that follows from it is committed. */
  readonly handleNotification: (item: NotificationItem) => Promise<void>;
}

/** Where Adyen calls: `/providers/<name>/notifications`. It is no part of the API that sellers see. */
export function notificationRoutes(
  app: App,
  { name, settings, handleNotification }: NotificationRouteDeps,
): void {
  const expected = digest(`Basic ${Buffer.from(`${settings.user}:${settings.password}`).toString('base64')}`);
  const isGenuine = createSignatureCheck(settings.hmacKey);
  app.post(
    `/providers/${name}/notifications`,
    {
      // Adyen calls from few addresses and as often as there is something to tell.
      config: { access: 'public', unlimited: true },
      schema: { hide: true, body: NotificationBodySchema },
      onRequest: async (request) => {
        if (!timingSafeEqual(digest(request.headers.authorization ?? ''), expected)) throw unauthorized();
      },
    },
    async (request, reply) => {
      const items = request.body.notificationItems.map(({ NotificationRequestItem: item }) => item);
      // All are looked at before the first is believed.
      if (!items.every(isGenuine)) {
        request.log.warn({ provider: name }, 'a notification has a wrong signature and was refused');
        throw unauthorized();
      }
      for (const item of items) await handleNotification(item);
      return reply.type('text/plain; charset=utf-8').send(ACCEPTED);
    },
  );
}

/** Whether a notification carries Adyen's signature of it; compared in constant time by Adyen's own library. */
export function createSignatureCheck(hmacKey: string): (item: NotificationItem) => boolean {
  const validator = new HmacValidator();
  return (item) => {
    const signature = item.additionalData?.['hmacSignature'];
    // Of none the library says so by throwing.
    if (typeof signature !== 'string' || signature === '') return false;
    return validator.validateHMAC(Object.assign(new NotificationRequestItem(), item), hmacKey);
  };
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
