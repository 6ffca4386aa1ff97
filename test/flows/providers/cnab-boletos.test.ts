import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { addBusinessDays, businessDayOnOrAfter } from '#formats/calendar/business-days.ts';
import { saoPauloDate, startOfSaoPauloDay } from '#formats/calendar/sao-paulo.ts';
import { cnabEnvironment, joined, line, returnOf, segmentsOf } from '#test/support/bank-files.ts';
import type { ApiResponse } from '#test/support/client.ts';
import { newShipmentFile } from '#test/support/cnab-exchange.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { operatorOf, type Operator } from '#test/support/operator.ts';
import { expectBalanced } from '#test/support/withdrawals.ts';

let gateway: TestGateway;
let operator: Operator;
let today: string;

const boleto = async (changes: Readonly<Record<string, unknown>> = {}) => {
  const made = await gateway.charge({ method: 'BOLETO', amount: 25_990, ...changes });
  expect(made.status).toBe(201);
  return made.body.data;
};
const read = async (id: string) => (await gateway.get(`/transactions/${id}`)).body.data;
const ship = (service = 'BOLETOS') =>
  gateway.post('/admin/cnab/shipments', { service }, { token: operator.token });
const fileOf = async (id: string) => {
  const file = await gateway.get(`/admin/cnab/shipments/${id}/file`, { token: operator.token });
  expect(file.status).toBe(200);
  return file.text;
};
/** The next file of boletos, whole. */
const shipped = (): Promise<string> => newShipmentFile(gateway, operator, 'BOLETOS');
const take = (file: string): Promise<ApiResponse> =>
  gateway.call('POST', '/admin/cnab/returns', file, {
    token: operator.token,
    headers: { 'content-type': 'text/plain' },
  });
async function taken(file: string) {
  const response = await take(file);
  expect(response.status).toBe(201);
  return response.body.data;
}
const countsOf = (data: { counts: readonly Record<string, unknown>[] }) =>
  data.counts.map(({ kind, outcome, lines }) => [kind, outcome, lines]);

async function start(bank: string): Promise<void> {
  gateway = await startTestGateway({ environment: cnabEnvironment(bank) });
  operator = await operatorOf(gateway);
  today = saoPauloDate(new Date());
}

describe.each(['001', '033', '104', '237', '341'])('boletos of bank %s', (bank) => {
  beforeAll(() => start(bank));
  afterAll(() => gateway.stop());

  it('are registered, paid with a tariff, rejected and written off by files', async () => {
    const key = randomUUID();
    const first = await gateway.charge({ method: 'BOLETO', amount: 25_990 }, { idempotencyKey: key });
    const one = first.body.data;
    expect(one).toMatchObject({ status: 'WAITING_PAYMENT', boleto: { registration: 'PENDING' } });
    const [two, three, four] = [await boleto(), await boleto(), await boleto()];
    const page = await (await fetch(one.boleto.url)).text();
    expect(page).toContain('O banco ainda está registrando este boleto');
    expect(page).not.toContain(one.boleto.digitableLine);

    const file = await shipped();
    expect(file.split('\r\n').every((text) => text === '' || text.length === 240)).toBe(true);
    expect(segmentsOf(file, 'P')).toHaveLength(4);
    expect((await ship()).body.message).toBe('No record is waiting for a remittance file');

    const registered = returnOf(file, [
      { title: 0, movement: '02', on: today },
      { title: 1, movement: '02', on: today, tariff: 120 },
      { title: 2, movement: '03', on: today, reasons: bank === '341' ? '95' : '48' },
      { title: 3, movement: '02', on: today },
    ]);
    const data = await taken(registered);
    expect(countsOf(data)).toEqual([
      ['REGISTERED', 'APPLIED', 3],
      ['REJECTED', 'APPLIED', 1],
    ]);
    expect(data.problems).toMatchObject([{ line: 7, kind: 'REJECTED', recordId: three.id }]);
    expect(data.problems[0].reason).toMatch(/invalid (payer )?postal code \(\d\d\)$/);
    expect(await read(one.id)).toMatchObject({ boleto: { registration: 'REGISTERED' } });
    expect(await read(three.id)).toMatchObject({
      status: 'FAILED',
      statusReason: expect.stringContaining('postal code'),
      boleto: { registration: 'REJECTED' },
    });
    expect(await (await fetch(one.boleto.url)).text()).toContain(one.boleto.digitableLine.slice(0, 5));
    const again = await gateway.charge({ method: 'BOLETO', amount: 25_990 }, { idempotencyKey: key });
    expect(again.text).toBe(first.text);

    const paid = returnOf(file, [
      { title: 0, movement: '06', paid: 25_990, tariff: 150, on: today },
      { title: 1, movement: '09', on: today },
    ]);
    const money = await taken(paid);
    expect(money.counts).toContainEqual({
      kind: 'PAID',
      outcome: 'APPLIED',
      lines: 1,
      amount: 25_990,
      tariff: 150,
    });
    expect(await read(one.id)).toMatchObject({ status: 'PAID' });
    expect(await read(two.id)).toMatchObject({ status: 'FAILED', statusReason: 'written off by the bank' });

    await gateway.post(`/transactions/${four.id}/cancel`);
    const cancelled = await read(four.id);
    expect(cancelled.status).toBe('FAILED');
    const writeOff = await shipped();
    expect(segmentsOf(writeOff, 'P').map((text) => text.slice(15, 17))).toEqual(['02']);
    expect(countsOf(await taken(returnOf(writeOff, [{ title: 0, movement: '09', on: today }], 3)))).toEqual([
      ['WRITTEN_OFF', 'APPLIED', 1],
    ]);
    expect((await ship()).body.message).toBe('No record is waiting for a remittance file');
    await expectBalanced(gateway);
  });
});

