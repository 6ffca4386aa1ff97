import { describe, expect, it, vi } from 'vitest';

import { Load } from './load.ts';
import { seedOfRun } from './seed.ts';
import { probeWithFullDisk, probe } from './probes.ts';
import { makeOwnServer } from '#test/support/disposable-postgres.ts';
import { makePlace } from '#test/support/process.ts';
import { maySmallDisksBeMounted, mountSmallDisk } from '#test/support/small-disk.ts';
import { startTcpProxy } from '#test/support/tcp-proxy.ts';

vi.setConfig({ testTimeout: 120_000 });

/** Space for an empty database, its WAL, and a few thousand charges. */
const DISK_MB = 160;
const SETTINGS = { max_wal_size: '48MB', min_wal_size: '32MB' };
const RECOVERY_MS = 10_000;
/** How long clients continue while the disk is full. */
const FULL_MS = 3_000;

describe.runIf(await maySmallDisksBeMounted())(
  'a database on a small disk (requires permission to mount one)',
  () => {
    it('that fills up and stops loses no acknowledged write after space is freed', async () => {
      const disk = await mountSmallDisk(DISK_MB);
      const server = await makeOwnServer(disk.directory);
      try {
        await server.start(SETTINGS);
        const proxy = await startTcpProxy(server.url());
        const place = await makePlace({ DATABASE_URL: proxy.url, MODE: 'sandbox' });
        try {
          const program = await place.start();
          const load = await Load.prepare({ demo: program.demo, sellers: 2, seed: seedOfRun() });
          const { client } = program;
          const health = async () => (await program.client.get('/health')).status;
          let over = false;
          const callers = load.drive(8, () => over);
          await expect.poll(() => load.acknowledged.created, { timeout: 20_000 }).toBeGreaterThan(20);

          await disk.fill();
          await expect.poll(async () => (await probe(client)).status, { timeout: 30_000 }).toBe(503);
          await expect.poll(health, { timeout: RECOVERY_MS }).toBe(503);
          await probeWithFullDisk(client, FULL_MS);
          await expect.poll(health, { timeout: RECOVERY_MS }).toBe(503);
          // Each allocates another WAL segment until none is free: then PostgreSQL stops.
          const writeOn = async () => {
            for (;;) await server.query('SELECT pg_switch_wal(), pg_current_xact_id()');
          };
          await expect(writeOn()).rejects.toThrow(/terminat|ECONNRE|No space left|recovery mode/);
          await expect.poll(health, { timeout: RECOVERY_MS }).toBe(503);
          await expect.poll(async () => (await probe(client)).status, { timeout: RECOVERY_MS }).toBe(503);

          await disk.free();
          // As an operator does if the server has not restarted by itself.
          await server.stop();
          await server.start(SETTINGS);
          proxy.redirect(server.url());
          await expect.poll(health, { timeout: RECOVERY_MS, interval: 50 }).toBe(200);
          await expect.poll(async () => (await probe(client)).status, { timeout: RECOVERY_MS }).toBe(201);
          const before = load.acknowledged.created;
          await expect
            .poll(() => load.acknowledged.created, { timeout: RECOVERY_MS })
            .toBeGreaterThan(before);
          over = true;
          await callers;
          expect(await load.differences()).toEqual([]);
        } finally {
          await place.remove();
          await proxy.remove();
        }
      } finally {
        await server.remove();
        await disk.remove();
      }
    });
  },
);
