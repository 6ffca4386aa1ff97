import { randomBytes, randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { readConfig } from '#app/config.ts';
import { startGateway } from '#app/gateway.ts';
import { createLogger } from '#platform/kit/log.ts';
import type { ProviderEvent, ProviderEventHandler } from '#payments/provider-events/handler.ts';
import { createClient, type Client } from '#test/support/client.ts';
import { putStatus } from '#test/support/database.ts';
import { freePort } from '#test/support/free-port.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { createEventReporter, type EventReporter } from '#test/support/provider-events.ts';
import { STATUSES, type Status } from '#payments/transactions/transaction.ts';
import { errorBody } from '#test/support/errors.ts';

const SECRETS = { JWT_SECRET: 'j'.repeat(64), ENCRYPTION_KEY: randomBytes(32).toString('hex') };

/** The possible events in each status: the contract's table, independent of the code. */
const NEXT: Readonly<Record<Status, readonly Status[]>> = {
  PENDING: ['WAITING_PAYMENT', 'PROCESSING', 'AUTHORIZED', 'PAID', 'FAILED', 'REFUSED'],
  WAITING_PAYMENT: ['PROCESSING', 'PAID', 'FAILED'],
  PROCESSING: ['AUTHORIZED', 'PAID', 'FAILED', 'REFUSED'],
  AUTHORIZED: ['PAID', 'FAILED'],
  PAID: ['REFUNDED', 'CHARGEDBACK', 'DISPUTE'],
  DISPUTE: ['PAID', 'CHARGEDBACK', 'REFUNDED'],
  FAILED: [],
  REFUSED: [],
  REFUNDED: [],
  CHARGEDBACK: [],
};

const ACTIONS = { pay: 'PAID', fail: 'FAILED', refuse: 'REFUSED', processing: 'PROCESSING' } as const;
type Action = keyof typeof ACTIONS;
const ACTION_NAMES: readonly Action[] = ['pay', 'fail', 'refuse', 'processing'];

/** A payment of an ended charge is reversed. */
const isLate = (from: Status, to: Status) => to === 'PAID' && (from === 'FAILED' || from === 'REFUSED');

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ environment: SECRETS });
});
afterAll(async () => {
  await gateway.stop();
});

async function charge(): Promise<string> {
  const created = await gateway.charge();
  expect(created.status).toBe(201);
  return String(created.body.data.id);
}

const simulate = (id: string, action: Action, at: Client = gateway) =>
  at.post(`/sandbox/transactions/${id}/${action}`);

async function read(id: string) {
  return (await gateway.get(`/transactions/${id}`)).body.data;
}

async function available(): Promise<number> {
  return (await gateway.get('/seller-wallet/gestao')).body.data.availableBalance;
}

async function outcomesOf(id: string): Promise<readonly string[]> {
  const rows = await gateway.database.query<{ outcome: string }>(
    'SELECT outcome FROM provider_events WHERE record_id = $1 ORDER BY outcome',
    [id],
  );
  return rows.map((row) => row.outcome);
}

async function count(table: 'ledger_entries' | 'events', id: string): Promise<number> {
  const rows = await gateway.database.query<{ count: string }>(
    `SELECT count(*) FROM ${table} WHERE record_id = $1`,
    [id],
  );
  return Number(rows[0]?.count);
}

async function changesOf(id: string): Promise<readonly string[]> {
  const rows = await gateway.database.query<{ to_status: string }>(
    'SELECT to_status FROM transaction_history WHERE transaction_id = $1 ORDER BY position',
    [id],
  );
  return rows.map((row) => row.to_status);
}

async function expectBalanced(): Promise<void> {
  const check = await gateway.get('/admin/ledger/check', { token: await gateway.adminToken() });
  expect(check.body.data).toMatchObject({ balanced: true, discrepancies: [] });
}

const impossible = (from: string, to: string) =>
  errorBody('invalid_transition', `Transaction cannot go from ${from} to ${to}`);

/** Statuses that no simulated event leads to are set in the row. */
async function chargeIn(from: Status): Promise<string> {
  const id = await charge();
  const paid = ['PAID', 'DISPUTE', 'REFUNDED', 'CHARGEDBACK'].includes(from);
  if (paid) await simulate(id, 'pay');
  await putStatus(gateway.database, id, from);
  return id;
}

/** A payment event for the whole amount. */
const payment = (transactionId: string, changes: Partial<ProviderEvent> = {}): ProviderEvent => ({
  provider: 'bank',
  eventId: `E${randomUUID()}`,
  sellerId: gateway.demo.seller.id,
  transactionId,
  event: { kind: 'PAYMENT', amount: 1500, paidAt: new Date() },
  occurredAt: new Date(),
  ...changes,
});

