import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import { isUuid, newId } from '#platform/kit/ids.ts';
import {
  countFailed,
  countHeld,
  lockSeller,
  releaseHeld,
  repeatFailed,
  type Missed,
} from './store-replay.ts';
import { findWebhook } from './store.ts';

/** Deliveries that one call sends. More would not be written in the time that callers wait for, where the database is busy. */
export const MOST_REPLAYED = 2_000;
/** Deliveries that are counted where only their number is asked for. */
export const MOST_COUNTED = 10_000;

export interface Replayed {
  readonly deliveries: number;
  /** Whether there were more than one call sends, or counts: the same call again sends the next. */
  readonly more: boolean;
}

export interface Wanted {
  readonly since: Date;
  /** Only tells how many it would be. */
  readonly dryRun: boolean;
}

export interface ReplayingDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly onDeliveries: () => void;
}

export function createReplaying({ db, clock, onDeliveries }: ReplayingDeps) {
  /** Counts one more than is told, which tells whether there is more. */
  async function count(missed: Omit<Missed, 'most'>, withHeld: boolean): Promise<Replayed> {
    const found = await countUpTo(missed, withHeld, MOST_COUNTED + 1);
    return { deliveries: Math.min(found, MOST_COUNTED), more: found > MOST_COUNTED };
  }

  async function countUpTo(missed: Omit<Missed, 'most'>, withHeld: boolean, most: number): Promise<number> {
    const kept = withHeld ? await countHeld(db, { ...missed, most }) : 0;
    return kept + (await countFailed(db, { ...missed, most }));
  }

  async function send(missed: Omit<Missed, 'most'>, withHeld: boolean): Promise<Replayed> {
    const at = clock.now();
    const sent = await db.transaction().execute(async (within) => {
      await lockSeller(within, missed.sellerId);
      const most = MOST_REPLAYED;
      const kept = withHeld ? await releaseHeld(within, { ...missed, most }, at) : 0;
      const rest = { ...missed, most: most - kept };
      const failed = rest.most > 0 ? await repeatFailed(within, rest, newId(at.getTime()), at) : 0;
      return kept + failed;
    });
    if (sent > 0) onDeliveries();
    const more = sent === MOST_REPLAYED && (await countUpTo(missed, withHeld, 1)) > 0;
    return { deliveries: sent, more };
  }

  const run = (missed: Omit<Missed, 'most'>, dryRun: boolean, withHeld: boolean): Promise<Replayed> =>
    dryRun ? count(missed, withHeld) : send(missed, withHeld);

  return {
    /** Delivers what one registration has missed since then, because it failed or because the registration was disabled. */
    async replay(
      sellerId: string,
      webhookId: string,
      { since, dryRun }: Wanted,
    ): Promise<Replayed | 'unknown' | 'disabled'> {
      const webhook = isUuid(webhookId) ? await findWebhook(db, sellerId, webhookId) : undefined;
      if (webhook === undefined) return 'unknown';
      if (webhook.disabledAt !== null && !dryRun) return 'disabled';
      return run({ sellerId, webhookId: webhook.id, since }, dryRun, true);
    },

    /** Delivers again what has failed since then, to one registration or to all receivers that can be called. */
    async resendFailed(
      sellerId: string,
      webhookId: string | undefined,
      { since, dryRun }: Wanted,
    ): Promise<Replayed | 'unknown' | 'disabled'> {
      if (webhookId === undefined) return run({ sellerId, webhookId, since }, dryRun, false);
      const webhook = await findWebhook(db, sellerId, webhookId);
      if (webhook === undefined) return 'unknown';
      if (webhook.disabledAt !== null && !dryRun) return 'disabled';
      return run({ sellerId, webhookId: webhook.id, since }, dryRun, false);
    },
  };
}
