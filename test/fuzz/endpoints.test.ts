import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { cnabEnvironment } from '#test/support/bank-files.ts';
import { cloneDatabase, type TestDatabase } from '#test/support/database.ts';
import { startFakeAdyen, type FakeAdyen } from '#test/support/fake-adyen.ts';
import { startFakePsp, txidOf, type FakePsp } from '#test/support/fake-psp.ts';
import { makePlace, type Place, type Program, type Settings } from '#test/support/process.ts';
import { seedFrom } from '#test/support/seeds.ts';
import { runRequests, type RunResult } from './run.ts';

/** The number of requests, which `npm run test:fuzz` sets with FUZZ_REQUESTS. */
const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? '') || 650;
const FROM = Number(process.env['FUZZ_FROM'] ?? '') || 0;
const MINUTES = 60_000;

vi.setConfig({ testTimeout: 240 * MINUTES, hookTimeout: 2 * MINUTES });

/** A larger JavaScript heap ends the process, so that a leak is detected. */
const HEAP = { NODE_OPTIONS: '--max-old-space-size=384' };

const seed = seedFrom('FUZZ_SEED');

interface Stage {
  readonly place: Place;
  readonly program: Program;
  readonly database: TestDatabase;
}

/**
 * The real program in a separate process, with a separate database, behind a proxy that sets the
 * client's address.
 */
async function stage(settings: Settings = {}): Promise<Stage> {
  const database = await cloneDatabase();
  const place = await makePlace({
    MODE: 'sandbox',
    DATABASE_URL: database.url,
    TRUSTED_PROXIES: '127.0.0.1',
    METRICS_TOKEN: 'a token for metrics',
    LOG_LEVEL: 'debug',
    ...HEAP,
    ...settings,
  });
  return { place, database, program: await place.start() };
}

async function tearDown({ place, program, database }: Stage): Promise<void> {
  await program.end();
  await place.remove();
  await database.drop();
}

function report(name: string, { faults, statuses, reached, ...figures }: RunResult): string {
  const counts = [...statuses].toSorted(([a], [b]) => (a < b ? -1 : 1));
  console.log(`${name}: FUZZ_SEED=${seed}`, {
    ...figures,
    reached: reached.size,
    ...Object.fromEntries(counts),
  });
  return faults.length === 0 ? '' : `FUZZ_SEED=${seed}\n${faults.join('\n\n')}`;
}

/** A payment in the PSP's format. */
const pixOf = (id: string) => ({
  endToEndId: 'E12345678202611221200abcdefghijk',
  txid: txidOf(id),
  valor: '15.00',
  horario: '2026-11-22T12:00:00.000Z',
  devolucoes: [],
});

/** A MED notice in the PSP's format. */
const MED = { id: 'a-notice', reason: 'FRAUD', amount: '15.00', status: 'OPEN' };

describe('any request', () => {
  describe('to a sandbox', () => {
    let on: Stage;
    beforeAll(async () => {
      on = await stage();
    });
    afterAll(() => tearDown(on));

    it('responds as documented to any caller and input', async () => {
      const { place, program } = on;
      const requests = Math.ceil(REQUESTS * 0.7);
      const result = await runRequests({ program, port: place.port, seed, requests, from: FROM });
      expect(report('sandbox', result)).toBe('');
      // Otherwise only the validation would have been tested.
      expect(result.reached.size).toBeGreaterThan(60);
    });
  });

  describe('to a gateway with providers', () => {
    let on: Stage;
    let psp: FakePsp;
    let adyen: FakeAdyen;
    beforeAll(async () => {
      [psp, adyen] = await Promise.all([startFakePsp(), startFakeAdyen()]);
      on = await stage({
        PIX_PROVIDER: 'bacen',
        ...psp.environment(),
        ...adyen.settings,
        ...cnabEnvironment('341'),
      });
    });
    afterAll(async () => {
      await tearDown(on);
      await Promise.all([psp.close(), adyen.close()]);
    });

    it('is answered as documented, including provider requests', async () => {
      const { place, program } = on;
      const requests = Math.ceil(REQUESTS * 0.3);
      const { ADYEN_NOTIFICATION_USER: user, ADYEN_NOTIFICATION_PASSWORD: password } = adyen.settings;
      const login = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
      const back = { id: 'x', rtrId: 'D1', valor: '1.00', status: 'DEVOLVIDO' };
      const reported = {
        pspReference: 'ABCDEFGH12345678',
        originalReference: 'ABCDEFGH12345677',
        value: 10_000,
      };
      const atBacen = `/providers/bacen/${psp.secret}`;
      const notified = (eventCode: string) => ({
        path: '/providers/adyen/notifications',
        headers: { authorization: login },
        bodyOf: (merchantReference: string) => ({
          live: 'false',
          notificationItems: [
            { NotificationRequestItem: adyen.item({ ...reported, eventCode, merchantReference }) },
          ],
        }),
      });
      const callbacks = [
        { path: `${atBacen}/pix`, headers: {}, bodyOf: (id: string) => ({ pix: [pixOf(id)] }) },
        {
          path: atBacen,
          headers: {},
          bodyOf: (id: string) => ({ pix: [{ ...pixOf(id), devolucoes: [back] }] }),
        },
        {
          path: `${atBacen}/med`,
          headers: {},
          bodyOf: (id: string) => ({ ...MED, endToEndId: pixOf(id).endToEndId }),
        },
        ...['AUTHORISATION', 'CAPTURE', 'REFUND', 'CHARGEBACK', 'CANCELLATION'].map(notified),
      ];
      const result = await runRequests({ program, port: place.port, seed, requests, from: FROM, callbacks });
      expect(report('providers', result)).toBe('');
    });
  });
});
