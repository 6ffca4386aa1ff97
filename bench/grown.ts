import { setTimeout as sleep } from 'node:timers/promises';

import { createCharges, createWork } from './charges.ts';
import { query } from './database.ts';
import { latencyLine, median, percentiles, print, two } from './figures.ts';
import { fillCharges } from './fill.ts';
import { findReads, type Read } from './grown-reads.ts';
import type { Load } from './load.ts';
import type { BenchOptions } from './options.ts';
import { makeSellers } from './sellers.ts';
import { withServer, type Seller, type Server } from './server.ts';

/** What the reads of the grown seller are compared with. */
const FEW = 10_000;
const CALLS = 20;
/** Charges of each other seller. */
const SMALL = 20;
/** The search index leaves the newest charges to the searches. */
const MAX_UNINDEXED = 1_000;
const INDEX_DEADLINE_MS = 15 * 60_000;
/** A seller of that size may send 600 requests a minute. */
const READ_INTERVAL_MS = 100;
const NEIGHBOR_CALLERS = 4;

/** The latency of a read in milliseconds; NaN if it was refused. */
interface Timing {
  readonly p50: number;
  readonly p95: number;
}

/**
 * Every GET of both documents with each of its filters, for a seller with `--charges` charges
 * beside `--sellers` small ones, compared with the same seller at 10,000; and what its reads cost a
 * neighbor that creates.
 */
export async function benchGrown(options: BenchOptions, load: Load): Promise<void> {
  const { charges, smoke, profileDir } = options;
  const few = Math.min(FEW, Math.ceil(charges / 2));
  const settings = { OPERATOR_REQUESTS_PER_MINUTE: '1000000' };
  await withServer({ profileDir, server: options.server, settings }, async (server) => {
    const [large, ...others] = await makeSellers(server, options.sellers + 1);
    if (large === undefined) throw new Error('there is no seller');
    await fillCharges(server.databaseUrl, others, others.length * (smoke ? 1 : SMALL));
    await fillCharges(server.databaseUrl, [large], few);
    await untilIndexed(server, large, few);
    const reads = await findReads(server, large);
    const before = await timeAll(server, large, reads, smoke);
    await fillCharges(server.databaseUrl, [large], charges - few, few);
    await untilIndexed(server, large, charges);
    const after = await timeAll(server, large, reads, smoke);
    printTable([`${few} charges`, `${charges} charges`], reads, before, after);
    await measureNeighbor(options, load, { server, large, others, reads });
  });
}

/** No worker has ever this many charges to index, because it follows their creation. */
async function untilIndexed({ databaseUrl }: Server, { id }: Seller, charges: number): Promise<void> {
  for (const end = performance.now() + INDEX_DEADLINE_MS; ; await sleep(1_000)) {
    const [found] = await query<{ records: number }>(
      databaseUrl,
      `SELECT coalesce(sum(records), 0)::integer AS records FROM search_segments
       WHERE seller_id = $1 AND kind = 'TRANSACTION' AND NOT stale`,
      [id],
    );
    if ((found?.records ?? 0) >= charges - MAX_UNINDEXED) return;
    if (performance.now() > end) throw new Error('the search index has not caught up');
  }
}

async function timeAll(
  server: Server,
  large: Seller,
  reads: readonly Read[],
  smoke: boolean,
): Promise<readonly Timing[]> {
  const callers = await identify(server, large);
  const timings: Timing[] = [];
  for (const read of reads) {
    const times: number[] = [];
    for (let call = 0; call < (smoke ? 1 : CALLS); call += 1) {
      const began = performance.now();
      const isServed = await request(server, callers, read);
      times.push(isServed ? performance.now() - began : Number.NaN);
    }
    const { p95 } = percentiles([Float64Array.from(times)]);
    timings.push({ p50: median(times), p95 });
  }
  return timings;
}

/** The headers that identify each caller. */
type Callers = Readonly<Record<Read['caller'], Readonly<Record<string, string>>>>;

async function identify(server: Server, { apiKey, owner }: Seller): Promise<Callers> {
  if (owner === undefined) throw new Error('the seller has no owner');
  return {
    operator: { authorization: `Bearer ${await server.token()}` },
    owner: { authorization: `Bearer ${await server.token(owner)}` },
    apiKey: { 'x-api-key': apiKey },
  };
}

async function request({ port }: Server, callers: Callers, { path, caller }: Read): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { ...callers[caller] } });
  await response.arrayBuffer();
  return response.ok;
}

function printTable(
  [few, many]: readonly [string, string],
  reads: readonly Read[],
  before: readonly Timing[],
  after: readonly Timing[],
): void {
  print(`${'ms'.padEnd(60)}${few.padStart(22)}${many.padStart(22)}   ratio`);
  for (const [index, { name }] of reads.entries()) {
    const [first, second] = [before[index], after[index]];
    if (first === undefined || second === undefined) continue;
    const cells = [first, second].map(({ p50, p95 }) =>
      Number.isNaN(p50) ? 'refused' : `${p50.toFixed(1)}, p95 ${p95.toFixed(1)}`,
    );
    const ratio = Number.isNaN(second.p50 / first.p50) ? '' : two(second.p50 / first.p50);
    print(`${name.padEnd(60)}${cells.map((cell) => cell.padStart(22)).join('')}${ratio.padStart(8)}`);
  }
}

interface Neighborhood {
  readonly server: Server;
  readonly large: Seller;
  readonly others: readonly Seller[];
  readonly reads: readonly Read[];
}

/** Creations of other sellers: alone, and while the grown seller reads at its allowed rate. */
async function measureNeighbor(
  { seconds }: BenchOptions,
  load: Load,
  { server, large, others, reads }: Neighborhood,
): Promise<void> {
  const create = () =>
    load.run({
      port: server.port,
      callers: NEIGHBOR_CALLERS,
      seconds,
      status: 201,
      work: createWork(others),
    });
  await createCharges(load, server, others, others.length);
  const alone = await create();
  const own = reads.filter(({ caller }) => caller !== 'operator');
  const stop = new AbortController();
  const reading = readInTurn(server, await identify(server, large), own, stop.signal);
  const beside = await create();
  stop.abort();
  const { sent, refused } = await reading;
  print(`creations of others alone: ${latencyLine(percentiles([alone.latencies]))}`);
  print(
    `creations of others while it reads: ${latencyLine(percentiles([beside.latencies]))}; ` +
      `${sent} reads, ${refused} refused`,
  );
}

/** Sends the reads in turn, each at its time, whether or not those before it are answered. */
async function readInTurn(
  server: Server,
  callers: Callers,
  reads: readonly Read[],
  signal: AbortSignal,
): Promise<{ readonly sent: number; readonly refused: number }> {
  const responses: Promise<boolean>[] = [];
  while (!signal.aborted) {
    const read = reads[responses.length % reads.length];
    if (read === undefined) break;
    responses.push(request(server, callers, read));
    await sleep(READ_INTERVAL_MS);
  }
  const served = await Promise.all(responses);
  return { sent: served.length, refused: served.filter((isServed) => !isServed).length };
}
