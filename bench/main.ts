import { cpus, totalmem } from 'node:os';

import { errorMessage } from '#platform/kit/errors.ts';
import { benchCreate } from './create.ts';
import { benchDistributed } from './distributed.ts';
import { print } from './figures.ts';
import { benchGrown } from './grown.ts';
import { benchGrowth } from './growth.ts';
import { benchHot } from './hot.ts';
import { startLoad, type Load } from './load.ts';
import { readOptions, type BenchOptions } from './options.ts';
import { benchMixed } from './mixed.ts';
import { benchPages } from './pages.ts';
import { benchPay } from './pay.ts';
import { benchRead } from './read.ts';
import { withServer } from './server.ts';
import { benchRules } from './rules.ts';
import { benchStart } from './start.ts';
import { benchSubscriptions } from './subscriptions.ts';
import { benchTenants } from './tenants.ts';
import { benchVersions } from './versions.ts';
import { benchWebhooks } from './webhooks.ts';
import { benchWithdraw } from './withdraw.ts';

const BENCHES: ReadonlyMap<string, Bench> = new Map([
  ['create', benchCreate],
  ['pay', benchPay],
  ['pages', benchPages],
  ['hot', benchHot],
  ['mixed', benchMixed],
  ['read', benchRead],
  ['growth', benchGrowth],
  ['grown', benchGrown],
  ['withdraw', benchWithdraw],
  ['start', benchStart],
  ['webhooks', benchWebhooks],
  ['subscriptions', benchSubscriptions],
  ['tenants', benchTenants],
  ['distributed', benchDistributed],
  ['versions', benchVersions],
  ['rules', benchRules],
]);

type Bench = (options: BenchOptions, load: Load) => Promise<void>;

function benchOf(name: string): Bench {
  const bench = BENCHES.get(name);
  if (bench === undefined) throw new Error(`NAME is one of ${[...BENCHES.keys()].join(', ')}`);
  return bench;
}

/** Several benchmarks share a gateway. */
async function runAll(benches: readonly Bench[], options: BenchOptions, load: Load): Promise<void> {
  const [first, ...others] = benches;
  if (first !== undefined && others.length === 0) return first(options, load);
  await withServer({ profileDir: options.profileDir }, async (server) => {
    for (const bench of benches) await bench({ ...options, server }, load);
  });
}

try {
  const { names, ...options } = readOptions(process.argv.slice(2));
  const benches = names.map(benchOf);
  const { model } = cpus()[0] ?? { model: 'unknown' };
  const memory = Math.round(totalmem() / 2 ** 30);
  print(`${names.join(', ')} on ${cpus().length} × ${model}, ${memory} GiB, Node ${process.version}`);
  if (options.smoke) print('a smoke run: its figures mean nothing');
  const load = startLoad();
  try {
    await runAll(benches, options, load);
  } finally {
    load.stop();
  }
} catch (error) {
  process.stderr.write(`bench: ${errorMessage(error)}\n`);
  process.exitCode = 1;
}
