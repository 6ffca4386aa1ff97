import type { Db } from '#platform/database/connect.ts';
import type { Clock } from '#platform/kit/clock.ts';
import { isUuid, newId } from '#platform/kit/ids.ts';
import { lockSeller } from '#sellers/service.ts';
import {
  countFailed,
  countHeld,
  releaseHeldDeliveries,
  resendFailedDeliveries,
  type MissedFilter,
} from './store-replay.ts';
import { findWebhook } from './store.ts';
import type { WebhookKey } from './webhook.ts';

/** Deliveries sent by one call. More could exceed the request's deadline on a busy database. */
export const MAX_REPLAYED = 2_000;
/** Deliveries counted by a dry run. */
export const MAX_COUNTED = 10_000;

export interface ReplayDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly notifyWorker: () => void;
}

export interface ReplayRequest {
  readonly since: Date;
  /** Only counts the deliveries. */
  readonly dryRun: boolean;
}

export interface ReplayResult {
  readonly deliveries: number;
  /**
   * Whether there are more than one call sends or counts. Repeating the call sends the next ones.
   */
  readonly more: boolean;
}

export type ReplayOutcome = ReplayResult | 'unknown' | 'disabled';

/** The deliveries of a replay, of which a statement processes a limited number. */
interface Replay extends Omit<MissedFilter, 'limit'> {
  readonly dryRun: boolean;
  readonly includeHeld: boolean;
}

/**
 * Delivers what a webhook has missed since a time: failed deliveries, and those held while it was
 * disabled.
 */
export async function replay(
  deps: ReplayDeps,
  key: WebhookKey,
  request: ReplayRequest,
): Promise<ReplayOutcome> {
  if (!isUuid(key.id)) return 'unknown';
  return replayWebhook(deps, key, { ...request, includeHeld: true });
}

/** Delivers again what has failed since a time, to one webhook or to all enabled receivers. */
export async function resendFailed(
  deps: ReplayDeps,
  sellerId: string,
  webhookId: string | undefined,
  request: ReplayRequest,
): Promise<ReplayOutcome> {
  if (webhookId === undefined) return run(deps, { sellerId, webhookId, ...request, includeHeld: false });
  return replayWebhook(deps, { sellerId, id: webhookId }, { ...request, includeHeld: false });
}

async function replayWebhook(
  deps: ReplayDeps,
  key: WebhookKey,
  options: ReplayRequest & { readonly includeHeld: boolean },
): Promise<ReplayOutcome> {
  const webhook = await findWebhook(deps.db, key);
  if (webhook === undefined) return 'unknown';
  if (webhook.disabledAt !== null && !options.dryRun) return 'disabled';
  return run(deps, { sellerId: key.sellerId, webhookId: webhook.id, ...options });
}

const run = (deps: ReplayDeps, replay: Replay): Promise<ReplayResult> =>
  replay.dryRun ? count(deps.db, replay) : send(deps, replay);

async function count(db: Db, replay: Replay): Promise<ReplayResult> {
  const found = await countUpTo(db, replay, MAX_COUNTED + 1);
  return { deliveries: Math.min(found, MAX_COUNTED), more: found > MAX_COUNTED };
}

async function countUpTo(db: Db, replay: Replay, limit: number): Promise<number> {
  const held = replay.includeHeld ? await countHeld(db, { ...replay, limit }) : 0;
  return held + (await countFailed(db, { ...replay, limit }));
}

async function send({ db, clock, notifyWorker }: ReplayDeps, replay: Replay): Promise<ReplayResult> {
  const at = clock.now();
  const sent = await db.transaction().execute(async (trx) => {
    // Concurrent calls must not create the same deliveries.
    await lockSeller(trx, replay.sellerId);
    const held = { ...replay, limit: MAX_REPLAYED };
    const released = replay.includeHeld ? await releaseHeldDeliveries(trx, held, at) : 0;
    const failed = { ...replay, limit: MAX_REPLAYED - released };
    const resent = failed.limit > 0 ? await resendFailedDeliveries(trx, failed, newId(at.getTime()), at) : 0;
    return released + resent;
  });
  if (sent > 0) notifyWorker();
  const more = sent === MAX_REPLAYED && (await countUpTo(db, replay, 1)) > 0;
  return { deliveries: sent, more };
}
