import type { Clock } from '#clock.ts';
import { Batch } from '#database/batch.ts';
import type { Db } from '#database/connect.ts';
import type { Logger } from '#log.ts';
import { createDisabling } from './disabling.ts';
import { outcomeOf } from './outcomes.ts';
import type { Sender } from './sender.ts';
import type { WebhooksService } from './service.ts';
import { signatureHeaders } from './signature.ts';
import {
  claimDeliveries,
  recordAttempts,
  releaseLeases,
  type AttemptRecord,
  type ClaimedDelivery,
} from './store-deliveries.ts';

/** Far more than a few endpoints that hang can take up together. */
const MOST_IN_FLIGHT = 2_048;
const MOST_A_CLAIM = 256;
const MOST_PER_ENDPOINT = 8;
/** Longer than a call can last, so that a living worker's call is never made twice. */
const LEASE_MS = 30_000;

export interface DelivererDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly webhooks: WebhooksService;
  readonly sender: Sender;
  readonly log: Logger;
  /** Told whenever a call ends, since its endpoint may have room for the next. */
  readonly onRoom: () => void;
}

export type Deliverer = ReturnType<typeof createDeliverer>;

/** Takes due deliveries and calls their receivers, many at once and none in another's way. */
export function createDeliverer({ db, clock, webhooks, sender, log, onRoom }: DelivererDeps) {
  const underWay = new Map<ClaimedDelivery, Promise<void>>();
  const perEndpoint = new Map<string, number>();
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
      // A call that our own shutdown cut off is no failure of the receiver: the lease goes back instead.
      cutOff = stopping.signal.aborted && !result.ok;
      if (cutOff) return;
      await records.add(outcomeOf({ delivery, at, endedMs: clock.nowMs(), result }));
    } catch (error) {
      // The lease runs out and the delivery is taken again: at least once, never none.
      log.error({ err: error }, 'a delivery could not be recorded');
    } finally {
      if (!cutOff) underWay.delete(delivery);
      leave(delivery.endpoint);
      onRoom();
    }
  }

  function enter(endpoint: string): void {
    perEndpoint.set(endpoint, (perEndpoint.get(endpoint) ?? 0) + 1);
  }

  function leave(endpoint: string): void {
    const calls = (perEndpoint.get(endpoint) ?? 1) - 1;
    if (calls === 0) perEndpoint.delete(endpoint);
    else perEndpoint.set(endpoint, calls);
  }

  return {
    /** Claims what is due and starts calling; does not wait for the answers. True where more may be due at once. */
    async claim(): Promise<boolean> {
      const most = Math.min(MOST_A_CLAIM, MOST_IN_FLIGHT - underWay.size);
      if (most <= 0 || stopping.signal.aborted) return false;
      const now = clock.now();
      const claimed = await claimDeliveries(db, {
        now,
        leaseUntil: new Date(now.getTime() + LEASE_MS),
        underWay: [...underWay.keys()],
        most,
        mostPerEndpoint: MOST_PER_ENDPOINT,
        inFlight: perEndpoint,
      });
      for (const delivery of claimed) {
        enter(delivery.endpoint);
        underWay.set(delivery, deliver(delivery));
      }
      return claimed.length > 0;
    },

    /** Waits a moment for calls under way, cuts the rest off, and gives their leases back. */
    async stop(graceMs: number): Promise<void> {
      const timer = setTimeout(() => stopping.abort(), graceMs);
      await Promise.allSettled(underWay.values());
      clearTimeout(timer);
      stopping.abort();
      await releaseLeases(db, [...underWay.keys()]);
      await sender.close();
    },
  };
}
