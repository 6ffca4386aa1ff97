import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { saoPauloDate } from '#formats/calendar/sao-paulo.ts';
import { joined, paymentReturnOf, returnOf, segmentsOf } from '#test/support/bank-files.ts';
import { ACCOUNT, createExchange, ted } from '#test/support/cnab-exchange.ts';
import { startTestGateway } from '#test/support/gateway.ts';
import {
  balanceOf,
  expectBalanced,
  newSeller,
  readWithdrawal,
  withdraw,
  withdrawn,
} from '#test/support/withdrawals.ts';

const exchange = createExchange();
const { start, shipped, taken, ordered } = exchange;
const today = saoPauloDate(new Date());
const linesOf = (file: string) => file.split('\r\n').filter((one) => one !== '');

it('writes no withdrawals to files while their seller is not ACTIVE or its ledger is on hold', async () => {
  await start('341');
  const id = await ordered(ted());
  const setStatus = (status: string) =>
    exchange.gateway.patch(
      `/admin/sellers/${exchange.seller.id}`,
      { status },
      { token: exchange.operator.token },
    );
  const ship = () =>
    exchange.gateway.post(
      '/admin/cnab/shipments',
      { service: 'TRANSFERS' },
      { token: exchange.operator.token },
    );
  await setStatus('SUSPENDED');
  expect((await ship()).body.message).toBe('No record is waiting for a remittance file');
  await setStatus('ACTIVE');
  const { database } = exchange.gateway;
  await database.query(`INSERT INTO ledger_holds VALUES ($1, 'a test', now())`, [exchange.seller.id]);
  expect((await ship()).body.message).toBe('No record is waiting for a remittance file');
  await database.query('DELETE FROM ledger_holds');
  expect((await ship()).body.data.payments).toBe(1);
  expect((await readWithdrawal(exchange.gateway, exchange.seller, id)).status).toBe('PROCESSING');
  await exchange.gateway.stop();
});

it('applies the line of a payment whose reference is the number of a boleto in the same file', async () => {
  await start('033');
  const { gateway, seller } = exchange;
  const boleto = (await gateway.charge({ method: 'BOLETO', amount: 25_990 })).body.data;
  const boletos = await shipped('BOLETOS');
  const number = Number(segmentsOf(boletos, 'P')[0]?.slice(44, 56));
  await gateway.database.query('ALTER TABLE cnab_payments ALTER COLUMN reference RESTART WITH ' + number);
  const id = await ordered(ted());
  const payments = await shipped('TRANSFERS');

  const titles = linesOf(returnOf(boletos, [{ title: 0, movement: '02', on: today }]));
  const paid = linesOf(paymentReturnOf(payments, ['00'], today)).slice(1, -1);
  const body = [...titles.slice(0, -1), ...paid.map((text) => `${text.slice(0, 3)}0002${text.slice(7)}`)];
  const trailer = titles.at(-1)?.slice(0, 17) ?? '';
  const count = String(body.length + 1).padStart(6, '0');
  const data = await taken(joined([...body, `${trailer}000002${count}`.padEnd(240)]));
  expect(data.counts).toMatchObject([
    { kind: 'PAYOUT_PAID', outcome: 'APPLIED' },
    { kind: 'REGISTERED', outcome: 'APPLIED' },
  ]);
  expect((await readWithdrawal(gateway, seller, id)).status).toBe('PAID');
  expect((await gateway.get(`/transactions/${boleto.id}`)).body.data.boleto.registration).toBe('REGISTERED');
  await gateway.stop();
});