describe('return files', () => {
  beforeAll(() => start('341'));
  afterAll(() => gateway.stop());

  it('are applied once, also if another file contains the same lines', async () => {
    const made = await boleto();
    const file = await shipped();
    const responses = [
      { title: 0, movement: '02', on: today },
      { title: 0, movement: '06', paid: 25_990, tariff: 150, on: today },
    ];
    const bytes = returnOf(file, responses);
    const first = await taken(bytes);
    const again = await take(bytes);
    expect(again.status).toBe(200);
    expect(again.body.data).toEqual({ ...first, repeated: true });
    const other = await taken(returnOf(file, responses, 2));
    expect(countsOf(other)).toEqual([
      ['PAID', 'REPEATED', 1],
      ['REGISTERED', 'REPEATED', 1],
    ]);
    const reports = await operator.read(`/admin/provider-events?recordId=${made.id}`);
    expect(reports.data).toMatchObject([{ provider: 'cnab', kind: 'PAYMENT', outcome: 'APPLIED' }]);
    expect((await operator.read('/admin/cnab/returns')).data.map(({ id }: { id: string }) => id)).toEqual([
      other.id,
      first.id,
    ]);
    const lines = await operator.read(`/admin/cnab/returns/${first.id}/lines`);
    expect(lines.data).toMatchObject([
      { kind: 'REGISTERED', recordId: made.id, outcome: 'APPLIED' },
      { kind: 'PAID', recordId: made.id, amount: 25_990, tariff: 150, creditedOn: today },
    ]);
    await expectBalanced(gateway);
  });

  it('report a second payment of a boleto, also on the same day', async () => {
    const made = await boleto();
    const file = await shipped();
    const payment = { title: 0, movement: '06', paid: 25_990, on: today };
    const data = await taken(returnOf(file, [payment, payment]));
    expect(data.problems).toMatchObject([{ line: 5, outcome: 'REJECTED' }]);
    expect(await operator.untilReversal(made.id, 'MANUAL')).toMatchObject({ reason: 'DUPLICATE' });
  });

  it('that are incomplete are rejected, and change nothing', async () => {
    const made = await boleto();
    const file = returnOf(await shipped(), [{ title: 0, movement: '06', paid: 25_990, on: today }]);
    const lines = file.split('\r\n').filter((text) => text !== '');
    const cut = await take(joined(lines.slice(0, 4)));
    expect(cut.status).toBe(400);
    expect(cut.body.message).toEqual([
      'line 4: must be the trailer of the file (type 9): the file is cut off',
    ]);
    const middle = await take(file.slice(0, 600));
    expect(middle.body.message[0]).toBe('line 3: must have 240 columns, has 116');
    const trailer = lines.with(5, line({ 1: '341', 4: '9999', 8: '9', 18: '000001', 24: '000009' }));
    expect((await take(joined(trailer))).body.message).toEqual(['line 6: states 9 records, the file has 6']);
    const batch = lines.with(4, line({ 1: '341', 4: '0001', 8: '5', 18: '000007' }));
    expect((await take(joined(batch))).body.message).toEqual(['line 5: states 7 records, the batch has 4']);
    expect((await take('')).body.message).toEqual(['line 1: the file is empty']);
    const ofOther = await take(file.replaceAll(/^341/gm, '237'));
    expect(ofOther.body.message).toEqual([
      'line 1: the file is from bank 237, the gateway is configured for 341',
    ]);
    const sent = joined(lines.with(0, lines[0]!.slice(0, 142) + '1' + lines[0]!.slice(143)));
    expect((await take(sent)).body.message).toEqual(['line 1: must be a return file (code 2 in column 143)']);
    expect(await read(made.id)).toMatchObject({ status: 'WAITING_PAYMENT' });
    // The same lines, with line feeds only and a DOS end-of-file mark.
    expect((await take(`${lines.join('\n')}\n\u001a`)).status).toBe(201);
    expect(await read(made.id)).toMatchObject({ status: 'PAID' });
  });

  it('report each unmatched line by number and reason, and apply the others', async () => {
    const [one, two] = [await boleto(), await boleto()];
    const data = await taken(
      returnOf(await shipped(), [
        { title: 0, movement: '06', paid: 25_990, on: today },
        { title: '99999999', movement: '06', paid: 100, on: today },
        { title: 1, movement: '06', paid: 100, on: today },
        { title: 1, movement: '02', on: today, changed: { 19: '9876' } },
        { title: 1, movement: '02', on: today, changed: { 199: 'ABC' } },
        { title: 1, movement: '77', paid: 1, on: today },
        { title: 1, movement: '78', on: today },
      ]),
    );
    expect(data.problemCount).toBe(5);
    expect(data.problems).toMatchObject([
      { line: 5, kind: 'PAID', outcome: 'UNMATCHED', reason: 'no such record' },
      { line: 7, kind: 'PAID', outcome: 'REJECTED', recordId: two.id },
      { line: 9, kind: 'UNREADABLE', reason: 'for another agreement' },
      { line: 11, kind: 'UNREADABLE', reason: 'tariff (columns 199 to 213) must be an amount in digits' },
      { line: 13, kind: 'NOTE', outcome: 'UNMATCHED', reason: expect.stringContaining('ask the bank') },
    ]);
    expect(await read(one.id)).toMatchObject({ status: 'PAID' });
    expect(await operator.untilReversal(two.id, 'MANUAL')).toMatchObject({
      reason: 'WRONG_AMOUNT',
      amount: 100,
    });
  });

  it('do not fail a registered boleto if the bank received its file twice', async () => {
    const made = await boleto();
    const file = await shipped();
    await taken(returnOf(file, [{ title: 0, movement: '02', on: today }], 10));
    const second = await taken(returnOf(file, [{ title: 0, movement: '03', reasons: '14', on: today }], 11));
    expect(second.problems).toMatchObject([{ kind: 'REJECTED', outcome: 'NOTED' }]);
    expect(await read(made.id)).toMatchObject({
      status: 'WAITING_PAYMENT',
      boleto: { registration: 'REGISTERED' },
    });
  });

  it('complete the lines that a crash left unprocessed', async () => {
    const made = await boleto();
    const bytes = returnOf(await shipped(), [{ title: 0, movement: '06', paid: 25_990, on: today }], 20);
    const first = await taken(bytes);
    // The state when the process dies after the provider event and before its mark.
    await gateway.database.query(
      'UPDATE cnab_return_lines SET outcome = NULL, seller_id = NULL, record_id = NULL WHERE return_id = $1',
      [first.id],
    );
    await gateway.database.query('UPDATE cnab_returns SET completed_at = NULL WHERE id = $1', [first.id]);
    const resumed = await take(bytes);
    expect(countsOf(resumed.body.data)).toEqual([['PAID', 'APPLIED', 1]]);
    expect(resumed.body.data.completedAt).not.toBeNull();
    expect(await read(made.id)).toMatchObject({ status: 'PAID', refundedAmount: 0 });
    await expectBalanced(gateway);
  });

  it('that are uploaded twice at once are applied once', async () => {
    const made = await boleto();
    const bytes = returnOf(await shipped(), [{ title: 0, movement: '06', paid: 25_990, on: today }], 30);
    const responses = await Promise.all([take(bytes), take(bytes), take(bytes)]);
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 201]);
    expect(await read(made.id)).toMatchObject({ status: 'PAID' });
    expect(await operator.reversalsOf(made.id)).toEqual([]);
    await expectBalanced(gateway);
  });
});

