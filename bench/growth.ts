import { setTimeout as sleep } from 'node:timers/promises';

import { AMPLE_SECONDS, createCharges, createWork, preparePayments } from './charges.ts';
import { query } from './database.ts';
import { cpuTime, costLine } from './cpu.ts';
import { fillCharges } from './fill.ts';
import { latencyLine, median, percentiles, print, two, whole } from './figures.ts';
import { rateOf, type Load, type LoadResult } from './load.ts';
import { measureReads, prepareReads } from './read.ts';
import type { BenchOptions } from './options.ts';
import { makeSellers } from './sellers.ts';
import { withServer, type Seller, type Server } from './server.ts';

/** Fractions of the largest table: 50 thousand, 500 thousand and 5 million rows by default. */
const STEPS = [0.01, 0.1, 1];
const MAX_BY_API = 20_000;
const PAYMENTS = 5_000;
const IDLE_TIMEOUT_MS = 30 * 60_000;
const IDLE_WINDOW_MS = 3_000;
const SMOKE_IDLE_WINDOW_MS = 200;
/** Share of one core. */
const IDLE = 0.15;

/** The daily ledger check would run during one of the sizes only. */
const NO_CHECK = { LEDGER_CHECK_HOURS: '0' };

/** A separate gateway with this many transactions. */
interface Place {
  readonly charges: number;
  readonly server: Server;
  readonly sellers: readonly Seller[];
}

/** The results of one workload by round. */
interface Seen {
  readonly place: Place;
  readonly creations: LoadResult[];
  readonly payments: LoadResult[];
  readonly one: LoadResult[];
  readonly list: LoadResult[];
  /** Over all creations. */
  readonly cost: { gateway: number; database: number; walBytes: number; count: number };
}

/**
 * Creations, payments and reads with small and large tables, whose cost must not depend on the
 * size. Each size has its own gateway and database, and every round measures all of them in turn,
 * so that other load of the machine affects all of them equally.
 */
export async function benchGrowth(options: BenchOptions, load: Load): Promise<void> {
  const steps = options.smoke ? STEPS.slice(-1) : STEPS;
  const sizes = steps.map((step) => Math.ceil(options.charges * step));
  await withPlaces({ options, load }, sizes.toReversed(), async (places) => {
    const seen = await measure(options, load, places.toReversed());
    table('creations/s', seen, (at) => at.creations);
    for (const { place, cost } of seen) {
      const each = costLine('creation', { gateway: 0, database: 0 }, cost, cost.count);
      print(`  with ${place.charges}: ${each}, ${whole(cost.walBytes / cost.count)} bytes of log`);
    }
    table('payments/s', seen, (at) => at.payments);
    table('GET /v1/transactions/{id}, /s', seen, (at) => at.one);
    table('first page of the list, /s', seen, (at) => at.list);
    const [size] = await query<{ gib: string }>(
      places[0]?.server.databaseUrl ?? '',
      'SELECT round(pg_database_size(current_database()) / 2.0 ^ 30, 1) AS gib',
    );
    print(`the largest database holds ${size?.gib ?? '?'} GiB`);
  });
}

/**
 * The largest first, so that the system has finished its background work before the measurement.
 */
async function withPlaces(
  deps: { readonly options: BenchOptions; readonly load: Load },
  sizes: readonly number[],
  use: (places: readonly Place[]) => Promise<void>,
  made: readonly Place[] = [],
): Promise<void> {
  const charges = sizes[made.length];
  if (charges === undefined) return use(made);
  const { options, load } = deps;
  const { profileDir, smoke } = options;
  // A smoke run has one size, which needs no gateway of its own.
  const shared = smoke ? { server: options.server } : {};
  await withServer({ ...shared, profileDir, settings: NO_CHECK }, async (server) => {
    const sellers = await makeSellers(server, options.sellers);
    // Some are created through the API, so that statements are planned before there are millions of
    // rows.
    const few = Math.min(MAX_BY_API, Math.ceil(charges / 10));
    await createCharges(load, server, sellers, few);
    await fillCharges(server.databaseUrl, sellers, charges - few);
    await untilIdle(server, options.smoke ? SMOKE_IDLE_WINDOW_MS : IDLE_WINDOW_MS);
    print(`${charges} charges are there`);
    await withPlaces(deps, sizes, use, [...made, { charges, server, sellers }]);
  });
}

