import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { addDays } from '#formats/calendar/local-date.ts';
import { MAX_FILE_BYTES } from '#platform/http/file-errors.ts';
import type { ApiResponse } from '#test/support/client.ts';
import {
  HEADER,
  gateway,
  operator,
  now,
  today,
  newDay,
  importFile,
  knowProvider,
  report,
  reportOf,
  differences,
  as,
  paid,
  type Cells,
  fileOf,
  setUp,
} from './reconciliation-setup.ts';

setUp();

const lineOn = (day: string, changes: Cells = {}): Cells => ({
  id: `E${randomUUID()}`,
  type: 'PAYMENT',
  amount: 100,
  date: day,
  ...changes,
});

async function refusalOf(response: Promise<ApiResponse>): Promise<readonly [number, unknown]> {
  const { status, body } = await response;
  return [status, body.message];
}

describe('an import', () => {
  it('of an unknown provider is rejected with the known names', async () => {
    const day = await newDay();
    const response = await importFile(day, HEADER, { provider: 'nobody-knows' });
    expect(response.status).toBe(400);
    expect(response.body.message).toEqual(['provider must be one of the following values: sandbox']);
    await knowProvider(gateway, 'retired-bank');
    expect((await importFile(day, HEADER, { provider: 'nobody-knows' })).body.message).toEqual([
      'provider must be one of the following values: retired-bank, sandbox',
    ]);
  });

  it('of the same bytes returns the first import and changes nothing', async () => {
    const day = await newDay();
    const provider = 'acme-bank';
    await knowProvider(gateway, provider);
    const text = fileOf([lineOn(day), lineOn(day, { type: 'WITHDRAWAL', amount: 30, fee: 2 })]);
    const first = await importFile(day, text, { provider });
    expect(first.status).toBe(201);
    const before = await reportOf(day, provider);
    expect(before).toMatchObject({ files: 1, lines: 2, file: { in: 100, out: 30, fees: 2, net: 68 } });
    const again = await importFile(addDays(day, -1), text, { provider });
    expect(again.status).toBe(200);
    expect(again.body.data).toEqual({ ...first.body.data, repeated: true });
    expect(await reportOf(day, provider)).toEqual(before);
    // The ids of another provider are independent.
    await knowProvider(gateway, 'other-bank');
    expect((await importFile(day, text, { provider: 'other-bank' })).body.data.duplicates).toBe(0);
    const listed = await gateway.get(
      `/admin/reconciliation/files?provider=${provider}&startDate=${day}&endDate=${day}`,
      await operator(),
    );
    const { repeated, ...file } = first.body.data;
    expect(repeated).toBe(false);
    expect(listed.body).toEqual({ status: true, data: [file], count: 1, nextCursor: null });
  });

  it('of the same file by concurrent requests is created once', async () => {
    const day = await newDay();
    const provider = 'crowd';
    await knowProvider(gateway, provider);
    const text = fileOf(Array.from({ length: 3_000 }, () => lineOn(day)));
    const who = await operator();
    const responses = await Promise.all(
      Array.from({ length: 6 }, () => importFile(day, text, { provider, as: who })),
    );
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200, 200, 200, 200, 200, 201,
    ]);
    expect(new Set(responses.map(({ body }) => body.data.id)).size).toBe(1);
    expect(await reportOf(day, provider)).toMatchObject({ files: 1, lines: 3_000, file: { in: 300_000 } });
  });

  it('of files with shared ids counts each id once, in any order', async () => {
    const day = await newDay();
    const provider = 'shared';
    await knowProvider(gateway, provider);
    const shared = Array.from({ length: 5_000 }, (_, index) => lineOn(day, { id: `S${index}` }));
    const files = [shared, shared.toReversed(), shared.toSorted(() => Math.random() - 0.5)].map((lines) =>
      fileOf([...lines, lineOn(day)]),
    );
    const who = await operator();
    const responses = await Promise.all(files.map((text) => importFile(day, text, { provider, as: who })));
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 201]);
    const duplicates = responses.reduce((sum, { body }) => sum + Number(body.data.duplicates), 0);
    expect(duplicates).toBe(10_000);
    expect(await reportOf(day, provider)).toMatchObject({ files: 3, lines: 15_003, file: { in: 500_300 } });
    const query = `provider=${provider}&day=${day}&kind=DUPLICATE_LINE&export=true`;
    const csv = await gateway.get(`/admin/reconciliation/differences?${query}`, who);
    const rows = csv.text.trimEnd().split('\r\n').slice(1);
    expect(rows).toHaveLength(10_000);
    expect(new Set(rows).size).toBe(10_000);
  });

  it('with any invalid line imports nothing and reports every invalid line', async () => {
    const day = await newDay();
    const provider = 'careless';
    await knowProvider(gateway, provider);
    const text = `\uFEFF${HEADER}\r\n${[
      `ok,PAYMENT,100,0,${day},`,
      `,PAYMENT,100,0,${day},`,
      `a,payment,"1,00",-1,21/11/2026,x`,
      `b,PAYMENT,100`,
      `c,PAYMENT,0,0,${addDays(day, 2)},`,
    ].join('\r\n')}\r\n`;
    const response = await importFile(day, text, { provider });
    expect(response.status).toBe(400);
    const date = `date must be a day as YYYY-MM-DD from ${addDays(day, -7)} to ${addDays(day, 1)}`;
    expect(response.body.message).toEqual([
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
    expect(files.body.count).toBe(1);
    expect(await reportOf(day, provider)).toMatchObject({ status: 'NO_FILE', lines: 0, balanced: true });
  });

  it('is rejected if the body is not a settlement file', async () => {
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
    expect(await refusalOf(importFile(day, 'x'.repeat(MAX_FILE_BYTES + 1)))).toEqual([
      413,
      'Body must not be larger than 16 MiB',
    ]);
    expect(await refusalOf(importFile('2026-02-30', HEADER, { provider: 'A' }))).toEqual([
      400,
      ['provider must be 1 to 40 lower-case letters, digits and hyphens', 'day must be a day as YYYY-MM-DD'],
    ]);
  });

  it('of 20,000 lines takes seconds, during which payments succeed', { timeout: 120_000 }, async () => {
    const day = await newDay();
    const provider = 'big-bank';
    await knowProvider(gateway, provider);
    const lines = Array.from({ length: 20_000 }, () => lineOn(day, { amount: 1_000, fee: 3 }));
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
    expect((await importing).body.data).toMatchObject({ lines: 20_000, duplicates: 0, in: 20_000_000 });
    const took = performance.now() - started;
    expect(took).toBeLessThan(60_000);
    expect(slowest).toBeLessThan(5_000);
    const reading = performance.now();
    expect(await reportOf(day, provider)).toMatchObject({ lines: 20_000, differences: 20_000 });
    expect(performance.now() - reading).toBeLessThan(25_000);
    const query = `provider=${provider}&day=${day}&export=true`;
    const csv = await gateway.get(`/admin/reconciliation/differences?${query}`, await operator());
    expect(csv.text.trimEnd().split('\r\n')).toHaveLength(20_001);
  });
});

