import { randomBytes, randomUUID } from 'node:crypto';

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { saoPauloDate } from '#formats/calendar/sao-paulo.ts';
import { startFakePsp, txidOf, type FakePix, type FakePsp } from '#test/support/fake-psp.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { operatorOf, type Operator } from '#test/support/operator.ts';

vi.setConfig({ testTimeout: 40_000 });

/** Another secret than that of the callbacks. */
const MED_SECRET = randomBytes(32).toString('hex');

let psp: FakePsp;
let gateway: TestGateway;
let operator: Operator;
let origin: string;

beforeAll(async () => {
  psp = await startFakePsp();
  gateway = await startTestGateway({
    environment: { PIX_PROVIDER: 'bacen', ...psp.environment(), BACEN_PIX_MED_SECRET: MED_SECRET },
  });
  operator = await operatorOf(gateway);
  origin = gateway.baseUrl.replace('/v1', '');
});
afterAll(async () => {
  await gateway.stop();
  await psp.close();
});

const wallet = async () => (await gateway.get('/seller-wallet/gestao')).body.data;

async function paid(): Promise<{ readonly id: string; readonly pix: FakePix }> {
  const id = String((await gateway.charge()).body.data.id);
  const pix = psp.pay(txidOf(id), '15.00');
  expect((await psp.callBack(origin, [pix])).status).toBe(200);
  return { id, pix };
}

const noticeOf = (pix: FakePix, changes: object = {}) => ({
  id: randomBytes(8).toString('hex'),
  endToEndId: pix.endToEndId,
  reason: 'FRAUD',
  amount: pix.valor,
  deadline: '2099-01-02T03:04:05.000Z',
  status: 'OPEN',
  ...changes,
});

async function sendNotice(notice: object, secret = MED_SECRET): Promise<number> {
  const response = await fetch(`${origin}/providers/bacen/${secret}/med`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(notice),
  });
  return response.status;
}

/** The disputes of a charge, the oldest first. */
const disputesOf = (id: string) =>
  gateway.database.query<{ status: string; amount: number; appeal_until: Date }>(
    `SELECT status, amount::int, appeal_until FROM disputes WHERE transaction_id = '${id}' ORDER BY id`,
  );

const statuses = async (id: string) => (await disputesOf(id)).map(({ status }) => status);

/** The recovery of the oldest dispute of a charge. */
const medOf = async (id: string) =>
  (await gateway.get(`/disputes?transactionId=${id}`)).body.data.data.at(-1).med;
const statusesOf = async ({ id }: { readonly id: string }) => [
  await gateway.statusOf(id),
  (await medOf(id)).status,
];

/** The MED refunds the payment; a callback reports it several times. */
async function taken(pix: FakePix, valor: string) {
  const devolucao = psp.take(pix, valor, 'MED_FRAUDE');
  const responses = await Promise.all([1, 2, 3].map(() => psp.callBack(origin, [pix])));
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
  return devolucao;
}

async function expectBalanced(): Promise<void> {
  const { data } = await operator.read('/admin/ledger/check');
  expect(data).toMatchObject({ balanced: true, discrepancies: [] });
}

it('an appeal keeps what the bank reports about its claim at the same time', async () => {
  const { id, pix } = await paid();
  expect(await sendNotice(noticeOf(pix))).toBe(200);
  const bank = new pg.Client({ connectionString: gateway.database.ownerUrl });
  await bank.connect();
  try {
    await bank.query('BEGIN');
    const moved = await bank.query(
      `UPDATE disputes SET med_status = 'ANALYSED', med_accepted_amount = 500 WHERE transaction_id = $1
       RETURNING id`,
      [id],
    );
    const appeal = { disputeId: moved.rows[0].id, appealReason: 'delivered' };
    const appealed = gateway.post('/disputes/appeal', appeal);
    await expect
      .poll(() => gateway.database.query(`SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'`))
      .not.toEqual([]);
    await bank.query('COMMIT');
    expect((await appealed).status).toBe(200);
  } finally {
    await bank.end();
  }
  expect(await statuses(id)).toEqual(['UNDER_REVIEW']);
  expect(await medOf(id)).toMatchObject({ status: 'ANALYSED', acceptedAmount: 500 });
});

