import { setTimeout as sleep } from 'node:timers/promises';

import type { Notifier } from '#notifications/notifier.ts';
import type { Database, Db } from '#platform/database/connect.ts';
import {
  sellerConnection,
  shardConnections,
  type SellerConnection,
  type ShardConnections,
} from '#platform/database/dedicated-connection.ts';
import { isLockTimeout } from '#platform/database/errors.ts';
import {
  createGroupCommit,
  type GroupCommit,
  type GroupCommitFactory,
} from '#platform/database/group-commit.ts';
import { ISOLATED_LOCK_TIMEOUT_MS } from '#platform/database/isolation.ts';
import type { RunStatement } from '#platform/database/statements.ts';
import { bindDeps } from '#platform/kit/bind.ts';
import type { Clock } from '#platform/kit/clock.ts';
import type { LeaseHolder } from '#platform/jobs/lease-holder.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import type { Logger } from '#platform/kit/log.ts';
import { createEndpointHealthTracker } from './endpoint-health.ts';
import { InFlightDeliveries } from './in-flight.ts';
import type { WebhookMetrics } from './metrics.ts';
import { toAttemptRecord } from './retry-policy.ts';
import type { Sender } from './sender.ts';
import type { WebhooksService } from './service.ts';
import { signatureHeaders } from './signature.ts';
import {
  claimDeliveries,
  ANY_READY,
  failOrphanedDelivery,
  markDeliveriesReady,
  recordAttempts,
  releaseLeases,
  type AttemptRecord,
  type Claim,
  type ClaimedDelivery,
  type ClaimLimits,
} from './store-deliveries.ts';

/** Deliveries leased by this process. Far more than a few endpoints that hang can occupy. */
const MAX_IN_FLIGHT = 2_048;
/**
 * Calls that started within `NEW_CALL_MS`. Most endpoints respond at once, and a few connections
 * that are reused send more than a thousand connections that each need a handshake. Slow calls soon
 * count no longer.
 */
const MAX_NEW_CALLS = 64;
const NEW_CALL_MS = 25;
/** Claimed deliveries that wait for their call, so that calls continue during the next claim. */
const MAX_QUEUED = 512;
/**
 * A large claim costs little more than a small one, so under load a claim waits until it can be
 * large.
 */
const MIN_CLAIM_UNDER_LOAD = 256;
const MAX_ENDPOINTS_PER_CLAIM = 128;
const MAX_PER_ENDPOINT = 8;
/** All endpoints of a seller together. Thirty more sellers fit beside one that uses all of it. */
const MAX_PER_SELLER = 64;
const MAX_READY_PER_POLL = 1_000;
/**
 * Attempts recorded by one statement. After a small batch the next one is delayed, so that it
 * grows. A single attempt delays none: there are few.
 */
const MAX_ATTEMPTS_PER_BATCH = 512;
const SMALL_BATCH = { min: 2, max: 128 } as const;
const BATCH_DELAY_MS = 25;
/**
 * The queue can grow from empty to thousands within a second, and a plan for few rows then scans
 * all of them.
 */
const PLAN_TTL_MS = 500;
/**
 * Longer than a delivery can be queued and called, so that a running worker never sends it twice.
 */
const LEASE_MS = 30_000;

/** How long claims leave out locked deliveries after one has waited for them. */
const SKIP_LOCKED_MS = 5_000;
/** How long the recording of attempts is repeated while their deliveries are locked. */
const LOCKED_RETRY_MS = 3_000;

export interface DelivererDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly webhooks: Pick<WebhooksService, 'signingKeys'>;
  readonly sender: Sender;
  readonly log: Logger;
  readonly notifier: Notifier;
  readonly leaseHolder: LeaseHolder;
  readonly metrics: WebhookMetrics;
  /** Called when a call has ended, because its endpoint may have a free slot for the next one. */
  readonly onCapacity: () => void;
  /** Defaults to group commits without metrics. */
  readonly groupCommit?: GroupCommitFactory;
}