it('approves no withdrawal to another document automatically', async () => {
  await start('341');
  const { gateway, operator } = exchange;
  const seller = await newSeller(gateway, { balance: 100_000, autoApproveUpTo: 50_000 });
  const view = async (id: string) =>
    (await gateway.get(`/admin/withdrawals/${id}`, { token: operator.token })).body.data;
  const key = { pixKey: '12ABC34501DE35', pixKeyType: 'CNPJ' };
  for (const [destination, otherHolder] of [
    [ted({ beneficiaryDocumentNumber: '11222333000181' }), null],
    [ted(), true],
    [key, true],
  ] as const) {
    const id = await withdrawn(gateway, seller, { amount: 100, ...destination });
    expect(await view(id)).toMatchObject({ status: 'PENDING', otherHolder, holderName: null });
    await gateway.post(`/admin/withdrawals/${id}/approve`, undefined, { token: operator.token });
    const next = await view(await withdrawn(gateway, seller, { amount: 100, ...destination }));
    expect(next).toMatchObject({ firstUse: false, otherHolder });
    expect(next.status === 'PENDING').toBe(otherHolder === true);
  }
  await gateway.stop();
});

describe.each(['001', '033', '104', '237', '341'])('payments through bank %s', (bank) => {
  beforeAll(() => start(bank));
  afterAll(() => exchange.gateway.stop());

  it('are paid, or fail and are returned, once', async () => {
    const [paid, failed] = [await ordered(ted()), await ordered(ted({ amount: 2500 }))];
    const file = await shipped('TRANSFERS');
    const [a] = segmentsOf(file, 'A');
    // A TED to another bank; at Bradesco its own account is credited.
    expect(a?.slice(17, 23)).toBe(bank === '237' ? '000237' : '018237');
    expect(a?.slice(43, 73).trim()).toBe('JOSE DA CONCEICAO');
    expect(a?.slice(119, 134)).toBe('000000000001000');
    expect(segmentsOf(file, 'B')[0]?.slice(17, 32)).toBe('100052998224725');

    const waits = await taken(paymentReturnOf(file, ['BD', 'BD'], today));
    expect(waits.counts).toMatchObject([{ kind: 'PAYOUT_WAITING', outcome: 'NOTED', lines: 2 }]);
    const response = paymentReturnOf(file, ['00', 'AN'], today, 2);
    const data = await taken(response);
    expect(data.problems).toMatchObject([
      {
        kind: 'PAYOUT_FAILED',
        outcome: 'APPLIED',
        reason: 'invalid payee account (AN)',
        recordId: failed,
      },
    ]);
    expect(await readWithdrawal(exchange.gateway, exchange.seller, paid)).toMatchObject({
      status: 'PAID',
      method: 'TED',
    });
    expect(await readWithdrawal(exchange.gateway, exchange.seller, failed)).toMatchObject({
      status: 'FAILED',
      rejectionReason: 'invalid payee account (AN)',
    });
    expect(await balanceOf(exchange.gateway, exchange.seller)).toEqual([99_000, 0]);
    // The same outcomes in another file change nothing.
    const again = await taken(paymentReturnOf(file, ['00', 'AN'], today, 3));
    expect(again.counts.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['REPEATED', 'REPEATED']);

    const pix = await ordered({ pixKey: 'ana@example.com', pixKeyType: 'EMAIL' });
    const pixFile = await shipped('PIX');
    const [b] = segmentsOf(pixFile, 'B');
    expect(b?.slice(14, 17)).toBe('02 ');
    expect(b?.slice(127, 226).trim()).toBe('ana@example.com');
    await taken(paymentReturnOf(pixFile, ['00'], today, 4));
    expect(await readWithdrawal(exchange.gateway, exchange.seller, pix)).toMatchObject({
      status: 'PAID',
      method: 'PIX',
    });
    expect(await balanceOf(exchange.gateway, exchange.seller)).toEqual([98_000, 0]);
    await expectBalanced(exchange.gateway);
  });
});

