import { countedPage } from '#platform/database/pagination.ts';
import type { Db } from '#platform/database/connect.ts';
import type { Page } from '#platform/http/pagination.ts';
import type { Clock } from '#platform/kit/clock.ts';
import { isUuid, newId } from '#platform/kit/ids.ts';
import type { DeliveryFilter, DeliveryWithAttempts, EventSnapshot } from './delivery.ts';
import { PING } from './ping-event.ts';
import * as store from './store-delivery-log.ts';
import { findWebhook } from './store.ts';
import type { WebhookKey } from './webhook.ts';

export interface DeliveryDeps {
  readonly db: Db;
  readonly clock: Clock;
  /**
   * Called after a commit that created deliveries, so that the worker need not wait for its next
   * poll.
   */
  readonly notifyWorker: () => void;
}

export function listDeliveries({ db }: DeliveryDeps, sellerId: string, filter: DeliveryFilter, page: Page) {
  return countedPage(
    store.findDeliveries(db, sellerId, filter, page),
    store.countDeliveries(db, sellerId, filter),
  );
}

export async function findDelivery(
  { db }: DeliveryDeps,
  sellerId: string,
  id: string,
): Promise<DeliveryWithAttempts | undefined> {
  return isUuid(id) ? store.findDelivery(db, sellerId, id) : undefined;
}

export type TestResult =
  | { readonly kind: 'created'; readonly deliveryId: string }
  | { readonly kind: 'unknown' | 'disabled' };

/** Sends a PING event to one webhook, whatever its event type. */
export async function sendTest(
  { db, clock, notifyWorker }: DeliveryDeps,
  key: WebhookKey,
): Promise<TestResult> {
  const webhook = isUuid(key.id) ? await findWebhook(db, key) : undefined;
  if (webhook === undefined) return { kind: 'unknown' };
  if (webhook.disabledAt !== null) return { kind: 'disabled' };
  const at = clock.now();
  const payload = JSON.stringify({ event: PING, data: { id: key.id.toLowerCase(), sentAt: at } });
  const event = { id: newId(at.getTime()), type: PING, payload, at };
  const deliveryId = await store.insertTestDelivery(db, key, event);
  if (deliveryId === undefined) return { kind: 'unknown' };
  notifyWorker();
  return { kind: 'created', deliveryId };
}

export type ResendResult =
  | { readonly kind: 'created'; readonly deliveryId: string }
  | { readonly kind: 'unknown' | 'webhook-deleted' | 'webhook-disabled' };

/** Creates another delivery of the same event to the same receiver. */
export async function resendDelivery(
  { db, clock, notifyWorker }: DeliveryDeps,
  sellerId: string,
  id: string,
): Promise<ResendResult> {
  if (!isUuid(id)) return { kind: 'unknown' };
  const deliveryId = await store.resendDelivery(db, sellerId, id, clock.now());
  if (deliveryId !== undefined) {
    notifyWorker();
    return { kind: 'created', deliveryId };
  }
  const original = await store.findDelivery(db, sellerId, id);
  if (original === undefined) return { kind: 'unknown' };
  const { webhookId } = original;
  const webhook = webhookId === null ? undefined : await findWebhook(db, { sellerId, id: webhookId });
  return { kind: webhook === undefined ? 'webhook-deleted' : 'webhook-disabled' };
}

/**
 * Delivers the current state of records to all their receivers. Returns the number of deliveries.
 */
export async function resendSnapshots(
  { db, clock, notifyWorker }: DeliveryDeps,
  sellerId: string,
  eventType: 'TRANSACTION' | 'WITHDRAWAL',
  snapshots: readonly EventSnapshot[],
): Promise<number> {
  const at = clock.now();
  const inputs = snapshots.map((snapshot) => ({ ...snapshot, newId: newId(at.getTime()) }));
  const request = { sellerId, eventType, snapshots: inputs, at };
  const count = await db.transaction().execute((trx) => store.resendSnapshots(trx, request));
  if (count > 0) notifyWorker();
  return count;
}