export type Deliverer = ReturnType<typeof createDeliverer>;

const sellerOf = ({ delivery }: AttemptRecord) => delivery.sellerId;

/**
 * Claims due deliveries and calls their endpoints, many at once, so that no endpoint delays
 * another.
 */
export function createDeliverer(deps: DelivererDeps) {
  const { database, groupCommit = createGroupCommit } = deps;
  const state: DelivererState = {
    inFlight: new InFlightDeliveries(),
    calls: new Set(),
    newCalls: new Set(),
    claimedUpTo: new Map(),
    moreReady: false,
    slotFreed: false,
    skipLockedUntilMs: -Infinity,
    nextTurn: undefined,
    nextTurnTimer: undefined,
    stopping: false,
    canceled: false,
  };
  const connectionOptions = { planTtlMs: PLAN_TTL_MS, allowSeqScan: true };
  const recording = sellerConnection(database, { name: 'attempts', sellerOf }, connectionOptions);
  const isolatedRecording = sellerConnection(
    database,
    { name: 'attempts isolated', sellerOf },
    { ...connectionOptions, lockTimeoutMs: ISOLATED_LOCK_TIMEOUT_MS },
  );
  const recordOn = createAttemptRecorder(deps, state);
  return bindDeps(
    {
      ...deps,
      db: database.db,
      state,
      // If the server loses a lease, its delivery is made again, as after a crash of the worker.
      // The plans are renewed twice a second, so that sequential scans follow the size of the
      // queue.
      claims: shardConnections(
        database,
        { name: 'claims', matching: ANY_READY },
        { ...connectionOptions, durable: false },
      ),
      attempts: groupCommit<AttemptRecord, true>('attempts', {
        maxItems: MAX_ATTEMPTS_PER_BATCH,
        nodeOf: recording.nodeOf,
        run: (attempts) => recordOn(recording, attempts),
        isolation: {
          groupOf: sellerOf,
          run: (attempts) => recordOn(isolatedRecording, attempts),
          retryMs: LOCKED_RETRY_MS,
        },
      }),
    },
    { claim, markReady, stop },
  );
}

interface DelivererState {
  readonly inFlight: InFlightDeliveries;
  readonly calls: Set<Promise<void>>;
  /** Calls that have not ended and started recently, oldest first. */
  readonly newCalls: Set<Call>;
  /** The endpoint after which the next claim starts, by shard. */
  readonly claimedUpTo: Map<string, string>;
  /** Whether the last claim left ready deliveries. */
  moreReady: boolean;
  /** Whether a claim may have left out deliveries of an endpoint or seller that has a slot again. */
  slotFreed: boolean;
  /** Until when claims leave out locked deliveries, in milliseconds of `performance.now()`. */
  skipLockedUntilMs: number;
  nextTurn: NodeJS.Immediate | undefined;
  nextTurnTimer: NodeJS.Timeout | undefined;
  /** No call starts any more. */
  stopping: boolean;
  /** The calls in flight have been aborted. */
  canceled: boolean;
}

interface DelivererContext extends DelivererDeps {
  readonly db: Db;
  readonly state: DelivererState;
  readonly claims: ShardConnections;
  readonly attempts: GroupCommit<AttemptRecord, true>;
}

interface Call {
  readonly delivery: ClaimedDelivery;
  /** In milliseconds of `performance.now()`. */
  readonly startedMs: number;
  ended: boolean;
}

function createAttemptRecorder({ database, clock, log, notifier }: DelivererDeps, state: DelivererState) {
  const trackHealth = createEndpointHealthTracker({ db: database.db, clock, log, notifier });
  return async (
    connection: SellerConnection<AttemptRecord>,
    attempts: readonly AttemptRecord[],
  ): Promise<readonly true[]> => {
    await connection.run(attempts, async (query, part) => {
      await recordAttempts(query, part);
      return part.map(() => true as const);
    });
    failPoint('deliveries.recorded');
    await trackHealth(attempts);
    const isSmall = attempts.length >= SMALL_BATCH.min && attempts.length < SMALL_BATCH.max;
    if (isSmall && !state.stopping) await sleep(BATCH_DELAY_MS);
    return attempts.map(() => true as const);
  };
}