describe('a MED notice', () => {
  it('opens one dispute with its deadline, even if sent concurrently', async () => {
    const { id, pix } = await paid();
    const before = await wallet();
    const notice = noticeOf(pix);
    const responses = await Promise.all([1, 2, 3, 4, 5].map(() => sendNotice(notice)));
    expect(responses).toEqual([200, 200, 200, 200, 200]);
    expect(await disputesOf(id)).toEqual([
      { status: 'OPEN', amount: 1500, appeal_until: new Date('2099-01-02T03:04:05.000Z') },
    ]);
    expect(await gateway.statusOf(id)).toBe('DISPUTE');
    const during = await wallet();
    expect(during.availableBalance).toBe(before.availableBalance - 1500);
    expect(during.blockedBalance).toBe(before.blockedBalance + 1500);
    await expectBalanced();
  });

  it('that is denied releases the amount', async () => {
    const { id, pix } = await paid();
    const before = await wallet();
    const notice = noticeOf(pix);
    await sendNotice(notice);
    const outcome = { ...notice, status: 'CLOSED', analysisResult: 'DISAGREED' };
    expect(await Promise.all([sendNotice(outcome), sendNotice(outcome)])).toEqual([200, 200]);
    expect(await statuses(id)).toEqual(['RESOLVED']);
    expect(await gateway.statusOf(id)).toBe('PAID');
    expect((await wallet()).availableBalance).toBe(before.availableBalance);
    expect(await sendNotice(notice)).toBe(200);
    expect(await statuses(id)).toEqual(['RESOLVED']);
    await expectBalanced();
  });

  it('that is accepted debits the amount once, also if the PSP reports its refund', async () => {
    const { id, pix } = await paid();
    const before = await wallet();
    const notice = noticeOf(pix);
    await sendNotice(notice);
    expect(await sendNotice({ ...notice, status: 'CLOSED', analysisResult: 'AGREED' })).toBe(200);
    await taken(pix, '15.00');
    expect(await statuses(id)).toEqual(['REJECTED']);
    expect(await gateway.statusOf(id)).toBe('REFUNDED');
    expect((await wallet()).availableBalance).toBe(before.availableBalance - 1500);
    await expectBalanced();
  });

  it('is ended by the refund, after which its outcome changes nothing', async () => {
    const { id, pix } = await paid();
    const before = await wallet();
    const notice = noticeOf(pix);
    await sendNotice(notice);
    await taken(pix, '15.00');
    expect(await statuses(id)).toEqual(['REJECTED']);
    expect(await sendNotice({ ...notice, status: 'CLOSED', analysisResult: 'TOTALLY_ACCEPTED' })).toBe(200);
    expect(await statuses(id)).toEqual(['REJECTED']);
    expect((await wallet()).availableBalance).toBe(before.availableBalance - 1500);
    await expectBalanced();
  });

  it('that is partially accepted debits that part', async () => {
    const { id, pix } = await paid();
    const before = await wallet();
    const notice = noticeOf(pix);
    await sendNotice(notice);
    const outcome = {
      ...notice,
      status: 'CLOSED',
      analysisResult: 'PARTIALLY_ACCEPTED',
      refundedAmount: '4.00',
    };
    expect([await sendNotice(outcome), await sendNotice(outcome)]).toEqual([200, 200]);
    await taken(pix, '4.00');
    expect(await disputesOf(id)).toMatchObject([
      { status: 'RESOLVED', amount: 1500 },
      { status: 'REJECTED', amount: 400 },
    ]);
    expect((await wallet()).availableBalance).toBe(before.availableBalance - 400);
    await expectBalanced();
  });

  it('opens no dispute after its outcome, and an accepted outcome debits the amount without it', async () => {
    const denied = await paid();
    const one = noticeOf(denied.pix);
    await sendNotice({ ...one, status: 'CANCELLED' });
    await sendNotice(one);
    expect(await statuses(denied.id)).toEqual([]);
    const accepted = await paid();
    const other = noticeOf(accepted.pix);
    await sendNotice({ ...other, status: 'CLOSED', analysisResult: 'AGREED' });
    await sendNotice(other);
    expect(await statuses(accepted.id)).toEqual(['REJECTED']);
    await expectBalanced();
  });

  it('of an unknown payment is stored for the operator', async () => {
    const { pix } = await paid();
    const notice = noticeOf({ ...pix, endToEndId: `E${'0'.repeat(31)}` });
    expect(await sendNotice(notice)).toBe(200);
    const kept = await operator.read('/admin/provider-events?outcome=UNMATCHED&provider=bacen&take=100');
    expect(kept.data).toContainEqual(
      expect.objectContaining({ reportId: notice.id, kind: 'MED', amount: 1500 }),
    );
  });

  it('that contradicts earlier events is stored for the operator', async () => {
    const { id, pix } = await paid();
    const notice = noticeOf(pix);
    await sendNotice({ ...notice, status: 'CLOSED', analysisResult: 'DISAGREED' });
    expect(await sendNotice({ ...notice, status: 'CLOSED', analysisResult: 'AGREED' })).toBe(200);
    expect(await gateway.statusOf(id)).toBe('PAID');
    const kept = await operator.read(`/admin/provider-events?outcome=UNMATCHED&recordId=${id}`);
    expect(kept.data).toMatchObject([{ reportId: notice.id, detail: 'already reported as DENIED' }]);
  });

  it('about a refunded payment, or an amount of zero, is stored for the operator', async () => {
    const accepted = { status: 'CLOSED', analysisResult: 'AGREED' };
    const refunded = await paid();
    const refund = { idempotencyKey: randomUUID() };
    expect((await gateway.post(`/transactions/${refunded.id}/refund`, {}, refund)).status).toBe(200);
    await vi.waitFor(async () => expect(await gateway.statusOf(refunded.id)).toBe('REFUNDED'), 10_000);
    const kept = await paid();
    for (const [{ id, pix }, changes] of [
      [refunded, accepted],
      [kept, { ...accepted, refundedAmount: '0.00' }],
      [kept, { amount: '0.00' }],
    ] as const) {
      const notice = noticeOf(pix, changes);
      expect([await sendNotice(notice), await sendNotice(notice)]).toEqual([200, 200]);
      const { data } = await operator.read(`/admin/provider-events?outcome=UNMATCHED&recordId=${id}`);
      expect(data[0]).toMatchObject({ reportId: notice.id, kind: 'MED' });
      expect(await statuses(id)).toEqual([]);
    }
    await expectBalanced();
  });

  it('returns 503 if the PSP is unavailable, and succeeds when repeated', async () => {
    const { id, pix } = await paid();
    const notice = noticeOf(pix);
    await psp.away();
    expect(await sendNotice(notice)).toBe(503);
    await psp.back();
    await vi.waitFor(async () => expect(await sendNotice(notice)).toBe(200), {
      timeout: 20_000,
      interval: 200,
    });
    expect(await statuses(id)).toEqual(['OPEN']);
  });

  it('is validated and requires the secret in its URL', async () => {
    const { id, pix } = await paid();
    expect(await sendNotice(noticeOf(pix), 'x'.repeat(32))).toBe(404);
    expect(await sendNotice({ pix: [] })).toBe(400);
    expect(await sendNotice(noticeOf(pix, { status: 'CLOSED' }))).toBe(400);
    expect(await gateway.statusOf(id)).toBe('PAID');
  });
});

