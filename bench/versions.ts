import { setTimeout as sleep } from 'node:timers/promises';

import { createWork, preparePayments } from './charges.ts';
import { cpuTime, type CpuTime } from './cpu.ts';
import { pairedCosts, pairedLine, print, two, whole } from './figures.ts';
import type { Load, LoadPlan } from './load.ts';
import type { BenchOptions } from './options.ts';
import { prepareReads, type ReadCalls } from './read.ts';
import { makeSellers } from './sellers.ts';
import { withServer, type Seller, type Server } from './server.ts';

const ROUND_SECONDS = 600;
const IDLE_SECONDS = 20;

/** Processor time of one operation in microseconds, and operations a second. */
interface Cost extends CpuTime {
  readonly rate: number;
}

interface Version {
  readonly name: string;
  readonly server: Server;
  readonly sellers: readonly Seller[];
  /** What a second costs without requests. */
  readonly idle: CpuTime;
}

/**
 * Processor time and rate of creations, payments and reads, compared with another tree's `main.ts` in
 * turn.
 * Every round performs the same number of operations, so that other load changes the result little.
 * A smoke run compares one gateway with itself.
 */
export async function benchVersions(options: BenchOptions, load: Load): Promise<void> {
  const { other, profileDir, smoke } = options;
  const compareWith = (here: Server, there: Server): Promise<void> =>
    compareServers(options, load, [here, there]);
  if (smoke) return withServer(options, (server) => compareWith(server, server));
  if (other === undefined) throw new Error('--other names the main.ts of the version to compare with');
  await withServer({ profileDir }, (here) =>
    withServer({ program: other }, (there) => compareWith(here, there)),
  );
}

async function compareServers(
  options: BenchOptions,
  load: Load,
  [here, there]: readonly [Server, Server],
): Promise<void> {
  const first = await prepare('this', here, options);
  await compare(options, load, [first, await prepare('other', there, options)]);
}

async function prepare(name: string, server: Server, { sellers, smoke }: BenchOptions): Promise<Version> {
  const made = await makeSellers(server, sellers);
  const [before, start] = [await cpuTime(server.pid), performance.now()];
  await sleep(smoke ? 100 : IDLE_SECONDS * 1_000);
  const after = await cpuTime(server.pid);
  const seconds = (performance.now() - start) / 1_000;
  const each = (part: keyof CpuTime) => (after[part] - before[part]) / seconds;
  const idle = { gateway: each('gateway'), database: each('database') };
  print(`${name}, idle: gateway ${two(idle.gateway * 100)} %, database ${two(idle.database * 100)} %`);
  return { name, server, sellers: made, idle };
}

async function compare(
  { rounds, callers, charges, smoke }: BenchOptions,
  load: Load,
  versions: readonly [Version, Version],
): Promise<void> {
  const create = (version: Version) =>
    measure(load, version, {
      port: version.server.port,
      callers,
      seconds: ROUND_SECONDS,
      status: 201,
      work: createWork(version.sellers),
      limit: charges,
    });
  const pay = async (version: Version) => {
    const calls = await preparePayments(load, version.server, version.sellers, charges);
    return measure(load, version, {
      port: version.server.port,
      callers,
      seconds: ROUND_SECONDS,
      status: 200,
      work: { kind: 'once', calls },
    });
  };
  // Compiles what requests run.
  for (const version of versions) {
    for (let round = 0; round < (smoke ? 1 : 3); round += 1) {
      await create(version);
      await pay(version);
    }
  }
  await alternate('creation', rounds, versions, create);
  await alternate('payment', rounds, versions, pay);
  await compareReads({ callers, rounds, charges }, load, versions);
}

async function compareReads(
  { rounds, callers, charges }: Pick<BenchOptions, 'rounds' | 'callers' | 'charges'>,
  load: Load,
  versions: readonly [Version, Version],
): Promise<void> {
  const prepared = new Map<Version, ReadCalls>();
  for (const version of versions) {
    prepared.set(version, await prepareReads({ callers }, load, version.server, version.sellers));
  }
  for (const [name, part] of [
    ['read of a transaction', 'one'],
    ['first page', 'list'],
  ] as const) {
    await alternate(name, rounds, versions, (version) =>
      measure(load, version, {
        port: version.server.port,
        callers,
        seconds: ROUND_SECONDS,
        status: 200,
        work: { kind: 'repeat', calls: prepared.get(version)?.[part] ?? [] },
        limit: charges,
      }),
    );
  }
}

/** The order is reversed in each round, so that neither version gains from its position. */
async function alternate(
  name: string,
  rounds: number,
  versions: readonly [Version, Version],
  run: (version: Version) => Promise<Cost>,
): Promise<void> {
  const costs = new Map<Version, Cost[]>(versions.map((version) => [version, []]));
  const costsOf = (version: Version): readonly Cost[] => costs.get(version) ?? [];
  for (let round = 0; round < rounds; round += 1) {
    for (const version of round % 2 === 0 ? versions : versions.toReversed()) {
      costs.get(version)?.push(await run(version));
    }
    const last = versions.map((version) => `${version.name} ${lineOf(costsOf(version).at(-1))}`);
    print(`  round ${round + 1}: ${last.join('; ')}`);
  }
  const [mine, others] = [costsOf(versions[0]), costsOf(versions[1])];
  const rateOf = ({ rate }: Cost): number => rate;
  const rates = pairedLine('rate', 'a second', mine.map(rateOf), others.map(rateOf));
  print(`${name}: ${pairedCosts(mine, others)}; ${rates}`);
}

const lineOf = (cost: Cost | undefined): string =>
  cost === undefined ? '' : `${whole(cost.gateway)} + ${whole(cost.database)} µs, ${whole(cost.rate)}/s`;

/** The processor time is what the operations need beyond the idle version. */
async function measure(load: Load, { server, idle }: Version, plan: LoadPlan): Promise<Cost> {
  const [before, start] = [await cpuTime(server.pid), performance.now()];
  const { done } = await load.run(plan);
  const after = await cpuTime(server.pid);
  const seconds = (performance.now() - start) / 1_000;
  const each = (part: keyof CpuTime) => ((after[part] - before[part] - idle[part] * seconds) / done) * 1e6;
  return { gateway: each('gateway'), database: each('database'), rate: done / seconds };
}
