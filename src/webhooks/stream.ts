import { setTimeout as sleep } from 'node:timers/promises';

import { Type } from 'typebox';
import { Value } from 'typebox/value';

import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import type { SecretBox } from '#platform/crypto/secrets.ts';
import {
  BEGINNING,
  findEnd,
  NOTHING_SEEN,
  readOn,
  type Position,
  type StreamedEvent,
} from './store-stream.ts';

/** No transaction of ours lasts nearly as long: statements and idle transactions are ended before. */
const LONGEST_COMMIT_MS = 120_000;

/** How often somebody who waits is looked for events: soon at first, then less often. */
const LOOK_MS = [100, 200, 300, 500] as const;
const SLOWEST_LOOK_MS = 750;

/** Requests that may wait at once, of all sellers and of one; whoever comes then is answered without waiting. */
const MOST_WAITING = 200;
const MOST_WAITING_OF_ONE = 5;

/**
 * What a cursor holds beside the position. The domain's clock may be moved, and the order of ids with it, so how far back late
 * events may lie is measured on the machine's clock: `mark` is the domain's time at `markedAt` on the machine's.
 */
interface Bookmark extends Position {
  readonly markMs: number;
  readonly markedAtMs: number;
}

const BookmarkSchema = Type.Object({
  upTo: Type.String(),
  snapshot: Type.String(),
  floorMs: Type.Number(),
  markMs: Type.Number(),
  markedAtMs: Type.Number(),
});

export interface Reading {
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

export interface Read {
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
export function createStream({ db, clock, secrets }: StreamDeps) {
  const waiting = new Map<string, number>();
  let waitingInAll = 0;

  // Sealed, so that nobody can make up a position that is expensive to read from.
  const seal = (bookmark: Bookmark, sellerId: string): string =>
    secrets.seal(JSON.stringify(bookmark), cursorContext(sellerId));

  function open(cursor: string, sellerId: string): Bookmark | undefined {
    try {
      const bookmark: unknown = JSON.parse(secrets.open(cursor, cursorContext(sellerId)));
      return Value.Check(BookmarkSchema, bookmark) ? bookmark : undefined;
    } catch {
      return undefined;
    }
  }

  async function begin(sellerId: string, after: string | undefined): Promise<Bookmark | undefined> {
    if (after !== undefined && after !== 'now') return open(after, sellerId);
    const markMs = clock.nowMs();
    const marks = { floorMs: markMs - LONGEST_COMMIT_MS, markMs, markedAtMs: Date.now() };
    if (after === undefined) return { upTo: BEGINNING, snapshot: NOTHING_SEEN, ...marks };
    return { ...(await findEnd(db, sellerId)), ...marks };
  }

  async function wait<T>(sellerId: string, run: (mayWait: boolean) => Promise<T>): Promise<T> {
    const others = waiting.get(sellerId) ?? 0;
    if (waitingInAll >= MOST_WAITING || others >= MOST_WAITING_OF_ONE) return run(false);
    waitingInAll += 1;
    waiting.set(sellerId, others + 1);
    try {
      return await run(true);
    } finally {
      waitingInAll -= 1;
      const left = (waiting.get(sellerId) ?? 1) - 1;
      if (left === 0) waiting.delete(sellerId);
      else waiting.set(sellerId, left);
    }
  }

  return {
    /** Reads events after a cursor, oldest first; undefined where the cursor is none of ours for this seller. */
    async readEvents(
      sellerId: string,
      { after, types, take, waitMs, signal }: Reading,
    ): Promise<Read | undefined> {
      const begun = await begin(sellerId, after);
      if (begun === undefined) return undefined;
      const end = performance.now() + waitMs;
      const look = async (from: Bookmark) => {
        const nowMs = clock.nowMs();
        const marks = remarked(from, nowMs, Date.now());
        // Where the machine's clock was set back, what is decided now has ids before the position.
        const floorMs = Math.min(from.floorMs, nowMs - LONGEST_COMMIT_MS);
        const { events, more, ...position } = await readOn(db, sellerId, { ...from, floorMs }, types, take);
        return { events, more, bookmark: { ...marks, ...position } };
      };
      return wait(sellerId, async (mayWait) => {
        let found = await look(begun);
        const patience = mayWait ? end : 0;
        for (let looks = 0; found.events.length === 0; looks += 1) {
          const pause = Math.min(LOOK_MS[looks] ?? SLOWEST_LOOK_MS, patience - performance.now());
          if (pause <= 0 || signal.aborted) break;
          await sleep(pause, undefined, { signal }).catch(() => undefined);
          if (signal.aborted) break;
          found = await look(found.bookmark);
        }
        return { events: found.events, more: found.more, cursor: seal(found.bookmark, sellerId) };
      });
    },
  };
}

/** Moves the floor to a time that no unfinished commit can be older than. Measured before the reading it goes with. */
function remarked(from: Bookmark, nowMs: number, machineMs: number) {
  const { floorMs, markMs, markedAtMs } = from;
  // The machine's clock was set back. The cursor keeps it, since the clock may be set right before the next reading.
  if (nowMs < markMs) {
    return { floorMs: Math.min(floorMs, nowMs - LONGEST_COMMIT_MS), markMs: nowMs, markedAtMs: machineMs };
  }
  return machineMs - markedAtMs > LONGEST_COMMIT_MS
    ? { floorMs: markMs, markMs: nowMs, markedAtMs: machineMs }
    : { floorMs, markMs, markedAtMs };
}

const cursorContext = (sellerId: string) => `event cursor ${sellerId}`;