describe('a TED', () => {
  beforeAll(() => start('341'));
  afterAll(() => exchange.gateway.stop());

  it('is returned with a masked account, and listed by its method', async () => {
    const id = await withdrawn(exchange.gateway, exchange.seller, ted());
    const data = await readWithdrawal(exchange.gateway, exchange.seller, id);
    expect(data).toMatchObject({
      method: 'TED',
      pixKey: null,
      cryptoWalletAddress: null,
      bankAccount: { ...ACCOUNT, account: '****54-3' },
      beneficiaryDocumentNumber: '***.982.247-**',
    });
    const list = await exchange.gateway.get('/withdrawals?method=TED', exchange.seller);
    expect(list.body.data.map((one: { id: string }) => one.id)).toContain(id);
    for (const table of ['withdrawals', 'cnab_payments']) {
      const rows = await exchange.gateway.database.query(`SELECT * FROM ${table}`);
      expect(JSON.stringify(rows)).not.toContain('987654');
    }
  });

  it('reports all missing fields', async () => {
    const missing = await withdraw(exchange.gateway, exchange.seller, { method: 'TED' });
    expect(missing.body.message).toEqual([
      'beneficiaryName should not be empty',
      'beneficiaryDocumentNumber should not be empty',
      'bankAccount should not be empty',
    ]);
    const wrong = await withdraw(
      exchange.gateway,
      exchange.seller,
      ted({ bankAccount: { ...ACCOUNT, account: '987654' } }),
    );
    expect(wrong.status).toBe(400);
    const crypto = await withdraw(exchange.gateway, exchange.seller, {
      method: 'CRYPTO',
      cryptoWalletAddress: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
    });
    expect(crypto.body.message).toBe('Method CRYPTO is not available');
  });

  it('with an unknown code, another amount or an unknown reference waits for a manual decision', async () => {
    const ids = [await ordered(ted()), await ordered(ted())];
    const file = await shipped('TRANSFERS');
    const first = paymentReturnOf(file, Array<string>(9).fill('Q9'), today);
    const data = await taken(first);
    expect(data.problems[0]).toMatchObject({
      kind: 'PAYOUT_UNCLEAR',
      outcome: 'UNMATCHED',
      reason: 'unknown code (Q9); outcome unknown: ask the bank',
    });
    const lines = paymentReturnOf(file, Array<string>(9).fill('00'), today, 2).split('\r\n');
    const a = lines.findIndex((one) => one[13] === 'A');
    const changed = lines
      .slice(0, -1)
      .with(a, `${lines[a]?.slice(0, 119)}000000000000001${lines[a]?.slice(134)}`)
      .with(a + 2, `${lines[a + 2]?.slice(0, 73)}${'999'.padEnd(20)}${lines[a + 2]?.slice(93)}`);
    const refused = await exchange.gateway.call('POST', '/admin/cnab/returns', joined(changed), {
      token: exchange.operator.token,
      headers: { 'content-type': 'text/plain' },
    });
    // The trailer still contains the sum of the ordered amounts.
    expect(refused.status).toBe(400);
    expect(refused.body.message[0]).toMatch(/^line \d+: states a sum of \d+, the batch adds up to \d+$/);
    const trailer = changed.findIndex((one) => one[7] === '5');
    const silent = changed.with(
      trailer,
      `${changed[trailer]?.slice(0, 23)}${'0'.repeat(18)}${changed[trailer]?.slice(41)}`,
    );
    const odd = await taken(joined(silent));
    expect(odd.problems).toMatchObject([
      { kind: 'PAYOUT_PAID', outcome: 'UNMATCHED' },
      { kind: 'PAYOUT_PAID', outcome: 'UNMATCHED', reason: 'paid (00); no such record' },
    ]);
    for (const id of ids.slice(0, 1)) {
      expect((await readWithdrawal(exchange.gateway, exchange.seller, id)).status).not.toBe('FAILED');
    }
    await expectBalanced(exchange.gateway);
  });
});

describe('without an exchange', () => {
  it('rejects TED as a method', async () => {
    const plain = await startTestGateway();
    try {
      const one = await newSeller(plain, { balance: 10_000 });
      const refused = await withdraw(plain, one, ted());
      expect(refused.status).toBe(400);
      expect(refused.body.message).toEqual(['method must be one of the following values: PIX, CRYPTO']);
      const made = await withdraw(plain, one);
      expect(made.body.data).not.toHaveProperty('bankAccount');
    } finally {
      await plain.stop();
    }
  });
});
