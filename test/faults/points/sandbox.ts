import { randomUUID } from 'node:crypto';

import { Secret, TOTP } from 'otpauth';
import { Webhook } from 'standardwebhooks';
import { expect, vi } from 'vitest';

import { saoPauloDate } from '#formats/calendar/sao-paulo.ts';
import { SOON, type Scenario, type Stage } from './stage.ts';
import { goodCharge } from '#test/support/client.ts';

const CARD = {
  number: '4111111111111111',
  holderName: 'ANA SOUZA',
  expirationMonth: 12,
  expirationYear: 2049,
  cvv: '737',
};
const LEASE_SECONDS = 31;

const card = (changes: Readonly<Record<string, unknown>> = {}) =>
  goodCharge({ method: 'CREDIT_CARD', installments: 1, card: { ...CARD, ...changes } });

/** A withdrawal of R$ 10,00 that is PENDING and needs the operator's approval. */
async function withdrawn(stage: Stage): Promise<string> {
  await stage.paid();
  const body = { amount: 1_000, method: 'PIX', pixKey: '529.982.247-25', pixKeyType: 'CPF' };
  const made = await stage.client.post('/withdrawals', body, { idempotencyKey: randomUUID() });
  expect(made.status).toBe(201);
  return String(made.body.data.id);
}

/** Deliveries: a paid charge sends an event, and the process dies during the delivery. */
const reported =
  (calls: number): Scenario =>
  async (stage) => {
    const { id: webhookId } = await stage.hook();
    const id = await stage.charge();
    stage.lost(stage.pay(id));
    return async () => {
      await stage.advance(LEASE_SECONDS);
      await stage.expectDelivered(id, calls);
      await stage.client.delete(`/webhooks/${webhookId}`);
    };
  };

interface Person {
  readonly email: string;
  readonly password: string;
}

async function newPerson(stage: Stage): Promise<Person & { readonly token: string }> {
  const person = { email: `${randomUUID()}@example.com`, password: 'a long enough password' };
  const made = await stage.operate('POST', '/admin/users', { name: 'Bia', role: 'SUPPORT', ...person });
  expect(made.status).toBe(201);
  const signedIn = await stage.client.post('/login', person, { credential: 'none' });
  return { ...person, token: String(signedIn.body.accessToken) };
}

const codeOf = (secret: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });

async function begun(
  stage: Stage,
  { token, password }: { readonly token: string; readonly password: string },
) {
  const response = await stage.client.post('/users/me/two-factor', { password }, { token });
  expect(response.status).toBe(200);
  return String(response.body.data.secret);
}

/** Signs in with two factors; returns the response of the second step. */
async function signIn(stage: Stage, { email, password }: Person, code: () => string) {
  const first = await stage.client.post('/login', { email, password }, { credential: 'none' });
  expect(first.body.twoFactorRequired).toBe(true);
  const { challenge } = first.body;
  return stage.client.post('/login/two-factor', { challenge, code: code() }, { credential: 'none' });
}

/** Waits for a code that has not been used: each time step is accepted once. */
async function untilSignedIn(stage: Stage, person: Person, secret: string): Promise<void> {
  const signedIn = async () =>
    expect((await signIn(stage, person, () => codeOf(secret, 1))).status).toBe(200);
  await vi.waitFor(signedIn, { timeout: 65_000, interval: 7_000 });
}

/** Lines of a settlement file without charges of the gateway, so that only the import is tested. */
const SETTLEMENT = [
  'id,type,amount,fee,date,reference',
  ...Array.from({ length: 50 }, (_, n) => `${n},PAYMENT`),
];

function settlementFile(day: string): string {
  const [header, ...lines] = SETTLEMENT;
  const prefix = randomUUID();
  return [header, ...lines.map((line) => `${prefix}-${line},1000,0,${day},`)].join('\n');
}