describe('a boleto on its last payable day', () => {
  const HOUR_MS = 3_600_000;
  let now: Date;
  let lastDay: string;
  beforeAll(async () => {
    await start('341');
    now = new Date();
    lastDay = businessDayOnOrAfter(saoPauloDate(new Date(now.getTime() + 2 * 24 * HOUR_MS)));
  });
  afterAll(() => gateway.stop());

  /** Moves the clock to an hour of the nth business day after the last payable day. */
  async function advanceTo(days: number, hour: number): Promise<string> {
    const day = addBusinessDays(lastDay, days);
    const time = new Date(startOfSaoPauloDay(day).getTime() + hour * HOUR_MS);
    await gateway.advance(Math.ceil((time.getTime() - now.getTime()) / 1_000));
    now = time;
    operator = await operatorOf(gateway);
    return day;
  }

  it('counts as paid although the bank reports it later, and fails once all reports have come', async () => {
    const inTwoDays = { expiration: 2 * 86_400 };
    const onTime = await boleto(inTwoDays);
    const late = await boleto(inTwoDays);
    const unpaid = await boleto(inTwoDays);
    const file = await shipped();
    await taken(
      returnOf(
        file,
        [0, 1, 2].map((title) => ({ title, movement: '02', on: today })),
      ),
    );
    const unshipped = await boleto(inTwoDays);

    const next = await advanceTo(1, 9);
    expect((await ship()).body.message).toBe('No record is waiting for a remittance file');
    const open = await read(unpaid.id);
    expect(open.status).toBe('WAITING_PAYMENT');
    expect(await (await fetch(open.boleto.url)).text()).toContain('Vencido');
    const payment = await (await fetch(open.paymentUrl)).text();
    expect(payment).toContain('O boleto venceu');
    expect(payment).toContain('Se não pagou, peça um novo boleto à loja.');
    expect(payment).not.toContain(open.boleto.digitableLine);

    const paid = { movement: '06', paid: 25_990 };
    await taken(
      returnOf(
        file,
        [
          { ...paid, title: 0, on: lastDay },
          { ...paid, title: 1, on: next },
        ],
        2,
      ),
    );
    expect(await read(onTime.id)).toMatchObject({ status: 'PAID' });
    expect(await operator.reversalsOf(onTime.id)).toEqual([]);
    await vi.waitFor(async () =>
      expect((await gateway.get('/seller-wallet/gestao')).body.data.byOrigin.BOLETO).toMatchObject({
        availableBalance: 25_990 - 99,
      }),
    );
    expect(await operator.untilReversal(late.id, 'MANUAL')).toMatchObject({ reason: 'LATE' });

    await advanceTo(3, 23);
    expect(await read(unpaid.id)).toMatchObject({ status: 'WAITING_PAYMENT' });
    await advanceTo(4, 0);
    for (const id of [unpaid.id, late.id, unshipped.id]) {
      await vi.waitFor(
        async () => expect(await read(id)).toMatchObject({ status: 'FAILED', statusReason: 'expired' }),
        { timeout: 3_000 },
      );
    }
    await expectBalanced(gateway);
  });
});

