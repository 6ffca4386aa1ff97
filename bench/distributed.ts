import { setTimeout as sleep } from 'node:timers/promises';

import { migrate } from '#platform/database/migrate.ts';
import { databaseAt, administer } from '#test/support/administer.ts';
import { startCitusCluster, startSingleServer, whyNoCitus } from '#test/support/citus.ts';
import { createCharges, createWork, preparePayments } from './charges.ts';
import { cpuTime, type CpuTime } from './cpu.ts';
import { query } from './database.ts';
import { median, print, ratiosOf, two, whole } from './figures.ts';
import type { Load } from './load.ts';
import type { BenchOptions } from './options.ts';
import { makeSellers } from './sellers.ts';
import { startServer, withDataDir, type Seller, type Server } from './server.ts';

const SETTINGS = { fsync: 'on', full_page_writes: 'on', shared_buffers: '256MB' };
const NAME = 'gateway_bench';
/** Enough for each shard to have some. */
const MIN_SELLERS = 64;

/** Work after the response of a payment, such as the ledger chain, is part of its cost. */
const settle = ({ smoke }: BenchOptions): Promise<void> => sleep(smoke ? 100 : 2_000);

/** A database, its gateway processes and its sellers. */
interface Target {
  readonly name: string;
  readonly gateways: readonly Server[];
  /** The process ids of the database servers. */
  readonly pids: readonly number[];
  /** The sellers of each shard of the first worker node; on one server, as many. */
  readonly shards: readonly (readonly Seller[])[];
  readonly all: readonly Seller[];
  /** In a second without requests. */
  idle: ProcessorTime;
}

/** Seconds. */
interface ProcessorTime {
  readonly database: number;
  /** Of the database and all gateway processes. */
  readonly all: number;
}

/** Who sends requests, and to how many gateway processes. */
interface Case {
  readonly name: string;
  readonly sellersOf: (target: Target) => readonly Seller[];
  readonly processes: number;
  readonly callers: number;
}

/**
 * Processor time for a creation and a payment, of the database and with the gateway, on one server
 * and on a cluster of two worker nodes, in turn. The time of idle processes is subtracted, and
 * printed.
 */
export async function benchDistributed(options: BenchOptions, load: Load): Promise<void> {
  const missing = await whyNoCitus();
  if (missing !== undefined) throw new Error(missing);
  const single = await startSingleServer(SETTINGS);
  const cluster = await startCitusCluster(SETTINGS);
  const nodes = [cluster.coordinator, ...cluster.workers];
  try {
    await administer(single.node.url, `CREATE DATABASE ${NAME}`);
    const urlOfOne = databaseAt(single.node.url, NAME);
    await migrate(urlOfOne);
    const urlOfCluster = await cluster.createDatabase(NAME);
    const processes = options.smoke ? 1 : 4;
    await withGateways(urlOfOne, processes, (ofOne) =>
      withGateways(urlOfCluster, processes, async (ofCluster) => {
        const distributed = await makeTarget('cluster', ofCluster, options);
        const one = await makeTarget('one server', ofOne, options);
        const sizes = distributed.shards.map(({ length }) => length);
        const targets: readonly Target[] = [
          { ...one, pids: [single.node.pid()], shards: divide(one.all, sizes) },
          { ...distributed, pids: nodes.map(({ pid }) => pid()) },
        ];
        await measureAll(targets, options, load);
      }),
    );
  } finally {
    await cluster.stop();
    await single.stop();
  }
}

async function withGateways(
  databaseUrl: string,
  count: number,
  use: (gateways: readonly Server[]) => Promise<void>,
): Promise<void> {
  await withDataDir(async (dataDir) => {
    const gateways: Server[] = [];
    try {
      while (gateways.length < count) {
        const command = gateways.length === 0 ? 'start' : 'api';
        gateways.push(await startServer({ dataDir, databaseUrl, command }));
      }
      await use(gateways);
    } finally {
      await Promise.all(gateways.map((gateway) => gateway.stop()));
    }
  });
}

async function makeTarget(name: string, gateways: readonly Server[], options: BenchOptions): Promise<Target> {
  const [gateway] = gateways;
  if (gateway === undefined) throw new Error('no gateway');
  const all = await makeSellers(gateway, Math.max(options.sellers, MIN_SELLERS));
  const shards = name === 'cluster' ? await shardsOfFirstNode(gateway.databaseUrl, all) : [];
  return { name, gateways, pids: [], shards, all, idle: { database: 0, all: 0 } };
}

async function shardsOfFirstNode(
  url: string,
  sellers: readonly Seller[],
): Promise<readonly (readonly Seller[])[]> {
  const rows = await query<{ shard: string; node: number }>(
    url,
    `SELECT s.shard::text, p.groupid AS node FROM (
       SELECT n, get_shard_id_for_distribution_column('transactions', id) AS shard
       FROM unnest($1::uuid[]) WITH ORDINALITY AS k (id, n)) s
     JOIN pg_dist_placement p ON p.shardid = s.shard ORDER BY s.n`,
    [sellers.map(({ id }) => id)],
  );
  const first = Math.min(...rows.map(({ node }) => node));
  const shardOf = new Map(sellers.map((seller, n) => [seller, rows[n]]));
  const onFirst = sellers.filter((seller) => shardOf.get(seller)?.node === first);
  return [...Map.groupBy(onFirst, (seller) => shardOf.get(seller)?.shard).values()];
}

function divide(sellers: readonly Seller[], sizes: readonly number[]): readonly (readonly Seller[])[] {
  let from = 0;
  return sizes.map((size) => sellers.slice(from, (from += size)));
}