/**
 * Claims ready deliveries and starts their calls, without waiting for them. Returns whether more
 * may be ready.
 */
async function claim(context: DelivererContext): Promise<boolean> {
  const { clock, leaseHolder, state } = context;
  const { inFlight } = state;
  const limit = claimCapacity(state);
  const { id: leasedBy } = leaseHolder;
  if (state.stopping || leasedBy === undefined) return false;
  if (limit <= 0) {
    // What this claim would have found is claimed once there is room.
    state.moreReady = true;
    return false;
  }
  const now = clock.now();
  const claimed: ClaimedDelivery[] = [];
  let hasMoreEndpoints = false;
  await context.claims.forEach(async (query, shard) => {
    if (claimed.length >= limit) return;
    const { deliveries, lastEndpoint } = await claimOrSkipLocked(state, query, {
      now,
      leaseUntil: new Date(now.getTime() + LEASE_MS),
      leasedBy,
      after: state.claimedUpTo.get(shard) ?? '',
      maxDeliveries: limit - claimed.length,
      maxEndpoints: MAX_ENDPOINTS_PER_CLAIM,
      maxPerEndpoint: MAX_PER_ENDPOINT,
      maxPerSeller: MAX_PER_SELLER,
      activePerEndpoint: inFlight.perEndpoint,
      activePerSeller: inFlight.perSeller,
      // A lock timeout would end the transaction on the shard.
      skipLocked: shard !== '',
    });
    // The next claim starts with the endpoints that this one did not reach.
    state.claimedUpTo.set(shard, lastEndpoint ?? '');
    hasMoreEndpoints ||= lastEndpoint !== null;
    claimed.push(...deliveries);
  });
  state.moreReady = claimed.length === limit || hasMoreEndpoints;
  for (const delivery of claimed) inFlight.enqueue(delivery);
  if (claimed.length > 0) failPoint('deliveries.claimed');
  startCalls(context);
  return claimed.length > 0 || hasMoreEndpoints;
}

/** Claims deliveries. Leaves out those that are locked, once a claim has waited for them. */
async function claimOrSkipLocked(
  state: DelivererState,
  query: RunStatement,
  limits: ClaimLimits,
): Promise<Claim> {
  const skipLocked = limits.skipLocked === true || performance.now() < state.skipLockedUntilMs;
  try {
    return await claimDeliveries(query, { ...limits, skipLocked });
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    state.skipLockedUntilMs = performance.now() + SKIP_LOCKED_MS;
    return claimDeliveries(query, { ...limits, skipLocked: true });
  }
}

/** Makes deliveries ready whose next attempt is due. Returns whether more may be due. */
async function markReady({ db, clock, onCapacity }: DelivererContext): Promise<boolean> {
  const marked = await markDeliveriesReady(db, clock.now(), MAX_READY_PER_POLL);
  if (marked > 0) {
    failPoint('deliveries.ready');
    onCapacity();
  }
  return marked === MAX_READY_PER_POLL;
}

/**
 * Starts no further calls, aborts those that have not ended after `graceMs`, and releases their
 * leases.
 */
async function stop({ db, sender, state }: DelivererContext, graceMs: number): Promise<void> {
  const cancelCalls = (): void => {
    state.canceled = true;
    sender.cancel();
  };
  state.stopping = true;
  clearTimeout(state.nextTurnTimer);
  const timer = setTimeout(cancelCalls, graceMs);
  await Promise.allSettled(state.calls);
  clearTimeout(timer);
  cancelCalls();
  await releaseLeases(db, state.inFlight.all());
  await sender.close();
}

