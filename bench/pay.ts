import { againstBaselines } from './against.ts';
import { preparePayments } from './charges.ts';
import { costLine, cpuTime } from './cpu.ts';
import { latencyLine, percentiles, print } from './figures.ts';
import { rateOf, type Load } from './load.ts';
import type { BenchOptions } from './options.ts';
import { makeSellers } from './sellers.ts';
import { withServer } from './server.ts';

/** More than can be paid in a second, so that a round does not run out of transactions. */
export const PAYMENTS_A_SECOND = 8_000;

/** Provider events that settle one transaction each, compared with the baselines of `create`. */
export async function benchPay(options: BenchOptions, load: Load): Promise<void> {
  const { callers, seconds, profileDir } = options;
  const count = options.smoke ? 100 : seconds * PAYMENTS_A_SECOND;
  await withServer({ profileDir, server: options.server }, async (server) => {
    const sellers = await makeSellers(server, options.sellers);
    const plan = { port: server.port, callers, seconds, status: 200 };
    const warmUp = await preparePayments(load, server, sellers, options.smoke ? 100 : 5_000);
    await load.run({ ...plan, work: { kind: 'once', calls: warmUp } });

    const latencies: Float64Array[] = [];
    let cost = '';
    await againstBaselines('payments', server.databaseUrl, options, async () => {
      const calls = await preparePayments(load, server, sellers, count);
      const before = await cpuTime(server.pid);
      const paid = await load.run({ ...plan, work: { kind: 'once', calls } });
      cost = costLine('payment', before, await cpuTime(server.pid), paid.answered);
      latencies.push(paid.latencies);
      return rateOf(paid);
    });
    print(cost);
    print(`payment at ${callers} callers: ${latencyLine(percentiles(latencies))}`);
  });
}