describe('remittance files', () => {
  beforeAll(() => start('001'));
  afterAll(() => gateway.stop());

  it('contain each boleto once, with consecutive numbers, under concurrency', async () => {
    const made = await Promise.all(Array.from({ length: 12 }, () => boleto()));
    const responses = await Promise.all(Array.from({ length: 6 }, () => ship()));
    const files = responses.filter(({ status }) => status === 201);
    const refused = responses.filter(({ status }) => status !== 201);
    expect(
      refused.every(
        ({ status, body }) => status === 422 && body.message === 'No record is waiting for a remittance file',
      ),
    ).toBe(true);
    const texts = await Promise.all(files.map(({ body }) => fileOf(body.data.id)));
    const numbers = texts.flatMap((text) => segmentsOf(text, 'P').map((p) => p.slice(37, 54)));
    expect(new Set(numbers).size).toBe(made.length);
    expect(numbers).toHaveLength(made.length);
    const { data } = await operator.read('/admin/cnab/shipments');
    expect(
      data.map(({ number }: { number: number }) => number).toSorted((a: number, b: number) => a - b),
    ).toEqual(Array.from(data, (_one, index) => index + 1));
    expect(await fileOf(data[0].id)).toBe(await fileOf(data[0].id));
  });

  it('that fail during creation leave no gap and no marked boleto', async () => {
    await boleto();
    const before = (await operator.read('/admin/cnab/shipments')).data[0].number;
    // The last statement of the transaction fails, as if the process had died before the commit.
    await gateway.database.query(
      "ALTER TABLE audit_log ADD CONSTRAINT broken CHECK (action <> 'cnab-shipment.created') NOT VALID",
    );
    expect((await ship()).status).toBe(500);
    await gateway.database.query('ALTER TABLE audit_log DROP CONSTRAINT broken');
    const made = await ship();
    expect(made.body.data).toMatchObject({ number: before + 1, registrations: 1 });
  });

  it('exclude boletos that ended before, and write off those that ended after', async () => {
    const early = await boleto();
    await gateway.post(`/transactions/${early.id}/cancel`);
    expect((await ship()).body.message).toBe('No record is waiting for a remittance file');
    const late = await boleto();
    const file = await shipped();
    await gateway.advance(20 * 86_400);
    operator = await operatorOf(gateway);
    await vi.waitFor(async () => expect((await read(late.id)).status).toBe('FAILED'), { timeout: 3_000 });
    const writeOff = await ship();
    expect(writeOff.body.data).toMatchObject({ registrations: 0 });
    expect(writeOff.body.data.writeOffs).toBeGreaterThan(0);
    // Paid after its expiration nevertheless: the amount is returned to the payer.
    const day = saoPauloDate(new Date(Date.now() + 20 * 86_400_000));
    const data = await taken(returnOf(file, [{ title: 0, movement: '06', paid: 25_990, on: day }]));
    expect(data.problems).toMatchObject([{ outcome: 'LATE', recordId: late.id }]);
    expect(await operator.untilReversal(late.id, 'MANUAL')).toMatchObject({
      reason: 'LATE',
      provider: 'cnab',
    });
  });

  it('are for the operator only, and only for enabled services', async () => {
    expect((await operator.read('/admin/cnab')).data).toEqual({ bankCode: '001', services: ['BOLETOS'] });
    expect((await ship('PIX')).body.message).toMatch(/^File exchange is not configured/);
    const asSeller = await gateway.post('/admin/cnab/shipments', { service: 'BOLETOS' });
    expect(asSeller.status).toBe(403);
    const missing = await gateway.get(`/admin/cnab/shipments/${randomUUID()}/file`, {
      token: operator.token,
    });
    expect(missing.status).toBe(404);
    const noReturn = await gateway.get(`/admin/cnab/returns/${randomUUID()}`, { token: operator.token });
    expect(noReturn.body.message).toBe('Return file not found');
  });
});
