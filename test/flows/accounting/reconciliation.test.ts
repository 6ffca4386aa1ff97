import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { addDays } from '#formats/calendar/local-date.ts';
import { saoPauloDate, startOfSaoPauloDay } from '#formats/calendar/sao-paulo.ts';
import type { Answer, CallOptions } from '#test/support/client.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { newSeller, type TestSeller } from '#test/support/sellers.ts';

const HEADER = 'id,type,amount,fee,date,reference';

let gateway: TestGateway;
let seller: TestSeller;
/** The domain's time is this much ahead of the machine's. */
let aheadMs = 0;

beforeAll(async () => {
  gateway = await startTestGateway();
  seller = await newSeller(gateway);
});
afterAll(async () => {
  await gateway.stop();
});

const operator = async (): Promise<CallOptions> => ({ token: await gateway.adminToken() });
const now = (): number => Date.now() + aheadMs;
const today = (): string => saoPauloDate(new Date(now()));

async function advance(ms: number): Promise<void> {
  const seconds = Math.ceil(ms / 1000);
  await gateway.advance(seconds);
  aheadMs += seconds * 1000;
}

/** Moves the clock to ten o'clock of the next day, so that each test has a day of its own that no midnight ends. */
async function newDay(): Promise<string> {
  const day = addDays(today(), 1);
  await advance(startOfSaoPauloDay(day).getTime() + 10 * 3_600_000 - now());
  return day;
}

async function bankFile(day: string): Promise<string> {
  const answer = await gateway.get(`/sandbox/settlement-file?day=${day}`, await operator());
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  return answer.text;
}

const importFile = async (
  day: string,
  text: string,
  options: { readonly provider?: string; readonly as?: CallOptions; readonly type?: string } = {},
): Promise<Answer> =>
  gateway.post(`/admin/reconciliation/files?provider=${options.provider ?? 'sandbox'}&day=${day}`, text, {
    ...(options.as ?? (await operator())),
    headers: { 'content-type': options.type ?? 'text/csv' },
  });

async function report(query: string) {
  const answer = await gateway.get(`/admin/reconciliation?${query}`, await operator());
  expect(answer.status).toBe(200);
  return answer.body.data;
}
const reportOf = async (day: string, provider = 'sandbox') =>
  (await report(`provider=${provider}&day=${day}`))[0];

async function differences(query: string) {
  const answer = await gateway.get(`/admin/reconciliation/differences?take=100&${query}`, await operator());
  expect(answer.status).toBe(200);
  return answer.body.data;
}

const as = () => ({ apiKey: seller.apiKey });
const play = (id: string, what: string) =>
  gateway.post(`/sandbox/transactions/${id}/${what}`, undefined, as());

async function paid(amount: number): Promise<string> {
  const { body } = await gateway.charge({ amount }, as());
  expect((await play(body.data.id, 'pay')).status).toBe(200);
  return String(body.data.id);
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

interface Line {
  readonly id: string;
  readonly type: string;
  readonly amount: number;
  readonly fee: number;
  readonly date: string;
  readonly reference: string;
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

/** Cells of a line; those that are absent stay empty. */
type Cells = { readonly [Name in keyof Line]?: string | number | undefined };

const fileOf = (lines: readonly Cells[]): string =>
  [
    HEADER,
    ...lines.map(({ id, type, amount, fee, date, reference }) =>
      [id, type, amount, fee ?? 0, date, reference ?? ''].join(','),
    ),
  ].join('\n');

describe('a day of the sandbox', () => {
  it('balances with the file of its bank, to the cent, whatever moved (C9)', async () => {
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
    expect((await play(second, 'chargeback')).status).toBe(200);
    await play(third, 'dispute');
    const dispute = (await gateway.get(`/disputes?transactionId=${third}`, as())).body.data.data[0].id;
    const lost = { outcome: 'REJECTED' };
    await gateway.post(`/admin/disputes/${dispute}/resolve`, lost, await operator());
    await paid(5_000);
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
        ...Array<string>(6).fill('PAYMENT'),
        ...['REFUND', 'REFUND', 'CHARGEBACK', 'CHARGEBACK', 'WITHDRAWAL'],
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
    expect(moneyIn).toBe(76_000);
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
      neighbourDays: 0,
      differences: 0,
      file: { in: moneyIn, out: moneyOut, fees, net: moneyIn - moneyOut - fees },
      ledger: { movements: lines.length, in: moneyIn, out: moneyOut },
    });
    expect(await differences(`day=${day}`)).toEqual([]);
  });
});