describe('a MED refund without a notice', () => {
  it('debits the amount once', async () => {
    const { id, pix } = await paid();
    const before = await wallet();
    await taken(pix, '15.00');
    expect(await statuses(id)).toEqual(['REJECTED']);
    expect(await gateway.statusOf(id)).toBe('REFUNDED');
    expect((await wallet()).availableBalance).toBe(before.availableBalance - 1500);
    await expectBalanced();
  });

  it('of another amount than a dispute releases the rest', async () => {
    const { id, pix } = await paid();
    const before = await wallet();
    await sendNotice(noticeOf(pix));
    await taken(pix, '9.00');
    expect(await disputesOf(id)).toMatchObject([
      { status: 'RESOLVED', amount: 1500 },
      { status: 'REJECTED', amount: 900 },
    ]);
    expect((await wallet()).availableBalance).toBe(before.availableBalance - 900);
    await expectBalanced();
  });

  it('before its notice is not debited again', async () => {
    const { id, pix } = await paid();
    const before = await wallet();
    await taken(pix, '15.00');
    const notice = noticeOf(pix);
    expect(await sendNotice(notice)).toBe(200);
    expect(await sendNotice({ ...notice, status: 'CLOSED', analysisResult: 'AGREED' })).toBe(200);
    expect(await statuses(id)).toEqual(['REJECTED']);
    expect((await wallet()).availableBalance).toBe(before.availableBalance - 1500);
    const kept = await operator.read(`/admin/provider-events?outcome=UNMATCHED&recordId=${id}`);
    expect(kept.data).toEqual([]);
  });

  it('is debited again, and stored for the operator if both exceed the transaction', async () => {
    const { id, pix } = await paid();
    const before = await wallet();
    await taken(pix, '9.00');
    await taken(pix, '3.00');
    const more = await taken(pix, '4.00');
    expect(await disputesOf(id)).toMatchObject([
      { status: 'REJECTED', amount: 900 },
      { status: 'REJECTED', amount: 300 },
    ]);
    expect((await wallet()).availableBalance).toBe(before.availableBalance - 1200);
    const kept = await operator.read(`/admin/provider-events?outcome=UNMATCHED&recordId=${id}`);
    expect(kept.data).toMatchObject([{ reportId: more.rtrId, kind: 'MED_RETURN', amount: 400 }]);
    await expectBalanced();
  });
});

