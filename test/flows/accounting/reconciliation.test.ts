import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { addDays } from '#formats/calendar/local-date.ts';
import { startOfSaoPauloDay } from '#formats/calendar/sao-paulo.ts';
import { SAMPLE_TRANSACTION } from '#payments/transactions/sample-request.ts';
import {
  gateway,
  seller,
  operator,
  now,
  advance,
  newDay,
  importFile,
  report,
  reportOf,
  differences,
  as,
  simulate,
  paid,
  type Line,
  fileOf,
  setUp,
} from './reconciliation-setup.ts';

setUp();

async function bankFile(day: string): Promise<string> {
  const response = await gateway.get(`/sandbox/settlement-file?day=${day}`, await operator());
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  return response.text;
}

const refund = (id: string, amount: number) =>
  gateway.post(`/transactions/${id}/refund`, { amount }, { ...as(), idempotencyKey: randomUUID() });

async function paidCard(changes: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const card = {
    number: '4111111111111111',
    holderName: 'ANA SOUZA',
    expirationMonth: 12,
    expirationYear: 2090,
    cvv: '123',
  };
  const made = await gateway.charge({ method: 'CREDIT_CARD', installments: 1, card, ...changes }, as());
  expect(made.status).toBe(201);
  return String(made.body.data.id);
}

async function withdrawn(amount: number): Promise<string> {
  const wanted = { amount, method: 'PIX', pixKey: 'ana@example.com', pixKeyType: 'EMAIL' };
  const made = await gateway.post('/withdrawals', wanted, { ...as(), idempotencyKey: randomUUID() });
  expect(made.status).toBe(201);
  const id = String(made.body.data.id);
  await gateway.post(`/admin/withdrawals/${id}/approve`, undefined, await operator());
  await expect
    .poll(async () => (await gateway.get(`/withdrawals/${id}`, as())).body.data.status, { timeout: 10_000 })
    .toBe('PROCESSING');
  await expect
    .poll(async () => (await gateway.post(`/sandbox/withdrawals/${id}/pay`, undefined, as())).status)
    .toBe(200);
  return id;
}

const linesOf = (text: string): readonly Line[] =>
  text
    .trimEnd()
    .split('\r\n')
    .slice(1)
    .map((line) => {
      const [id = '', type = '', amount, fee, date = '', reference = ''] = line.split(',');
      return { id, type, amount: Number(amount), fee: Number(fee), date, reference };
    });

