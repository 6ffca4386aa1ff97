import { setTimeout as sleep } from 'node:timers/promises';

import { createCardWork } from './charges.ts';
import { cpuTime, type CpuTime } from './cpu.ts';
import { query } from './database.ts';
import { pairedCosts, print } from './figures.ts';
import type { Load } from './load.ts';
import type { BenchOptions } from './options.ts';
import { makeSellers } from './sellers.ts';
import { withServer, type Server } from './server.ts';

const ROUND_SECONDS = 600;
const RULES = 50;
/** How many rounds' charges there are before the first round that counts. */
const FILL_ROUNDS = 3;
/** After a change of the rules. */
const PAUSE_MS = 2_000;
const KINDS = ['card', 'document', 'email', 'address'] as const;

/** Processor time of a card creation with 50 risk rules, compared with none, in turn. */
export async function benchRules(options: BenchOptions, load: Load): Promise<void> {
  const { callers, profileDir, rounds, smoke } = options;
  const charges = smoke ? 50 : Math.min(options.charges, 10_000);
  await withServer({ profileDir, server: options.server }, async (server) => {
    const work = createCardWork(await makeSellers(server, Math.min(options.sellers, 200)));
    const measure = async (limit: number): Promise<CpuTime> => {
      const plan = { port: server.port, callers, seconds: ROUND_SECONDS, status: 201, work, limit };
      const before = await cpuTime(server.pid);
      const { done } = await load.run(plan);
      const after = await cpuTime(server.pid);
      const each = (part: keyof CpuTime) => ((after[part] - before[part]) / done) * 1e6;
      return { gateway: each('gateway'), database: each('database') };
    };
    const costs: Record<'none' | 'many', CpuTime[]> = { none: [], many: [] };
    for (let round = 0; round <= rounds; round += 1) {
      for (const name of round % 2 === 0 ? (['none', 'many'] as const) : (['many', 'none'] as const)) {
        await setRules(server, name === 'many' ? RULES : 0);
        await sleep(smoke ? 0 : PAUSE_MS);
        const cost = await measure(round === 0 ? charges * FILL_ROUNDS : charges);
        // The first round compiles what requests run, and fills the tables.
        if (round > 0) costs[name].push(cost);
      }
      // The planner scans small tables sequentially.
      if (round === 0) await query(server.databaseUrl, 'ANALYZE');
    }
    print(`card creation, ${RULES} rules to none: ${pairedCosts(costs.many, costs.none)}`);
  });
}

/**
 * Replaces all rules. None of the new ones ever matches, so that each charge is evaluated by all.
 */
async function setRules(server: Server, count: number): Promise<void> {
  const known = await server.operator('GET', '/admin/risk-rules');
  for (const id of idsOf(known)) await server.operator('DELETE', `/admin/risk-rules/${id}`);
  for (let n = 0; n < count; n += 1) {
    // Each kind is counted by rules of both scopes.
    const by = KINDS[(n >> 1) % KINDS.length];
    const scope = n % 16 < 8 ? 'SELLER' : 'ALL_SELLERS';
    const when =
      n % 2 === 0
        ? { methods: ['CREDIT_CARD'], count: { of: 'declines', by, windowSeconds: 3_600, above: 4 + n } }
        : { amountAbove: 100_000_000 + n };
    const rule = { name: `Rule ${n}`, action: 'REFUSE', when: { ...when, scope } };
    await server.operator('POST', '/admin/risk-rules', rule);
  }
}

const idsOf = (response: unknown): readonly string[] => {
  const { data } = Object(response);
  return Array.isArray(data) ? data.map((rule: unknown) => String(Object(rule).id)) : [];
};