/** The same number of sellers on some of the shards of a node. */
const onShards =
  (count: number): Case['sellersOf'] =>
  ({ shards }) => {
    const sellers = Math.min(...shards.map(({ length }) => length));
    return shards.slice(0, count).flatMap((shard) => shard.slice(0, Math.ceil(sellers / count)));
  };

const all: Case['sellersOf'] = (target) => target.all;

function casesOf({ callers, smoke }: BenchOptions): readonly Case[] {
  const one = { processes: 1, callers };
  const some: Case['sellersOf'] = (target) => target.all.slice(0, MIN_SELLERS);
  const everybody = { ...one, name: 'all sellers', sellersOf: all };
  if (smoke) return [everybody];
  return [
    { ...one, name: 'sellers of 1 shard', sellersOf: onShards(1) },
    { ...one, name: 'sellers of 2 shards of a node', sellersOf: onShards(2) },
    { ...one, name: `${MIN_SELLERS} sellers of all shards`, sellersOf: some },
    everybody,
    { ...everybody, name: `all sellers, ${4 * callers} callers`, callers: 4 * callers },
    { ...everybody, name: 'all sellers, 1 caller', callers: 1 },
    { ...everybody, name: 'all sellers, 2 processes', processes: 2 },
    { ...everybody, name: 'all sellers, 4 processes', processes: 4 },
  ];
}

async function measureAll(targets: readonly Target[], options: BenchOptions, load: Load): Promise<void> {
  for (const target of targets) {
    const [gateway] = target.gateways;
    // Warms up the processes, and the caches of each seller.
    if (gateway !== undefined) await createCharges(load, gateway, target.all, 2 * target.all.length);
  }
  await settle(options);
  const idleSeconds = options.smoke ? 1 : 2 * options.seconds;
  for (const target of targets) {
    const before = await processorTime(target);
    await sleep(idleSeconds * 1_000);
    const after = await processorTime(target);
    target.idle = {
      database: (after.database - before.database) / idleSeconds,
      all: (after.all - before.all) / idleSeconds,
    };
    print(
      `${target.name} in a second without requests: database ${whole(target.idle.database * 1_000)} ms, ` +
        `with the gateway ${whole(target.idle.all * 1_000)} ms`,
    );
  }
  print('processor time on one server and on the cluster, medians; the ratio is the median of the rounds');
  const cases = casesOf(options);
  for (const one of cases)
    await compare(`creation, ${one.name}`, targets, options, createIn(one, options, load));
  for (const one of cases.filter(({ processes, callers }) => processes === 1 && callers > 1)) {
    await compare(`payment, ${one.name}`, targets, options, payIn(one, options, load));
  }
}

/** Returns the processor time of one request. */
type Run = (target: Target) => Promise<ProcessorTime>;

const createIn =
  ({ sellersOf, processes, callers }: Case, { seconds }: BenchOptions, load: Load): Run =>
  (target) => {
    const port = target.gateways.slice(0, processes).map((gateway) => gateway.port);
    const work = createWork(sellersOf(target));
    return measure(target, () => load.run({ port, callers, seconds, status: 201, work }));
  };

const payIn =
  ({ sellersOf, callers }: Case, options: BenchOptions, load: Load): Run =>
  async (target) => {
    const [gateway] = target.gateways;
    if (gateway === undefined) throw new Error('no gateway');
    const count = options.smoke ? 100 : options.seconds * 500;
    const calls = await preparePayments(load, gateway, sellersOf(target), count);
    await settle(options);
    return measure(target, async () => {
      const paid = await load.run({
        port: gateway.port,
        callers,
        seconds: 60,
        status: 200,
        work: {
          kind: 'once',
          calls,
        },
      });
      await settle(options);
      return paid;
    });
  };

async function measure(
  target: Target,
  run: () => Promise<{ readonly done: number }>,
): Promise<ProcessorTime> {
  const startedMs = performance.now();
  const before = await processorTime(target);
  const { done } = await run();
  const after = await processorTime(target);
  const seconds = (performance.now() - startedMs) / 1_000;
  const cost = (part: keyof ProcessorTime) =>
    (after[part] - before[part] - target.idle[part] * seconds) / done;
  return { database: cost('database'), all: cost('all') };
}

async function processorTime({ pids, gateways }: Target): Promise<ProcessorTime> {
  const database = await sum(pids, 'database');
  const processes = gateways.map(({ pid }) => pid);
  return { database, all: database + (await sum(processes, 'gateway')) };
}

async function sum(pids: readonly number[], part: keyof CpuTime): Promise<number> {
  const times = await Promise.all(pids.map(cpuTime));
  return times.reduce((total, time) => total + time[part], 0);
}

const micro = (values: readonly number[]) => `${whole(median(values) * 1e6)} µs`;

/** The order of the targets is reversed in each round, so that none gains from its position. */
async function compare(name: string, targets: readonly Target[], { rounds }: BenchOptions, run: Run) {
  const costs = new Map<Target, ProcessorTime[]>(targets.map((target) => [target, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const target of round % 2 === 0 ? targets : targets.toReversed()) {
      costs.get(target)?.push(await run(target));
    }
  }
  const line = (part: keyof ProcessorTime) => {
    const [one = [], distributed = []] = targets.map((target) =>
      (costs.get(target) ?? []).map((cost) => cost[part]),
    );
    const ratios = ratiosOf(distributed, one);
    return (
      `${micro(one)}, ${micro(distributed)}, ` +
      `${two(median(ratios))} (${two(Math.min(...ratios))} to ${two(Math.max(...ratios))})`
    );
  };
  print(`  ${name}: database ${line('database')}; with the gateway ${line('all')}`);
}
