import { afterAll, beforeAll, expect, it, vi } from 'vitest';

import { cloneDatabase, type TestDatabase } from '#test/support/database.ts';
import { startFakePsp, type FakePsp } from '#test/support/fake-psp.ts';
import { RECEIVER } from '#test/support/fake-recurrences.ts';
import { startNode, type TestNode } from '#test/support/node.ts';

const SOON = { timeout: 10_000, interval: 50 };

let psp: FakePsp;
let database: TestDatabase;
beforeAll(async () => {
  [psp, database] = await Promise.all([startFakePsp(), cloneDatabase()]);
});
afterAll(async () => {
  await psp.close();
  await database.drop();
});

/** A process of a gateway in production, for the duration of `work`. */
async function withNode(
  worker: boolean,
  work: (node: TestNode) => Promise<void>,
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  const node = await startNode({
    databaseUrl: database.url,
    worker,
    environment: {
      MODE: 'production',
      PUBLIC_URL: 'https://pay.example.com/gw',
      PIX_PROVIDER: 'bacen',
      ...psp.environment(),
      ...more,
    },
  });
  try {
    await work(node);
  } finally {
    await node.stop();
  }
}

const health = async (node: TestNode): Promise<number> =>
  (await node.get('/health', { credential: 'none' })).status;

const metricsOf = async (node: TestNode): Promise<string> =>
  (await fetch(new URL('/metrics', node.baseUrl))).text();

it('registers the callback URL in the worker and in no other process', async () => {
  await withNode(false, async (node) => {
    expect(await health(node)).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 500));
  });
  expect(psp.countOf('PUT /webhook')).toBe(0);
  await withNode(true, async () => {
    const url = `https://pay.example.com/gw/providers/bacen/${psp.secret}`;
    await vi.waitFor(() => expect([...psp.webhooks.values()]).toEqual([url]), SOON);
  });
  // It is registered: the next start leaves it unchanged.
  const looked = psp.countOf('GET /webhook');
  await withNode(true, async () => {
    await vi.waitFor(() => expect(psp.countOf('GET /webhook')).toBeGreaterThan(looked), SOON);
  });
  expect(psp.countOf('PUT /webhook')).toBe(1);
});

it('registers the callbacks of Pix Automático if it has a receiving account', async () => {
  await withNode(
    true,
    async () => {
      const url = `https://pay.example.com/gw/providers/bacen/${psp.secret}`;
      const registered = () => [...psp.recurrences.webhooks];
      const expected = [
        ['webhookrec', url],
        ['webhookcobr', url],
      ];
      await vi.waitFor(() => expect(registered()).toEqual(expected), SOON);
    },
    RECEIVER,
  );
});

it('starts if the PSP is unavailable or refuses it, and never logs the secret', async () => {
  psp.misbehave('GET /webhook', { kind: 'respond', status: 403 }, 10);
  await withNode(true, async (node) => {
    await vi.waitFor(
      () => expect(node.logged.map(({ msg }) => msg).join()).toContain('not registered'),
      SOON,
    );
    expect(await health(node)).toBe(200);
    // The alert of the runbook counts the failures of the job, also between two attempts.
    const series = /^worker_task_failures{task="registration of callbacks at bacen"} (\d+)$/m;
    const failures = async () => Number(series.exec(await metricsOf(node))?.[1]);
    await expect.poll(failures, { timeout: 20_000 }).toBeGreaterThan(2);
    expect(node.logged.map(({ text }) => text).join()).not.toContain(psp.secret);
  });
  await psp.away();
  await withNode(true, async (node) => {
    expect(await health(node)).toBe(200);
    await vi.waitFor(
      () => expect(node.logged.map(({ msg }) => msg).join()).toContain('not registered'),
      SOON,
    );
  });
  await psp.back();
});
