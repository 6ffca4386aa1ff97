import { audit } from '#audit/service.ts';
import { GATEWAY } from '#platform/http/author.ts';
import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import type { Logger } from '#platform/kit/log.ts';
import { saysGone } from './outcomes.ts';
import { findFailingSince, holdPending, noteHealth, type WebhookKey } from './store-disabling.ts';
import type { AttemptRecord } from './store-deliveries.ts';
import { updateWebhook } from './store.ts';

/** A registration is disabled where every attempt has failed for as long. */
export const FAILING_LIMIT_MS = 5 * 24 * 60 * 60 * 1000;

export const GONE_REASON = 'The server answered 410 Gone: the address is no longer in use.';
export const SELLER_REASON = 'You disabled it.';
const failingReason = (since: Date): string =>
  `Every attempt has failed for five days, since ${since.toISOString()}.`;

/** How long what was last written of a registration is taken as known. Another worker may have written since. */
const KNOWN_FOR_MS = 60_000;
const MOST_KNOWN = 50_000;
const PORTION = 1_000;
const MOST_PORTIONS = 20;

interface DisablingDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Watches how registrations answer and disables those whose receiver is gone. A registration whose attempts keep arriving, or
 * keep failing, costs one look a minute, not one an attempt. Never rejects: attempts are recorded whatever becomes of this.
 */
export function createDisabling({ db, clock, log }: DisablingDeps) {
  const known = new Map<string, { readonly failing: boolean; readonly lookedAtMs: number }>();

  async function note(attempts: readonly AttemptRecord[]): Promise<void> {
    const latest = latestOf(attempts);
    const gone = attempts.filter(({ delivery, statusCode }) => saysGone(delivery.webhookId, statusCode));
    const nowMs = clock.nowMs();
    const news = latest.filter(({ webhookId, failedAt }) => {
      const before = known.get(webhookId);
      return before?.failing !== (failedAt !== null) || nowMs - before.lookedAtMs >= KNOWN_FOR_MS;
    });
    if (news.length > 0) {
      await noteHealth(db, news);
      if (known.size > MOST_KNOWN) known.clear();
      for (const { webhookId, failedAt } of news) {
        known.set(webhookId, { failing: failedAt !== null, lookedAtMs: nowMs });
      }
      const failing = news.filter(({ failedAt }) => failedAt !== null);
      const limit = new Date(nowMs - FAILING_LIMIT_MS);
      const hopeless = failing.length === 0 ? [] : await findFailingSince(db, failing, limit);
      for (const one of hopeless) await disable(one, failingReason(one.failingSince));
    }
    for (const { delivery } of gone) {
      const { sellerId, webhookId } = delivery;
      if (webhookId !== null) await disable({ sellerId, webhookId }, GONE_REASON);
    }
  }

  async function disable(key: WebhookKey, reason: string): Promise<void> {
    const { sellerId, webhookId } = key;
    const now = clock.now();
    const changed = await db.transaction().execute(async (within) => {
      const update = { status: 'DISABLED', reason } as const;
      const result = await updateWebhook(within, sellerId, webhookId, update, now);
      if (result === undefined || result.before.disabledAt !== null) return false;
      await audit(within, GATEWAY, {
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
    known.delete(webhookId);
    if (!changed) return;
    failPoint('webhooks.disabled');
    await holdMost(db, key, now);
  }

  return async (attempts: readonly AttemptRecord[]): Promise<void> => {
    try {
      await note(attempts);
    } catch (err) {
      log.error({ err }, 'how webhooks answer could not be noted');
    }
  };
}

/**
 * Keeps what is on its way to a disabled registration, in portions, so that a long backlog locks nothing for long; false where there
 * is more than one call does, since others wait for it. What is left over is kept when it is next attempted, and by `holdLeftOver`.
 */
export async function holdMost(db: Db, key: WebhookKey, now: Date): Promise<boolean> {
  for (let portions = 0; portions < MOST_PORTIONS; portions += 1) {
    if ((await holdPending(db, key, now, PORTION)) < PORTION) return true;
  }
  return false;
}

/** The last state of each registration; one that has answered at all is not failing. */
function latestOf(attempts: readonly AttemptRecord[]) {
  const states = new Map<string, WebhookKey & { readonly failedAt: Date | null }>();
  for (const { delivery, at, status } of attempts) {
    const { sellerId, webhookId } = delivery;
    if (webhookId === null) continue;
    const failedAt = status === 'DELIVERED' || states.get(webhookId)?.failedAt === null ? null : at;
    states.set(webhookId, { sellerId, webhookId, failedAt });
  }
  return [...states.values()];
}
