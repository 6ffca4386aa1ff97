import { randomUUID } from 'node:crypto';

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';

import { openDatabase } from '#platform/database/connect.ts';
import { distribute } from '#platform/database/distribution.ts';
import { hashSeller } from '#platform/database/shards/seller-hash.ts';
import { startCitusCluster, whyNoCitus, type CitusCluster } from '#test/support/citus.ts';
import { openTestDatabase, type TestDatabase } from '#test/support/database.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { startReceiver, type Receiver } from '#test/support/receiver.ts';
import { findRejectedCalls } from '#test/plans/portable.ts';
import { administer } from '#test/support/administer.ts';
import { newSeller, withdraw, withdrawalThatIs, type TestSeller } from '#test/support/withdrawals.ts';

const SELLER_READS = [
  '/transactions?take=5',
  '/transactions?skip=1',
  '/transactions?status=PAID',
  '/transactions?method=PIX',
  '/transactions?metadataKey=order&metadataValue=A-1',
  '/withdrawals',
  '/withdrawals?status=PAID',
  '/seller-wallet/entries',
  '/seller-wallet/entries?cause=REFUND',
  '/seller-wallet/releases',
  '/seller-wallet/releases/sales?startDate=2026-01-01&endDate=2026-12-31',
  '/reports/summary?startDate=2026-01-01&endDate=2026-12-31',
  '/events',
  '/webhooks',
  '/webhooks/deliveries',
  '/webhooks/deliveries?status=DELIVERED',
];
const OPERATOR_READS = [
  '/admin/transactions',
  '/admin/transactions?status=PAID',
  '/admin/withdrawals',
  '/admin/provider-events',
  '/admin/provider-events?outcome=APPLIED',
  '/admin/sellers',
  '/admin/system',
  '/admin/webhooks',
  '/admin/audit-log',
  '/admin/reconciliation?startDate=2026-01-01&endDate=2026-01-31',
];

/** The jobs that have not run, or failed the last time. */
async function jobsWithoutSuccess(gateway: TestGateway) {
  const { body } = await gateway.get('/admin/system', { token: await gateway.adminToken() });
  const loops: readonly { name: string; lastRunAt: string | null; failures: number }[] =
    body.data.workers.flatMap((worker: { loops: unknown }) => worker.loops);
  expect(loops.length).toBeGreaterThan(20);
  return loops.filter(({ lastRunAt, failures }) => lastRunAt === null || failures > 0);
}

const missing = await whyNoCitus();
if (missing !== undefined)
  process.stderr.write(`The tests on a distributed database are skipped: ${missing}.\n`);

