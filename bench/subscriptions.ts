import { createWork } from './charges.ts';
import { query } from './database.ts';
import { ms, percentiles, print, whole } from './figures.ts';
import type { Load } from './load.ts';
import type { BenchOptions } from './options.ts';
import { makeSellers } from './sellers.ts';
import { startServer, withDataDir, type Seller, type Server } from './server.ts';

const SELLERS = 20;
const SMOKE_COUNT = 50;
const CALLERS = 4;
const DAY_SECONDS = 86_400;
const DEADLINE_MS = 3_600_000;

/**
 * `--charges` subscriptions by Pix that are due on one day, of which one seller has half. Creations
 * run meanwhile, and the process is killed when half of the cycles are charged. A smoke run, which
 * shares its gateway, kills nothing.
 */
export async function benchSubscriptions(options: BenchOptions, load: Load): Promise<void> {
  const { server: shared, profileDir } = options;
  if (shared !== undefined) {
    await chargeAll(options, load, { server: shared });
    return;
  }
  await withDataDir(async (dataDir) => {
    const running: Running = {
      server: await startServer({ dataDir, profileDir }),
      restart: () => startServer({ dataDir }),
    };
    try {
      await chargeAll(options, load, running);
    } finally {
      await running.server.stop();
    }
  });
}

interface Running {
  server: Server;
  /** Undefined for a gateway that is not to be killed. */
  readonly restart?: () => Promise<Server>;
}

async function chargeAll(options: BenchOptions, load: Load, running: Running): Promise<void> {
  const { seconds, smoke } = options;
  const count = smoke ? SMOKE_COUNT : options.charges;
  const sellers = await makeSellers(running.server, Math.min(options.sellers, SELLERS));
  await insertSubscriptions(running.server, sellers, count);
  let refused = 0;
  const create = async (): Promise<Float64Array> => {
    const plan = { port: running.server.port, callers: CALLERS, seconds, status: 201, refusal: 503 };
    const result = await load.run({ ...plan, work: createWork(sellers) });
    refused += result.refused;
    return result.latencies;
  };
  if (!smoke) await create();
  print(`creations, ${CALLERS} callers, while nothing is due: p99 ${p99([await create()])}`);
  await running.server.operator('POST', '/sandbox/clock', { advanceSeconds: DAY_SECONDS });

  const started = performance.now();
  const meanwhile: Float64Array[] = [];
  const createUntil = async (wanted: number): Promise<void> => {
    while ((await charged(running.server)) < wanted) {
      if (performance.now() - started > DEADLINE_MS) throw new Error('the cycles were not charged');
      meanwhile.push(await create());
    }
  };
  await createUntil(count / 2);
  const downMs = await kill(running);
  await createUntil(count);
  const spentSeconds = (performance.now() - started - downMs) / 1_000;
  await expectOneEach(running.server, count);
  print(`creations while cycles are charged: p99 ${p99(meanwhile)}`);
  print(`creations that were refused as too busy: ${refused}`);
  if (downMs > 0) print(`ready ${ms(downMs)} after the process was killed at half`);
  print(`${count} subscriptions, one charge each: ${whole(count / spentSeconds)}/s beside the creations`);
}

/** Returns the time until it is ready again, in milliseconds. */
async function kill(running: Running): Promise<number> {
  const { server, restart } = running;
  if (restart === undefined) return 0;
  const killed = performance.now();
  process.kill(server.pid, 'SIGKILL');
  running.server = await restart();
  return performance.now() - killed;
}

const p99 = (rounds: readonly Float64Array[]): string => ms(percentiles(rounds).p99);

/** Written by SQL, because only their day is measured. They are due tomorrow. */
async function insertSubscriptions(
  { databaseUrl }: Server,
  sellers: readonly Seller[],
  count: number,
): Promise<void> {
  const customer = {
    name: 'Ana Souza',
    email: 'ana@example.com',
    phone: '11987654321',
    documentType: 'CPF',
    document: '52998224725',
    externalRef: null,
  };
  await query(
    databaseUrl,
    `INSERT INTO subscriptions (seller_id, id, method, status, version, amount, amount_type, charge_interval,
       start_date, retry_policy, on_unpaid, customer, payer_secret, next_cycle, charged_cycles, invoices,
       due_at, card_checked_cycle, created_at, updated_at)
     SELECT ($1::uuid[])[CASE WHEN n % 2 = 0 THEN 1 ELSE 1 + n % $2 END],
       overlay(gen_random_uuid()::text placing '4' from 15 for 1)::uuid, 'PIX', 'ACTIVE', 1, 4990, 'FIXED',
       'MONTHLY', day, 'NONE', 'CONTINUE', $3, gen_random_uuid(), 0, 0, 0,
       day::timestamp AT TIME ZONE 'America/Sao_Paulo', -1, now(), now()
     FROM generate_series(1, $4) AS n
     CROSS JOIN (SELECT (now() AT TIME ZONE 'America/Sao_Paulo')::date + 1 AS day) tomorrow`,
    [sellers.map(({ id }) => id), sellers.length, JSON.stringify(customer), count],
  );
  await query(databaseUrl, 'ANALYZE subscriptions');
}

/** Cycles with a transaction. */
async function charged({ databaseUrl }: Server): Promise<number> {
  const [row] = await query<{ count: string }>(
    databaseUrl,
    `SELECT count(*) FROM subscription_attempts WHERE state = 'SENT'`,
  );
  return Number(row?.count ?? 0);
}

/** Fails if a subscription has no invoice, several, or another number of transactions. */
async function expectOneEach({ databaseUrl }: Server, count: number): Promise<void> {
  const [row] = await query<{ invoices: string; subscriptions: string; transactions: string }>(
    databaseUrl,
    `SELECT (SELECT count(*) FROM subscription_invoices) AS invoices,
       (SELECT count(*) FROM subscriptions WHERE invoices = 1) AS subscriptions,
       (SELECT count(*) FROM transactions WHERE subscription_id IS NOT NULL) AS transactions`,
  );
  for (const [name, found] of Object.entries(row ?? {}))
    if (Number(found) !== count) throw new Error(`${found} ${name} instead of ${count}`);
}
