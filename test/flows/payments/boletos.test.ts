import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { isValidBoleto } from '@brazilian-utils/brazilian-utils';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { dueDateOf, parseDigitableLine } from '#test/support/boleto-decoder.ts';
import { addBusinessDays } from '#formats/calendar/business-days.ts';
import { addDays } from '#formats/calendar/local-date.ts';
import { saoPauloDate, startOfSaoPauloDay } from '#formats/calendar/sao-paulo.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';

let gateway: TestGateway;
let directory: string;

beforeAll(async () => {
  gateway = await startTestGateway();
  directory = await mkdtemp(join(tmpdir(), 'gateway-boletos-'));
});
afterAll(async () => {
  await gateway.stop();
  await rm(directory, { recursive: true, force: true });
});

const run = promisify(execFile);
const boleto = (changes: Readonly<Record<string, unknown>> = {}) =>
  gateway.charge({ method: 'BOLETO', ...changes });
const ofBoletos = async () => (await gateway.get('/seller-wallet/gestao')).body.data.byOrigin.BOLETO;

/** The output of Debian's zbarimg for an image at a URL. */
async function scan(address: string, name: string): Promise<string> {
  const response = await fetch(address);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('image/png');
  const file = join(directory, name);
  await writeFile(file, Buffer.from(await response.arrayBuffer()));
  return (await run('zbarimg', ['--quiet', '--raw', '-Si25.enable', file])).stdout.trim();
}

/** The text of a PDF at a URL. */
async function textOf(address: string): Promise<string> {
  const file = join(directory, 'text.pdf');
  await writeFile(file, Buffer.from(await (await fetch(address)).arrayBuffer()));
  return (await run('pdftotext', ['-layout', file, '-'])).stdout;
}

describe('a boleto transaction', () => {
  it('is created with a valid digitable line and working URLs', async () => {
    const made = await boleto({ amount: 123_456 });
    expect(made.status).toBe(201);
    const { data } = made.body;
    expect(data).toMatchObject({
      status: 'WAITING_PAYMENT',
      method: 'BOLETO',
      feeAmount: 99,
      pix: null,
      card: null,
    });
    expect(isValidBoleto(data.boleto.digitableLine)).toBe(true);
    const parsed = parseDigitableLine(data.boleto.digitableLine);
    expect(parsed).toMatchObject({ ok: true, boleto: { amountCents: 123_456, bankCode: '001' } });
    const dueDate = saoPauloDate(new Date(Date.parse(data.createdAt) + 3 * 86_400_000));
    expect(data.boleto.expirationDate).toBe(`${addDays(dueDate, 1)}T02:59:59.000Z`);
    const factor = parsed.ok ? (parsed.boleto.dueFactor ?? '') : '';
    expect(dueDateOf(factor, dueDate)).toBe(dueDate);

    const barcode = parsed.ok ? parsed.boleto.barcode : '';
    expect(await scan(data.boleto.barcode, 'barcode.png')).toBe(barcode);
    expect(await scan(data.boleto.qrcode, 'qrcode.png')).toMatch(/^000201.*br\.gov\.bcb\.pix/);
    const page = await fetch(data.boleto.url);
    expect(page.headers.get('content-type')).toContain('text/html');
    const html = await page.text();
    expect(html).toContain('1.234,56');
    expect(html).not.toContain('52998224725');
  });

  it('has a PDF from which barcode and QR code can be scanned', async () => {
    const { body } = await boleto({ amount: 9_990 });
    const response = await fetch(body.data.boleto.pdf);
    expect(response.headers.get('content-type')).toBe('application/pdf');
    const file = join(directory, 'boleto.pdf');
    await writeFile(file, Buffer.from(await response.arrayBuffer()));
    await run('pdftoppm', ['-r', '200', '-png', file, join(directory, 'page')]);
    const { stdout } = await run('zbarimg', [
      '--quiet',
      '--raw',
      '-Si25.enable',
      join(directory, 'page-1.png'),
    ]);
    const parsed = parseDigitableLine(body.data.boleto.digitableLine);
    expect(stdout).toContain(parsed.ok ? parsed.boleto.barcode : 'no barcode');
    expect(stdout).toContain('br.gov.bcb.pix');
  });

  it('is paid once, by its line or its QR code, and credited one business day later', async () => {
    const { body } = await boleto({ amount: 50_000 });
    const before = await ofBoletos();
    const responses = await Promise.all(
      [1, 2].map(() => gateway.post(`/sandbox/transactions/${body.data.id}/pay`)),
    );
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422]);
    expect(await ofBoletos()).toMatchObject({ blockedBalance: before.blockedBalance + 49_901 });
    const paidAt = new Date((await gateway.get(`/transactions/${body.data.id}`)).body.data.paidAt);
    const due = startOfSaoPauloDay(addBusinessDays(saoPauloDate(paidAt), 1));
    await gateway.advance(Math.ceil((due.getTime() - paidAt.getTime()) / 1000));
    await expect
      .poll(async () => (await ofBoletos()).availableBalance, { timeout: 3_000 })
      .toBe(before.availableBalance + before.blockedBalance + 49_901);
  });

  it('has a unique number under concurrent creation', async () => {
    const made = await Promise.all(Array.from({ length: 150 }, () => boleto()));
    expect(new Set(made.map(({ body }) => body.data.boleto.digitableLine)).size).toBe(150);
  });

  it('expires to the second with a short lifetime, otherwise after the due date’s business day', async () => {
    const [short, long] = [await boleto({ expiration: 60 }), await boleto({ expiration: 2 * 86_400 })];
    await gateway.advance(61);
    await expect.poll(() => gateway.statusOf(short.body.data.id), { timeout: 2_500 }).toBe('FAILED');
    expect(await gateway.statusOf(long.body.data.id)).toBe('WAITING_PAYMENT');
    await gateway.advance(10 * 86_400);
    await expect.poll(() => gateway.statusOf(long.body.data.id), { timeout: 2_500 }).toBe('FAILED');
    expect(await (await fetch(long.body.data.boleto.url)).text()).toContain('Vencido');
  });

  it('has a URL with an unguessable token, not its id', async () => {
    const { body } = await boleto();
    const { id, boleto: made } = body.data;
    const origin = new URL(made.url).origin;
    const token = new URL(made.url).pathname.slice('/boletos/'.length);
    expect(token).toMatch(/^[\w-]{43}$/);
    const other = (await boleto()).body.data.boleto.url.slice(-43);
    // The id of one boleto with the secret of another.
    const mixed = Buffer.concat([
      Buffer.from(token, 'base64url').subarray(0, 16),
      Buffer.from(other, 'base64url').subarray(16),
    ]).toString('base64url');
    const statusesOf = (name: string): Promise<number[]> =>
      Promise.all(
        ['', '.pdf', '/barcode.png', '/qrcode.png'].map(
          async (suffix) => (await fetch(`${origin}/boletos/${name}${suffix}`)).status,
        ),
      );
    expect(await statusesOf(token)).toEqual([200, 200, 200, 200]);
    for (const wrong of [
      id,
      id.replaceAll('-', ''),
      body.data.boleto.id,
      mixed,
      token.slice(1),
      `${token}A`,
    ]) {
      expect(await statusesOf(wrong)).toEqual([404, 404, 404, 404]);
    }
    expect((await gateway.get(`/transactions/${id}`)).body.data.boleto).toMatchObject({ url: made.url });
  });

  it('is no longer served some days after payment or cancellation', async () => {
    const [paid, cancelled, waiting] = [
      (await boleto()).body.data,
      (await boleto()).body.data,
      (await boleto({ expiration: 30 * 86_400 })).body.data,
    ];
    await gateway.post(`/sandbox/transactions/${paid.id}/pay`);
    await gateway.post(`/transactions/${cancelled.id}/cancel`);
    const statuses = () =>
      Promise.all([paid, cancelled, waiting].map(async (one) => (await fetch(one.boleto.pdf)).status));
    // A paid or ended boleto no longer needs the payer's full document.
    expect(await textOf(waiting.boleto.pdf)).toContain('529.982.247-25');
    for (const { pdf } of [paid.boleto, cancelled.boleto]) {
      expect(await textOf(pdf)).not.toContain('529.982.247-25');
    }
    await gateway.advance(6 * 86_400);
    expect(await statuses()).toEqual([200, 200, 200]);
    await gateway.advance(86_400);
    expect(await statuses()).toEqual([404, 404, 200]);
  });

  it('returns the same bytes to a repeated request', async () => {
    const key = '7d0f3f5e-5a49-4f0a-9c1c-2f8d2a9b6c11';
    const first = await gateway.charge({ method: 'BOLETO' }, { idempotencyKey: key });
    await gateway.post(`/sandbox/transactions/${first.body.data.id}/pay`);
    expect((await gateway.charge({ method: 'BOLETO' }, { idempotencyKey: key })).text).toBe(first.text);
  });
});

