import { cpus, totalmem } from 'node:os';

import { benchCreate } from './create.ts';
import { print } from './figures.ts';
import { benchGrowth } from './growth.ts';
import { benchHot } from './hot.ts';
import { startLoad, type Load } from './load.ts';
import { readOptions, type BenchOptions } from './options.ts';
import { benchPay } from './pay.ts';
import { benchRead } from './read.ts';
import { benchStart } from './start.ts';
import { benchTenants } from './tenants.ts';
import { benchWebhooks } from './webhooks.ts';
import { benchWithdraw } from './withdraw.ts';

const BENCHES: ReadonlyMap<string, (options: BenchOptions, load: Load) => Promise<void>> = new Map([
  ['create', benchCreate],
  ['pay', benchPay],
  ['hot', benchHot],
  ['read', benchRead],
  ['growth', benchGrowth],
  ['withdraw', benchWithdraw],
  ['start', benchStart],
  ['webhooks', benchWebhooks],
  ['tenants', benchTenants],
]);

try {
  const { name, ...options } = readOptions(process.argv.slice(2));
  const bench = BENCHES.get(name);
  if (bench === undefined) throw new Error(`NAME is one of ${[...BENCHES.keys()].join(', ')}`);
  const { model } = cpus()[0] ?? { model: 'unknown' };
  const memory = Math.round(totalmem() / 2 ** 30);
  print(`${name} on ${cpus().length} × ${model}, ${memory} GiB, Node ${process.version}`);
  if (options.smoke) print('a smoke run: its figures mean nothing');
  const load = startLoad();
  try {
    await bench(options, load);
  } finally {
    load.stop();
  }
} catch (error) {
  process.stderr.write(`bench: ${error instanceof Error ? error.message : 'unknown error'}\n`);
  process.exitCode = 1;
}