describe('the event PAYMENT', () => {
  it('credits once, and is stored with its history and webhook event', async () => {
    const id = await charge();
    const before = await available();
    const paid = await simulate(id, 'pay');
    expect(paid.status).toBe(200);
    expect(paid.body.data).toMatchObject({ id, status: 'PAID', statusReason: null });
    expect(Math.abs(Date.parse(paid.body.data.paidAt) - Date.now())).toBeLessThan(60_000);
    expect(await read(id)).toEqual(paid.body.data);
    expect(await available()).toBe(before + 1485);
    expect(await changesOf(id)).toEqual(['PENDING', 'PAID']);
    expect(await outcomesOf(id)).toEqual(['APPLIED']);
    expect(await count('ledger_entries', id)).toBe(2);
    expect(await count('events', id)).toBe(1);
  });

  it('is rejected the second time, and credits once', async () => {
    const id = await charge();
    const before = await available();
    const first = await simulate(id, 'pay');
    const second = await simulate(id, 'pay');
    expect([first.status, second.status]).toEqual([200, 422]);
    expect(second.body).toEqual(impossible('PAID', 'PAID'));
    expect(await available()).toBe(before + 1485);
    expect(await read(id)).toEqual(first.body.data);
    // It is a payer's money, and is reversed.
    expect(await outcomesOf(id)).toEqual(['APPLIED', 'DUPLICATE']);
    expect(await count('events', id)).toBe(1);
  });

  it('is applied once when reported twenty times concurrently, with one 200 and one credit', async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await charge();
      const before = await available();
      const responses = await Promise.all(Array.from({ length: 20 }, () => simulate(id, 'pay')));
      expect(responses.map((response) => response.status).toSorted((a, b) => a - b)).toEqual([
        200,
        ...Array<number>(19).fill(422),
      ]);
      for (const response of responses.filter(({ status }) => status === 422)) {
        expect(response.body).toEqual(impossible('PAID', 'PAID'));
      }
      expect(await available()).toBe(before + 1485);
      expect(await count('ledger_entries', id)).toBe(2);
      expect(await count('events', id)).toBe(1);
      expect((await outcomesOf(id)).filter((outcome) => outcome === 'APPLIED')).toHaveLength(1);
      expect(await outcomesOf(id)).toHaveLength(20);
    }
    await expectBalanced();
  });

  it('is applied once when reported to two nodes at once', async () => {
    const other = await startNode();
    try {
      const before = await available();
      const ids = await Promise.all(Array.from({ length: 40 }, charge));
      const responses = await Promise.all(
        ids.flatMap((id, index) => [
          simulate(id, 'pay'),
          simulate(ids.at(-1 - index) ?? id, 'pay', other.client),
        ]),
      );
      expect(responses.filter((response) => response.status === 200)).toHaveLength(ids.length);
      expect(responses.filter((response) => response.status === 422)).toHaveLength(ids.length);
      expect(await available()).toBe(before + ids.length * 1485);
      await expectBalanced();
    } finally {
      await other.stop();
    }
  });

  it.each([
    ['fail', 'FAILED'],
    ['refuse', 'REFUSED'],
  ] as const)('or %s is applied when both are reported at once', async (action, status) => {
    const before = await available();
    const races = await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        const id = await charge();
        const order: readonly Action[] = index % 2 === 0 ? ['pay', action] : [action, 'pay'];
        const responses = await Promise.all(order.map((one) => simulate(id, one)));
        const [paid, ended] = index % 2 === 0 ? responses : responses.toReversed();
        return { id, paid, ended };
      }),
    );
    let credited = 0;
    for (const { id, paid, ended } of races) {
      const final = (await read(id)).status;
      expect(['PAID', status]).toContain(final);
      expect(await changesOf(id)).toEqual(['PENDING', final]);
      expect(await count('events', id)).toBe(1);
      expect(await count('ledger_entries', id)).toBe(final === 'PAID' ? 2 : 0);
      // A payment of an ended charge is accepted and reversed; a failure of a paid charge is
      // rejected.
      expect(paid?.body.data).toMatchObject({ status: final });
      expect(ended?.status).toBe(final === 'PAID' ? 422 : 200);
      expect(await outcomesOf(id)).toEqual(final === 'PAID' ? ['APPLIED', 'REJECTED'] : ['APPLIED', 'LATE']);
      if (final === 'PAID') credited += 1;
    }
    expect(await available()).toBe(before + credited * 1485);
    await expectBalanced();
  });
});

