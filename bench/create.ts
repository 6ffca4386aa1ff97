import { createBaseline } from './baseline.ts';
import { createWork } from './charges.ts';
import { Comparison, latencyLine, ms, percentiles, print } from './figures.ts';
import { rateOf, type Load } from './load.ts';
import type { BenchOptions } from './options.ts';
import { makeSellers, withServer } from './server.ts';

/** PIX creations over HTTP against five inserted rows a transaction, round by round on the same database server. */
export async function benchCreate(options: BenchOptions, load: Load): Promise<void> {
  const { callers, seconds, rounds, profileDir } = options;
  await withServer({ profileDir }, async (server) => {
    const sellers = await makeSellers(server, options.sellers);
    const baseline = await createBaseline(server.databaseUrl);
    const plan = { port: server.port, callers, seconds, status: 201, work: createWork(sellers) };
    // Compilers, caches and connections warm up outside the figures.
    await load.run({ ...plan, seconds: Math.min(seconds, 3) });

    const idle = await load.run({ ...plan, callers: 1, seconds: Math.min(seconds, 3) });
    print(`creations, ${callers} callers, ${sellers.length} sellers; ${baseline.name}, ${callers} clients`);
    const comparison = new Comparison('creations', baseline.name);
    const latencies: Float64Array[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const created = await load.run(plan);
      latencies.push(created.latencies);
      comparison.add(rateOf(created), await baseline.run(callers, seconds));
    }
    comparison.close();
    print(`creation at ${callers} callers: ${latencyLine(percentiles(latencies))}`);
    print(`creation of one idle caller: p50 ${ms(percentiles([idle.latencies]).p50)}`);
    await baseline.drop();
  });
}
