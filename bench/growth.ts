import { setTimeout as sleep } from 'node:timers/promises';

import { createWork, preparePayments, query } from './charges.ts';
import { costLine, cpuTime } from './cpu.ts';
import { fillCharges } from './fill.ts';
import { latencyLine, median, percentiles, print, two, whole } from './figures.ts';
import { rateOf, type Load } from './load.ts';
import { measureReads } from './read.ts';
import type { BenchOptions } from './options.ts';
import { makeSellers, withServer } from './server.ts';

/** Parts of the largest table: 50 thousand, 500 thousand and 5 million unless told otherwise. */
const STEPS = [0.01, 0.1, 1];
const PAYMENTS = 10_000;
const PATIENCE_MS = 30 * 60_000;

/** Creations, payments and reads while the tables grow: what each costs must not depend on how many charges there are. */
export async function benchGrowth(options: BenchOptions, load: Load): Promise<void> {
  const { callers, seconds, rounds, profileDir, charges: most } = options;
  await withServer({ profileDir }, async (server) => {
    const sellers = await makeSellers(server, options.sellers);
    const plan = { port: server.port, callers, seconds };
    await load.run({ ...plan, seconds: Math.min(seconds, 5), status: 201, work: createWork(sellers) });
    let filled = 0;
    let first: number | undefined;
    for (const step of STEPS) {
      const wanted = Math.ceil(most * step);
      const there = await countCharges(server.databaseUrl);
      const missing = Math.max(0, wanted - there);
      await fillCharges(server.databaseUrl, sellers, missing, filled);
      filled += missing;
      await untilSealed(server.databaseUrl);

      const rates: number[] = [];
      const latencies: Float64Array[] = [];
      const before = await cpuTime(server.pid);
      let made = 0;
      for (let round = 0; round < rounds; round += 1) {
        const created = await load.run({ ...plan, status: 201, work: createWork(sellers) });
        rates.push(rateOf(created));
        latencies.push(created.latencies);
        made += created.answered;
      }
      const cost = costLine('creation', before, await cpuTime(server.pid), made);
      const calls = await preparePayments(load, server, sellers, options.smoke ? 100 : PAYMENTS);
      const paid = await load.run({ ...plan, seconds: 600, status: 200, work: { kind: 'once', calls } });
      const reads = await measureReads(options, load, server, sellers);
      const rate = median(rates);
      first ??= rate;
      print(
        `${there + missing} charges: ${whole(rate)} creations/s, ${two(rate / first)} of the first figure`,
      );
      print(`  ${latencyLine(percentiles(latencies))}; ${cost}`);
      print(`  payments: ${whole(rateOf(paid))}/s`);
      for (const [name, results] of [
        ['GET /v1/transactions/{id}', reads.one],
        ['first page of the list', reads.list],
      ] as const) {
        const times = latencyLine(percentiles(results.map((result) => result.latencies)));
        print(`  ${name}: ${whole(median(results.map(rateOf)))}/s, ${times}`);
      }
    }
    const [size] = await query<{ gib: string }>(
      server.databaseUrl,
      'SELECT round(pg_database_size(current_database()) / 2.0 ^ 30, 1) AS gib',
    );
    print(`the database holds ${size?.gib ?? '?'} GiB`);
  });
}

async function countCharges(url: string): Promise<number> {
  const [row] = await query<{ count: string }>(url, 'SELECT count(*) FROM transactions');
  return Number(row?.count ?? 0);
}

/** The worker seals what was put in; its work must not be measured with that of creations. */
async function untilSealed(url: string): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (performance.now() < deadline) {
    const [row] = await query<{ open: boolean }>(
      url,
      `SELECT EXISTS (SELECT FROM (SELECT seller_id, sum(entries) AS booked FROM wallets GROUP BY seller_id) w
        WHERE booked > coalesce((SELECT entries FROM ledger_seals s WHERE s.seller_id = w.seller_id ORDER BY number DESC LIMIT 1), 0)) AS open`,
    );
    if (row?.open === false) return;
    await sleep(500);
  }
  throw new Error('the worker did not seal what was put in');
}
