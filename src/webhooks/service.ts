import { bindDeps } from '#platform/kit/bind.ts';
import type { Db } from '#platform/database/connect.ts';
import {
  findDelivery,
  listDeliveries,
  resendDelivery,
  resendSnapshots,
  sendTest,
  type DeliveryDeps,
} from './deliveries.ts';
import {
  createWebhook,
  deleteWebhook,
  findWebhook,
  holdRemaining,
  listAllWebhooks,
  listWebhooks,
  rotateSecret,
  updateWebhook,
  type EndpointDeps,
} from './endpoints.ts';
import { readEvents, WaitSlots } from './event-stream.ts';
import { replay, resendFailed } from './replay.ts';
import { createKeyCache, readPostbackSecret, rotatePostbackSecret, signingKeys } from './signing-keys.ts';
import { findQueueStats, type QueueStats } from './store-deliveries.ts';
import { countAllWebhooks } from './store-operator.ts';

export type WebhooksDeps = EndpointDeps & DeliveryDeps;

export type WebhooksService = ReturnType<typeof createWebhooksService>;

export function createWebhooksService(deps: WebhooksDeps) {
  const context = { ...deps, keyCache: createKeyCache(), waitSlots: new WaitSlots() };
  return bindDeps(context, {
    create: createWebhook,
    list: listWebhooks,
    listAll: listAllWebhooks,
    find: findWebhook,
    update: updateWebhook,
    delete: deleteWebhook,
    rotateSecret,
    holdRemaining,
    listDeliveries,
    findDelivery,
    sendTest,
    resendDelivery,
    resendSnapshots,
    replay,
    resendFailed,
    readEvents,
    readPostbackSecret,
    rotatePostbackSecret,
    signingKeys,
  });
}

export interface WebhookStats {
  readonly queue: QueueStats;
  readonly disabledWebhooks: number;
}

/** Reads the delivery queue and the number of disabled webhooks of all sellers. */
export async function findWebhookStats(db: Db): Promise<WebhookStats> {
  const [queue, disabledWebhooks] = await Promise.all([
    findQueueStats(db),
    countAllWebhooks(db, { disabled: true, sellerId: undefined }),
  ]);
  return { queue, disabledWebhooks: disabledWebhooks.count };
}
