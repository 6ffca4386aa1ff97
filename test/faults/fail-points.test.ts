import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { ADYEN, type AdyenStage } from './points/adyen.ts';
import { BANK } from './points/bank.ts';
import { KEYS, rotateAndDie } from './points/keys.ts';
import { MAIL, type MailStage } from './points/mail.ts';
import { PSP, type PspStage } from './points/psp.ts';
import { SANDBOX } from './points/sandbox.ts';
import { Stage, type Scenario } from './points/stage.ts';
import { SUBSCRIPTIONS } from './points/subscriptions.ts';
import { LONG, numbersOf, seedOfRun } from './seed.ts';
import { FAIL_POINTS, type FailPoint } from '#platform/kit/fail-points.ts';
import { cnabEnvironment } from '#test/support/bank-files.ts';
import { cloneDatabase } from '#test/support/database.ts';
import { startFakeAdyen } from '#test/support/fake-adyen.ts';
import { startFakePsp } from '#test/support/fake-psp.ts';
import { startMailServer } from '#test/support/mail-server.ts';
import { makePlace, type Settings } from '#test/support/process.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

/** The number of points in a short run. */
const SHORT = 3;

/** The only point that is reached before the gateway serves requests. */
const AT_START = 'demo.written';

/** A point without a scenario does not compile. */
const ALL: Readonly<Record<Exclude<FailPoint, typeof AT_START>, unknown>> = {
  ...SANDBOX,
  ...PSP,
  ...ADYEN,
  ...BANK,
  ...KEYS,
  ...MAIL,
  ...SUBSCRIPTIONS,
};

const chosen: ReadonlySet<string> = LONG ? new Set(Object.keys(FAIL_POINTS)) : someOf(seedOfRun());

function someOf(seed: number): ReadonlySet<string> {
  const random = numbersOf(seed);
  const named = Object.keys(FAIL_POINTS).map((name) => ({ name, place: random() }));
  return new Set(
    named
      .toSorted((a, b) => a.place - b.place)
      .slice(0, SHORT)
      .map(({ name }) => name),
  );
}

/**
 * Runs the chosen scenarios of one kind of gateway, each with a process that is killed at its
 * point.
 */
function describeScenarios<On extends Stage>(
  name: string,
  scenarios: Readonly<Record<string, Scenario<On>>>,
  set: () => Promise<{ readonly stage: On; readonly end?: () => Promise<void> }>,
): void {
  const points = Object.keys(FAIL_POINTS).filter(
    (point): point is FailPoint => point in scenarios && chosen.has(point),
  );
  if (points.length === 0) return;
  describe(`${name}, when killed at`, () => {
    let stage: On;
    let end: (() => Promise<void>) | undefined;
    beforeAll(async () => {
      ({ stage, end } = await set());
    });
    afterAll(async () => {
      await stage.clear();
      await end?.();
    });

    it.each(points.map((point) => [point, FAIL_POINTS[point]] as const))('%s: %s', async (point) => {
      await stage.arm(point);
      const holds = await scenarios[point]?.(stage);
      expect(await stage.dead()).toBe('SIGKILL');
      await holds?.();
      await stage.expectBalanced();
    });
  });
}

async function stageOf<More extends object>(settings: Settings, more: More): Promise<Stage & More> {
  return Object.assign(await Stage.set(settings), more);
}

describeScenarios('the sandbox', SANDBOX, async () => ({ stage: await Stage.set({}) }));

describeScenarios('a gateway with subscriptions', SUBSCRIPTIONS, async () => ({
  stage: await Stage.set({}),
}));

describeScenarios<PspStage>('a gateway with a PSP', PSP, async () => {
  const psp = await startFakePsp();
  const stage = await stageOf({ PIX_PROVIDER: 'bacen', ...psp.environment() }, { psp });
  return { stage, end: () => psp.close() };
});

describeScenarios<AdyenStage>('a gateway with a card provider', ADYEN, async () => {
  const adyen = await startFakeAdyen();
  return { stage: await stageOf(adyen.settings, { adyen }), end: () => adyen.close() };
});

describeScenarios<MailStage>('a gateway that sends mail', MAIL, async () => {
  const server = await startMailServer();
  const stage = await stageOf({ SMTP_URL: `smtp://127.0.0.1:${server.port}` }, { server });
  return { stage, end: () => server.close() };
});

describeScenarios('a gateway that exchanges files', BANK, async () => ({
  stage: await Stage.set(cnabEnvironment('001', { PAYOUT_PROVIDER: 'cnab' })),
}));

it.each([AT_START].filter((point) => chosen.has(point)))(
  '%s: the next start completes the first one',
  async () => {
    const database = await cloneDatabase();
    const place = await makePlace({ DATABASE_URL: database.url, MODE: 'sandbox' });
    try {
      const first = place.run(['start'], { FAIL_POINT: AT_START });
      expect(await first.exit(40_000)).toMatchObject({ signal: 'SIGKILL' });
      const written: unknown = JSON.parse(await readFile(join(place.dataDir, 'demo.json'), 'utf8'));
      const program = await place.start();
      expect(program.demo).toEqual(written);
      expect((await program.client.charge()).status).toBe(201);
      expect(await database.query('SELECT FROM sellers')).toHaveLength(1);
      await program.end();
    } finally {
      await place.remove();
      await database.drop();
    }
  },
);

const ofKeys = (['keys.created', 'keys.reencrypted', 'keys.chains-extended'] as const).filter((point) =>
  chosen.has(point),
);

it.each(ofKeys)(
  'leaves a rotation that is killed at %s to the next one, which completes it',
  async (point) => {
    expect(await rotateAndDie(point)).toBe('SIGKILL');
  },
);

describe('FAIL_POINTS', () => {
  it('names existing places of the code, each with a scenario', async () => {
    const root = new URL('../../src/', import.meta.url).pathname;
    const sources: string[] = [];
    for (const entry of await readdir(root, { recursive: true })) {
      if (/(?<!\.test)\.ts$/.test(entry)) sources.push(await readFile(join(root, entry), 'utf8'));
    }
    const called = sources.flatMap((text) => [...text.matchAll(/\bfailPoint\(['`]([^'`]+)['`]\)/g)]);
    const steps = sources
      .flatMap((text) => [...text.matchAll(/\bfailPointPrefix: '([\w-]+)'/g)])
      .map(([, name]) => name);
    const named = called.flatMap(([, name = '']) =>
      name.startsWith('${') ? steps.map((step) => step + name.slice(name.indexOf('}') + 1)) : [name],
    );
    expect(new Set(named)).toEqual(new Set(Object.keys(FAIL_POINTS)));
    expect(Object.keys(ALL).toSorted()).toEqual(
      Object.keys(FAIL_POINTS)
        .filter((name) => name !== AT_START)
        .toSorted(),
    );
  });
});
