import { randomUUID } from 'node:crypto';

import { sql } from 'kysely';
import { beforeEach, expect, it, vi } from 'vitest';

import type { LeasedTable } from '#platform/database/leases.ts';
import { createLogger } from '#platform/kit/log.ts';
import { useDatabase } from '#test/support/opened-database.ts';
import { createHeartbeatJob } from './heartbeats.ts';
import { Registration } from './lease-holder.ts';
import { createLostLeaseJob } from './lost-leases.ts';

const PAYOUTS_TABLE: LeasedTable = {
  table: 'payouts',
  key: ['seller_id', 'withdrawal_id'],
  pending: sql`submitted_at IS NULL`,
};

const opened = useDatabase();
beforeEach(async () => {
  await opened.query('DELETE FROM worker_heartbeats');
  await opened.query('DELETE FROM payouts');
});

/** A worker process with its heartbeat, which can be stopped. */
async function startProcess() {
  const registration = new Registration();
  const beat = createHeartbeatJob(opened.db, registration, () => []);
  const log = createLogger('silent');
  const deps = { db: opened.db, log, leaseHolder: registration };
  await beat();
  return { registration, beat, endLost: createLostLeaseJob(deps, [PAYOUTS_TABLE]) };
}

async function insertLeases(leasedBy: string | undefined, count = 1): Promise<void> {
  await opened.query(
    `INSERT INTO payouts (seller_id, withdrawal_id, provider, attempts, due_at, lease_until, leased_by,
       created_at, updated_at)
     SELECT gen_random_uuid(), gen_random_uuid(), 'bank', 0, now(), now() + interval '1 minute', $1,
       now(), now()
     FROM generate_series(1, $2)`,
    [leasedBy, count],
  );
}

async function leasesOf(id: string | undefined): Promise<number | undefined> {
  const sql =
    'SELECT count(*)::integer AS count FROM payouts WHERE leased_by = $1 AND lease_until IS NOT NULL';
  const [row] = await opened.query<{ count: number }>(sql, [id]);
  return row?.count;
}

/** Stops the heartbeat of a process for this long. */
const expireHeartbeat = (id: string | undefined, seconds: number) =>
  opened.query(
    'UPDATE worker_heartbeats SET alive_at = clock_timestamp() - make_interval(secs => $2) WHERE id = $1',
    [id, seconds],
  );

it('ends the leases of a process without a heartbeat, and of no other', async () => {
  const [ended, running] = [await startProcess(), await startProcess()];
  const endedId = ended.registration.id;
  const runningId = running.registration.id;
  await insertLeases(endedId, 3);
  await insertLeases(runningId, 2);
  await expireHeartbeat(endedId, 9);
  await running.endLost();
  expect(await leasesOf(endedId)).toBe(3);
  await expireHeartbeat(endedId, 11);
  expect(await running.endLost()).toBe(true);
  expect(await running.endLost()).toBe(false);
  expect([await leasesOf(endedId), await leasesOf(runningId)]).toEqual([0, 2]);
});

it('ends many leases in chunks', async () => {
  const [ended, running] = [await startProcess(), await startProcess()];
  await insertLeases(ended.registration.id, 700);
  await expireHeartbeat(ended.registration.id, 11);
  expect(await running.endLost()).toBe(true);
  expect(await leasesOf(ended.registration.id)).toBe(200);
  expect(await running.endLost()).toBe(true);
  expect(await running.endLost()).toBe(false);
  expect(await leasesOf(ended.registration.id)).toBe(0);
});

it('continues under another id after the leases of the process were ended', async () => {
  const [paused, running] = [await startProcess(), await startProcess()];
  const before = paused.registration.id;
  await expireHeartbeat(before, 11);
  await running.endLost();
  await paused.beat();
  expect(paused.registration.id).not.toBe(before);
  await running.endLost();
  const held = await opened.query("SELECT id FROM worker_heartbeats WHERE leases = 'HELD'");
  expect(new Set(held.map(({ id }) => id))).toEqual(
    new Set([paused.registration.id, running.registration.id]),
  );
});

it('claims nothing and ends no leases without a registration', async () => {
  const registration = new Registration();
  expect(registration.id).toBeUndefined();
  const other = await startProcess();
  await insertLeases(other.registration.id);
  await expireHeartbeat(other.registration.id, 60);
  const log = createLogger('silent');
  const endLost = createLostLeaseJob({ db: opened.db, log, leaseHolder: registration }, [PAYOUTS_TABLE]);
  await endLost();
  expect(await leasesOf(other.registration.id)).toBe(1);
});

it('expires a registration without heartbeats', async () => {
  const registration = new Registration();
  await registration.renew(async () => true);
  expect(registration.id).toEqual(expect.any(String));
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    await registration.renew(async () => true);
    vi.advanceTimersByTime(8_500);
    expect(registration.id).toBeUndefined();
  } finally {
    vi.useRealTimers();
  }
});

it('does not accept a registration whose first heartbeat fails', async () => {
  const registration = new Registration();
  const failure = new Error(randomUUID());
  await expect(registration.renew(() => Promise.reject(failure))).rejects.toBe(failure);
  expect(registration.id).toBeUndefined();
});
