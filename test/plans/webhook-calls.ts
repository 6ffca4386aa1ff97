import * as deliveries from '#webhooks/store-deliveries.ts';
import * as deliveryCounts from '#webhooks/store-delivery-counts.ts';
import * as log from '#webhooks/store-delivery-log.ts';
import * as health from '#webhooks/store-endpoint-health.ts';
import * as stream from '#webhooks/store-event-stream.ts';
import * as operator from '#webhooks/store-operator.ts';
import * as replay from '#webhooks/store-replay.ts';
import * as retention from '#webhooks/store-retention.ts';
import * as webhooks from '#webhooks/store.ts';
import { ANY_TIME, call, callNamed, PAGE, type Call } from './call.ts';
import { DAY, idOf, LARGE, NOW } from './fill.ts';

const WEBHOOK = { sellerId: LARGE, id: idOf('webhook', 1) };
const DISABLED = idOf('webhook', 2);
const DELIVERY = idOf('event', 10_000);
const ANY = {
  status: undefined,
  webhookId: undefined,
  recordId: undefined,
  event: undefined,
  ...ANY_TIME,
};
const MISSED = { sellerId: LARGE, webhookId: WEBHOOK.id, since: DAY.from, limit: 10 };
const CLAIM = {
  now: NOW,
  leaseUntil: NOW,
  leasedBy: LARGE,
  after: '',
  maxEndpoints: 10,
  maxDeliveries: 10,
  maxPerEndpoint: 5,
  maxPerSeller: 5,
  activePerEndpoint: new Map<string, number>(),
  activePerSeller: new Map<string, number>(),
};
const CLAIMED = {
  sellerId: LARGE,
  id: DELIVERY,
  eventId: DELIVERY,
  webhookId: null,
  endpoint: '',
  url: '',
  attempts: 1,
  payload: '',
  traceParent: null,
  encryptedSecrets: [],
};
const POSITION = { upTo: DELIVERY, snapshot: stream.EMPTY_SNAPSHOT, floorMs: NOW.getTime() };

export const WEBHOOK_CALLS: readonly Call[] = [
  callNamed(250, deliveries.claimDeliveries, CLAIM),
  callNamed(250, deliveries.claimDeliveries, { ...CLAIM, skipLocked: true }),
  call(1_000, deliveries.markDeliveriesReady, NOW, 10),
  call(750, deliveries.findQueueStats),
  call(300, deliveries.releaseLeases, [CLAIMED]),
  call(75, log.findDeliveries, LARGE, ANY, PAGE),
  call(100, log.findDeliveries, LARGE, { ...ANY, status: 'FAILED' }, PAGE),
  call(75, deliveryCounts.countEndedDeliveries, LARGE, {}),
  call(75, log.findDeliveries, LARGE, { ...ANY, webhookId: WEBHOOK.id }, PAGE),
  call(75, log.findDeliveries, LARGE, { ...ANY, event: 'TRANSACTION_CREATED' }, PAGE),
  call(2_000, log.findDeliveries, LARGE, { ...ANY, event: 'TRANSACTION_UPDATED' }, PAGE),
  call(50, log.findDeliveries, LARGE, { ...ANY, recordId: idOf('transaction', 10_000) }, PAGE),
  call(75, log.findDeliveries, LARGE, { ...ANY, ...DAY }, PAGE),
  call(750, log.countDeliveries, LARGE, ANY),
  call(75, log.countDeliveries, LARGE, { ...ANY, status: 'FAILED' }),
  call(30, log.countDeliveries, LARGE, { ...ANY, recordId: idOf('transaction', 10_000) }),
  call(75, log.countDeliveries, LARGE, { ...ANY, ...DAY }),
  call(20, log.findDelivery, LARGE, DELIVERY),
  call(20, health.findFailingEndpoints, [WEBHOOK], NOW),
  call(20, health.updateEndpointHealth, [{ ...WEBHOOK, failedAt: NOW }]),
  call(300, health.holdPendingDeliveries, { sellerId: LARGE, id: DISABLED }, NOW, 10),
  // Each of the 201 sellers has a disabled webhook.
  call(600, health.findDisabledWithPending, new Date(0)),
  call(30, stream.readEventsAfter, { sellerId: LARGE, types: undefined, take: 10 }, POSITION),
  call(400, stream.readEventsAfter, { sellerId: LARGE, types: ['TRANSACTION'], take: 10 }, POSITION),
  call(20, stream.findLatestPosition, LARGE),
  call(50, operator.findAllWebhooks, { disabled: undefined, sellerId: undefined }, PAGE),
  call(20, operator.findAllWebhooks, { disabled: true, sellerId: LARGE }, PAGE),
  call(20, operator.countAllWebhooks, { disabled: undefined, sellerId: undefined }),
  call(1_000, replay.countFailed, MISSED),
  call(30, replay.countHeld, MISSED),
  call(1_000, replay.resendFailedDeliveries, MISSED, idOf('event', 30_000), NOW),
  call(2_000, replay.releaseHeldDeliveries, MISSED, NOW),
  call(150, retention.deleteOldDeliveries, undefined, DAY.from, 10),
  call(2_000, retention.deleteOldEvents, undefined, DAY.from, 10),
  call(20, webhooks.findWebhooks, LARGE),
  call(20, webhooks.findWebhook, WEBHOOK),
  call(20, webhooks.findOrInsertPostbackSecret, LARGE, '', NOW),
];
