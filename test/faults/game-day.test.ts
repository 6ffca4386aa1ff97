import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, it, vi } from 'vitest';

import { makeOwnServer, type OwnServer } from '#test/support/disposable-postgres.ts';
import { makePlace, type Place, type Program } from '#test/support/process.ts';
import { startRedis, type TestRedis } from '#test/support/redis.ts';
import { maySmallDisksBeMounted, mountSmallDisk, type SmallDisk } from '#test/support/small-disk.ts';
import { startTcpProxy, type TcpProxy } from '#test/support/tcp-proxy.ts';

/** A day on which everything happens that the runbook describes, on one machine. */

vi.setConfig({ testTimeout: 240_000 });

const SHIFTED = `--import=${fileURLToPath(new URL('shifted-clock.mjs', import.meta.url))}`;
const THREE_HOURS = 3 * 3_600_000;
const DISK_MB = 160;
const SETTINGS = { max_wal_size: '48MB', min_wal_size: '32MB' };
const SOON = { timeout: 30_000, interval: 100 };

interface Stage {
  readonly disk: SmallDisk;
  readonly server: OwnServer;
  readonly proxy: TcpProxy;
  readonly redis: TestRedis;
  readonly place: Place;
  readonly setClock: (ms: number) => Promise<void>;
}

async function withStage(run: (stage: Stage) => Promise<void>): Promise<void> {
  await using cleanup = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'gateway-game-day-'));
  cleanup.defer(() => rm(directory, { recursive: true, force: true }));
  const disk = await mountSmallDisk(DISK_MB);
  cleanup.defer(() => disk.remove());
  const server = await makeOwnServer(disk.directory);
  cleanup.defer(() => server.remove());
  await server.start(SETTINGS);
  const proxy = await startTcpProxy(server.url());
  cleanup.defer(() => proxy.remove());
  const redis = await startRedis();
  cleanup.defer(() => redis.close());
  const place = await makePlace({
    DATABASE_URL: proxy.url,
    MODE: 'sandbox',
    REDIS_URL: redis.url,
    NODE_OPTIONS: SHIFTED,
    CLOCK_SHIFT_FILE: join(directory, 'shift'),
  });
  cleanup.defer(() => place.remove());
  const setClock = async (ms: number) => {
    await writeFile(join(directory, 'beside'), String(ms));
    await rename(join(directory, 'beside'), join(directory, 'shift'));
  };
  await run({ disk, server, proxy, redis, place, setClock });
}

async function health({ client }: Program): Promise<unknown> {
  const { status, body } = await client.get('/health');
  return { status, clock: body.data.clock };
}

async function redisUp({ baseUrl }: Program): Promise<number> {
  const metrics = await (await fetch(new URL('/metrics', baseUrl))).text();
  return Number(/^redis_up (\d)$/m.exec(metrics)?.[1]);
}

const READY = { status: 200, clock: undefined };

describe.runIf(await maySmallDisksBeMounted())('a game day (requires permission to mount a disk)', () => {
  it('survives a lost Redis, a skewed clock, a full disk and a restore, which pauses payouts', async () => {
    await withStage(async ({ disk, server, proxy, redis, place, setClock }) => {
      const first = await place.start();
      const kept = (await first.client.charge()).body.data.id;
      await first.end();
      const backup = await server.copy();
      const backedUpAt = new Date();
      try {
        await server.start(SETTINGS);
        proxy.redirect(server.url());
        const program = await place.start();
        const { client } = program;

        await redis.kill();
        await expect.poll(() => redisUp(program), SOON).toBe(0);
        const lost = await client.charge();
        expect(lost.status).toBe(201);
        const doctor = await place.run(['doctor', '--json']).exit();
        expect(doctor.code).toBe(1);
        const { checks }: { checks: { name: string; status: string }[] } = JSON.parse(doctor.stdout);
        expect(checks.filter(({ status }) => status === 'FAILED').map(({ name }) => name)).toEqual(['redis']);
        await redis.start();
        await expect.poll(() => redisUp(program), SOON).toBe(1);

        await setClock(THREE_HOURS);
        await expect.poll(() => health(program), SOON).toEqual({ status: 503, clock: 'skewed' });
        await setClock(0);
        await expect.poll(() => health(program), SOON).toEqual(READY);
        const { body } = await client.get(`/transactions/${lost.body.data.id}`);
        expect(body.data.status).toBe('PENDING');

        await disk.fill();
        await expect.poll(async () => (await client.charge()).status, SOON).toBe(503);
        await disk.free();
        await expect.poll(async () => (await client.charge()).status, SOON).toBe(201);

        await program.end();
        await server.stop();
        await backup.start();
        proxy.redirect(backup.url());
        const at = backedUpAt.toISOString();
        for (const command of [['ledger-check'], ['restored', '--at', at]]) {
          expect(await place.run(command).exit()).toMatchObject({ code: 0 });
        }
        const restored = await place.start();
        const as = {
          token: String((await restored.client.post('/login', restored.demo.admin)).body.accessToken),
        };
        const { payoutsPaused } = (await restored.client.get('/admin/system', as)).body.data;
        expect(payoutsPaused).toBe('restored');
        expect((await restored.client.get(`/transactions/${kept}`)).status).toBe(200);
        expect((await restored.client.get(`/transactions/${lost.body.data.id}`)).status).toBe(404);
        expect(await place.run(['restored', '--confirm']).exit()).toMatchObject({ code: 0 });
        const after = await restored.client.get('/admin/system', as);
        expect(after.body.data.payoutsPaused).toBeNull();
        await restored.end();
      } finally {
        await place.remove();
        await backup.remove();
      }
    });
  });
});
