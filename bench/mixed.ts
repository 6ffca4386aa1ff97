import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';

import type { LoadResult } from '#tools/load/paced-load.ts';
import { cpuTime, type CpuTime } from './cpu.ts';
import { ms, print, whole } from './figures.ts';
import type { Load } from './load.ts';
import type { BenchOptions } from './options.ts';
import { startReceiver, type BenchReceiver } from './receiver.ts';
import { makeSellers } from './sellers.ts';
import { startServer, withDataDir, type Seller, type Server } from './server.ts';

const LOAD = fileURLToPath(new URL('../tools/load/main.ts', import.meta.url));
/** Per second. Each payment is delivered to a webhook too. */
const RATES = { creations: 600, payments: 300, reads: 400, lists: 20 };
const SMOKE_RATES = { creations: 20, payments: 10, reads: 20, lists: 2 };
/** Each seller has a key on the command line and a webhook. */
const MAX_SELLERS = 50;
const IDLE_MS = 10_000;
const WARMUP_SECONDS = 5;

/**
 * Creations, payments, reads and deliveries at moderate fixed rates: response times, and the
 * processor time that gateway and database need each second, the load not included.
 */
export async function benchMixed(options: BenchOptions, _load: Load): Promise<void> {
  await withDataDir(async (dataDir) => {
    const receiver = await startReceiver(dataDir);
    try {
      const settings = { NODE_EXTRA_CA_CERTS: receiver.authorityFile };
      const server = await startServer({ dataDir, profileDir: options.profileDir, settings });
      try {
        await measure(options, server, receiver);
      } finally {
        await server.stop();
      }
    } finally {
      receiver.stop();
    }
  });
}

async function measure(options: BenchOptions, server: Server, receiver: BenchReceiver): Promise<void> {
  const { smoke } = options;
  const sellers = await makeSellers(server, Math.min(options.sellers, MAX_SELLERS));
  for (const seller of sellers) await registerWebhook(server, receiver, seller);
  const idle = await spent(server, () => new Promise((done) => setTimeout(done, smoke ? 200 : IDLE_MS)));
  print(`idle: ${costLine(idle)}`);
  const seconds = smoke ? 1 : options.seconds * options.rounds;
  const warmup = smoke ? 0 : WARMUP_SECONDS;
  let result: LoadResult | undefined;
  const cost = await spent(server, async () => {
    result = await runLoad(server, sellers, { seconds, warmup, rates: smoke ? SMOKE_RATES : RATES });
  });
  if (result === undefined) throw new Error('the load returned nothing');
  for (const { operation, rate, p50, p95, p99, failures } of result.operations) {
    const failed = Object.keys(failures).length === 0 ? '' : `, failed: ${JSON.stringify(failures)}`;
    print(`${operation} ${whole(rate)}/s: p50 ${ms(p50)}, p95 ${ms(p95)}, p99 ${ms(p99)}${failed}`);
  }
  if (result.skipped > 0)
    print(`${result.skipped} requests were not sent, because all connections were busy`);
  print(`deliveries ${whole((await receiver.count('mixed')) / cost.seconds)}/s`);
  print(`under load: ${costLine(cost)}`);
}

interface Spent extends CpuTime {
  readonly seconds: number;
}

async function spent({ pid }: Server, use: () => Promise<unknown>): Promise<Spent> {
  const [before, started] = [await cpuTime(pid), performance.now()];
  await use();
  const after = await cpuTime(pid);
  return {
    gateway: after.gateway - before.gateway,
    database: after.database - before.database,
    seconds: (performance.now() - started) / 1_000,
  };
}

const costLine = ({ gateway, database, seconds }: Spent): string =>
  `gateway ${ms((gateway / seconds) * 1_000)}, database ${ms((database / seconds) * 1_000)} ` +
  'of processor time a second';

/** In a separate process. */
async function runLoad(
  { port }: Server,
  sellers: readonly Seller[],
  { seconds, warmup, rates }: { seconds: number; warmup: number; rates: typeof RATES },
): Promise<LoadResult> {
  const numbers = Object.entries({ seconds, warmup, ...rates });
  const args = numbers.flatMap(([name, value]) => [`--${name}`, String(value)]);
  const keys = sellers.map(({ apiKey }) => apiKey).join(',');
  const command = [LOAD, '--url', `http://127.0.0.1:${port}`, '--json', ...args];
  const env = { ...process.env, VEREDA_API_KEY: keys };
  const { stdout, stderr } = await new Promise<{ stdout: string; stderr: string }>((resolve) => {
    // Exits with 1 if a request failed, which the result shows.
    execFile(process.execPath, command, { env }, (_error, out, err) => resolve({ stdout: out, stderr: err }));
  });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout);
}

async function registerWebhook({ port }: Server, receiver: BenchReceiver, { apiKey }: Seller): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/webhooks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey, 'idempotency-key': randomUUID() },
    body: JSON.stringify({ url: `${receiver.url}/mixed`, eventType: 'TRANSACTION' }),
  });
  if (!response.ok) throw new Error(`a webhook was not registered: ${await response.text()}`);
}