describe('a claim that is returned in parts', () => {
  const CLOSED = { status: 'CLOSED', analysisResult: 'TOTALLY_ACCEPTED' };

  it.each([
    ['opened, returned twice and closed', ['open', '5.00', '10.00', 'close']],
    ['opened, returned, closed and returned', ['open', '5.00', 'close', '10.00']],
    ['opened, closed and returned twice', ['open', 'close', '5.00', '10.00']],
    ['returned before all notices', ['5.00', '10.00', 'open', 'close']],
    ['returned around the opening', ['5.00', 'open', '10.00', 'close']],
    ['returned around a close with the amount', ['5.00', 'open', 'close with amount', '10.00']],
    ['opened, returned and closed with the amount', ['open', '5.00', 'close with amount', '10.00']],
    ['closed without an opening', ['close', '10.00', '5.00']],
  ] as const)('takes the whole amount once: %s', async (_name, steps) => {
    const { id, pix } = await paid();
    const before = await wallet();
    const notice = noticeOf(pix);
    const actions: Readonly<Record<string, () => Promise<unknown>>> = {
      open: () => sendNotice(notice),
      close: () => sendNotice({ ...notice, ...CLOSED }),
      'close with amount': () => sendNotice({ ...notice, ...CLOSED, refundedAmount: '15.00' }),
    };
    for (const step of steps) await (actions[step]?.() ?? taken(pix, step));
    expect((await wallet()).totalBalance).toBe(before.totalBalance - 1500);
    expect((await gateway.get(`/transactions/${id}`)).body.data).toMatchObject({
      status: 'REFUNDED',
      refundedAmount: 1500,
    });
    const lost = (await disputesOf(id)).filter(({ status }) => status === 'REJECTED');
    expect(lost.reduce((sum, { amount }) => sum + amount, 0)).toBe(1500);
    const kept = await operator.read(`/admin/provider-events?outcome=UNMATCHED&recordId=${id}`);
    expect(kept.data).toEqual([]);
    await expectBalanced();
  });

  it('is debited as returned, if the bank returns more than it accepted', async () => {
    const { id, pix } = await paid();
    const before = await wallet();
    const notice = noticeOf(pix);
    await sendNotice(notice);
    const part = { analysisResult: 'PARTIALLY_ACCEPTED', refundedAmount: '4.00' };
    await sendNotice({ ...notice, status: 'CLOSED', ...part });
    await taken(pix, '6.00');
    expect((await wallet()).totalBalance).toBe(before.totalBalance - 600);
    expect(await disputesOf(id)).toMatchObject([
      { status: 'RESOLVED', amount: 1500 },
      { status: 'REJECTED', amount: 400 },
      { status: 'REJECTED', amount: 200 },
    ]);
    await expectBalanced();
  });

  it('may be returned beyond the accepted part', async () => {
    const { id, pix } = await paid();
    const before = await wallet();
    const notice = noticeOf(pix);
    await sendNotice(notice);
    const part = { analysisResult: 'PARTIALLY_ACCEPTED', refundedAmount: '5.00' };
    await sendNotice({ ...notice, status: 'CLOSED', ...part });
    await taken(pix, '5.00');
    await taken(pix, '10.00');
    expect((await wallet()).totalBalance).toBe(before.totalBalance - 1500);
    expect(await statuses(id)).toEqual(['RESOLVED', 'REJECTED', 'REJECTED']);
    await expectBalanced();
    const day = saoPauloDate(new Date());
    const movements = await operator.read(`/admin/reconciliation/differences?day=${day}&take=100`);
    const losses = movements.data.filter(
      ({ type, ledger }: { readonly type: string; readonly ledger: { readonly recordId: string } }) =>
        type === 'CHARGEBACK' && ledger.recordId === id,
    );
    expect(
      losses.map(({ ledger }: { readonly ledger: { readonly amount: number } }) => ledger.amount),
    ).toEqual(expect.arrayContaining([500, 1000]));
    expect(losses).toHaveLength(2);
  });
});

