import { recordAudit } from '#audit/service.ts';
import type { Db } from '#platform/database/connect.ts';
import { GATEWAY_ACTOR } from '#platform/http/audit-actor.ts';
import type { Notifier } from '#notifications/notifier.ts';
import type { Clock } from '#platform/kit/clock.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import type { Logger } from '#platform/kit/log.ts';
import { maskUrl } from '#platform/kit/masks.ts';
import { isGone } from './retry-policy.ts';
import type { AttemptRecord } from './store-deliveries.ts';
import {
  findFailingEndpoints,
  holdPendingDeliveries,
  updateEndpointHealth,
  type EndpointHealth,
} from './store-endpoint-health.ts';
import { findWebhook, updateWebhook } from './store.ts';
import type { DisabledReason, WebhookKey } from './webhook.ts';

/** A webhook is disabled when every attempt has failed for this long. */
const FAILING_LIMIT_MS = 5 * 24 * 60 * 60 * 1000;

const GONE_REASON = 'The server responded with 410 Gone: the address is no longer in use.';
export const SELLER_REASON = 'You disabled it.';
const failureReason = (since: Date): DisabledReason =>
  `Every attempt has failed for five days, since ${since.toISOString()}.`;

/** How long the recorded state of a webhook is assumed unchanged. Another worker may change it. */
const HEALTH_CACHE_TTL_MS = 60_000;
const MAX_CACHED_HEALTH = 50_000;
const CHUNK_SIZE = 1_000;
const MAX_CHUNKS = 20;

interface HealthTracker {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Logger;
  readonly notifier: Notifier;
  /** The recorded state by webhook id. */
  readonly cache: Map<string, { readonly failing: boolean; readonly checkedAtMs: number }>;
}

/**
 * Creates a function that records whether webhooks deliver or fail, and disables those whose
 * endpoint is gone. A webhook whose attempts keep their result costs one statement a minute, not
 * one per attempt. The function never rejects, so that it cannot prevent attempts from being
 * recorded.
 */
export function createEndpointHealthTracker(
  deps: Omit<HealthTracker, 'cache'>,
): (attempts: readonly AttemptRecord[]) => Promise<void> {
  const tracker: HealthTracker = { ...deps, cache: new Map() };
  return async (attempts) => {
    try {
      await trackHealth(tracker, attempts);
    } catch (err) {
      tracker.log.error({ err }, 'webhook health could not be updated');
    }
  };
}

async function trackHealth(tracker: HealthTracker, attempts: readonly AttemptRecord[]): Promise<void> {
  const nowMs = tracker.clock.nowMs();
  const changed = latestStates(attempts).filter(({ id, failedAt }) => {
    const recorded = tracker.cache.get(id);
    return recorded?.failing !== (failedAt !== null) || nowMs - recorded.checkedAtMs >= HEALTH_CACHE_TTL_MS;
  });
  if (changed.length > 0) await recordStates(tracker, changed, nowMs);
  for (const { delivery, statusCode } of attempts) {
    const { sellerId, webhookId, url } = delivery;
    if (webhookId !== null && isGone(webhookId, statusCode))
      await disable(tracker, { sellerId, id: webhookId, url }, GONE_REASON);
  }
}

async function recordStates(
  tracker: HealthTracker,
  states: readonly EndpointHealth[],
  nowMs: number,
): Promise<void> {
  const { db, cache } = tracker;
  await updateEndpointHealth(db, states);
  if (cache.size > MAX_CACHED_HEALTH) cache.clear();
  for (const { id, failedAt } of states) cache.set(id, { failing: failedAt !== null, checkedAtMs: nowMs });
  const failing = states.filter(({ failedAt }) => failedAt !== null);
  if (failing.length === 0) return;
  const limit = new Date(nowMs - FAILING_LIMIT_MS);
  for (const endpoint of await findFailingEndpoints(db, failing, limit))
    await disable(tracker, endpoint, failureReason(endpoint.failingSince));
}

/** `url`: what it must have, because its seller may have changed it during an attempt. */
async function disable(
  { db, clock, cache, notifier }: HealthTracker,
  { sellerId, id, url }: WebhookKey & { readonly url?: string },
  reason: DisabledReason,
): Promise<void> {
  const now = clock.now();
  const isDisabled = await db.transaction().execute(async (trx) => {
    if (url !== undefined && (await findWebhook(trx, { sellerId, id }))?.url !== url) return false;
    const result = await updateWebhook(trx, { sellerId, id }, { status: 'DISABLED', reason }, now);
    if (result === undefined || result.before.disabledAt !== null) return false;
    await recordAudit(trx, GATEWAY_ACTOR, {
      action: 'webhook.updated',
      recordType: 'webhook',
      recordId: id,
      sellerId,
      before: { status: 'ACTIVE', disabledReason: null },
      after: { status: 'DISABLED', disabledReason: reason },
      at: now,
    });
    const params = { url: maskUrl(result.before.url), reason };
    const team = { sellerId, permission: 'webhooks:write' } as const;
    await notifier.notifySeller(trx, team, { kind: 'webhook-disabled', params, at: now });
    return true;
  });
  cache.delete(id);
  if (!isDisabled) return;
  failPoint('webhooks.disabled');
  await holdPendingInChunks(db, { sellerId, id }, now);
}

/**
 * Holds the pending deliveries of a disabled webhook in chunks, so that a long backlog keeps no
 * rows locked for long. Returns false if more remain after `MAX_CHUNKS`. Those are held by their
 * next attempt or by `holdRemaining`.
 */
export async function holdPendingInChunks(db: Db, key: WebhookKey, now: Date): Promise<boolean> {
  for (let chunks = 0; chunks < MAX_CHUNKS; chunks += 1) {
    if ((await holdPendingDeliveries(db, key, now, CHUNK_SIZE)) < CHUNK_SIZE) return true;
  }
  return false;
}

/**
 * The state of each webhook after these attempts. One successful attempt means that it is not
 * failing.
 */
function latestStates(attempts: readonly AttemptRecord[]): readonly EndpointHealth[] {
  const states = new Map<string, EndpointHealth>();
  for (const { delivery, at, status } of attempts) {
    const { sellerId, webhookId } = delivery;
    if (webhookId === null) continue;
    const hasSucceeded = status === 'DELIVERED' || states.get(webhookId)?.failedAt === null;
    states.set(webhookId, { sellerId, id: webhookId, failedAt: hasSucceeded ? null : at });
  }
  return [...states.values()];
}
