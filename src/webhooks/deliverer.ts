import { setTimeout as sleep } from 'node:timers/promises';

import type { Clock } from '#platform/kit/clock.ts';
import { createGroupCommit, type GroupCommitFactory } from '#platform/database/group-commit.ts';
import type { Database } from '#platform/database/connect.ts';
import { dedicatedConnection } from '#platform/database/dedicated-connection.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import type { Logger } from '#platform/kit/log.ts';
import { createEndpointHealthTracker } from './endpoint-health.ts';
import type { WebhookMetrics } from './metrics.ts';
import { toAttemptRecord } from './retry-policy.ts';
import type { Sender } from './sender.ts';
import type { WebhooksService } from './service.ts';
import { signatureHeaders } from './signature.ts';
import {
  claimDeliveries,
  markDeliveriesReady,
  recordAttempts,
  releaseLeases,
  type AttemptRecord,
  type ClaimedDelivery,
} from './store-deliveries.ts';

/** For the bench, which asks what a claim costs. */
export { claimDeliveries } from './store-deliveries.ts';

/** Far more than a few endpoints that hang can take up together. */
const MAX_IN_FLIGHT = 2_048;
/**
 * Calls that have just begun. Most receivers answer at once, and a few connections that are used again and again carry more
 * than a thousand that each must be opened; those who take their time are soon not counted any more.
 */
const MAX_NEW_CALLS = 64;
const NEW_CALL_MS = 25;
/** What is claimed and waits for its turn to be called, so that callers do not stand idle during a claim. */
const MAX_QUEUED = 512;
/** A claim costs little more for many than for one, so in a rush it waits until it is worth it. */
const MIN_CLAIM_UNDER_LOAD = 256;
const MAX_ENDPOINTS_PER_CLAIM = 128;
const MAX_PER_ENDPOINT = 8;
/** A seller's endpoints together: what fills this leaves room for thirty others like it. */
const MAX_PER_SELLER = 64;
const MAX_READY_PER_POLL = 1_000;
/** Attempts that one statement records. Where a few come at once, more are gathered for a moment: nobody waits for their record. */
const MAX_ATTEMPTS_PER_BATCH = 512;
const SMALL_BATCH = { from: 16, to: 128 } as const;
const BATCH_DELAY_MS = 10;
/** The queue is empty now and holds thousands a moment later, where a plan made for few reads all of them each time. */
const PLAN_LIFETIME_MS = 500;
/** Longer than a call can stand in line and last, so that a living worker's call is never made twice. */
const LEASE_MS = 30_000;

export interface DelivererDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly webhooks: Pick<WebhooksService, 'signingKeys'>;
  readonly sender: Sender;
  readonly log: Logger;
  readonly metrics: WebhookMetrics;
  /** Told whenever a call ends, since its endpoint may have room for the next. */
  readonly onCapacity: () => void;
  /** Defaults to group commits without metrics. */
  readonly groupCommit?: GroupCommitFactory;
}

export type Deliverer = ReturnType<typeof createDeliverer>;

