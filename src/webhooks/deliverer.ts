import type { Clock } from '#clock.ts';
import { Batch } from '#database/batch.ts';
import type { Db } from '#database/connect.ts';
import type { Logger } from '#log.ts';
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
const MOST_IN_FLIGHT = 2_048;
/**
 * Calls that have just begun. Most receivers answer at once, and a few connections that are used again and again carry more
 * than a thousand that each must be opened; those who take their time are soon not counted any more.
 */
const MOST_FRESH = 256;
const FRESH_MS = 100;
const MOST_ENDPOINTS_A_CLAIM = 256;
const MOST_PER_ENDPOINT = 8;
/** A seller's endpoints together: what fills this leaves room for thirty others like it. */
const MOST_PER_SELLER = 64;
const MOST_READY_A_LOOK = 1_000;
/** Longer than a call can last, so that a living worker's call is never made twice. */
const LEASE_MS = 30_000;

export interface DelivererDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly webhooks: WebhooksService;
  readonly sender: Sender;
  readonly log: Logger;
  readonly metrics: WebhookMetrics;
  /** Told whenever a call ends, since its endpoint may have room for the next. */
  readonly onRoom: () => void;
}

export type Deliverer = ReturnType<typeof createDeliverer>;

/** Takes due deliveries and calls their receivers, many at once and none in another's way. */
export function createDeliverer({ db, clock, webhooks, sender, log, metrics, onRoom }: DelivererDeps) {
  /** By the id of the delivery. */
  const underWay = new Map<string, { readonly delivery: ClaimedDelivery; readonly done: Promise<void> }>();
  const perEndpoint = new Map<string, number>();
  const perSeller = new Map<string, number>();
  /** Where the next claim looks on, and whether the last one left anything. */
  let after = '';
  let more = false;
  /** When the calls under way began, the longest first, by the machine's clock. */
  const fresh = new Set<{ readonly sinceMs: number }>();
  const stopping = new AbortController();
  const noteAttempts = createDisabling({ db, clock, log });
  const records = new Batch<AttemptRecord, true>({
    lanes: 1,
    run: async (_lane, attempts) => {
      await recordAttempts(db, attempts);
      await noteAttempts(attempts);
      return attempts.map(() => true as const);
    },
  });
  async function deliver(delivery: ClaimedDelivery): Promise<void> {
    let cutOff = false;
    const call = { sinceMs: performance.now() };
    fresh.add(call);
    enter(perEndpoint, delivery.endpoint);
    enter(perSeller, delivery.sellerId);
    /** The call has ended; that it is not recorded yet holds up no other. */
    const end = (): void => {
      fresh.delete(call);
      leave(perEndpoint, delivery.endpoint);
      leave(perSeller, delivery.sellerId);
      onRoom();
    };
    let ended = false;
    try {
      const at = clock.now();
      const signing = await webhooks.signingSecrets(delivery);
      // The registration was deleted, which also ended the delivery.
      if (signing.length === 0) return;
      const headers = signatureHeaders({
        id: delivery.eventId,
        // Receivers compare it with their own clocks, which the sandbox moves for nobody.
        timestampSeconds: Math.floor(Date.now() / 1000),
        body: delivery.payload,
        secrets: signing,
      });
      const result = await sender.post({
        url: delivery.url,
        endpoint: delivery.endpoint,
        body: delivery.payload,
        headers,
        signal: stopping.signal,
      });
      ended = true;
      end();
      // A call that our own shutdown cut off is no failure of the receiver: the lease goes back instead.
      cutOff = stopping.signal.aborted && !result.ok;
      if (cutOff) return;
      metrics.attempted(result);
      await records.add(outcomeOf({ delivery, at, endedMs: clock.nowMs(), result }));
    } catch (error) {
      // The lease runs out and the delivery is taken again: at least once, never none.
      log.error({ err: error }, 'a delivery could not be recorded');
    } finally {
      if (!cutOff) underWay.delete(delivery.id);
      if (!ended) end();
    }
  }

  /** How many calls may begin now. A claim costs the same for one as for many, so in a rush it waits until it is worth it. */
  function room(): number {
    const now = performance.now();
    for (const call of fresh) {
      if (now - call.sinceMs < FRESH_MS) break;
      fresh.delete(call);
    }
    const free = Math.min(MOST_FRESH - fresh.size, MOST_IN_FLIGHT - underWay.size);
    return more && free < MOST_FRESH / 2 ? 0 : free;
  }

  return {
    /** Claims what is ready and starts calling; does not wait for the answers. True where more may be ready at once. */
    async claim(): Promise<boolean> {
      const most = room();
      if (most <= 0 || stopping.signal.aborted) return false;
      const now = clock.now();
      const { deliveries, reached } = await claimDeliveries(db, {
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
        underWay.set(delivery.id, { delivery, done: deliver(delivery) });
      }
      return deliveries.length > 0 || reached !== null;
    },

    /** Lets the next attempts begin whose time has come. True where more may be due. */
    async ready(): Promise<boolean> {
      const made = await readyDeliveries(db, clock.now(), MOST_READY_A_LOOK);
      if (made > 0) onRoom();
      return made === MOST_READY_A_LOOK;
    },

    /** Waits a moment for calls under way, cuts the rest off, and gives their leases back. */
    async stop(graceMs: number): Promise<void> {
      const timer = setTimeout(() => stopping.abort(), graceMs);
      await Promise.allSettled(Array.from(underWay.values(), ({ done }) => done));
      clearTimeout(timer);
      stopping.abort();
      await releaseLeases(
        db,
        Array.from(underWay.values(), ({ delivery }) => delivery),
      );
      await sender.close();
    },
  };
}

function enter<Key>(calls: Map<Key, number>, key: Key): void {
  calls.set(key, (calls.get(key) ?? 0) + 1);
}

function leave<Key>(calls: Map<Key, number>, key: Key): void {
  const left = (calls.get(key) ?? 1) - 1;
  if (left === 0) calls.delete(key);
  else calls.set(key, left);
}