describe('fee schedules', () => {
  it('are readable by the seller, replaced by the operator, and apply to later transactions', async () => {
    const fees = await gateway.get('/sellers/me/fees');
    expect(fees.body.data).toMatchObject({
      pixIn: { type: 'PERCENTAGE', value: 99 },
      creditCard: { singleInstallment: 399, twelveInstallments: 1599 },
    });
    const old = await boleto();
    const path = `/admin/sellers/${gateway.demo.seller.id}/fees`;
    const operator = { token: await gateway.adminToken() };
    const changed = { ...fees.body.data, boleto: { type: 'FIXED', value: 250 } };
    expect((await gateway.call('PUT', path, changed, operator)).body.data.boleto.value).toBe(250);
    expect((await boleto()).body.data.feeAmount).toBe(250);
    expect((await gateway.get(`/transactions/${old.body.data.id}`)).body.data.feeAmount).toBe(99);
    const wrong = { ...fees.body.data, pixIn: { type: 'PERCENTAGE', value: 10_001 } };
    const refused = await gateway.call('PUT', path, wrong, operator);
    expect(refused.body.message).toEqual(['pixIn.value must not be greater than 10000']);
  });
});

describe('the search of transactions', () => {
  it('matches metadata, returns complete transactions, and exports matches as CSV', async () => {
    await gateway.charge({ metadata: { order: 'A-1001' }, description: '=1+1' });
    const found = await gateway.get('/transactions/search?metadataKey=order&metadataValue=1001');
    expect(found.body.data).toMatchObject({ count: 1, take: 10, skip: 0 });
    expect(found.body.data.data[0]).toMatchObject({
      sellerId: gateway.demo.seller.id,
      metadata: { order: 'A-1001' },
    });
    const csv = await gateway.get('/transactions?export=true&method=BOLETO');
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const [header, ...lines] = csv.text.trim().split('\r\n');
    expect(header).toBe(
      'id,amount,netAmount,feeAmount,method,status,installments,paidAt,createdAt,customerName,description,' +
        'externalRef,refundedAmount',
    );
    expect(lines).toHaveLength((await gateway.get('/transactions?method=BOLETO&take=1')).body.count);
  });
});