describe('other provider events', () => {
  it('fail or refuse a transaction with a reason', async () => {
    const [failed, refused] = [await charge(), await charge()];
    expect((await simulate(failed, 'fail')).body.data).toMatchObject({ status: 'FAILED', paidAt: null });
    expect((await simulate(refused, 'refuse')).body.data).toMatchObject({ status: 'REFUSED', paidAt: null });
    expect((await read(failed)).statusReason).toBeTruthy();
    expect((await read(refused)).statusReason).toBeTruthy();
  });

  it.each([
    ['pay', 'PAID'],
    ['fail', 'FAILED'],
    ['refuse', 'REFUSED'],
  ] as const)('set a transaction to PROCESSING, and then by %s to %s', async (action, status) => {
    const id = await charge();
    const before = await available();
    expect((await simulate(id, 'processing')).body.data.status).toBe('PROCESSING');
    expect(await available()).toBe(before);
    const again = await simulate(id, 'processing');
    expect(again.status).toBe(422);
    expect(again.body).toEqual(impossible('PROCESSING', 'PROCESSING'));
    expect((await simulate(id, action)).body.data.status).toBe(status);
    expect(await changesOf(id)).toEqual(['PENDING', 'PROCESSING', status]);
    expect(await available()).toBe(before + (status === 'PAID' ? 1485 : 0));
  });

  it.each(['pay', 'fail', 'refuse', 'processing'] as const)(
    'return 404 for a transaction that is unknown or of another seller: %s',
    async (action) => {
      const missing = errorBody('transaction_not_found');
      expect((await simulate(randomUUID(), action)).body).toEqual(missing);
      expect((await simulate('not-a-uuid', action)).body).toEqual(missing);
      const id = await charge();
      const foreign = await newSellerKey();
      const response = await gateway.post(`/sandbox/transactions/${id}/${action}`, undefined, {
        apiKey: foreign,
      });
      expect(response.body).toEqual(missing);
      expect((await read(id)).status).toBe('PENDING');
      expect(await outcomesOf(id)).toEqual([]);
    },
  );
});

describe('every status with every event', () => {
  const cases = STATUSES.flatMap((from) =>
    ACTION_NAMES.map((action) => ({ from, action, to: ACTIONS[action] })),
  );

  it.each(cases.filter(({ from, to }) => !NEXT[from].includes(to) && !isLate(from, to)))(
    'rejects $action in $from',
    async ({ from, action, to }) => {
      const id = await chargeIn(from);
      const before = { charge: await read(id), wallet: await available(), events: await count('events', id) };
      const response = await simulate(id, action);
      expect(response.status).toBe(422);
      expect(response.body).toEqual(impossible(from, to));
      expect(await read(id)).toEqual(before.charge);
      expect(await available()).toBe(before.wallet);
      expect(await count('events', id)).toBe(before.events);
      expect(await outcomesOf(id)).toContain(action === 'pay' ? 'DUPLICATE' : 'REJECTED');
    },
  );

  it.each(cases.filter(({ from, to }) => from !== 'DISPUTE' && NEXT[from].includes(to)))(
    'applies $action in $from with the result $to',
    async ({ from, action, to }) => {
      const id = await chargeIn(from);
      const before = await available();
      expect((await simulate(id, action)).body.data.status).toBe(to);
      expect(await available()).toBe(before + (to === 'PAID' ? 1485 : 0));
    },
  );

  it('does not credit a disputed transaction for a second payment', async () => {
    const id = await chargeIn('DISPUTE');
    const before = await available();
    await simulate(id, 'pay');
    expect(await available()).toBe(before);
    expect((await read(id)).status).toBe('DISPUTE');
    expect(await count('ledger_entries', id)).toBe(2);
  });
});