async function measure(
  options: BenchOptions,
  load: Load,
  places: readonly Place[],
): Promise<readonly Seen[]> {
  const { callers, seconds, rounds, smoke } = options;
  const create = ({ server, sellers }: Place, length: number): Promise<LoadResult> =>
    load.run({ port: server.port, callers, seconds: length, status: 201, work: createWork(sellers) });
  for (const place of places) await create(place, Math.min(seconds, 3));

  const seen = places.map((place): Seen => ({
    place,
    creations: [],
    payments: [],
    one: [],
    list: [],
    cost: { gateway: 0, database: 0, walBytes: 0, count: 0 },
  }));
  for (let round = 0; round < rounds; round += 1) {
    for (const { place, creations, cost } of seen) {
      const cpu = await cpuTime(place.server.pid);
      const wal = await walPosition(place.server.databaseUrl);
      const created = await create(place, seconds);
      creations.push(created);
      const cpuAfter = await cpuTime(place.server.pid);
      cost.gateway += cpuAfter.gateway - cpu.gateway;
      cost.database += cpuAfter.database - cpu.database;
      cost.walBytes += (await walPosition(place.server.databaseUrl)) - wal;
      cost.count += created.done;
    }
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const { place, payments } of seen) {
      const calls = await preparePayments(load, place.server, place.sellers, smoke ? 100 : PAYMENTS);
      const plan = { port: place.server.port, callers, seconds: AMPLE_SECONDS, status: 200 };
      payments.push(await load.run({ ...plan, work: { kind: 'once', calls } }));
    }
  }
  const readers = [];
  for (const at of seen) {
    const { server, sellers } = at.place;
    readers.push({ ...at, calls: await prepareReads(options, load, server, sellers) });
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const { place, calls, one, list } of readers) {
      const reads = await measureReads({ ...options, rounds: 1 }, load, place.server, calls);
      one.push(...reads.one);
      list.push(...reads.list);
    }
  }
  return seen;
}

/** One line per size: the median of its rounds, and the ratio to the smallest size by round. */
function table(name: string, seen: readonly Seen[], resultsOf: (at: Seen) => readonly LoadResult[]): void {
  print(name);
  const first = seen[0] === undefined ? [] : resultsOf(seen[0]).map(rateOf);
  for (const at of seen) {
    const results = resultsOf(at);
    const rates = results.map(rateOf);
    const ratio = median(rates.map((rate, round) => rate / (first[round] ?? Number.NaN)));
    const latencies = latencyLine(percentiles(results.map((result) => result.latencies)));
    print(
      `  with ${at.place.charges}: ${whole(median(rates))}, ${two(ratio)} of the first; ` +
        `rounds ${rates.map(whole).join(' ')}; ${latencies}`,
    );
  }
}

/** Total bytes of WAL that the server has written. */
async function walPosition(url: string): Promise<number> {
  const [row] = await query<{ bytes: string }>(
    url,
    `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') AS bytes`,
  );
  return Number(row?.bytes ?? 0);
}

/** Waits until the worker has processed the inserted rows and the database has written them out. */
async function untilIdle({ pid }: Server, windowMs: number): Promise<void> {
  const deadline = performance.now() + IDLE_TIMEOUT_MS;
  while (performance.now() < deadline) {
    const before = await cpuTime(pid);
    await sleep(windowMs);
    const after = await cpuTime(pid);
    const used = after.gateway - before.gateway + after.database - before.database;
    // Negative if processes have ended.
    if (Math.abs(used) < (IDLE * windowMs) / 1_000) return;
  }
  throw new Error('the worker was not idle in time');
}
