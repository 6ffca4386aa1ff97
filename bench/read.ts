import { fillCharges } from './fill.ts';
import { AMPLE_SECONDS } from './charges.ts';
import { query } from './database.ts';
import { Comparison, latencyLine, percentiles, print } from './figures.ts';
import { rateOf, type Call, type Load, type LoadPlan, type LoadResult } from './load.ts';
import type { BenchOptions } from './options.ts';
import { makeSellers } from './sellers.ts';
import { withServer, type Seller, type Server } from './server.ts';

const FEW = 50_000;
const CALLS = 20_000;

/** Reads of one transaction and of the newest page, with small and large tables. */
export async function benchRead(options: BenchOptions, load: Load): Promise<void> {
  const { callers, profileDir, charges: many } = options;
  const few = Math.min(FEW, Math.ceil(many / 2));
  await withServer({ profileDir, server: options.server }, async (server) => {
    const sellers = await makeSellers(server, options.sellers);
    await fillCharges(server.databaseUrl, sellers, few);
    const withFew = await measureReads(
      options,
      load,
      server,
      await prepareReads(options, load, server, sellers),
    );
    await fillCharges(server.databaseUrl, sellers, many - few, few);
    const withMany = await measureReads(
      options,
      load,
      server,
      await prepareReads(options, load, server, sellers),
    );

    for (const [name, ofMany, ofFew] of [
      ['GET /v1/transactions/{id}', withMany.one, withFew.one],
      ['GET /v1/transactions, first page', withMany.list, withFew.list],
    ] as const) {
      print(`${name}, ${callers} callers`);
      const comparison = new Comparison(`of ${many}`, `of ${few}`);
      for (const [index, result] of ofMany.entries()) {
        const other = ofFew[index];
        if (other !== undefined) comparison.add(rateOf(result), rateOf(other));
      }
      comparison.close();
      print(`of ${many}: ${latencyLine(percentiles(ofMany.map((result) => result.latencies)))}`);
    }
  });
}

export interface Reads {
  readonly one: readonly LoadResult[];
  readonly list: readonly LoadResult[];
}

/** The requests: transactions of any age, and the newest page. */
export interface ReadCalls {
  readonly one: readonly Call[];
  readonly list: readonly Call[];
}

/**
 * Chosen once for all rounds. Each is requested once before the measurement, so that disk reads are
 * not measured.
 */
export async function prepareReads(
  { callers }: Pick<BenchOptions, 'callers'>,
  load: Load,
  server: Server,
  sellers: readonly Seller[],
): Promise<ReadCalls> {
  const calls: ReadCalls = {
    one: await chargeCalls(server, sellers),
    list: sellers.map(({ apiKey }): Call => ({ method: 'GET', path: '/v1/transactions', apiKey })),
  };
  for (const some of [calls.one, calls.list]) {
    await load.run({
      port: server.port,
      callers,
      seconds: AMPLE_SECONDS,
      status: 200,
      work: { kind: 'once', calls: some },
    });
  }
  return calls;
}

/** Rounds of reading one transaction, and of the newest page. */
export async function measureReads(
  { callers, seconds, rounds }: BenchOptions,
  load: Load,
  server: Server,
  calls: ReadCalls,
): Promise<Reads> {
  const measure = async (some: readonly Call[]) => {
    const work = { kind: 'repeat', calls: some } as const;
    const plan: LoadPlan = { port: server.port, callers, seconds, status: 200, work };
    await load.run({ ...plan, seconds: Math.min(seconds, 2) });
    const results: LoadResult[] = [];
    for (let round = 0; round < rounds; round += 1) results.push(await load.run(plan));
    return results;
  };
  return { one: await measure(calls.one), list: await measure(calls.list) };
}

/** Sampled from the whole table, so that they are not in a cache by chance. */
async function chargeCalls(server: Server, sellers: readonly Seller[]): Promise<readonly Call[]> {
  const apiKeys = new Map(sellers.map((seller) => [seller.id, seller.apiKey]));
  const rows = await query<{ seller_id: string; id: string }>(
    server.databaseUrl,
    `SELECT seller_id, id FROM transactions WHERE seller_id = ANY ($1) ORDER BY random() LIMIT $2`,
    [[...apiKeys.keys()], CALLS],
  );
  return rows.map((row) => ({
    method: 'GET',
    path: `/v1/transactions/${row.id}`,
    apiKey: apiKeys.get(row.seller_id) ?? '',
  }));
}
