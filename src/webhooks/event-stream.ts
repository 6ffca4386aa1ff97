import { setTimeout as sleep } from 'node:timers/promises';

import { Type } from 'typebox';
import { Value } from 'typebox/value';

import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import {
  BEFORE_FIRST_EVENT,
  findLatestPosition,
  EMPTY_SNAPSHOT,
  readEventsAfter,
  type StreamPosition,
  type StreamedEvent,
} from './store-event-stream.ts';

/** No transaction of ours lasts nearly as long: statements and idle transactions are ended before. */
const MAX_COMMIT_MS = 120_000;

/** How often somebody who waits is looked for events: soon at first, then less often. */
const POLL_INTERVALS_MS = [100, 200, 300, 500] as const;
const MAX_POLL_INTERVAL_MS = 750;

/** Requests that may wait at once, of all sellers and of one; whoever comes then is answered without waiting. */
const MAX_WAITING = 200;
const MAX_WAITING_PER_SELLER = 5;

/**
 * What a cursor holds beside the position. The domain's clock may be moved, and the order of ids with it, so how far back late
 * events may lie is measured on the machine's clock: `mark` is the domain's time at `markedAt` on the machine's.
 */
interface EventCursor extends StreamPosition {
  readonly markMs: number;
  readonly markedAtMs: number;
}

const EventCursorSchema = Type.Object({
  upTo: Type.String(),
  snapshot: Type.String(),
  floorMs: Type.Number(),
  markMs: Type.Number(),
  markedAtMs: Type.Number(),
});

export interface ReadEventsRequest {
  /** A cursor, `now`, or undefined for the oldest event there is. */
  readonly after: string | undefined;
  /** Names of events; undefined for all. */
  readonly types: readonly string[] | undefined;
  readonly take: number;
  /** How long to wait for an event where there is none. */
  readonly waitMs: number;
  /** Ends the waiting early. */
  readonly signal: AbortSignal;
}

export interface ReadEventsResult {
  readonly events: readonly StreamedEvent[];
  readonly cursor: string;
  readonly more: boolean;
}

export interface StreamDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly secrets: SecretBox;
}

/** A seller's events in their order, for whoever asks for them instead of being called. */
export function createEventStream({ db, clock, secrets }: StreamDeps) {
  const waiting = new Map<string, number>();
  let totalWaiting = 0;

  // Sealed, so that nobody can make up a position that is expensive to read from.
  const encryptCursor = (cursor: EventCursor, sellerId: string): string =>
    secrets.encrypt(JSON.stringify(cursor), cursorContext(sellerId));

  function decryptCursor(cursor: string, sellerId: string): EventCursor | undefined {
    try {
      const decrypted: unknown = JSON.parse(secrets.decrypt(cursor, cursorContext(sellerId)));
      return Value.Check(EventCursorSchema, decrypted) ? decrypted : undefined;
    } catch {
      return undefined;
    }
  }

  async function startCursor(sellerId: string, after: string | undefined): Promise<EventCursor | undefined> {
    if (after !== undefined && after !== 'now') return decryptCursor(after, sellerId);
    const markMs = clock.nowMs();
    const marks = { floorMs: markMs - MAX_COMMIT_MS, markMs, markedAtMs: Date.now() };
    if (after === undefined) return { upTo: BEFORE_FIRST_EVENT, snapshot: EMPTY_SNAPSHOT, ...marks };
    return { ...(await findLatestPosition(db, sellerId)), ...marks };
  }

  async function withWaitSlot<T>(sellerId: string, run: (mayWait: boolean) => Promise<T>): Promise<T> {
    const others = waiting.get(sellerId) ?? 0;
    if (totalWaiting >= MAX_WAITING || others >= MAX_WAITING_PER_SELLER) return run(false);
    totalWaiting += 1;
    waiting.set(sellerId, others + 1);
    try {
      return await run(true);
    } finally {
      totalWaiting -= 1;
      const left = (waiting.get(sellerId) ?? 1) - 1;
      if (left === 0) waiting.delete(sellerId);
      else waiting.set(sellerId, left);
    }
  }

  return {
    /** Reads events after a cursor, oldest first; undefined where the cursor is none of ours for this seller. */
    async readEvents(
      sellerId: string,
      { after, types, take, waitMs, signal }: ReadEventsRequest,
    ): Promise<ReadEventsResult | undefined> {
      const start = await startCursor(sellerId, after);
      if (start === undefined) return undefined;
      const end = performance.now() + waitMs;
      const poll = async (from: EventCursor) => {
        const nowMs = clock.nowMs();
        const marks = advanceMarks(from, nowMs, Date.now());
        // Where the machine's clock was set back, what is decided now has ids before the position.
        const floorMs = Math.min(from.floorMs, nowMs - MAX_COMMIT_MS);
        const { events, more, ...position } = await readEventsAfter(
          db,
          sellerId,
          { ...from, floorMs },
          types,
          take,
        );
        return { events, more, cursor: { ...marks, ...position } };
      };
      return withWaitSlot(sellerId, async (mayWait) => {
        let found = await poll(start);
        const deadline = mayWait ? end : 0;
        for (let polls = 0; found.events.length === 0; polls += 1) {
          const pause = Math.min(
            POLL_INTERVALS_MS[polls] ?? MAX_POLL_INTERVAL_MS,
            deadline - performance.now(),
          );
          if (pause <= 0 || signal.aborted) break;
          await sleep(pause, undefined, { signal }).catch(() => undefined);
          if (signal.aborted) break;
          found = await poll(found.cursor);
        }
        return { events: found.events, more: found.more, cursor: encryptCursor(found.cursor, sellerId) };
      });
    },
  };
}

/** Moves the floor to a time that no unfinished commit can be older than. Measured before the reading it goes with. */
function advanceMarks(from: EventCursor, nowMs: number, machineMs: number) {
  const { floorMs, markMs, markedAtMs } = from;
  // The machine's clock was set back. The cursor keeps it, since the clock may be set right before the next reading.
  if (nowMs < markMs) {
    return { floorMs: Math.min(floorMs, nowMs - MAX_COMMIT_MS), markMs: nowMs, markedAtMs: machineMs };
  }
  return machineMs - markedAtMs > MAX_COMMIT_MS
    ? { floorMs: markMs, markMs: nowMs, markedAtMs: machineMs }
    : { floorMs, markMs, markedAtMs };
}

const cursorContext = (sellerId: string) => `event cursor ${sellerId}`;
