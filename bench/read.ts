import { fillCharges } from './fill.ts';
import { query } from './charges.ts';
import { Comparison, latencyLine, percentiles, print } from './figures.ts';
import { rateOf, type Call, type Load, type LoadPlan } from './load.ts';
import type { BenchOptions } from './options.ts';
import { makeSellers, withServer, type Seller, type Server } from './server.ts';

const FEW = 50_000;
const CALLS = 20_000;

/** Reading one charge and the newest page with few charges in the table, and again with many. */
export async function benchRead(options: BenchOptions, load: Load): Promise<void> {
  const { callers, seconds, rounds, profileDir, charges: many } = options;
  const few = Math.min(FEW, Math.ceil(many / 2));
  await withServer({ profileDir }, async (server) => {
    const sellers = await makeSellers(server, options.sellers);
    const plan = { port: server.port, callers, seconds, status: 200 };
    const measure = async (calls: readonly Call[]) => {
      const work: LoadPlan['work'] = { kind: 'repeat', calls };
      await load.run({ ...plan, seconds: Math.min(seconds, 2), work });
      const results = [];
      for (let round = 0; round < rounds; round += 1) results.push(await load.run({ ...plan, work }));
      return results;
    };

    const lists = sellers.map(({ apiKey }): Call => ({ method: 'GET', path: '/v1/transactions', apiKey }));
    await fillCharges(server.databaseUrl, sellers, few);
    const oneOfFew = await measure(await chargeCalls(server, sellers));
    const listOfFew = await measure(lists);
    await fillCharges(server.databaseUrl, sellers, many - few);
    const oneOfMany = await measure(await chargeCalls(server, sellers));
    const listOfMany = await measure(lists);

    for (const [name, ofMany, ofFew] of [
      ['GET /v1/transactions/{id}', oneOfMany, oneOfFew],
      ['GET /v1/transactions, first page', listOfMany, listOfFew],
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

/** Charges from the whole table, so that no cache holds them by chance. */
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