describe('the provider event handler', () => {
  let reporter: EventReporter;
  let report: ProviderEventHandler;
  beforeAll(() => {
    reporter = createEventReporter(gateway);
    report = reporter.report;
  });
  afterAll(async () => {
    await reporter.close();
  });

  it('applies an event once by the provider’s id, however often it is reported', async () => {
    const id = await charge();
    const before = await available();
    const reported = payment(id);
    expect((await report(reported)).kind).toBe('applied');
    for (let round = 0; round < 3; round += 1) expect((await report(reported)).kind).toBe('repeated');
    expect(await available()).toBe(before + 1485);
    expect(await outcomesOf(id)).toEqual(['APPLIED']);
  });

  it('applies an event once when it is reported twenty times at once', async () => {
    const id = await charge();
    const before = await available();
    const reported = payment(id);
    const results = await Promise.all(Array.from({ length: 20 }, () => report(reported)));
    expect(results.filter((result) => result.kind === 'applied')).toHaveLength(1);
    expect(results.filter((result) => result.kind === 'repeated')).toHaveLength(19);
    expect(await available()).toBe(before + 1485);
    expect(await outcomesOf(id)).toEqual(['APPLIED']);
  });

  it('recognizes a repeated event after the status has changed', async () => {
    const id = await charge();
    const progress = payment(id, { event: { kind: 'PROCESSING' } });
    expect((await report(progress)).kind).toBe('applied');
    expect((await report(payment(id))).kind).toBe('applied');
    expect((await report(progress)).kind).toBe('repeated');
    expect((await read(id)).status).toBe('PAID');
    expect(await outcomesOf(id)).toEqual(['APPLIED', 'APPLIED']);
  });

  it('recognizes a repeated payment after a dispute was opened, and credits nothing', async () => {
    const id = await charge();
    const reported = payment(id);
    await report(reported);
    await putStatus(gateway.database, id, 'DISPUTE');
    const before = await available();
    expect((await report(reported)).kind).toBe('repeated');
    expect(await available()).toBe(before);
    expect((await read(id)).status).toBe('DISPUTE');
  });

  it('credits one transaction by one id, never two', async () => {
    const [one, two] = [await charge(), await charge()];
    const before = await available();
    const reported = payment(one);
    expect((await report(reported)).kind).toBe('applied');
    await report({ ...reported, transactionId: two });
    expect(await available()).toBe(before + 1485);
    expect((await read(two)).status).not.toBe('PAID');
  });

  it('credits one transaction by one id reported for two at once', async () => {
    const [one, two] = [await charge(), await charge()];
    const before = await available();
    const reported = payment(one);
    await Promise.allSettled([report(reported), report({ ...reported, transactionId: two })]);
    expect(await available()).toBe(before + 1485);
  });

  it('treats the same id from two providers as two events', async () => {
    const [one, two] = [await charge(), await charge()];
    const reported = payment(one);
    expect((await report(reported)).kind).toBe('applied');
    expect((await report({ ...reported, provider: 'other bank', transactionId: two })).kind).toBe('applied');
  });

  it.each([1499, 1501])(
    'credits nothing for %i of 1500 and stores the event for the operator',
    async (amount) => {
      const id = await charge();
      const before = await available();
      const reported = payment(id, { event: { kind: 'PAYMENT', amount, paidAt: new Date() } });
      expect((await report(reported)).kind).toBe('wrong-amount');
      expect((await read(id)).status).toBe('PENDING');
      expect(await available()).toBe(before);
      const rows = await gateway.database.query<{ outcome: string; amount: string }>(
        'SELECT outcome, amount FROM provider_events WHERE record_id = $1',
        [id],
      );
      expect(rows).toEqual([{ outcome: 'WRONG_AMOUNT', amount: String(amount) }]);
      // The right amount can still pay it.
      expect((await report(payment(id))).kind).toBe('applied');
    },
  );

  it('returns the same result for a repeated late event and stores it once', async () => {
    const id = await charge();
    await simulate(id, 'fail');
    const reported = payment(id);
    expect((await report(reported)).kind).toBe('late');
    expect((await report(reported)).kind).toBe('late');
    expect(await outcomesOf(id)).toEqual(['APPLIED', 'LATE']);
  });

  it('returns unknown for a transaction that is absent or of another seller', async () => {
    const id = await charge();
    expect((await report(payment(randomUUID()))).kind).toBe('unknown');
    expect((await report(payment(id, { sellerId: randomUUID() }))).kind).toBe('unknown');
    expect((await read(id)).status).toBe('PENDING');
  });
});

interface Node {
  readonly client: Client;
  stop(): Promise<void>;
}

/** Another node on the same database. */
async function startNode(): Promise<Node> {
  const config = readConfig({
    HOST: '127.0.0.1',
    PORT: String(await freePort()),
    DATA_DIR: join(tmpdir(), 'gateway-second-node'),
    DATABASE_URL: gateway.database.url,
    MODE: 'sandbox',
    LOG_LEVEL: 'silent',
    ...SECRETS,
  });
  const node = await startGateway({
    config,
    databaseUrl: gateway.database.url,
    log: createLogger('silent'),
    api: true,
    worker: false,
  });
  const client = createClient(`${config.publicUrl}/v1`, gateway.demo.apiKey);
  return { client, stop: () => node.stop() };
}

async function newSellerKey(): Promise<string> {
  const token = await gateway.adminToken();
  const wanted = {
    name: 'Outra Loja',
    documentType: 'CPF',
    document: '52998224725',
    ownerName: 'Ana',
    ownerEmail: `${randomUUID()}@example.com`,
    ownerPassword: 'a long password',
  };
  const made = await gateway.post('/admin/sellers', wanted, { token });
  const path = `/admin/sellers/${made.body.data.id}/api-keys`;
  return String((await gateway.post(path, { name: 'test' }, { token })).body.data.key);
}
