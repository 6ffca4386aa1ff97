import { createBaseline } from './baseline.ts';
import { preparePayments } from './charges.ts';
import { Comparison, latencyLine, percentiles, print } from './figures.ts';
import { rateOf, type Load } from './load.ts';
import type { BenchOptions } from './options.ts';
import { makeSellers, withServer } from './server.ts';

/** More than can be paid in a second, so that a round does not run out of charges. */
export const PAYMENTS_A_SECOND = 4_000;

/** Provider reports that settle, each for a charge of its own, against the same baseline as `create`. */
export async function benchPay(options: BenchOptions, load: Load): Promise<void> {
  const { callers, seconds, rounds, profileDir } = options;
  const count = seconds * (options.smoke ? 500 : PAYMENTS_A_SECOND);
  await withServer({ profileDir }, async (server) => {
    const sellers = await makeSellers(server, options.sellers);
    const baseline = await createBaseline(server.databaseUrl);
    const plan = { port: server.port, callers, seconds, status: 200 };
    const warmUp = await preparePayments(load, server, sellers, options.smoke ? 100 : 5_000);
    await load.run({ ...plan, work: { kind: 'once', calls: warmUp } });

    print(`payments, ${callers} callers, ${sellers.length} sellers; ${baseline.name}, ${callers} clients`);
    const comparison = new Comparison('payments', baseline.name);
    const latencies: Float64Array[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const calls = await preparePayments(load, server, sellers, count);
      const paid = await load.run({ ...plan, work: { kind: 'once', calls } });
      latencies.push(paid.latencies);
      comparison.add(rateOf(paid), await baseline.run(callers, seconds));
    }
    comparison.close();
    print(`payment at ${callers} callers: ${latencyLine(percentiles(latencies))}`);
    await baseline.drop();
  });
}