describe('a settlement file of the sandbox', () => {
  it('matches the ledger to the cent after any kind of movement', async () => {
    const day = await newDay();
    expect(await report(`day=${day}`)).toEqual([]);
    const first = await paid(10_000);
    const second = await paid(20_000);
    const third = await paid(30_000);
    await paidCard({ amount: 7_000 });
    const held = await paidCard({ amount: 9_000, capture: false });
    const captured = await gateway.post(`/transactions/${held}/capture`, { amount: 4_000 }, as());
    expect(captured.status).toBe(200);
    expect((await refund(first, 1_000)).status).toBe(200);
    expect((await refund(first, 1_000)).status).toBe(200);
    expect((await simulate(second, 'chargeback')).status).toBe(200);
    await simulate(third, 'dispute');
    const dispute = (await gateway.get(`/disputes?transactionId=${third}`, as())).body.data.data[0].id;
    const lost = { outcome: 'REJECTED' };
    await gateway.post(`/admin/disputes/${dispute}/resolve`, lost, await operator());
    await paid(5_000);
    // Of the refunds that their bank does not complete at once, only one is completed.
    const slow = await paid(6_000, {
      customer: { ...SAMPLE_TRANSACTION.customer, email: 'a@banco-lento.example' },
    });
    for (const amount of [1_000, 2_000, 3_000]) expect((await refund(slow, amount)).status).toBe(200);
    const { refunds } = (await gateway.get(`/transactions/${slow}/timeline`, as())).body.data;
    for (const [index, outcome] of ['complete', 'fail'].entries()) {
      const path = `/sandbox/refunds/${refunds[index].id}/${outcome}`;
      expect((await gateway.post(path, undefined, as())).status).toBe(200);
    }
    const withdrawal = await withdrawn(2_000);

    const before = await reportOf(day);
    expect(before).toMatchObject({ status: 'NO_FILE', balanced: false, files: 0, lines: 0 });
    expect(before.differences).toBe(before.ledger.movements);
    const unmatched = await differences(`day=${day}`);
    expect(new Set(unmatched.map((one: { kind: string }) => one.kind))).toEqual(new Set(['MISSING_IN_FILE']));

    const text = await bankFile(day);
    const lines = linesOf(text);
    expect(lines.map(({ type }) => type).toSorted()).toEqual(
      [
        ...Array<string>(7).fill('PAYMENT'),
        'REFUND',
        'REFUND',
        'REFUND',
        'CHARGEBACK',
        'CHARGEBACK',
        'WITHDRAWAL',
      ].toSorted(),
    );
    expect(lines.find(({ type }) => type === 'WITHDRAWAL')).toMatchObject({
      id: `sandbox-${withdrawal}`,
      reference: withdrawal,
    });
    const sum = (of: (line: Line) => number) => lines.reduce((total, line) => total + of(line), 0);
    const moneyIn = sum(({ type, amount }) => (type === 'PAYMENT' ? amount : 0));
    const moneyOut = sum(({ type, amount }) => (type === 'PAYMENT' ? 0 : amount));
    const fees = sum(({ fee }) => fee);
    expect(moneyIn).toBe(82_000);
    expect(fees).toBeGreaterThan(0);

    const imported = await importFile(day, text);
    expect(imported.status).toBe(201);
    expect(imported.body.data).toMatchObject({
      provider: 'sandbox',
      day,
      lines: lines.length,
      duplicates: 0,
      in: moneyIn,
      out: moneyOut,
      fees,
      repeated: false,
      bytes: Buffer.byteLength(text),
    });
    expect(await reportOf(day)).toEqual({
      day,
      provider: 'sandbox',
      status: 'BALANCED',
      balanced: true,
      files: 1,
      lines: lines.length,
      matched: lines.length,
      neighboringDays: 0,
      differences: 0,
      file: { in: moneyIn, out: moneyOut, fees, net: moneyIn - moneyOut - fees },
      ledger: { movements: lines.length, in: moneyIn, out: moneyOut },
    });
    expect(await differences(`day=${day}`)).toEqual([]);
  });
});

