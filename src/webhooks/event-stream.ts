import { setTimeout as sleep } from 'node:timers/promises';

import { Type } from 'typebox';
import { Value } from 'typebox/value';

import type { SecretBox } from '#platform/crypto/secret-box.ts';
import type { Db } from '#platform/database/connect.ts';
import type { Clock } from '#platform/kit/clock.ts';
import {
  BEFORE_FIRST_EVENT,
  EMPTY_SNAPSHOT,
  findLatestPosition,
  readEventsAfter,
  type EventPage,
  type StreamedEvent,
  type StreamPosition,
} from './store-event-stream.ts';

/**
 * Upper bound of a commit: the server cancels longer statements and idle transactions much earlier.
 */
const MAX_COMMIT_MS = 120_000;

/** Pauses between the polls of a waiting request. */
const POLL_INTERVALS_MS = [100, 200, 300, 500] as const;
const MAX_POLL_INTERVAL_MS = 750;

/** Requests that wait at the same time. Further requests get a response without waiting. */
const MAX_WAITING = 200;
const MAX_WAITING_PER_SELLER = 5;

/**
 * The content of a cursor. The domain clock can be set forward or back, and the order of ids with
 * it, so the age of late events is measured by the system clock: `markMs` is the domain time at the
 * system time `markedAtMs`.
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
  /** A cursor, `now`, or undefined for the oldest event. */
  readonly after: string | undefined;
  /** Event names. Undefined for all events. */
  readonly types: readonly string[] | undefined;
  readonly take: number;
  /** How long to wait if there is no event. */
  readonly waitMs: number;
  /** Ends the wait early. */
  readonly signal: AbortSignal;
}

export interface ReadEventsResult {
  readonly events: readonly StreamedEvent[];
  readonly cursor: string;
  readonly more: boolean;
}

export interface EventStreamDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly secrets: SecretBox;
  readonly waitSlots: WaitSlots;
}

/**
 * Reads a seller's events after a cursor, oldest first. Returns undefined for an invalid cursor.
 */
export async function readEvents(
  deps: EventStreamDeps,
  sellerId: string,
  request: ReadEventsRequest,
): Promise<ReadEventsResult | undefined> {
  const start = await startCursor(deps, sellerId, request.after);
  if (start === undefined) return undefined;
  const waitUntilMs = performance.now() + request.waitMs;
  const hasSlot = deps.waitSlots.acquire(sellerId);
  try {
    const deadlineMs = hasSlot ? waitUntilMs : 0;
    const { events, more, cursor } = await pollEvents(deps, { sellerId, request, deadlineMs }, start);
    return { events, more, cursor: encryptCursor(deps.secrets, sellerId, cursor) };
  } finally {
    if (hasSlot) deps.waitSlots.release(sellerId);
  }
}

interface Poll {
  readonly sellerId: string;
  readonly request: ReadEventsRequest;
  readonly deadlineMs: number;
}

type PollResult = Pick<EventPage, 'events' | 'more'> & { readonly cursor: EventCursor };

async function pollEvents(deps: EventStreamDeps, poll: Poll, start: EventCursor): Promise<PollResult> {
  const { deadlineMs, request } = poll;
  const { signal } = request;
  let result = await readPage(deps, poll, start);
  for (let polls = 0; result.events.length === 0; polls += 1) {
    const intervalMs = POLL_INTERVALS_MS[polls] ?? MAX_POLL_INTERVAL_MS;
    const pauseMs = Math.min(intervalMs, deadlineMs - performance.now());
    if (pauseMs <= 0 || signal.aborted) break;
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) break;
    result = await readPage(deps, poll, result.cursor);
  }
  return result;
}

async function readPage(
  { db, clock }: EventStreamDeps,
  { sellerId, request: { types, take } }: Poll,
  from: EventCursor,
): Promise<PollResult> {
  const nowMs = clock.nowMs();
  const marks = advanceMarks(from, nowMs, Date.now());
  // After the system clock was set back, new events have ids before the position.
  const floorMs = Math.min(from.floorMs, nowMs - MAX_COMMIT_MS);
  const query = { sellerId, types, take };
  const { events, more, upTo, snapshot } = await readEventsAfter(db, query, { ...from, floorMs });
  return { events, more, cursor: { ...marks, upTo, snapshot } };
}

/**
 * Moves the floor to a time that every unfinished commit is younger than. The times are taken
 * before the read that they belong to.
 */
function advanceMarks({ floorMs, markMs, markedAtMs }: EventCursor, nowMs: number, systemMs: number) {
  // The clock was set back. The cursor records it, because the clock may be corrected before the
  // next read.
  if (nowMs < markMs) {
    return { floorMs: Math.min(floorMs, nowMs - MAX_COMMIT_MS), markMs: nowMs, markedAtMs: systemMs };
  }
  return systemMs - markedAtMs > MAX_COMMIT_MS
    ? { floorMs: markMs, markMs: nowMs, markedAtMs: systemMs }
    : { floorMs, markMs, markedAtMs };
}

async function startCursor(
  { db, clock, secrets }: EventStreamDeps,
  sellerId: string,
  after: string | undefined,
): Promise<EventCursor | undefined> {
  if (after !== undefined && after !== 'now') return decryptCursor(secrets, sellerId, after);
  const markMs = clock.nowMs();
  const marks = { floorMs: markMs - MAX_COMMIT_MS, markMs, markedAtMs: Date.now() };
  if (after === undefined) return { upTo: BEFORE_FIRST_EVENT, snapshot: EMPTY_SNAPSHOT, ...marks };
  return { ...(await findLatestPosition(db, sellerId)), ...marks };
}

/** Encrypted, so that clients cannot construct a position that is expensive to read from. */
const encryptCursor = (secrets: SecretBox, sellerId: string, cursor: EventCursor): string =>
  secrets.encrypt(JSON.stringify(cursor), cursorContext(sellerId));

function decryptCursor(secrets: SecretBox, sellerId: string, cursor: string): EventCursor | undefined {
  try {
    const decrypted: unknown = JSON.parse(secrets.decrypt(cursor, cursorContext(sellerId)));
    return Value.Check(EventCursorSchema, decrypted) ? decrypted : undefined;
  } catch {
    return undefined;
  }
}

const cursorContext = (sellerId: string) => `event cursor ${sellerId}`;

/** Counts the requests that wait, in total and for each seller. */
export class WaitSlots {
  readonly #perSeller = new Map<string, number>();
  #total = 0;

  /** Takes a slot. Returns false if none is free. */
  acquire(sellerId: string): boolean {
    const taken = this.#perSeller.get(sellerId) ?? 0;
    if (this.#total >= MAX_WAITING || taken >= MAX_WAITING_PER_SELLER) return false;
    this.#total += 1;
    this.#perSeller.set(sellerId, taken + 1);
    return true;
  }

  release(sellerId: string): void {
    this.#total -= 1;
    const remaining = (this.#perSeller.get(sellerId) ?? 1) - 1;
    if (remaining === 0) this.#perSeller.delete(sellerId);
    else this.#perSeller.set(sellerId, remaining);
  }
}