const settlement =
  (kept: boolean): Scenario =>
  async (stage) => {
    const day = saoPauloDate(new Date());
    const path = `/admin/reconciliation/files?provider=sandbox&day=${day}`;
    const file = settlementFile(day);
    const send = async () => stage.operate('POST', path, file, { headers: { 'content-type': 'text/csv' } });
    stage.lost(send());
    return async () => {
      const first = await send();
      expect(first.status).toBe(kept ? 200 : 201);
      expect(first.body.data).toMatchObject({ repeated: kept, lines: 50, duplicates: 0 });
      expect((await send()).body.data).toEqual({ ...first.body.data, repeated: true });
    };
  };

/** The chain covers every booked entry after the next run of the job. */
const chained: Scenario = async (stage) => {
  const id = await stage.charge();
  stage.lost(stage.pay(id));
  return async () => {
    await stage.until(`/transactions/${id}`, { status: 'PAID' });
    await vi.waitFor(async () => {
      const [row] = await stage.query<{ open: number }>(`
        SELECT count(*)::integer AS open
        FROM (SELECT seller_id, sum(entries) AS entries FROM wallets GROUP BY seller_id) w
        WHERE w.entries > coalesce((SELECT max(s.entries) FROM ledger_chain s
          WHERE s.seller_id = w.seller_id), 0)`);
      expect(row?.open).toBe(0);
    }, SOON);
  };
};

