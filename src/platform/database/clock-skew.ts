import { sql } from 'kysely';
import type { Registry } from 'prom-client';

import type { Job } from '#platform/jobs/loop.ts';
import type { Logger } from '#platform/kit/log.ts';
import { registerGauge } from '#platform/telemetry/gauge.ts';
import type { Db } from './connect.ts';

const INTERVAL_MS = 10_000;
const WARNING_MS = 2_000;
const MAX_SKEW_MS = 30_000;
/** An older comparison is not used: the process or its machine was stopped meanwhile. */
const MAX_AGE_MS = 3 * INTERVAL_MS;
/** A slower response does not show precisely when the database read its clock. */
const MAX_ROUND_TRIP_MS = 1_000;

/** The difference between the clocks of this machine and of the database. */
export interface ClockSkew {
  /** Whether this process must not do time-dependent work. */
  readonly isExceeded: boolean;
  /** As `isExceeded`, and compares the clocks first if that was long ago. */
  checkExceeded(): Promise<boolean>;
  /** Compares the clocks every ten seconds. */
  readonly job: Job;
}

type Level = 'ok' | 'warning' | 'exceeded';

interface ClockSkewOptions {
  readonly db: Db;
  readonly log: Logger;
  readonly registry: Registry;
}

/**
 * Compares the clocks.
 *
 * @throws Error if they differ by more than 30 seconds.
 */
export async function openClockSkew({ db, log, registry }: ClockSkewOptions): Promise<ClockSkew> {
  let measured = { skewMs: (await measureSkew(db)) ?? 0, offsetMs: wallOffsetMs() };
  let comparedMs = performance.now();
  let level: Level = 'ok';
  // A clock that is set shows at once: it moves, and the monotonic one does not.
  const currentMs = (): number => measured.skewMs + wallOffsetMs() - measured.offsetMs;
  refuseExceeded(measured.skewMs);
  const apply = (skewMs: number): void => {
    measured = { skewMs, offsetMs: wallOffsetMs() };
    const before = level;
    level = levelOf(skewMs);
    if (level !== before) report(log, level, skewMs);
  };
  apply(measured.skewMs);
  const compare = async (): Promise<void> => {
    const skewMs = await measureSkew(db);
    comparedMs = performance.now();
    if (skewMs !== undefined) apply(skewMs);
  };
  const isExceeded = (): boolean => levelOf(currentMs()) === 'exceeded';
  registerGauge({
    name: 'clock_skew_seconds',
    help: "This machine's clock minus the database's",
    registers: [registry],
    collect() {
      this.set(currentMs() / 1000);
    },
  });
  return {
    get isExceeded() {
      return isExceeded();
    },
    async checkExceeded() {
      if (performance.now() - comparedMs > MAX_AGE_MS) await compare();
      return isExceeded();
    },
    job: {
      name: 'clock skew',
      intervalMs: INTERVAL_MS,
      async run() {
        await compare();
        return false;
      },
    },
  };
}

/**
 * Refuses a command whose times would be wrong.
 *
 * @throws Error if the clocks differ by more than 30 seconds.
 */
export async function requireSameClock(db: Db): Promise<void> {
  refuseExceeded((await measureSkew(db)) ?? 0);
}

function refuseExceeded(skewMs: number): void {
  if (levelOf(skewMs) !== 'exceeded') return;
  throw new Error(
    `this machine's clock differs from the database's by ${seconds(skewMs)} s: ` +
      'synchronize both (NTP) and start again',
  );
}

/** Changes only when the machine's clock is set. */
const wallOffsetMs = (): number => Date.now() - performance.now();

/** Returns undefined if the response took too long. */
export async function measureSkew(db: Db): Promise<number | undefined> {
  const [wallBefore, before] = [Date.now(), performance.now()];
  const { rows } = await sql<{ ms: number }>`
    SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms`.execute(db);
  const roundTripMs = performance.now() - before;
  const [row] = rows;
  if (row === undefined || roundTripMs > MAX_ROUND_TRIP_MS) return undefined;
  return wallBefore + roundTripMs / 2 - row.ms;
}

function levelOf(skewMs: number): Level {
  const size = Math.abs(skewMs);
  if (size > MAX_SKEW_MS) return 'exceeded';
  return size > WARNING_MS ? 'warning' : 'ok';
}

const seconds = (ms: number): number => Math.round(Math.abs(ms) / 100) / 10;

function report(log: Logger, level: Level, skewMs: number): void {
  const values = { skewSeconds: Math.round(skewMs / 100) / 10 };
  switch (level) {
    case 'exceeded':
      log.error(values, "clock differs from the database's: work that time decides stops");
      return;
    case 'warning':
      log.warn(values, "clock differs from the database's");
      return;
    case 'ok':
      log.info(values, "clock agrees with the database's");
  }
}
