import { createBaselines, dropBaselines } from './baseline.ts';
import { createCharges, createWork, preparePayments } from './charges.ts';
import { cpuTime, type CpuTime } from './cpu.ts';
import { median, print, ratiosOf, two, whole } from './figures.ts';
import { rateOf, type Load, type LoadPlan, type LoadResult } from './load.ts';
import type { BenchOptions } from './options.ts';
import { PAYMENTS_A_SECOND } from './pay.ts';
import { makeSellers } from './sellers.ts';
import { withServer, type Seller, type Server } from './server.ts';

/** How many times `--sellers` the largest group has. */
const LARGEST_GROUP = 5;

/** What a group of sellers reached. */
interface Group {
  readonly sellers: readonly Seller[];
  readonly rates: number[];
  readonly cost: CpuTime[];
  /** Operations of each round. */
  readonly counts: number[];
}

/** Performs and measures one round of an operation. */
type Measure = (sellers: readonly Seller[]) => Promise<LoadResult & { readonly cost: CpuTime }>;

/**
 * One seller compared with `--sellers` and five times as many, in turn on the same server, and
 * creations compared with pgbench.
 */
export async function benchTenants(options: BenchOptions, load: Load): Promise<void> {
  const { callers, seconds, profileDir, smoke } = options;
  await withServer({ profileDir, server: options.server }, async (server) => {
    const all = await makeSellers(server, options.sellers * LARGEST_GROUP);
    const sizes = [1, options.sellers, all.length];
    const plan = { port: server.port, callers, seconds };
    const create: Measure = (sellers) =>
      measure(load, server, { ...plan, status: 201, work: createWork(sellers) });
    const pay: Measure = async (sellers) => {
      const count = smoke ? 100 : seconds * PAYMENTS_A_SECOND;
      const calls = await preparePayments(load, server, sellers, count);
      return measure(load, server, { ...plan, status: 200, work: { kind: 'once', calls } });
    };
    // Warms up the caches too: each seller creates once.
    await createCharges(load, server, all, all.length);
    await create(all);

    const groups = () => sizes.map((size) => newGroup(all.slice(0, size)));
    await againstPgbench(options, server, groups(), create);
    await compare(options, 'payment', groups(), { run: pay });
  });
}

const newGroup = (sellers: readonly Seller[]): Group => ({
  sellers,
  rates: [],
  cost: [],
  counts: [],
});

async function measure(load: Load, server: Server, plan: LoadPlan) {
  const before = await cpuTime(server.pid);
  const result = await load.run(plan);
  const after = await cpuTime(server.pid);
  const cost = { gateway: after.gateway - before.gateway, database: after.database - before.database };
  return { ...result, cost };
}

async function againstPgbench(
  options: BenchOptions,
  server: Server,
  groups: readonly Group[],
  create: Measure,
): Promise<void> {
  const baselines = await createBaselines(server.databaseUrl);
  const pgbench = baselines.find(({ name }) => name === 'pgbench');
  const rates: number[] = [];
  const afterRound = async (): Promise<void> => {
    if (pgbench !== undefined) rates.push(await pgbench.run(options.callers, options.seconds));
  };
  await compare(options, 'creation', groups, { run: create, afterRound });
  await dropBaselines(server.databaseUrl);
  if (rates.length === 0) return;
  print(`pgbench, ${options.callers} clients: ${whole(median(rates))}/s`);
  for (const { sellers, rates: ours } of groups) {
    print(`creations of ${nameOf(sellers)}, of pgbench: ${two(median(ratiosOf(ours, rates)))}`);
  }
}

/** The order of the groups is reversed in each round, so that none gains from its position. */
async function compare(
  { rounds, callers }: BenchOptions,
  name: string,
  groups: readonly Group[],
  { run, afterRound }: { readonly run: Measure; readonly afterRound?: () => Promise<void> },
): Promise<void> {
  print(`${name}s, ${callers} callers`);
  for (let round = 1; round <= rounds; round += 1) {
    for (const group of round % 2 === 1 ? groups : groups.toReversed()) {
      const result = await run(group.sellers);
      group.rates.push(rateOf(result));
      group.cost.push(result.cost);
      group.counts.push(result.done);
    }
    const cells = groups.map(({ sellers, rates }) => `${nameOf(sellers)} ${whole(rates.at(-1) ?? 0)}/s`);
    print(`  round ${round}: ${cells.join(', ')}`);
    await afterRound?.();
  }
  const [one] = groups;
  if (one === undefined) return;
  const each = (part: keyof CpuTime, { cost, counts }: Group) =>
    cost.map((round, index) => (round[part] / (counts[index] ?? 0)) * 1e6);
  const total = (group: Group) => {
    const database = each('database', group);
    return each('gateway', group).map((time, index) => time + (database[index] ?? 0));
  };
  for (const group of groups) {
    print(
      `  ${nameOf(group.sellers)}: median ${whole(median(group.rates))}/s, ` +
        `${two(median(ratiosOf(group.rates, one.rates)))} of one; processor time of one ${name}: ` +
        `gateway ${whole(median(each('gateway', group)))} µs, ` +
        `database ${whole(median(each('database', group)))} µs, ` +
        `${two(median(ratiosOf(total(group), total(one))))} of one`,
    );
  }
}

const nameOf = ({ length }: readonly Seller[]): string => (length === 1 ? 'one seller' : `${length} sellers`);
