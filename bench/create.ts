import { againstBaselines } from './against.ts';
import { createWork } from './charges.ts';
import { costLine, cpuTime } from './cpu.ts';
import { latencyLine, ms, percentiles, print } from './figures.ts';
import { rateOf, type Load } from './load.ts';
import type { BenchOptions } from './options.ts';
import { makeSellers } from './sellers.ts';
import { withServer } from './server.ts';

/** Pix transactions created over HTTP, compared with five inserted rows per transaction. */
export async function benchCreate(options: BenchOptions, load: Load): Promise<void> {
  const { callers, seconds, profileDir } = options;
  await withServer({ profileDir, server: options.server }, async (server) => {
    const sellers = await makeSellers(server, options.sellers);
    const plan = { port: server.port, callers, seconds, status: 201, work: createWork(sellers) };
    // Warms up the JIT compiler, caches and connections.
    await load.run({ ...plan, seconds: Math.min(seconds, 3) });

    const idle = await load.run({ ...plan, callers: 1, seconds: Math.min(seconds, 3) });
    const latencies: Float64Array[] = [];
    let cost = '';
    await againstBaselines('creations', server.databaseUrl, options, async () => {
      const before = await cpuTime(server.pid);
      const created = await load.run(plan);
      cost = costLine('creation', before, await cpuTime(server.pid), created.answered);
      latencies.push(created.latencies);
      return rateOf(created);
    });
    print(cost);
    print(`creation at ${callers} callers: ${latencyLine(percentiles(latencies))}`);
    print(`creation of one idle caller: p50 ${ms(percentiles([idle.latencies]).p50)}`);
  });
}