describe.skipIf(missing !== undefined)('on a distributed database', { timeout: 120_000 }, () => {
  let cluster: CitusCluster;
  let database: TestDatabase;
  let receiver: Receiver;
  let gateway: TestGateway;

  beforeAll(async () => {
    cluster = await startCitusCluster();
    database = await openTestDatabase([await cluster.createDatabase('gateway_distributed')], () =>
      cluster.stop(),
    );
    receiver = await startReceiver();
    gateway = await startTestGateway({
      database,
      // As by default: those that wait for a dead node leave some to other sellers.
      environment: { DATABASE_POOL: '10' },
      receiverAuthorities: receiver.authority,
    });
  }, 120_000);
  afterAll(async () => {
    await gateway.stop();
    await receiver.close();
  });

  const balanceOf = async ({ apiKey }: TestSeller) =>
    (await gateway.get('/seller-wallet/gestao', { apiKey })).body.data.availableBalance;

  it('distributes the tables once, into two shards for each node', async () => {
    expect(await distribute(database.ownerUrl)).toEqual([]);
    const shards = `SELECT count(*) FROM pg_dist_shard WHERE logicalrelid = 'transactions'::regclass`;
    expect(await database.query(shards)).toEqual([{ count: '4' }]);
  });

  it('moves a table that an earlier version distributed to the coordinator', async () => {
    const { id } = await newSeller(gateway);
    const fees = `SELECT * FROM fee_schedules WHERE seller_id = '${id}'`;
    const before = await database.query(fees);
    await administer(
      database.ownerUrl,
      'ALTER TABLE fee_schedules DROP CONSTRAINT fee_schedules_seller_id_fkey;' +
        `SELECT create_distributed_table('fee_schedules', 'seller_id', colocate_with => 'transactions');` +
        'ALTER TABLE fee_schedules ADD FOREIGN KEY (seller_id) REFERENCES sellers (id)',
    );
    expect(await distribute(database.ownerUrl)).toEqual(['fee_schedules']);
    expect(await database.query(fees)).toEqual(before);
    const placed = `SELECT partmethod FROM pg_dist_partition WHERE logicalrelid = 'fee_schedules'::regclass`;
    expect(await database.query(placed)).toEqual([{ partmethod: 'n' }]);
    await newSeller(gateway);
  });

  it('accepts every statement of the stores', async () => {
    expect(await findRejectedCalls(await cluster.createDatabase('statements'))).toEqual([]);
  });

  it('runs every job that polls', async () => {
    await expect.poll(() => jobsWithoutSuccess(gateway), { timeout: 20_000, interval: 1_000 }).toEqual([]);
  });

  it('changes a row that each node has for several callers at once', async () => {
    const token = await gateway.adminToken();
    const move = () => gateway.post('/sandbox/clock', { advanceSeconds: 1 }, { token });
    const responses = await Promise.all(Array.from({ length: 5 }, move));
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
  });

  it('computes the same hash of a seller as Citus', async () => {
    const ids = Array.from({ length: 50 }, () => randomUUID());
    const rows = await database.query<{ hash: number }>(
      'SELECT worker_hash(id) AS hash FROM unnest($1::uuid[]) WITH ORDINALITY AS k (id, n) ORDER BY n',
      [ids],
    );
    expect(ids.map(hashSeller)).toEqual(rows.map(({ hash }) => hash));
  });

  it('keeps the connection of a statement that waits for a lock of a worker node', async () => {
    const { id } = await newSeller(gateway);
    const opened = openDatabase({ url: database.url, poolSize: 2, onError: () => undefined });
    const lock = sql`SELECT available FROM wallets WHERE seller_id = ${id} AND origin = 'PIX' FOR UPDATE`;
    try {
      await sql`SELECT set_config('lock_timeout', '10s', false)`.execute(opened.db);
      const waiting = await opened.db.transaction().execute(async (trx) => {
        await lock.execute(trx);
        const result = lock.execute(opened.db);
        await new Promise((resolve) => setTimeout(resolve, 2_500));
        return { result };
      });
      expect((await waiting.result).rows).toEqual([{ available: 0 }]);
      expect(opened.hungConnections).toBe(0);
    } finally {
      await opened.close();
    }
  });

  it('serves charges, payments, webhooks, refunds, withdrawals, lists, searches and checks', async () => {
    const seller = await newSeller(gateway, { autoApproveUpTo: 100_000 });
    const { apiKey } = seller;
    const hook = await gateway.post('/webhooks', { url: receiver.url, eventType: 'ALL' }, { apiKey });
    expect(hook.status).toBe(201);
    const key = randomUUID();
    const made = await gateway.charge({ metadata: { order: 'A-1' } }, { apiKey, idempotencyKey: key });
    expect(made.status).toBe(201);
    const again = await gateway.charge({ metadata: { order: 'A-1' } }, { apiKey, idempotencyKey: key });
    expect(again.text).toBe(made.text);
    const { id } = made.body.data;
    expect((await gateway.post(`/sandbox/transactions/${id}/pay`, undefined, { apiKey })).status).toBe(200);
    expect(await balanceOf(seller)).toBe(made.body.data.netAmount);
    await receiver.waitFor(1, 20_000);

    const refund = await gateway.post(
      `/transactions/${id}/refund`,
      { amount: 100 },
      { apiKey, idempotencyKey: randomUUID() },
    );
    expect(refund.status).toBeLessThan(300);
    await withdrawalThatIs(gateway, seller, 'PAID', { amount: 500 });
    const token = await gateway.adminToken();
    const responses = await Promise.all([
      ...SELLER_READS.map(async (path) => [path, (await gateway.get(path, { apiKey })).status]),
      ...OPERATOR_READS.map(async (path) => [path, (await gateway.get(path, { token })).status]),
    ]);
    expect(responses.filter(([, status]) => status !== 200)).toEqual([]);
    const check = await gateway.get('/admin/ledger/check', { token });
    expect(check.body.data).toMatchObject({ balanced: true, discrepancies: [] });
  });

  /**
   * Creates sellers until each of the two workers has one; returns them in the order of the
   * workers.
   */
  async function sellerOnEachNode(): Promise<readonly TestSeller[]> {
    const found = new Map<number, TestSeller>();
    while (found.size < 2) {
      const seller = await newSeller(gateway);
      found.set(await portOf(seller), seller);
    }
    return cluster.workers.flatMap(({ port }) => found.get(port) ?? []);
  }

  async function portOf({ id }: TestSeller): Promise<number> {
    const [row] = await database.query<{ port: number }>(
      `SELECT n.nodeport AS port FROM pg_dist_placement p JOIN pg_dist_node n ON n.groupid = p.groupid
       WHERE p.shardid = get_shard_id_for_distribution_column('transactions', $1::uuid)`,
      [id],
    );
    return row?.port ?? 0;
  }

  /**
   * Charges one after another until it is ended; returns the ids of the charges that were created.
   */
  function chargeUntilEnded({ apiKey }: TestSeller) {
    const state = { ended: false };
    const ids: string[] = [];
    const refused = new Set<number>();
    const run = async () => {
      while (!state.ended) {
        const response = await gateway.charge({}, { apiKey });
        if (response.status === 201) ids.push(response.body.data.id);
        else refused.add(response.status);
      }
    };
    const done = run();
    const end = async () => {
      state.ended = true;
      await done;
      return { ids, refused: [...refused] };
    };
    // Otherwise the load of a failed test continues during its retry, and after the gateway has
    // stopped.
    onTestFinished(async () => void (await end()));
    return { ids, end };
  }

  async function nodesWithShards(): Promise<number> {
    const [row] = await database.query<{ nodes: number }>(
      'SELECT count(DISTINCT groupid)::integer AS nodes FROM pg_dist_placement WHERE groupid <> 0',
    );
    return row?.nodes ?? 0;
  }

  async function expectAllStored({ apiKey }: TestSeller, ids: readonly string[]): Promise<void> {
    expect(ids.length).toBeGreaterThan(0);
    for (const id of ids)
      expect(await gateway.get(`/transactions/${id}`, { apiKey })).toMatchObject({
        status: 200,
        body: { data: { id } },
      });
  }

  it('does not deadlock while withdrawals of a seller are created and decided', async () => {
    const seller = await newSeller(gateway, { balance: 10_000 });
    const token = await gateway.adminToken();
    const createAndReject = async (): Promise<number> => {
      const created = await withdraw(gateway, seller, { amount: 100 });
      const path = `/admin/withdrawals/${created.body.data?.id}/reject`;
      return (await gateway.post(path, { reason: 'no' }, { token })).status;
    };
    for (let round = 0; round < 3; round += 1) {
      const statuses = await Promise.all(Array.from({ length: 10 }, createAndReject));
      expect(statuses).toEqual(Array.from({ length: 10 }, () => 200));
    }
    expect(await balanceOf(seller)).toBe(10_000);
  });

  it('loses no acknowledged write when a worker node is killed, which affects its sellers only', async () => {
    const [lost, kept] = await sellerOnEachNode();
    const [worker] = cluster.workers;
    if (lost === undefined || kept === undefined || worker === undefined) throw new Error('no sellers');
    const loads = [chargeUntilEnded(lost), chargeUntilEnded(kept)] as const;
    await vi.waitFor(
      () => expect(Math.min(...loads.map(({ ids }) => ids.length))).toBeGreaterThan(3),
      20_000,
    );
    await worker.kill();
    const startedMs = performance.now();
    const refused = await gateway.charge({}, { apiKey: lost.apiKey });
    expect(refused.status).toBe(503);
    expect(performance.now() - startedMs).toBeLessThan(2_000);
    const before = loads[1].ids.length;
    await vi.waitFor(() => expect(loads[1].ids.length).toBeGreaterThan(before + 3), 10_000);
    await worker.start();
    await vi.waitFor(
      async () => expect((await gateway.charge({}, { apiKey: lost.apiKey })).status).toBe(201),
      20_000,
    );
    const [ofLost, ofKept] = [await loads[0].end(), await loads[1].end()];
    expect(ofLost.refused).toEqual([503]);
    expect(ofKept.refused).toEqual([]);
    await expectAllStored(lost, ofLost.ids);
    await expectAllStored(kept, ofKept.ids);
  });

  it('loses nothing when shards move to a new node under load', async () => {
    // The worker of the test before has just started again: some connections to it are still
    // closed.
    const sellers = await vi.waitFor(sellerOnEachNode, { timeout: 20_000, interval: 500 });
    const loads = sellers.map(chargeUntilEnded);
    const nodes = await nodesWithShards();
    await cluster.addNode('gateway_distributed');
    await database.query('SELECT citus_rebalance_start()');
    await database.query('SELECT citus_rebalance_wait()');
    expect(await nodesWithShards()).toBe(nodes + 1);
    for (const [index, seller] of sellers.entries()) {
      const { ids } = (await loads[index]?.end()) ?? { ids: [] };
      await expectAllStored(seller, ids);
    }
    const check = await gateway.get('/admin/ledger/check', { token: await gateway.adminToken() });
    expect(check.body.data).toMatchObject({ balanced: true, discrepancies: [] });
  });
});
