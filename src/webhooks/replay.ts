import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import { isUuid, newId } from '#platform/kit/ids.ts';
import {
  countFailed,
  countHeld,
  lockSeller,
  releaseHeldDeliveries,
  resendFailedDeliveries,
  type MissedFilter,
} from './store-replay.ts';
import { findWebhook } from './store.ts';

/** Deliveries that one call sends. More would not be written in the time that callers wait for, where the database is busy. */
export const MAX_REPLAYED = 2_000;
/** Deliveries that are counted where only their number is asked for. */
export const MAX_COUNTED = 10_000;

export interface ReplayResult {
  readonly deliveries: number;
  /** Whether there were more than one call sends, or counts: the same call again sends the next. */
  readonly more: boolean;
}

export interface ReplayRequest {
  readonly since: Date;
  /** Only tells how many it would be. */
  readonly dryRun: boolean;
}

export interface ReplayDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly notifyWorker: () => void;
}

export function createReplay({ db, clock, notifyWorker }: ReplayDeps) {
  /** Counts one more than is told, which tells whether there is more. */
  async function count(missed: Omit<MissedFilter, 'limit'>, withHeld: boolean): Promise<ReplayResult> {
    const found = await countUpTo(missed, withHeld, MAX_COUNTED + 1);
    return { deliveries: Math.min(found, MAX_COUNTED), more: found > MAX_COUNTED };
  }

  async function countUpTo(
    missed: Omit<MissedFilter, 'limit'>,
    withHeld: boolean,
    limit: number,
  ): Promise<number> {
    const heldCount = withHeld ? await countHeld(db, { ...missed, limit }) : 0;
    return heldCount + (await countFailed(db, { ...missed, limit }));
  }

  async function send(missed: Omit<MissedFilter, 'limit'>, withHeld: boolean): Promise<ReplayResult> {
    const at = clock.now();
    const sent = await db.transaction().execute(async (trx) => {
      await lockSeller(trx, missed.sellerId);
      const limit = MAX_REPLAYED;
      const releasedCount = withHeld ? await releaseHeldDeliveries(trx, { ...missed, limit }, at) : 0;
      const remaining = { ...missed, limit: limit - releasedCount };
      const resentCount =
        remaining.limit > 0 ? await resendFailedDeliveries(trx, remaining, newId(at.getTime()), at) : 0;
      return releasedCount + resentCount;
    });
    if (sent > 0) notifyWorker();
    const more = sent === MAX_REPLAYED && (await countUpTo(missed, withHeld, 1)) > 0;
    return { deliveries: sent, more };
  }

  const run = (
    missed: Omit<MissedFilter, 'limit'>,
    dryRun: boolean,
    withHeld: boolean,
  ): Promise<ReplayResult> => (dryRun ? count(missed, withHeld) : send(missed, withHeld));

  return {
    /** Delivers what one registration has missed since then, because it failed or because the registration was disabled. */
    async replay(
      sellerId: string,
      webhookId: string,
      { since, dryRun }: ReplayRequest,
    ): Promise<ReplayResult | 'unknown' | 'disabled'> {
      const webhook = isUuid(webhookId) ? await findWebhook(db, sellerId, webhookId) : undefined;
      if (webhook === undefined) return 'unknown';
      if (webhook.disabledAt !== null && !dryRun) return 'disabled';
      return run({ sellerId, webhookId: webhook.id, since }, dryRun, true);
    },

    /** Delivers again what has failed since then, to one registration or to all receivers that can be called. */
    async resendFailed(
      sellerId: string,
      webhookId: string | undefined,
      { since, dryRun }: ReplayRequest,
    ): Promise<ReplayResult | 'unknown' | 'disabled'> {
      if (webhookId === undefined) return run({ sellerId, webhookId, since }, dryRun, false);
      const webhook = await findWebhook(db, sellerId, webhookId);
      if (webhook === undefined) return 'unknown';
      if (webhook.disabledAt !== null && !dryRun) return 'disabled';
      return run({ sellerId, webhookId: webhook.id, since }, dryRun, false);
    },
  };
}