/** Takes due deliveries and calls their receivers, many at once and none in another's way. */
export function createDeliverer({
  database,
  clock,
  webhooks,
  sender,
  log,
  metrics,
  onCapacity,
  groupCommit = createGroupCommit,
}: DelivererDeps) {
  const { db } = database;
  // Where the server forgets a lease, its delivery is made again, as where its worker died.
  const claimQuery = dedicatedConnection(database, 'claims', {
    planTtlMs: PLAN_LIFETIME_MS,
    durable: false,
    // Their plans are made anew twice a second, by what the queue holds then.
    allowSeqScan: true,
  });
  const recordQuery = dedicatedConnection(database, 'attempts', {
    planTtlMs: PLAN_LIFETIME_MS,
    allowSeqScan: true,
  });
  /** What is leased here: in line, being called, or being recorded. By the id of the delivery. */
  const inFlight = new Map<string, ClaimedDelivery>();
  const queue: ClaimedDelivery[] = [];
  const calls = new Set<Promise<void>>();
  /** In line or being called. */
  const perEndpoint = new Map<string, number>();
  const perSeller = new Map<string, number>();
  /** Where the next claim looks on, and whether the last one left anything. */
  let after = '';
  let more = false;
  /** When the calls under way began, the longest first, by the machine's clock. */
  const newCalls = new Set<{ readonly sinceMs: number }>();
  let nextTurn: NodeJS.Immediate | undefined;
  let nextTurnTimer: NodeJS.Timeout | undefined;
  /** No call begins any more; what is under way has been cancelled. */
  let stopping = false;
  let cancelled = false;
  const trackHealth = createEndpointHealthTracker({ db, clock, log });
  const attemptBatches = groupCommit<AttemptRecord, true>('attempts', {
    maxItems: MAX_ATTEMPTS_PER_BATCH,
    run: async (attempts) => {
      await recordAttempts(recordQuery, attempts);
      failPoint('deliveries.recorded');
      await trackHealth(attempts);
      const isSmallBatch = attempts.length >= SMALL_BATCH.from && attempts.length < SMALL_BATCH.to;
      if (isSmallBatch && !stopping) await sleep(BATCH_DELAY_MS);
      return attempts.map(() => true as const);
    },
  });

  async function deliver(delivery: ClaimedDelivery): Promise<void> {
    const call = { sinceMs: performance.now() };
    newCalls.add(call);
    let wasCancelled = false;
    let ended = false;
    /** The call has ended; that it is not recorded yet holds up no other. */
    const end = (): void => {
      if (ended) return;
      ended = true;
      newCalls.delete(call);
      countEnded(delivery);
      // Its connection is free again one turn of the event loop after its answer.
      nextTurn ??= setImmediate(continueCalls);
    };
    try {
      const at = clock.now();
      const keys = await webhooks.signingKeys(delivery);
      // The registration was deleted, which also ended the delivery.
      if (keys.length === 0) return;
      const headers = signatureHeaders({
        id: delivery.eventId,
        // Receivers compare it with their own clocks, which the sandbox moves for nobody.
        timestampSeconds: Math.floor(Date.now() / 1000),
        body: delivery.payload,
        keys,
      });
      const { url, payload: body } = delivery;
      const result = await sender.post({ url, body, headers });
      end();
      // A call that our own shutdown cut off is no failure of the receiver: the lease goes back instead.
      wasCancelled = cancelled && !result.ok;
      if (wasCancelled) return;
      failPoint('deliveries.called');
      metrics.recordAttempt(result);
      await attemptBatches.add(toAttemptRecord({ delivery, at, result }));
    } catch (error) {
      // The lease runs out and the delivery is taken again: at least once, never none.
      log.error({ err: error }, 'a delivery could not be recorded');
    } finally {
      if (!wasCancelled) inFlight.delete(delivery.id);
      end();
    }
  }

  /** Begins calls in the order of the line, as many as there is room for. */
  function startCalls(): void {
    if (stopping) return;
    const now = performance.now();
    for (const call of newCalls) {
      if (now - call.sinceMs < NEW_CALL_MS) break;
      newCalls.delete(call);
    }
    for (const delivery of queue.splice(0, Math.max(0, MAX_NEW_CALLS - newCalls.size))) {
      const call = deliver(delivery);
      calls.add(call);
      void call.then(() => calls.delete(call));
    }
    // Where all that is under way takes its time, nobody's end begins the next.
    if (queue.length > 0) nextTurnTimer ??= setTimeout(continueCallsLater, NEW_CALL_MS);
  }

  /** After calls have ended: begins those that come next, and asks for more where the line is short. */
  function continueCalls(): void {
    nextTurn = undefined;
    startCalls();
    if (capacity() > 0) onCapacity();
  }

  function continueCallsLater(): void {
    nextTurnTimer = undefined;
    continueCalls();
  }

  /** How many may be claimed now. */
  function capacity(): number {
    const free = MAX_QUEUED - queue.length;
    return more && free < MIN_CLAIM_UNDER_LOAD ? 0 : Math.min(free, MAX_IN_FLIGHT - inFlight.size);
  }

  function countStarted(delivery: ClaimedDelivery): void {
    increment(perEndpoint, delivery.endpoint, 1);
    increment(perSeller, delivery.sellerId, 1);
  }

  function countEnded(delivery: ClaimedDelivery): void {
    increment(perEndpoint, delivery.endpoint, -1);
    increment(perSeller, delivery.sellerId, -1);
  }

  function cancelCalls(): void {
    cancelled = true;
    sender.cancel();
  }

  return {
    /** Claims what is ready and starts calling; does not wait for the answers. True where more may be ready at once. */
    async claim(): Promise<boolean> {
      const limit = capacity();
      if (limit <= 0 || stopping) return false;
      const now = clock.now();
      const { deliveries, lastEndpoint } = await claimDeliveries(claimQuery, {
        now,
        leaseUntil: new Date(now.getTime() + LEASE_MS),
        after,
        maxDeliveries: limit,
        maxEndpoints: MAX_ENDPOINTS_PER_CLAIM,
        maxPerEndpoint: MAX_PER_ENDPOINT,
        maxPerSeller: MAX_PER_SELLER,
        activePerEndpoint: perEndpoint,
        activePerSeller: perSeller,
      });
      // Those that found no room in this claim are the first to be looked at in the next round.
      after = lastEndpoint ?? '';
      more = deliveries.length === limit || lastEndpoint !== null;
      for (const delivery of deliveries) {
        // The sandbox's clock may have moved past the lease of what is being called here: it is held a while longer.
        if (inFlight.has(delivery.id)) continue;
        inFlight.set(delivery.id, delivery);
        countStarted(delivery);
        queue.push(delivery);
      }
      if (deliveries.length > 0) failPoint('deliveries.claimed');
      startCalls();
      return deliveries.length > 0 || lastEndpoint !== null;
    },

    /** Lets the next attempts begin whose time has come. True where more may be due. */
    async markReady(): Promise<boolean> {
      const marked = await markDeliveriesReady(db, clock.now(), MAX_READY_PER_POLL);
      if (marked > 0) {
        failPoint('deliveries.ready');
        onCapacity();
      }
      return marked === MAX_READY_PER_POLL;
    },

    /** Begins no other, waits a moment for calls under way, cuts the rest off, and gives their leases back. */
    async stop(graceMs: number): Promise<void> {
      stopping = true;
      clearTimeout(nextTurnTimer);
      const timer = setTimeout(cancelCalls, graceMs);
      await Promise.allSettled(calls);
      clearTimeout(timer);
      cancelCalls();
      await releaseLeases(db, [...inFlight.values()]);
      await sender.close();
    },
  };
}

function increment<Key>(counts: Map<Key, number>, key: Key, change: number): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