describe('the state of a recovery', () => {
  const OPEN = { recoveryId: 'recovery-1' };

  it('ends the claim without a status of the notice', async () => {
    const [refunded, complete, canceled] = [await paid(), await paid(), await paid()];
    for (const { pix } of [refunded, complete, canceled]) {
      const notice = noticeOf(pix, OPEN);
      await sendNotice(notice);
      if (pix === refunded.pix) await sendNotice({ ...notice, recoveryStatus: 'REFUNDING' });
      if (pix === canceled.pix) await sendNotice({ ...notice, recoveryStatus: 'CANCELLED' });
      if (pix !== complete.pix) continue;
      const ended = { ...notice, recoveryStatus: 'COMPLETED' };
      expect(await sendNotice(ended)).toBe(400);
      expect(await sendNotice({ ...ended, analysisResult: 'AGREED' })).toBe(200);
    }
    expect(await statusesOf(refunded)).toEqual(['REFUNDED', 'REFUNDING']);
    expect(await statusesOf(complete)).toEqual(['REFUNDED', 'COMPLETED']);
    expect(await statusesOf(canceled)).toEqual(['PAID', 'CANCELLED']);
    await expectBalanced();
  });

  it('accepts a part of each of several payments', async () => {
    for (const { id, pix } of [await paid(), await paid()]) {
      const notice = noticeOf(pix, OPEN);
      await sendNotice(notice);
      const part = { analysisResult: 'PARTIALLY_ACCEPTED', refundedAmount: '5.00' };
      expect(await sendNotice({ ...notice, status: 'CLOSED', ...part })).toBe(200);
      expect(await statuses(id)).toEqual(['RESOLVED', 'REJECTED']);
    }
    await expectBalanced();
  });

  it.each(['close', 'debit'])('loses the accepted part once: deadline, then %s', async (step) => {
    const { id, pix } = await paid();
    const before = await wallet();
    const notice = noticeOf(pix);
    await sendNotice(notice);
    await gateway.database.query(
      `UPDATE disputes SET med_status = 'ANALYSED', med_accepted_amount = 500, appeal_until = created_at
       WHERE transaction_id = '${id}'`,
    );
    await expect.poll(() => statuses(id), { timeout: 15_000 }).toEqual(['RESOLVED', 'REJECTED']);
    const part = { analysisResult: 'PARTIALLY_ACCEPTED', refundedAmount: '5.00' };
    const close = () => sendNotice({ ...notice, status: 'CLOSED', ...part });
    expect(await (step === 'close' ? close() : taken(pix, '5.00').then(() => 200))).toBe(200);
    expect(await statuses(id)).toEqual(['RESOLVED', 'REJECTED']);
    expect((await wallet()).totalBalance).toBe(before.totalBalance - 500);
    await expectBalanced();
  });

  it.each(['first', 'second'])('ends at its deadline if its %s notice denies it', async (which) => {
    const { id, pix } = await paid();
    const before = await wallet();
    const notice = noticeOf(pix);
    if (which === 'second') await sendNotice(notice);
    await sendNotice({ ...notice, recoveryStatus: 'ANALYSED', analysisResult: 'REJECTED' });
    expect(await medOf(id)).toMatchObject({ status: 'ANALYSED', acceptedAmount: 0 });
    await gateway.database.query(
      `UPDATE disputes SET appeal_until = created_at WHERE transaction_id = '${id}'`,
    );
    await expect.poll(() => statuses(id), { timeout: 15_000 }).toEqual(['RESOLVED']);
    expect(await gateway.statusOf(id)).toBe('PAID');
    expect((await wallet()).availableBalance).toBe(before.availableBalance);
    await expectBalanced();
  });

  it('is accepted by the outcome after the analysis denied it or accepted less', async () => {
    for (const analysis of [
      { analysisResult: 'DISAGREED' },
      { analysisResult: 'PARTIALLY_ACCEPTED', refundedAmount: '5.00' },
    ]) {
      const { id, pix } = await paid();
      const before = await wallet();
      const notice = noticeOf(pix);
      await sendNotice({ ...notice, recoveryStatus: 'ANALYSED', ...analysis });
      expect(await sendNotice({ ...notice, status: 'CLOSED', analysisResult: 'AGREED' })).toBe(200);
      expect(await statuses(id)).toEqual(['RESOLVED', 'REJECTED']);
      expect((await wallet()).totalBalance).toBe(before.totalBalance - 1500);
    }
    await expectBalanced();
  });

  it('comes with a situation and a request to monitor the account, also later', async () => {
    const { id, pix } = await paid();
    const notice = noticeOf(pix, OPEN);
    await sendNotice(notice);
    expect(await medOf(id)).toMatchObject({ type: 'UNKNOWN', monitorAccount: false, status: 'CREATED' });
    const later = { recoveryStatus: 'AWAITING_ANALYSIS', situationType: 'COERCION', monitorAccount: true };
    await sendNotice({ ...notice, ...later });
    expect(await medOf(id)).toMatchObject({
      type: 'COERCION',
      monitorAccount: true,
      status: 'AWAITING_ANALYSIS',
      recoveryId: 'recovery-1',
    });
  });
});
