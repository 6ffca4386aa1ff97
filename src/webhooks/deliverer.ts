import { setTimeout as sleep } from 'node:timers/promises';

import type { Clock } from '#platform/kit/clock.ts';
import { plainBatches, type BatchFactory } from '#platform/database/group-commit.ts';
import type { Database } from '#platform/database/connect.ts';
import { Lanes } from '#platform/database/lanes.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import type { Logger } from '#platform/kit/log.ts';
import { createDisabling } from './disabling.ts';
import type { WebhookMetrics } from './metrics.ts';
import { outcomeOf } from './outcomes.ts';
import type { Sender } from './sender.ts';
import type { WebhooksService } from './service.ts';
import { signatureHeaders } from './signature.ts';
import {
  claimDeliveries,
  readyDeliveries,
  recordAttempts,
  releaseLeases,
  type AttemptRecord,
  type ClaimedDelivery,
} from './store-deliveries.ts';

/** For the bench, which asks what a claim costs. */
export { claimDeliveries } from './store-deliveries.ts';

/** Far more than a few endpoints that hang can take up together. */
const MOST_UNDER_WAY = 2_048;
/**
 * Calls that have just begun. Most receivers answer at once, and a few connections that are used again and again carry more
 * than a thousand that each must be opened; those who take their time are soon not counted any more.
 */
const MOST_FRESH = 64;
const FRESH_MS = 25;
/** What is claimed and waits for its turn to be called, so that callers do not stand idle during a claim. */
const MOST_IN_LINE = 512;
/** A claim costs little more for many than for one, so in a rush it waits until it is worth it. */
const LEAST_IN_A_RUSH = 256;
const MOST_ENDPOINTS_A_CLAIM = 128;
const MOST_PER_ENDPOINT = 8;
/** A seller's endpoints together: what fills this leaves room for thirty others like it. */
const MOST_PER_SELLER = 64;
const MOST_READY_A_LOOK = 1_000;
/** Attempts that one statement records. Where a few come at once, more are gathered for a moment: nobody waits for their record. */
const MOST_A_RECORD = 512;
const A_FEW = { from: 16, to: 128 } as const;
const GATHERING_MS = 10;
/** The queue is empty now and holds thousands a moment later, where a plan made for few reads all of them each time. */
const PLAN_LIFE_MS = 500;
/** Longer than a call can stand in line and last, so that a living worker's call is never made twice. */
const LEASE_MS = 30_000;