describe('a file that was altered', () => {
  it('shows exactly what was altered, each as its kind with both sides (C9)', async () => {
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
      if (found === undefined) throw new Error('the bank forgot a payment');
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
      neighbourDays: 0,
      differences: 4,
      file: { in: 1_100 + 1_201 + 777, out: 0 },
      ledger: { movements: 5, in: 6_500, out: 0 },
    });
    expect(await reportOf(addDays(day, -3))).toMatchObject({ status: 'DIFFERENT', lines: 1, matched: 0 });

    // What the period, the kind and the page leave of them.
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

  it('balances the day before or after midnight where the ledger has it on the other side (C9)', async () => {
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

    // The bank's day ends a little later than ours.
    const both = [...linesOf(await bankFile(day)), ...linesOf(await bankFile(next))];
    await importFile(day, fileOf(both.map((line) => ({ ...line, date: day }))));
    expect(await reportOf(day)).toMatchObject({ balanced: true, lines: 2, matched: 2, neighbourDays: 1 });
    expect(await reportOf(next)).toMatchObject({ status: 'NO_FILE', balanced: true, lines: 0 });
    expect(await differences(`day=${day}`)).toMatchObject([
      { kind: 'DAY_DIFFERS', tolerated: true, file: { day }, ledger: { recordId: early, day: next } },
    ]);
    expect(await differences(`day=${next}`)).toEqual([]);
  });

  it('finds a movement by our own id, by the reference, and not by another type (C9)', async () => {
    const day = await newDay();
    const ids = [await paid(3_100), await paid(3_200), await paid(3_300), await paid(3_400)];
    const payment = { type: 'PAYMENT', date: day };
    await importFile(
      day,
      fileOf([
        { ...payment, id: ids[0]?.toUpperCase(), amount: 3_100 },
        { ...payment, id: 'not-known', amount: 3_200, reference: ids[1]?.toUpperCase() },
        // Tells of the same payment under another name.
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

  it('matches what is booked after the file came, and forgets what is no longer there (C9)', async () => {
    const day = await newDay();
    const { body } = await gateway.charge({ amount: 4_100 }, as());
    await importFile(
      day,
      fileOf([{ id: 'early', type: 'PAYMENT', amount: 4_100, date: day, reference: body.data.id }]),
    );
    expect(await reportOf(day)).toMatchObject({ balanced: false, differences: 1 });
    await play(body.data.id, 'pay');
    expect(await reportOf(day)).toMatchObject({ status: 'BALANCED', balanced: true, matched: 1 });
    // A booking that somebody took out of the ledger behind the gateway's back.
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

  it('tells of money that came too late for its charge (C9)', async () => {
    const day = await newDay();
    const { body } = await gateway.charge({ amount: 5_100 }, as());
    await gateway.post(`/transactions/${body.data.id}/cancel`, undefined, as());
    await play(body.data.id, 'pay');
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

  it('tells refunds of one charge apart, also those of the same amount at the same time (C9)', async () => {
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
    // All of them in one millisecond: one booking in the ledger's eyes.
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

const lineOn = (day: string, changes: Cells = {}): Cells => ({
  id: `E${randomUUID()}`,
  type: 'PAYMENT',
  amount: 100,
  date: day,
  ...changes,
});

async function refusalOf(answer: Promise<Answer>): Promise<readonly [number, unknown]> {
  const { status, body } = await answer;
  return [status, body.message];
}

describe('an import', () => {
  it('of the same bytes again answers the first and changes nothing (C4)', async () => {
    const day = await newDay();
    const provider = 'acme-bank';
    const text = fileOf([lineOn(day), lineOn(day, { type: 'WITHDRAWAL', amount: 30, fee: 2 })]);
    const first = await importFile(day, text, { provider });
    expect(first.status).toBe(201);
    const before = await reportOf(day, provider);
    expect(before).toMatchObject({ files: 1, lines: 2, file: { in: 100, out: 30, fees: 2, net: 68 } });
    const again = await importFile(addDays(day, -1), text, { provider });
    expect(again.status).toBe(200);
    expect(again.body.data).toEqual({ ...first.body.data, repeated: true });
    expect(await reportOf(day, provider)).toEqual(before);
    // Another provider's ids are its own.
    expect((await importFile(day, text, { provider: 'other-bank' })).body.data.duplicates).toBe(0);
    const listed = await gateway.get(
      `/admin/reconciliation/files?provider=${provider}&startDate=${day}&endDate=${day}`,
      await operator(),
    );
    const { repeated, ...file } = first.body.data;
    expect(repeated).toBe(false);
    expect(listed.body).toEqual({ status: true, data: [file], count: 1, nextCursor: null });
  });

  it('of the same file by many at once is one (C4)', async () => {
    const day = await newDay();
    const provider = 'crowd';
    const text = fileOf(Array.from({ length: 3_000 }, () => lineOn(day)));
    const who = await operator();
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => importFile(day, text, { provider, as: who })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200, 200, 200, 200, 200, 201,
    ]);
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
    expect(await reportOf(day, provider)).toMatchObject({ files: 1, lines: 3_000, file: { in: 300_000 } });
  });

  it('of files that share ids counts each id once, in whatever order they stand (C4)', async () => {
    const day = await newDay();
    const provider = 'shared';
    const shared = Array.from({ length: 5_000 }, (_, index) => lineOn(day, { id: `S${index}` }));
    const files = [shared, shared.toReversed(), shared.toSorted(() => Math.random() - 0.5)].map((lines) =>
      fileOf([...lines, lineOn(day)]),
    );
    const who = await operator();
    const answers = await Promise.all(files.map((text) => importFile(day, text, { provider, as: who })));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    const duplicates = answers.reduce((sum, { body }) => sum + Number(body.data.duplicates), 0);
    expect(duplicates).toBe(10_000);
    expect(await reportOf(day, provider)).toMatchObject({ files: 3, lines: 15_003, file: { in: 500_300 } });
    const query = `provider=${provider}&day=${day}&kind=DUPLICATE_LINE&export=true`;
    const csv = await gateway.get(`/admin/reconciliation/differences?${query}`, who);
    const rows = csv.text.trimEnd().split('\r\n').slice(1);
    expect(rows).toHaveLength(10_000);
    expect(new Set(rows).size).toBe(10_000);
  });

  it('with anything wrong imports nothing and names every line (C3)', async () => {
    const day = await newDay();
    const provider = 'careless';
    const text = `\uFEFF${HEADER}\r\n${[
      `ok,PAYMENT,100,0,${day},`,
      `,PAYMENT,100,0,${day},`,
      `a,payment,"1,00",-1,21/11/2026,x`,
      `b,PAYMENT,100`,
      `c,PAYMENT,0,0,${addDays(day, 2)},`,
    ].join('\r\n')}\r\n`;
    const answer = await importFile(day, text, { provider });
    expect(answer.status).toBe(400);
    const date = `date must be a day as YYYY-MM-DD from ${addDays(day, -7)} to ${addDays(day, 1)}`;
    expect(answer.body.message).toEqual([
      'line 3: id must be 1 to 100 printable ASCII characters and begin with a letter or digit',
      'line 4: type must be one of the following values: PAYMENT, REFUND, CHARGEBACK, WITHDRAWAL',
      'line 4: amount must be an integer number of cents from 1 to 9999999999',
      'line 4: fee must be an integer number of cents from 0 to 9999999999',
      `line 4: ${date}`,
      'line 4: reference must be a UUID or empty',
      'line 5: must have 6 values separated by commas',
      'line 6: amount must be an integer number of cents from 1 to 9999999999',
      `line 6: ${date}`,
    ]);
    const files = await gateway.get(`/admin/reconciliation/files?provider=${provider}`, await operator());
    expect(files.body.count).toBe(0);
    expect(await reportOf(day, provider)).toMatchObject({ status: 'NO_FILE', lines: 0, balanced: true });
  });

  it('is refused where the body is no file of this kind (C3)', async () => {
    const day = today();
    expect(await refusalOf(importFile(day, '{}', { type: 'application/json' }))).toEqual([
      415,
      'Content-Type must be text/csv',
    ]);
    expect(await refusalOf(importFile(day, ''))).toEqual([
      400,
      ['file must begin with a line of column names'],
    ]);
    expect(await refusalOf(importFile(day, HEADER))).toEqual([
      400,
      ['file must have a line for each movement'],
    ]);
    expect(await refusalOf(importFile(day, HEADER.replaceAll(',', ';')))).toEqual([
      400,
      ['line 1: values must be separated by commas, not by semicolons'],
    ]);
    expect(await refusalOf(importFile(day, 'x'.repeat(20 * 1024 * 1024 + 1)))).toEqual([
      413,
      'Body must not be larger than 20 MiB',
    ]);
    expect(await refusalOf(importFile('2026-02-30', HEADER, { provider: 'A' }))).toEqual([
      400,
      ['provider must be 1 to 40 lower-case letters, digits and hyphens', 'day must be a day as YYYY-MM-DD'],
    ]);
  });

  it('of 50,000 lines takes seconds, and payments go on meanwhile (C14)', { timeout: 120_000 }, async () => {
    const day = await newDay();
    const provider = 'big-bank';
    const lines = Array.from({ length: 50_000 }, () => lineOn(day, { amount: 1_000, fee: 3 }));
    const text = fileOf(lines);
    const started = performance.now();
    const progress = { done: false };
    const importing = importFile(day, text, { provider }).finally(() => {
      progress.done = true;
    });
    let slowest = 0;
    while (!progress.done) {
      const asked = performance.now();
      expect((await gateway.charge({}, as())).status).toBe(201);
      slowest = Math.max(slowest, performance.now() - asked);
    }
    expect((await importing).body.data).toMatchObject({ lines: 50_000, duplicates: 0, in: 50_000_000 });
    const took = performance.now() - started;
    expect(took).toBeLessThan(60_000);
    expect(slowest).toBeLessThan(5_000);
    const reading = performance.now();
    expect(await reportOf(day, provider)).toMatchObject({ lines: 50_000, differences: 50_000 });
    expect(performance.now() - reading).toBeLessThan(25_000);
    const query = `provider=${provider}&day=${day}&export=true`;
    const csv = await gateway.get(`/admin/reconciliation/differences?${query}`, await operator());
    expect(csv.text.trimEnd().split('\r\n')).toHaveLength(50_001);
  });
});

describe('the report', () => {
  it('has a row for each day of the period, also for days without anything (C9)', async () => {
    const day = await newDay();
    await paid(6_100);
    const from = addDays(day, 3);
    const rows = await report(`startDate=${day}&endDate=${from}&provider=sandbox`);
    expect(rows.map((row: { day: string }) => row.day)).toEqual(
      [0, 1, 2, 3].map((days) => addDays(day, days)),
    );
    expect(rows[0]).toMatchObject({ status: 'NO_FILE', balanced: false, differences: 1 });
    expect(rows[1]).toMatchObject({ status: 'NO_FILE', balanced: true, differences: 0 });
    const whole = `startDate=${addDays(day, -91)}&endDate=${day}`;
    expect((await report(whole)).length % 92).toBe(0);
  });

  it.each([
    ['', ['startDate should not be empty', 'endDate should not be empty']],
    ['startDate=2026-01-01', ['endDate should not be empty']],
    ['day=2026-01-01&endDate=2026-01-01', ['day must not be combined with startDate and endDate']],
    ['day=2026-13-01', ['day must be a day as YYYY-MM-DD']],
    ['startDate=2026-01-02&endDate=2026-01-01', ['endDate must not be before startDate']],
    ['startDate=2026-01-01&endDate=2026-04-03', ['endDate must be at most 92 days with startDate']],
    [
      'startDate=0001-01-01&endDate=x',
      ['startDate must be a day as YYYY-MM-DD', 'endDate must be a day as YYYY-MM-DD'],
    ],
  ])('is not made for ?%s (C3)', async (query, message) => {
    for (const path of ['/admin/reconciliation', '/admin/reconciliation/differences']) {
      const answer = await gateway.get(`${path}?${query}`, await operator());
      expect([answer.status, answer.body.message]).toEqual([400, message]);
    }
  });

  it('is read by SUPPORT, who imports nothing, and by no seller (C5, C13)', async () => {
    const day = today();
    const email = `${randomUUID()}@example.com`;
    const user = { name: 'Bia', email, password: 'a long password', role: 'SUPPORT' };
    expect((await gateway.post('/admin/users', user, await operator())).status).toBe(201);
    const signedIn = await gateway.post('/login', { email, password: user.password }, { credential: 'none' });
    const support = { token: String(signedIn.body.accessToken) };
    const reads = [
      `/admin/reconciliation?day=${day}`,
      `/admin/reconciliation/differences?day=${day}`,
      '/admin/reconciliation/files',
    ];
    for (const path of reads) {
      expect((await gateway.get(path, support)).status).toBe(200);
      expect((await gateway.get(path, as())).status).toBe(403);
      expect((await gateway.get(path, { credential: 'none' })).status).toBe(401);
    }
    const text = fileOf([{ id: 'x', type: 'PAYMENT', amount: 1, date: day }]);
    for (const [who, status] of [
      [support, 403],
      [as(), 403],
      [{ credential: 'none' }, 401],
    ] as const) {
      expect((await importFile(day, text, { provider: 'nobody', as: who })).status).toBe(status);
      expect((await gateway.get(`/sandbox/settlement-file?day=${day}`, who)).status).toBe(status);
    }
    const files = await gateway.get('/admin/reconciliation/files?provider=nobody', support);
    expect(files.body.count).toBe(0);
  });

  // The last: what it leaves lies in the days around of every later report.
  it(
    'of 50,000 movements takes seconds, and finds the one that differs (C9, C14)',
    { timeout: 120_000 },
    async () => {
      const day = await newDay();
      const ids = Array.from({ length: 50_000 }, () => randomUUID());
      // Of a seller that nobody knows: no charge, wallet or seal has to do with these.
      await gateway.database.query(
        `INSERT INTO ledger_entries (seller_id, origin, id, position, debit, credit, amount, cause, record_id,
         available_after, blocked_after, created_at)
       SELECT $1, 'PIX', gen_random_uuid(), number, 'provider', 'available', 1000, 'PAYMENT', id, 0, 0, $3
       FROM unnest($2::uuid[]) WITH ORDINALITY AS made (id, number)`,
        [randomUUID(), ids, new Date(now())],
      );
      const lines = ids.map((id, index) => lineOn(day, { id, amount: index === 7 ? 999 : 1_000 }));
      expect((await importFile(day, fileOf(lines))).status).toBe(201);
      const started = performance.now();
      expect(await reportOf(day)).toMatchObject({
        matched: 49_999,
        differences: 1,
        file: { in: 49_999_999 },
        ledger: { movements: 50_000, in: 50_000_000 },
      });
      expect(performance.now() - started).toBeLessThan(25_000);
      expect(await differences(`day=${day}`)).toMatchObject([
        { kind: 'AMOUNT_DIFFERS', file: { id: ids[7], amount: 999 }, ledger: { amount: 1_000 } },
      ]);
    },
  );
});