/** Starts the queued calls, as many as `MAX_NEW_CALLS` allows. */
function startCalls(context: DelivererContext): void {
  const { inFlight, calls, newCalls, stopping } = context.state;
  if (stopping) return;
  const nowMs = performance.now();
  for (const call of newCalls) {
    if (nowMs - call.startedMs < NEW_CALL_MS) break;
    newCalls.delete(call);
  }
  for (const delivery of inFlight.dequeue(MAX_NEW_CALLS - newCalls.size)) {
    const call = deliver(context, delivery);
    calls.add(call);
    void call.then(() => calls.delete(call));
  }
  // If all calls are slow, none of them ends soon and starts the next ones.
  if (inFlight.queued > 0) {
    context.state.nextTurnTimer ??= setTimeout(continueCallsLater, NEW_CALL_MS, context);
  }
}

async function deliver(context: DelivererContext, delivery: ClaimedDelivery): Promise<void> {
  const { attempts, clock, db, log, metrics, sender, state, webhooks } = context;
  const call = { delivery, startedMs: performance.now(), ended: false };
  state.newCalls.add(call);
  let isInterrupted = false;
  try {
    const at = clock.now();
    const keys = await webhooks.signingKeys(delivery);
    // Its webhook has been deleted, which also ended the deliveries that were committed before.
    if (keys.length === 0) {
      await failOrphanedDelivery(db, delivery, at);
      return;
    }
    const { url, payload: body, traceParent } = delivery;
    // Receivers compare the timestamp with their own clocks, so it is not the sandbox clock.
    const timestampSeconds = Math.floor(Date.now() / 1000);
    const headers = signatureHeaders({ id: delivery.eventId, timestampSeconds, body, keys });
    const result = await sender.post({ url, body, headers, traceParent });
    endCall(context, call);
    // An aborted call is no failure of the receiver. Its lease is released instead.
    isInterrupted = state.canceled && !result.ok;
    if (isInterrupted) return;
    failPoint('deliveries.called');
    metrics.recordAttempt(result);
    await attempts.add(toAttemptRecord({ delivery, at, result }));
  } catch (err) {
    // The lease expires and the delivery is claimed again: delivery is at least once.
    log.error({ err }, 'webhook attempt could not be recorded');
  } finally {
    if (!isInterrupted) state.inFlight.remove(delivery);
    endCall(context, call);
  }
}

/** Frees the slots of a call. The attempt may not be recorded yet, which delays no other call. */
function endCall(context: DelivererContext, call: Call): void {
  if (call.ended) return;
  const { state } = context;
  call.ended = true;
  state.newCalls.delete(call);
  const { endpoint, sellerId } = call.delivery;
  const { perEndpoint, perSeller } = state.inFlight;
  state.slotFreed ||=
    perEndpoint.get(endpoint) === MAX_PER_ENDPOINT || perSeller.get(sellerId) === MAX_PER_SELLER;
  state.inFlight.endCall(call.delivery);
  // Its connection can be reused one turn of the event loop after the response.
  state.nextTurn ??= setImmediate(continueCalls, context);
}

/** Starts the next calls. Requests a claim if the queue is short and deliveries may be ready. */
function continueCalls(context: DelivererContext): void {
  const { state } = context;
  state.nextTurn = undefined;
  startCalls(context);
  if (!(state.moreReady || state.slotFreed) || claimCapacity(state) <= 0) return;
  state.slotFreed = false;
  context.onCapacity();
}

function continueCallsLater(context: DelivererContext): void {
  context.state.nextTurnTimer = undefined;
  continueCalls(context);
}

/** The number of deliveries that can be claimed now. */
function claimCapacity({ inFlight, moreReady }: DelivererState): number {
  const free = MAX_QUEUED - inFlight.queued;
  return moreReady && free < MIN_CLAIM_UNDER_LOAD ? 0 : Math.min(free, MAX_IN_FLIGHT - inFlight.size);
}
