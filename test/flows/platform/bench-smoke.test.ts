import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { describe, expect, inject, it } from 'vitest';

import { whyNoCitus } from '#test/support/citus.ts';
import { COMPILE_CACHE } from '#test/support/process.ts';

const BENCH = fileURLToPath(new URL('../../../bench/main.ts', import.meta.url));

/** The final output of each benchmark. */
const BENCHES: Readonly<Record<string, readonly RegExp[]>> = {
  create: [/^ *median +\d+ +\d+ +\d+\.\d\d$/m, /^creation of one idle caller: p50 \d+\.\d ms$/m],
  pay: [/^ *median +\d+ +\d+ +\d+\.\d\d$/m, /^payment at 4 callers: p50 \d+\.\d ms/m],
  hot: [/^payments, 4 callers$/m, /^ *median +\d+ +\d+ +\d+\.\d\d$/m],
  read: [/^GET \/v1\/transactions, first page/m, /^of 240: p50 \d+\.\d ms/m],
  pages: [/^payment page: \d+\.\d ms, .*; cached: \d+\.\d ms/m],
  growth: [/^  with 240: \d+, \d+\.\d\d of the first/m, /^the largest database holds/m],
  grown: [
    /^\/v1\/transactions by skip +\d+\.\d, p95/m,
    /^creations of others while it reads: p50 \d+\.\d ms/m,
  ],
  withdraw: [/\d+ callers for 3 balances: \d+ requests\/s; no overdraft, the ledger is balanced$/m],
  subscriptions: [
    /^creations while cycles are charged: p99 \d+\.\d ms$/m,
    /^50 subscriptions, one charge each: \d+\/s/m,
  ],
  tenants: [/^  15 sellers: median \d+\/s, \d+\.\d\d of one; processor time of one payment: /m],
  distributed: [
    /^  creation, all sellers: database .*; with the gateway /m,
    /^  payment, all sellers: database .*; with the gateway /m,
  ],
  versions: [/^payment: gateway -?\d+ to -?\d+ µs, .*; both /m],
  rules: [/^card creation, 50 rules to none: gateway .*; both /m],
  mixed: [
    /^creations \d+\/s: p50 \d+\.\d ms, p95 \d+\.\d ms, p99 \d+\.\d ms$/m,
    /^under load: gateway \d+\.\d ms, database /m,
  ],
  webhooks: [/^ *median +\d+ +\d+ +\d+\.\d\d$/m],
  start: [/^after 240 creations: \d+ MB$/m, /^start on existing data, to the first 200: \d+\.\d ms$/m],
};

/** Those that can share a gateway run together. The last one of a run moves the clock. */
const ALL: readonly (readonly string[])[] = [
  [
    'create',
    'pay',
    'hot',
    'withdraw',
    'tenants',
    'read',
    'grown',
    'growth',
    'rules',
    'pages',
    'versions',
    'subscriptions',
  ],
  ...['webhooks', 'mixed', 'start', 'distributed'].map((name) => [name]),
];
/** With `BENCH=all`, all run, which takes minutes. */
const RUNS = process.env['BENCH'] === 'all' ? ALL : [['create', 'read', 'subscriptions']];

const missing = await whyNoCitus();
if (missing !== undefined && RUNS === ALL)
  process.stderr.write(`The benchmark of a distributed database is not tested: ${missing}.\n`);

describe('npm run bench', () => {
  it.each(
    RUNS.filter((names) => missing === undefined || !names.includes('distributed')).map(
      (names) => [names.join(' '), names] as const,
    ),
  )('%s runs with small numbers', { timeout: 180_000 }, async (_title, names) => {
    const { stdout } = await promisify(execFile)(process.execPath, [BENCH, ...names, '--smoke'], {
      env: { ...process.env, NODE_COMPILE_CACHE: COMPILE_CACHE, BENCH_PROGRAM: inject('program') },
    });
    for (const line of names.flatMap((name) => BENCHES[name] ?? [])) expect(stdout).toMatch(line);
  });

  it('rejects an unknown benchmark with the list of names, all of which can be tested here', async () => {
    const run = promisify(execFile)(process.execPath, [BENCH, 'nothing']);
    const error: unknown = await run.catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 1, stderr: expect.stringContaining('NAME is one of') });
    const names = /NAME is one of (.*)/.exec(String(Object(error).stderr))?.[1]?.split(', ');
    expect(names?.toSorted()).toEqual(Object.keys(BENCHES).toSorted());
    expect(names?.toSorted()).toEqual(ALL.flat().toSorted());
  });
});