describe('the reconciliation report', () => {
  it('has a row for each day of the period, including days without movements', async () => {
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
    ['startDate=2026-01-01&endDate=2026-04-03', ['endDate must be at most 92 days after startDate']],
    [
      'startDate=0001-01-01&endDate=x',
      ['startDate must be a day as YYYY-MM-DD', 'endDate must be a day as YYYY-MM-DD'],
    ],
  ])('is rejected for ?%s', async (query, message) => {
    for (const path of ['/admin/reconciliation', '/admin/reconciliation/differences']) {
      const response = await gateway.get(`${path}?${query}`, await operator());
      expect([response.status, response.body.message]).toEqual([400, message]);
    }
  });

  it('is readable by SUPPORT, who cannot import, and not by sellers', async () => {
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

  // The last test, because its entries are within the period of every later report.
  it('of 20,000 movements takes seconds and contains the one difference', { timeout: 120_000 }, async () => {
    const day = await newDay();
    const ids = Array.from({ length: 20_000 }, () => randomUUID());
    // Of an unknown seller: no charge, wallet or chain entry refers to them.
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
      matched: 19_999,
      differences: 1,
      file: { in: 19_999_999 },
      ledger: { movements: 20_000, in: 20_000_000 },
    });
    expect(performance.now() - started).toBeLessThan(25_000);
    expect(await differences(`day=${day}`)).toMatchObject([
      { kind: 'AMOUNT_DIFFERS', file: { id: ids[7], amount: 999 }, ledger: { amount: 1_000 } },
    ]);
  });
});