describe('an altered settlement file', () => {
  it('reports each alteration with its kind and both sides', async () => {
    const day = await newDay();
    const ids = [
      await paid(1_100),
      await paid(1_200),
      await paid(1_300),
      await paid(1_400),
      await paid(1_500),
    ];
    const lines = linesOf(await bankFile(day));
    const lineOf = (index: number) => {
      const found = lines.find(({ reference }) => reference === ids[index]);
      if (found === undefined) throw new Error('the bank file lacks a payment');
      return found;
    };
    const foreign = { id: 'STRANGER-1', type: 'PAYMENT', amount: 777, fee: 1, date: day };
    const file = fileOf([
      lineOf(0),
      { ...lineOf(1), amount: 1_201 },
      { ...lineOf(2), date: addDays(day, -1) },
      { ...lineOf(3), date: addDays(day, -3) },
      foreign,
      lineOf(0),
    ]);
    const imported = await importFile(day, file);
    expect(imported.status).toBe(201);
    expect(imported.body.data).toMatchObject({
      lines: 6,
      duplicates: 1,
      in: 1_100 + 1_201 + 1_300 + 1_400 + 777,
    });
    const fileId = imported.body.data.id;
    const period = `startDate=${addDays(day, -3)}&endDate=${day}&provider=sandbox`;
    const found = await differences(period);
    const side = (index: number) => ({ recordId: ids[index], sellerId: seller.id, day, cause: 'PAYMENT' });
    const shown = found.filter(
      (one: { file: { fileId: string } | null; ledger: { recordId: string } | null }) =>
        one.file?.fileId === fileId || ids.includes(one.ledger?.recordId ?? ''),
    );
    expect(shown).toMatchObject([
      {
        kind: 'DAY_DIFFERS',
        day: addDays(day, -3),
        tolerated: false,
        file: { line: 5, day: addDays(day, -3) },
        ledger: side(3),
      },
      { kind: 'DAY_DIFFERS', day: addDays(day, -1), tolerated: true, file: { line: 4 }, ledger: side(2) },
      {
        kind: 'AMOUNT_DIFFERS',
        day,
        file: { line: 3, amount: 1_201, id: lineOf(1).id, reference: ids[1] },
        ledger: { ...side(1), amount: 1_200, providerId: lineOf(1).id },
      },
      {
        kind: 'DUPLICATE_LINE',
        day,
        file: { line: 7 },
        ledger: null,
        duplicateOf: { fileId, line: 2 },
      },
      { kind: 'MISSING_IN_FILE', day, type: 'PAYMENT', file: null, ledger: { ...side(4), amount: 1_500 } },
      {
        kind: 'MISSING_IN_LEDGER',
        day,
        file: { line: 6, id: 'STRANGER-1', amount: 777, fee: 1, reference: null },
        ledger: null,
        report: null,
      },
    ]);
    expect(await reportOf(day)).toMatchObject({
      status: 'DIFFERENT',
      balanced: false,
      lines: 4,
      matched: 1,
      neighboringDays: 0,
      differences: 4,
      file: { in: 1_100 + 1_201 + 777, out: 0 },
      ledger: { movements: 5, in: 6_500, out: 0 },
    });
    expect(await reportOf(addDays(day, -3))).toMatchObject({ status: 'DIFFERENT', lines: 1, matched: 0 });

    // The filters by period, kind and page.
    const missing = await differences(`day=${day}&kind=MISSING_IN_FILE`);
    expect(missing).toMatchObject([{ ledger: { recordId: ids[4] } }]);
    const pages = [];
    for (let skip = 0; skip < 5; skip += 1) {
      const query = `day=${day}&take=1&skip=${skip}`;
      const page = await gateway.get(`/admin/reconciliation/differences?${query}`, await operator());
      expect(page.body.count).toBe(4);
      pages.push(...page.body.data);
    }
    expect(pages).toEqual(await differences(`day=${day}`));
    const csv = await gateway.get(
      `/admin/reconciliation/differences?${period}&export=true`,
      await operator(),
    );
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const rows = csv.text.trimEnd().split('\r\n');
    expect(rows[0]).toMatch(/^kind,day,provider,type,tolerated,fileId,line,id,/);
    expect(rows).toHaveLength(1 + found.length);
    expect(rows.find((row) => row.includes('STRANGER-1'))).toMatch(
      new RegExp(`^MISSING_IN_LEDGER,${day},sandbox,PAYMENT,false,${fileId},6,STRANGER-1,,777,1,${day},,,`),
    );
  });

  it('matches a movement dated on the other side of midnight', async () => {
    const day = await newDay();
    const next = addDays(day, 1);
    await advance(startOfSaoPauloDay(next).getTime() - 20_000 - now());
    const late = await paid(2_100);
    await advance(startOfSaoPauloDay(next).getTime() - now());
    const early = await paid(2_200);
    const idsOf = async (one: string) => linesOf(await bankFile(one)).map(({ reference }) => reference);
    expect(await idsOf(day)).toEqual([late]);
    expect(await idsOf(next)).toEqual([early]);
    expect((await reportOf(day)).ledger).toEqual({ movements: 1, in: 2_100, out: 0 });
    expect((await reportOf(next)).ledger).toEqual({ movements: 1, in: 2_200, out: 0 });

    // The bank's day ends a little later than the gateway's.
    const both = [...linesOf(await bankFile(day)), ...linesOf(await bankFile(next))];
    await importFile(day, fileOf(both.map((line) => ({ ...line, date: day }))));
    expect(await reportOf(day)).toMatchObject({ balanced: true, lines: 2, matched: 2, neighboringDays: 1 });
    expect(await reportOf(next)).toMatchObject({ status: 'NO_FILE', balanced: true, lines: 0 });
    expect(await differences(`day=${day}`)).toMatchObject([
      { kind: 'DAY_DIFFERS', tolerated: true, file: { day }, ledger: { recordId: early, day: next } },
    ]);
    expect(await differences(`day=${next}`)).toEqual([]);
  });

  it('matches a movement by id or reference, but not with another type', async () => {
    const day = await newDay();
    const ids = [await paid(3_100), await paid(3_200), await paid(3_300), await paid(3_400)];
    const payment = { type: 'PAYMENT', date: day };
    await importFile(
      day,
      fileOf([
        { ...payment, id: ids[0]?.toUpperCase(), amount: 3_100 },
        { ...payment, id: 'not-known', amount: 3_200, reference: ids[1]?.toUpperCase() },
        // Reports the same payment under another id.
        { ...payment, id: 'another-name', amount: 3_200, reference: ids[1] },
        { ...payment, id: ids[2], amount: 3_300, type: 'REFUND' },
      ]),
    );
    const found = await differences(`day=${day}`);
    expect(found).toMatchObject([
      { kind: 'DUPLICATE_LINE', file: { id: 'another-name' }, duplicateOf: { line: 3 } },
      { kind: 'MISSING_IN_FILE', ledger: {} },
      { kind: 'MISSING_IN_FILE', ledger: {} },
      { kind: 'MISSING_IN_LEDGER', type: 'REFUND', file: { id: ids[2] } },
    ]);
    const missing = found.slice(1, 3).map((one: { ledger: { recordId: string } }) => one.ledger.recordId);
    expect(new Set(missing)).toEqual(new Set([ids[2], ids[3]]));
    expect(await reportOf(day)).toMatchObject({
      matched: 2,
      differences: 4,
      file: { in: 6_300, out: 3_300 },
    });
  });

  it('matches movements booked after the import, and drops those that no longer exist', async () => {
    const day = await newDay();
    const { body } = await gateway.charge({ amount: 4_100 }, as());
    await importFile(
      day,
      fileOf([{ id: 'early', type: 'PAYMENT', amount: 4_100, date: day, reference: body.data.id }]),
    );
    expect(await reportOf(day)).toMatchObject({ balanced: false, differences: 1 });
    await simulate(body.data.id, 'pay');
    expect(await reportOf(day)).toMatchObject({ status: 'BALANCED', balanced: true, matched: 1 });
    // An entry that was deleted from the ledger outside the gateway.
    const rows = await gateway.database.query('SELECT * FROM ledger_entries WHERE record_id = $1', [
      body.data.id,
    ]);
    expect(rows.length).toBeGreaterThan(0);
    await gateway.database.query('DELETE FROM ledger_entries WHERE record_id = $1', [body.data.id]);
    expect(await differences(`day=${day}`)).toMatchObject([
      { kind: 'MISSING_IN_LEDGER', file: { id: 'early' } },
    ]);
    expect(await bankFile(day)).toContain(body.data.id);
  });

  it('reports a payment that arrived too late for its transaction', async () => {
    const day = await newDay();
    const { body } = await gateway.charge({ amount: 5_100 }, as());
    await gateway.post(`/transactions/${body.data.id}/cancel`, undefined, as());
    await simulate(body.data.id, 'pay');
    const text = await bankFile(day);
    expect(linesOf(text)).toMatchObject([{ type: 'PAYMENT', amount: 5_100, reference: body.data.id }]);
    await importFile(day, text);
    expect(await differences(`day=${day}`)).toMatchObject([
      {
        kind: 'MISSING_IN_LEDGER',
        ledger: null,
        report: { outcome: 'LATE', recordId: body.data.id, sellerId: seller.id },
      },
    ]);
  });

  it('distinguishes refunds of one transaction, even with the same amount and time', async () => {
    const day = await newDay();
    const id = await paid(9_000);
    for (const amount of [500, 500, 700]) expect((await refund(id, amount)).status).toBe(200);
    const found = (await differences(`day=${day}&kind=MISSING_IN_FILE`)).filter(
      ({ type }: { type: string }) => type === 'REFUND',
    );
    const refunds = await gateway.database.query<{ id: string; amount: string }>(
      'SELECT id, amount FROM refunds WHERE transaction_id = $1',
      [id],
    );
    const shown = found.map((one: { ledger: { reference: string; amount: number } }) => [
      one.ledger.reference,
      one.ledger.amount,
    ]);
    const right = refunds.map((row) => [row.id, Number(row.amount)]);
    expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(right));
    expect(shown).toHaveLength(3);
    // All within one millisecond, so that the ledger has one booking.
    const at = new Date(now());
    await gateway.database.query('UPDATE refunds SET created_at = $2 WHERE transaction_id = $1', [id, at]);
    await gateway.database.query(
      "UPDATE ledger_entries SET created_at = $2 WHERE record_id = $1 AND cause = 'REFUND'",
      [id, at],
    );
    await importFile(day, await bankFile(day));
    expect(await reportOf(day)).toMatchObject({ balanced: true, ledger: { movements: 4, out: 1_700 } });
  });
});
