import { recordAudit } from '#audit/service.ts';
import { GATEWAY_ACTOR } from '#platform/http/audit-actor.ts';
import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import type { Logger } from '#platform/kit/log.ts';
import { isGone } from './retry-policy.ts';
import {
  findFailingEndpoints,
  holdPendingDeliveries,
  updateEndpointHealth,
  type WebhookKey,
} from './store-endpoint-health.ts';
import type { AttemptRecord } from './store-deliveries.ts';
import { updateWebhook } from './store.ts';

/** A registration is disabled where every attempt has failed for as long. */
export const FAILING_LIMIT_MS = 5 * 24 * 60 * 60 * 1000;

export const GONE_REASON = 'The server answered 410 Gone: the address is no longer in use.';
export const SELLER_REASON = 'You disabled it.';
const failureReason = (since: Date): string =>
  `Every attempt has failed for five days, since ${since.toISOString()}.`;

/** How long what was last written of a registration is taken as known. Another worker may have written since. */
const HEALTH_CACHE_TTL_MS = 60_000;
const MAX_CACHED_HEALTH = 50_000;
const CHUNK_SIZE = 1_000;
const MAX_CHUNKS = 20;

interface EndpointHealthDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Watches how registrations answer and disables those whose receiver is gone. A registration whose attempts keep arriving, or
 * keep failing, costs one look a minute, not one an attempt. Never rejects: attempts are recorded whatever becomes of this.
 */
export function createEndpointHealthTracker({ db, clock, log }: EndpointHealthDeps) {
  const healthCache = new Map<string, { readonly failing: boolean; readonly checkedAtMs: number }>();

  async function track(attempts: readonly AttemptRecord[]): Promise<void> {
    const latest = latestStates(attempts);
    const gone = attempts.filter(({ delivery, statusCode }) => isGone(delivery.webhookId, statusCode));
    const nowMs = clock.nowMs();
    const changedStates = latest.filter(({ webhookId, failedAt }) => {
      const before = healthCache.get(webhookId);
      return before?.failing !== (failedAt !== null) || nowMs - before.checkedAtMs >= HEALTH_CACHE_TTL_MS;
    });
    if (changedStates.length > 0) {
      await updateEndpointHealth(db, changedStates);
      if (healthCache.size > MAX_CACHED_HEALTH) healthCache.clear();
      for (const { webhookId, failedAt } of changedStates) {
        healthCache.set(webhookId, { failing: failedAt !== null, checkedAtMs: nowMs });
      }
      const failing = changedStates.filter(({ failedAt }) => failedAt !== null);
      const limit = new Date(nowMs - FAILING_LIMIT_MS);
      const toDisable = failing.length === 0 ? [] : await findFailingEndpoints(db, failing, limit);
      for (const one of toDisable) await disable(one, failureReason(one.failingSince));
    }
    for (const { delivery } of gone) {
      const { sellerId, webhookId } = delivery;
      if (webhookId !== null) await disable({ sellerId, webhookId }, GONE_REASON);
    }
  }

  async function disable(key: WebhookKey, reason: string): Promise<void> {
    const { sellerId, webhookId } = key;
    const now = clock.now();
    const changed = await db.transaction().execute(async (trx) => {
      const update = { status: 'DISABLED', reason } as const;
      const result = await updateWebhook(trx, sellerId, webhookId, update, now);
      if (result === undefined || result.before.disabledAt !== null) return false;
      await recordAudit(trx, GATEWAY_ACTOR, {
        action: 'webhook.updated',
        recordType: 'webhook',
        recordId: webhookId,
        sellerId,
        before: { status: 'ACTIVE', disabledReason: null },
        after: { status: 'DISABLED', disabledReason: reason },
        at: now,
      });
      return true;
    });
    healthCache.delete(webhookId);
    if (!changed) return;
    failPoint('webhooks.disabled');
    await holdPendingInChunks(db, key, now);
  }

  return async (attempts: readonly AttemptRecord[]): Promise<void> => {
    try {
      await track(attempts);
    } catch (err) {
      log.error({ err }, 'how webhooks answer could not be noted');
    }
  };
}

/**
 * Keeps what is on its way to a disabled registration, in portions, so that a long backlog locks nothing for long; false where there
 * is more than one call does, since others wait for it. What is left over is kept when it is next attempted, and by `holdLeftOver`.
 */
export async function holdPendingInChunks(db: Db, key: WebhookKey, now: Date): Promise<boolean> {
  for (let chunks = 0; chunks < MAX_CHUNKS; chunks += 1) {
    if ((await holdPendingDeliveries(db, key, now, CHUNK_SIZE)) < CHUNK_SIZE) return true;
  }
  return false;
}

/** The last state of each registration; one that has answered at all is not failing. */
function latestStates(attempts: readonly AttemptRecord[]) {
  const states = new Map<string, WebhookKey & { readonly failedAt: Date | null }>();
  for (const { delivery, at, status } of attempts) {
    const { sellerId, webhookId } = delivery;
    if (webhookId === null) continue;
    const failedAt = status === 'DELIVERED' || states.get(webhookId)?.failedAt === null ? null : at;
    states.set(webhookId, { sellerId, webhookId, failedAt });
  }
  return [...states.values()];
}