export const SANDBOX = {
  'transactions.committed': async (stage) => {
    const { idempotencyKey, metadata } = stage.marked();
    const make = () => stage.client.charge({ metadata }, { idempotencyKey });
    stage.lost(make());
    return async () => {
      const { body } = await stage.repeats(make, 201);
      await stage.expectOne('transactions', metadata);
      expect((await stage.pay(body.data.id)).status).toBe(200);
      expect(await stage.causesOf(body.data.id)).toEqual(['PAYMENT', 'PAYMENT_FEE']);
    };
  },

  'transaction-events.committed': async (stage) => {
    const id = await stage.charge();
    stage.lost(stage.pay(id));
    return async () => {
      expect((await stage.read(`/transactions/${id}`)).status).toBe('PAID');
      expect((await stage.pay(id)).body.message).toBe('Transaction cannot go from PAID to PAID');
      expect(await stage.causesOf(id)).toEqual(['PAYMENT', 'PAYMENT_FEE']);
    };
  },

  'decided-transactions.committed': async (stage) => {
    const { idempotencyKey, metadata } = stage.marked();
    const make = () => stage.client.post('/transactions', { ...card(), metadata }, { idempotencyKey });
    stage.lost(make());
    return async () => {
      const { body } = await stage.repeats(make, 201);
      expect(body.data.status).toBe('PAID');
      await stage.expectOne('transactions', metadata);
      expect(await stage.causesOf(body.data.id)).toEqual(['PAYMENT', 'PAYMENT_FEE']);
    };
  },

  'refunds.committed': async (stage) => {
    const id = await stage.paid();
    const { idempotencyKey } = stage.marked();
    const refund = () => stage.client.post(`/transactions/${id}/refund`, { amount: 400 }, { idempotencyKey });
    stage.lost(refund());
    return async () => {
      await stage.repeats(refund, 200);
      await stage.until(`/transactions/${id}`, { status: 'PAID', refundedAmount: 400 });
      expect(await stage.causesOf(id)).toEqual(['PAYMENT', 'PAYMENT_FEE', 'REFUND']);
    };
  },

  'withdrawals.committed': async (stage) => {
    await stage.paid();
    const { idempotencyKey, metadata } = stage.marked();
    const body = { amount: 700, method: 'PIX', pixKey: 'ana@example.com', pixKeyType: 'EMAIL', metadata };
    const withdraw = () => stage.client.post('/withdrawals', body, { idempotencyKey });
    stage.lost(withdraw());
    return async () => {
      const response = await stage.repeats(withdraw, 201);
      await stage.expectOne('withdrawals', metadata);
      expect(await stage.causesOf(response.body.data.id)).toEqual(['WITHDRAWAL_RESERVED']);
    };
  },

  'withdrawals.changed': async (stage) => {
    const id = await withdrawn(stage);
    stage.lost(stage.operate('POST', `/admin/withdrawals/${id}/approve`));
    return async () => {
      await stage.until(`/withdrawals/${id}`, { status: 'PROCESSING' });
      expect((await stage.operate('POST', `/admin/withdrawals/${id}/approve`)).status).toBe(422);
      expect((await stage.client.post(`/sandbox/withdrawals/${id}/pay`)).status).toBe(200);
      expect(await stage.causesOf(id)).toEqual(['WITHDRAWAL_RESERVED', 'WITHDRAWAL_PAID']);
    };
  },

  'deliveries.claimed': reported(1),
  'deliveries.called': reported(2),
  'deliveries.recorded': reported(1),

  'deliveries.ready': async (stage) => {
    stage.receiver.respondWith((_request, response) => response.writeHead(500).end());
    const { id: webhookId } = await stage.hook();
    const id = await stage.paid();
    await vi.waitFor(async () => {
      expect(await stage.read(`/webhooks/deliveries?recordId=${id}`)).toMatchObject([{ attemptCount: 1 }]);
    }, SOON);
    stage.receiver.respondWith((_request, response) => response.end('ok'));
    stage.lost(stage.advance(LEASE_SECONDS));
    return async () => {
      await stage.expectDelivered(id, 2);
      await stage.client.delete(`/webhooks/${webhookId}`);
    };
  },

  'webhooks.disabled': async (stage) => {
    stage.receiver.respondWith((_request, response) => response.writeHead(500).end());
    const { id: webhookId } = await stage.hook();
    const id = await stage.paid();
    await vi.waitFor(async () => {
      expect(await stage.read(`/webhooks/deliveries?recordId=${id}`)).toMatchObject([{ attemptCount: 1 }]);
    }, SOON);
    stage.lost(stage.client.patch(`/webhooks/${webhookId}`, { status: 'DISABLED' }));
    return async () => {
      stage.receiver.respondWith((_request, response) => response.end('ok'));
      expect(await stage.read(`/webhooks/${webhookId}`)).toMatchObject({ status: 'DISABLED' });
      await vi.waitFor(async () => {
        expect(await stage.read(`/webhooks/deliveries?recordId=${id}`)).toMatchObject([{ status: 'HELD' }]);
      }, SOON);
      expect(stage.callsOf(id)).toHaveLength(1);
      await stage.client.patch(`/webhooks/${webhookId}`, { status: 'ACTIVE' });
      const replayed = await stage.client.post(`/webhooks/${webhookId}/replay`, { since: '2020-01-01' });
      expect(replayed.status).toBe(200);
      await stage.expectDelivered(id, 2);
      await stage.client.delete(`/webhooks/${webhookId}`);
    };
  },

  'webhooks.rotated': async (stage) => {
    const { id, secret } = await stage.hook();
    stage.lost(stage.client.post(`/webhooks/${id}/rotate-secret`));
    return async () => {
      // The new secret was never returned, and the old one still signs.
      const before = stage.receiver.received.length;
      await stage.client.post(`/webhooks/${id}/test`);
      const call = await vi.waitFor(() => {
        const came = stage.receiver.received[before];
        if (came === undefined) throw new Error('no call');
        return came;
      }, SOON);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- webhook headers occur once
      const headers = call.headers as Record<string, string>;
      expect(() => new Webhook(secret).verify(call.text, headers)).not.toThrow();
      const again = await stage.client.post(`/webhooks/${id}/rotate-secret`);
      expect(again.body.data.secret).toMatch(/^whsec_/);
      await stage.client.delete(`/webhooks/${id}`);
    };
  },

  'settlements.lines-inserted': settlement(false),
  'settlements.committed': settlement(true),

  'daily-totals.updated': async (stage) => {
    const amount = 1_000;
    const before = await stage.read(summaryOfToday());
    const payments = 520;
    const left = Array.from({ length: payments }).values();
    const one = async (): Promise<void> => {
      for (const _ of left) await stage.paid({ amount });
    };
    await Promise.all(Array.from({ length: 16 }, one));
    // Advancing the clock wakes every job.
    stage.lost(stage.advance(1));
    return async () => {
      const summed = async () =>
        (await stage.query<{ days: number }>('SELECT count(*)::integer AS days FROM ledger_daily_totals'))[0]
          ?.days;
      await vi.waitFor(async () => expect(await summed()).toBeGreaterThan(0), SOON);
      const after = await stage.read(summaryOfToday());
      const { count, volume } = before.current.total;
      expect(after.current.total).toMatchObject({
        count: count + payments,
        volume: volume + payments * amount,
      });
    };
  },

  'search.segment-written': async (stage) => {
    const order = randomUUID();
    const ids: string[] = [];
    const left = Array.from({ length: 600 }).values();
    const one = async (): Promise<void> => {
      for (const _ of left) ids.push(await stage.charge({ metadata: { order } }));
    };
    await Promise.all(Array.from({ length: 16 }, one));
    const indexed = async () =>
      (await stage.query<{ records: number }>('SELECT records FROM search_segments'))[0]?.records;
    const found = () => stage.read(`/transactions/search?metadataKey=order&metadataValue=${order}&take=100`);
    return async () => {
      expect((await found()).count).toBe(ids.length);
      await vi.waitFor(async () => expect(await indexed()).toBe(512), SOON);
      const after = await found();
      expect(after.count).toBe(ids.length);
      expect(after.data.map(({ id }: { id: string }) => id)).toEqual(
        ids.toSorted().toReversed().slice(0, 100),
      );
    };
  },

  'ledger-chain.inserted': chained,
  'ledger-chain.committed': chained,

  'ledger-check.saved': async (stage) => {
    stage.lost(stage.operate('POST', '/admin/ledger/checks'));
    return async () => {
      const latest = async () => (await stage.operate('GET', '/admin/ledger/checks/latest')).body.data;
      await vi.waitFor(
        async () => {
          expect(await latest()).toMatchObject({ status: 'INTERRUPTED', result: null });
        },
        // It counts as interrupted after 15 s. Calls of operators are rate limited.
        { ...SOON, interval: 500 },
      );
      await stage.expectBalanced();
      expect(await latest()).toMatchObject({ status: 'COMPLETED', progress: 100 });
    };
  },

  'sandbox-events.applied': async (stage) => {
    const made = await stage.client.post('/transactions', card({ number: '4000000000000101' }), {
      idempotencyKey: randomUUID(),
    });
    const { id, status } = made.body.data;
    expect(status).toBe('PENDING');
    stage.lost(stage.advance(31));
    return async () => {
      await stage.until(`/transactions/${id}`, { status: 'PAID' });
      await vi.waitFor(async () => {
        expect(
          await stage.query('SELECT FROM sandbox_scheduled_events WHERE transaction_id = $1', [id]),
        ).toEqual([]);
      }, SOON);
      expect(await stage.causesOf(id)).toEqual(['PAYMENT', 'PAYMENT_FEE']);
    };
  },

  'second-factors.confirmed': async (stage) => {
    const person = await newPerson(stage);
    const secret = await begun(stage, person);
    const confirm = stage.client.post(
      '/users/me/two-factor/confirm',
      { code: codeOf(secret) },
      { token: person.token },
    );
    stage.lost(confirm);
    // The recovery codes are lost, and the authenticator is sufficient to enroll again.
    return async () => untilSignedIn(stage, person, secret);
  },

  'second-factors.removed': async (stage) => {
    const person = await newPerson(stage);
    const { token, password } = person;
    const secret = await begun(stage, person);
    const body = { code: codeOf(secret) };
    const confirmed = await stage.client.post('/users/me/two-factor/confirm', body, { token });
    const [code] = confirmed.body.data.recoveryCodes;
    stage.lost(stage.client.call('DELETE', '/users/me/two-factor', { password, code }, { token }));
    return async () => {
      const { email } = person;
      const signedIn = await stage.client.post('/login', { email, password }, { credential: 'none' });
      expect(Object.keys(signedIn.body)).toContain('accessToken');
      await begun(stage, { token: String(signedIn.body.accessToken), password });
    };
  },
} satisfies Record<string, Scenario>;

/** From today to the day after, because the domain clock may have passed midnight. */
function summaryOfToday(): string {
  const today = new Date();
  const days = [-1, 2].map((away) => saoPauloDate(new Date(today.getTime() + away * 86_400_000)));
  return `/reports/summary?startDate=${days[0]}&endDate=${days[1]}&interval=day`;
}