export interface DelivererDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly webhooks: WebhooksService;
  readonly sender: Sender;
  readonly log: Logger;
  readonly metrics: WebhookMetrics;
  /** Told whenever a call ends, since its endpoint may have room for the next. */
  readonly onRoom: () => void;
  /** Who makes the batches; plain ones unless told. */
  readonly batches?: BatchFactory;
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
  onRoom,
  batches = plainBatches,
}: DelivererDeps) {
  const { db } = database;
  // Where the server forgets a lease, its delivery is made again, as where its worker died.
  const claims = new Lanes(database, 'claims', {
    planLifeMs: PLAN_LIFE_MS,
    durable: false,
    // Their plans are made anew twice a second, by what the queue holds then.
    wholeTables: true,
  }).on(0);
  const recording = new Lanes(database, 'attempts', { planLifeMs: PLAN_LIFE_MS, wholeTables: true }).on(0);
  /** What is leased here: in line, being called, or being recorded. By the id of the delivery. */
  const underWay = new Map<string, ClaimedDelivery>();
  const line: ClaimedDelivery[] = [];
  const calls = new Set<Promise<void>>();
  /** In line or being called. */
  const perEndpoint = new Map<string, number>();
  const perSeller = new Map<string, number>();
  /** Where the next claim looks on, and whether the last one left anything. */
  let after = '';
  let more = false;
  /** When the calls under way began, the longest first, by the machine's clock. */
  const fresh = new Set<{ readonly sinceMs: number }>();
  let following: NodeJS.Immediate | undefined;
  let followingLater: NodeJS.Timeout | undefined;
  /** No call begins any more; what is under way has been cancelled. */
  let stopping = false;
  let cancelled = false;
  const noteAttempts = createDisabling({ db, clock, log });
  const records = batches<AttemptRecord, true>('attempts', {
    lanes: 1,
    maxItems: MOST_A_RECORD,
    run: async (_lane, attempts) => {
      await recordAttempts(recording, attempts);
      failPoint('deliveries.recorded');
      await noteAttempts(attempts);
      const few = attempts.length >= A_FEW.from && attempts.length < A_FEW.to;
      if (few && !stopping) await sleep(GATHERING_MS);
      return attempts.map(() => true as const);
    },
  });

  async function deliver(delivery: ClaimedDelivery): Promise<void> {
    const call = { sinceMs: performance.now() };
    fresh.add(call);
    let wasCutOff = false;
    let ended = false;
    /** The call has ended; that it is not recorded yet holds up no other. */
    const end = (): void => {
      if (ended) return;
      ended = true;
      fresh.delete(call);
      leave(delivery);
      // Its connection is free again one turn of the event loop after its answer.
      following ??= setImmediate(follow);
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
      const { url, endpoint, payload: body } = delivery;
      const result = await sender.post({ url, endpoint, body, headers });
      end();
      // A call that our own shutdown cut off is no failure of the receiver: the lease goes back instead.
      wasCutOff = cancelled && !result.ok;
      if (wasCutOff) return;
      failPoint('deliveries.called');
      metrics.attempted(result);
      await records.add(outcomeOf({ delivery, at, result }));
    } catch (error) {
      // The lease runs out and the delivery is taken again: at least once, never none.
      log.error({ err: error }, 'a delivery could not be recorded');
    } finally {
      if (!wasCutOff) underWay.delete(delivery.id);
      end();
    }
  }

  /** Begins calls in the order of the line, as many as there is room for. */
  function begin(): void {
    if (stopping) return;
    const now = performance.now();
    for (const call of fresh) {
      if (now - call.sinceMs < FRESH_MS) break;
      fresh.delete(call);
    }
    for (const delivery of line.splice(0, Math.max(0, MOST_FRESH - fresh.size))) {
      const call = deliver(delivery);
      calls.add(call);
      void call.then(() => calls.delete(call));
    }
    // Where all that is under way takes its time, nobody's end begins the next.
    if (line.length > 0) followingLater ??= setTimeout(followLater, FRESH_MS);
  }

  /** After calls have ended: begins those that come next, and asks for more where the line is short. */
  function follow(): void {
    following = undefined;
    begin();
    if (room() > 0) onRoom();
  }

  function followLater(): void {
    followingLater = undefined;
    follow();
  }

  /** How many may be claimed now. */
  function room(): number {
    const free = MOST_IN_LINE - line.length;
    return more && free < LEAST_IN_A_RUSH ? 0 : Math.min(free, MOST_UNDER_WAY - underWay.size);
  }

  function enter(delivery: ClaimedDelivery): void {
    add(perEndpoint, delivery.endpoint, 1);
    add(perSeller, delivery.sellerId, 1);
  }

  function leave(delivery: ClaimedDelivery): void {
    add(perEndpoint, delivery.endpoint, -1);
    add(perSeller, delivery.sellerId, -1);
  }

  function cutOff(): void {
    cancelled = true;
    sender.cancel();
  }

  return {
    /** Claims what is ready and starts calling; does not wait for the answers. True where more may be ready at once. */
    async claim(): Promise<boolean> {
      const most = room();
      if (most <= 0 || stopping) return false;
      const now = clock.now();
      const { deliveries, reached } = await claimDeliveries(claims, {
        now,
        leaseUntil: new Date(now.getTime() + LEASE_MS),
        after,
        most,
        mostEndpoints: MOST_ENDPOINTS_A_CLAIM,
        mostPerEndpoint: MOST_PER_ENDPOINT,
        mostPerSeller: MOST_PER_SELLER,
        perEndpoint,
        perSeller,
      });
      // Those that found no room in this claim are the first to be looked at in the next round.
      after = reached ?? '';
      more = deliveries.length === most || reached !== null;
      for (const delivery of deliveries) {
        // The sandbox's clock may have moved past the lease of what is being called here: it is held a while longer.
        if (underWay.has(delivery.id)) continue;
        underWay.set(delivery.id, delivery);
        enter(delivery);
        line.push(delivery);
      }
      if (deliveries.length > 0) failPoint('deliveries.claimed');
      begin();
      return deliveries.length > 0 || reached !== null;
    },

    /** Lets the next attempts begin whose time has come. True where more may be due. */
    async ready(): Promise<boolean> {
      const made = await readyDeliveries(db, clock.now(), MOST_READY_A_LOOK);
      if (made > 0) {
        failPoint('deliveries.ready');
        onRoom();
      }
      return made === MOST_READY_A_LOOK;
    },

    /** Begins no other, waits a moment for calls under way, cuts the rest off, and gives their leases back. */
    async stop(graceMs: number): Promise<void> {
      stopping = true;
      clearTimeout(followingLater);
      const timer = setTimeout(cutOff, graceMs);
      await Promise.allSettled(calls);
      clearTimeout(timer);
      cutOff();
      await releaseLeases(db, [...underWay.values()]);
      await sender.close();
    },
  };
}

function add<Key>(counts: Map<Key, number>, key: Key, change: number): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
