import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { parseCnabCommand, runCnabCommand } from '#app/commands/cnab-command.ts';
import { parseRestoredCommand, runRestoredCommand } from '#app/commands/restored-command.ts';
import { saoPauloDate } from '#formats/calendar/sao-paulo.ts';
import { readConfig, type Config } from '#app/config.ts';
import { openRuntime } from '#app/runtime.ts';
import { composeOfflineServices } from '#app/services.ts';
import { openDatabase, type Database } from '#platform/database/connect.ts';
import { pausePayouts } from '#platform/database/payout-pause.ts';
import { GATEWAY_ACTOR } from '#platform/http/audit-actor.ts';
import { createLogger } from '#platform/kit/log.ts';
import { cnabEnvironment, joined, paymentReturnOf, returnOf, segmentsOf } from '#test/support/bank-files.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { SHARED_SECRETS } from '#test/support/node.ts';
import { sleep } from '#test/support/process.ts';
import { operatorOf, type Operator } from '#test/support/operator.ts';
import {
  balanceOf,
  expectBalanced,
  bringTo,
  newSeller,
  readWithdrawal,
  untilStatus,
  withdraw,
  withdrawn,
  type TestSeller,
} from '#test/support/withdrawals.ts';

let gateway: TestGateway;
let operator: Operator;
let seller: TestSeller;
const today = saoPauloDate(new Date());

const ACCOUNT = { bankCode: '237', branch: '3021-1', account: '987654-3', accountType: 'CHECKING' };
const ted = (changes: Readonly<Record<string, unknown>> = {}) => ({
  method: 'TED',
  pixKey: null,
  pixKeyType: null,
  bankAccount: ACCOUNT,
  beneficiaryName: 'José da Conceição',
  beneficiaryDocumentNumber: '52998224725',
  ...changes,
});

const environment = (bank: string) => cnabEnvironment(bank, { ...SHARED_SECRETS, PAYOUT_PROVIDER: 'cnab' });
async function start(bank: string): Promise<void> {
  gateway = await startTestGateway({ environment: environment(bank) });
  operator = await operatorOf(gateway);
  seller = await newSeller(gateway, { balance: 100_000 });
}
async function shipped(service: string): Promise<string> {
  const made = await gateway.post('/admin/cnab/shipments', { service }, { token: operator.token });
  expect(made.status).toBe(201);
  const path = `/admin/cnab/shipments/${made.body.data.id}/file`;
  return (await gateway.get(path, { token: operator.token })).text;
}
async function taken(file: string) {
  const answer = await gateway.call('POST', '/admin/cnab/returns', file, {
    token: operator.token,
    headers: { 'content-type': 'text/plain' },
  });
  expect(answer.status).toBe(201);
  return answer.body.data;
}
const untilOrdered = (id: string) =>
  vi.waitUntil(
    async () =>
      (await gateway.database.query('SELECT 1 FROM cnab_payments WHERE withdrawal_id = $1', [id])).length ===
      1,
    10_000,
  );
/** A withdrawal that was submitted to the file exchange. */
async function ordered(changes: Readonly<Record<string, unknown>>): Promise<string> {
  const id = await withdrawn(gateway, seller, changes);
  await bringTo(gateway, seller, id, 'PROCESSING');
  await untilOrdered(id);
  return id;
}

it('writes no withdrawals to remittance files while their seller is not ACTIVE', async () => {
  await start('341');
  const id = await ordered(ted());
  const setStatus = (status: string) =>
    gateway.patch(`/admin/sellers/${seller.id}`, { status }, { token: operator.token });
  const ship = () =>
    gateway.post('/admin/cnab/shipments', { service: 'TRANSFERS' }, { token: operator.token });
  await setStatus('SUSPENDED');
  expect((await ship()).body.message).toBe('No record is waiting for a remittance file');
  await setStatus('ACTIVE');
  expect((await ship()).body.data.payments).toBe(1);
  expect((await readWithdrawal(gateway, seller, id)).status).toBe('PROCESSING');
  await gateway.stop();
});

describe.each(['001', '033', '104', '237', '341'])('payments through bank %s', (bank) => {
  beforeAll(() => start(bank));
  afterAll(() => gateway.stop());

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
    const answer = paymentReturnOf(file, ['00', 'AN'], today, 2);
    const data = await taken(answer);
    expect(data.problems).toMatchObject([
      {
        kind: 'PAYOUT_FAILED',
        outcome: 'APPLIED',
        reason: 'invalid payee account (AN)',
        recordId: failed,
      },
    ]);
    expect(await readWithdrawal(gateway, seller, paid)).toMatchObject({ status: 'PAID', method: 'TED' });
    expect(await readWithdrawal(gateway, seller, failed)).toMatchObject({
      status: 'FAILED',
      rejectionReason: 'invalid payee account (AN)',
    });
    expect(await balanceOf(gateway, seller)).toEqual([99_000, 0]);
    // The same outcomes in another file change nothing.
    const again = await taken(paymentReturnOf(file, ['00', 'AN'], today, 3));
    expect(again.counts.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['REPEATED', 'REPEATED']);

    const pix = await ordered({ pixKey: 'ana@example.com', pixKeyType: 'EMAIL' });
    const pixFile = await shipped('PIX');
    const [b] = segmentsOf(pixFile, 'B');
    expect(b?.slice(14, 17)).toBe('02 ');
    expect(b?.slice(127, 226).trim()).toBe('ana@example.com');
    await taken(paymentReturnOf(pixFile, ['00'], today, 4));
    expect(await readWithdrawal(gateway, seller, pix)).toMatchObject({ status: 'PAID', method: 'PIX' });
    expect(await balanceOf(gateway, seller)).toEqual([98_000, 0]);
    await expectBalanced(gateway);
  });
});

describe('a TED', () => {
  beforeAll(() => start('341'));
  afterAll(() => gateway.stop());

  it('is returned with a masked account, and listed by its method', async () => {
    const id = await withdrawn(gateway, seller, ted());
    const data = await readWithdrawal(gateway, seller, id);
    expect(data).toMatchObject({
      method: 'TED',
      pixKey: null,
      cryptoWalletAddress: null,
      bankAccount: { ...ACCOUNT, account: '****54-3' },
      beneficiaryDocumentNumber: '***.982.247-**',
    });
    const list = await gateway.get('/withdrawals?method=TED', seller);
    expect(list.body.data.map((one: { id: string }) => one.id)).toContain(id);
    for (const table of ['withdrawals', 'cnab_payments']) {
      const rows = await gateway.database.query(`SELECT * FROM ${table}`);
      expect(JSON.stringify(rows)).not.toContain('987654');
    }
  });

  it('reports all missing fields', async () => {
    const missing = await withdraw(gateway, seller, { method: 'TED' });
    expect(missing.body.message).toEqual([
      'beneficiaryName should not be empty',
      'beneficiaryDocumentNumber should not be empty',
      'bankAccount should not be empty',
    ]);
    const wrong = await withdraw(gateway, seller, ted({ bankAccount: { ...ACCOUNT, account: '987654' } }));
    expect(wrong.status).toBe(400);
    const crypto = await withdraw(gateway, seller, {
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
    const refused = await gateway.call('POST', '/admin/cnab/returns', joined(changed), {
      token: operator.token,
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
      expect((await readWithdrawal(gateway, seller, id)).status).not.toBe('FAILED');
    }
    await expectBalanced(gateway);
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

const commandConfig = () =>
  readConfig({ ...environment('237'), DATABASE_URL: gateway.database.url, MODE: 'sandbox' });

async function withGatewayDatabase<T>(use: (database: Database) => Promise<T>): Promise<T> {
  const database = openDatabase({ url: gateway.database.url, poolSize: 4, onError: () => undefined });
  try {
    return await use(database);
  } finally {
    await database.close();
  }
}

/** The output of `npm run cnab -- …`, and whether it succeeds. */
async function run(...args: readonly string[]): Promise<readonly [boolean, string]> {
  const said: string[] = [];
  const log = createLogger('silent');
  const done = await withGatewayDatabase((database) =>
    runCnabCommand(parseCnabCommand(args), { config: commandConfig(), database, log }, (line) =>
      said.push(line),
    ),
  );
  return [done, said.join('\n')];
}

/** The output of `npm run restored -- …`. */
const restored = (...args: readonly string[]): Promise<string> => restoredWith(commandConfig(), args);

async function restoredWith(config: Pick<Config, 'cnab'>, args: readonly string[]): Promise<string> {
  const said: string[] = [];
  await withGatewayDatabase((database) =>
    runRestoredCommand(
      parseRestoredCommand(args),
      { config, database, openSecrets: async () => gateway.secrets },
      (line) => said.push(line),
    ),
  );
  return said.join('\n');
}

describe('npm run cnab', () => {
  let directory: string;
  beforeAll(async () => {
    await start('237');
    directory = await mkdtemp(join(tmpdir(), 'gateway-cnab-'));
  });
  afterAll(async () => {
    await gateway.stop();
    await rm(directory, { recursive: true, force: true });
  });

  it('creates remittance files and imports return files while the gateway is running', async () => {
    const made = await gateway.charge({ method: 'BOLETO' });
    const { id } = made.body.data;
    const file = join(directory, 'one.rem');
    expect(await run('ship', file)).toEqual([true, 'file 1: 1 to register, 0 to write off, 0 payments']);
    const shipment = await readFile(file, 'latin1');
    expect(segmentsOf(shipment, 'P')).toHaveLength(1);
    await expect(run('ship', file)).rejects.toThrow('already exists');
    expect(await run('ship', join(directory, 'two.rem'), 'pix')).toEqual([true, 'nothing to ship']);
    await expect(readFile(join(directory, 'two.rem'))).rejects.toThrow('ENOENT');

    const back = join(directory, 'one.ret');
    const answers = [
      { title: 0, movement: '06', paid: 1500, on: today },
      { title: '77777777777', movement: '06', paid: 1, on: today },
    ];
    await writeFile(back, returnOf(shipment, answers), 'latin1');
    const [done, text] = await run('return', back);
    expect(done).toBe(true);
    expect(text).toContain('1 PAID APPLIED');
    expect(text).toMatch(/line 5: PAID UNMATCHED \d+ no such record/);
    expect((await run('return', back))[1]).toContain('this file was imported before');
    expect((await gateway.get(`/transactions/${id}`)).body.data.status).toBe('PAID');
    await writeFile(back, shipment.slice(0, 100), 'latin1');
    expect(await run('return', back)).toEqual([
      false,
      'line 1: must have 240 columns, has 100\nnothing was imported',
    ]);
  });

  it('writes a file again whose first run could not write it', async () => {
    await gateway.charge({ method: 'BOLETO' });
    // The content reaches the disk in the first run, but the file does not get its name.
    const blocked = join(directory, 'blocked');
    await mkdir(blocked);
    await withGatewayDatabase(async (database) => {
      const { cnab } = composeOfflineServices(
        await openRuntime({ config: commandConfig(), database, log: createLogger('silent') }),
      );
      expect(await cnab.createShipment('BOLETOS', GATEWAY_ACTOR)).toMatchObject({ kind: 'created' });
    });
    const path = join(blocked, 'two.rem');
    expect(await run('ship', path)).toEqual([true, 'file 2: 1 to register, 0 to write off, 0 payments']);
    expect(segmentsOf(await readFile(path, 'latin1'), 'P')).toHaveLength(1);
    expect(await readdir(blocked)).toEqual(['two.rem']);
    expect(await run('ship', join(blocked, 'three.rem'))).toEqual([true, 'nothing to ship']);
    await expect(run('ship', join(directory, 'missing', 'x.rem'))).rejects.toThrow(
      /cannot be written \(ENOENT\)/,
    );
  });

  it('prints its usage', () => {
    expect(() => parseCnabCommand([])).toThrow('ship FILE [boletos|transfers|pix], or cnab return FILE');
    expect(() => parseCnabCommand(['ship', 'x', 'cheques'])).toThrow('Usage: cnab');
    expect(() => parseCnabCommand(['return', 'x', 'pix'])).toThrow('Usage: cnab');
    expect(parseCnabCommand(['ship', 'x', 'transfers'])).toEqual({
      kind: 'ship',
      file: 'x',
      service: 'TRANSFERS',
    });
  });
});

const referenceOf = async (id: string): Promise<number> =>
  Number(
    (
      await gateway.database.query<{ reference: string }>(
        `SELECT reference FROM cnab_payments WHERE withdrawal_id = '${id}'`,
      )
    )[0]?.reference,
  );
/** As files carry it. */
const digitsOf = (reference: number): string => ` ${String(reference).padStart(12, '0')} `;
const system = async () => (await gateway.get('/admin/system', { token: operator.token })).body.data;
/** The first number of the next block: processes that run keep the rest of theirs. */
const nextNumber = async (): Promise<number> =>
  Number((await gateway.database.query<{ next: string }>('SELECT next FROM boleto_numbers'))[0]?.next);
const created = async (): Promise<string> => String((await withdraw(gateway, seller, ted())).body.data.id);
const processing = async (): Promise<string> => {
  const id = await created();
  await bringTo(gateway, seller, id, 'PROCESSING');
  return id;
};

describe('npm run restored', () => {
  let directory: string;
  let sent: string;
  let waiting: string;
  let approvedSince: string;
  let before: { readonly reference: number; readonly number: number };
  beforeAll(async () => {
    await start('237');
    directory = await mkdtemp(join(tmpdir(), 'gateway-restored-'));
    // The numbers of files of boletos have begun, so that the last one is unknown after a restore.
    await gateway.charge({ method: 'BOLETO' });
    await run('ship', join(directory, 'first.rem'));
    sent = await processing();
    waiting = await processing();
    await untilOrdered(waiting);
    await gateway.charge({ method: 'BOLETO' });
    before = { reference: await referenceOf(waiting), number: await nextNumber() };
  });
  afterAll(async () => {
    await gateway.stop();
    await rm(directory, { recursive: true, force: true });
  });

  it.each([
    [['--at', 'yesterday'], /^--at must be an ISO 8601 time/],
    [[], /^Usage: restored --at TIME/],
    [['--at', '2026-11-01T00:00:00Z', '--margin', '0'], /^--margin must be an integer from 1/],
    [['--at', '2026-11-01T00:00:00Z', '--last-file', 'cheques=1'], /^--last-file must be SERVICE=NUMBER/],
    [['--confirm', '--at', '2026-11-01T00:00:00Z'], /^Usage: restored/],
    [['--confirm', '--sent', 'x'], /^--sent must be the id of a withdrawal/],
    [['--confirm', '--sent', `${randomUUID()}=A1`], /^--sent must be the id of a withdrawal/],
  ])('%j is refused with what would be right', (args, message) => {
    expect(() => parseRestoredCommand(args)).toThrow(message);
  });

  it('pauses payouts and shipments, lists what may have been sent, and advances numbers', async () => {
    const text = await restored('--at', new Date(Date.now() - 60_000).toISOString(), '--margin', '5000');
    expect(text).toContain('Boleto numbers and payment references advanced by 5000.');
    for (const id of [sent, waiting]) expect(text).toContain(`  ${id}  seller ${seller.id}  PROCESSING  TED`);
    expect(text).toContain('The number of the last boletos file of bank 237 is open (1 in this database)');
    // The first file of payments may have been sent since.
    expect(text).toContain('The number of the last payments file of bank 237 is open (0 in this database)');
    expect(await system()).toMatchObject({ payoutsPaused: 'restored' });
    await expect(restored('--at', new Date().toISOString())).rejects.toThrow('paused already');
    await expect(run('ship', join(directory, 'paused.rem'), 'transfers')).rejects.toThrow(
      'payouts and remittance files are paused after a restore',
    );
    const refused = await gateway.post(
      '/admin/cnab/shipments',
      { service: 'TRANSFERS' },
      { token: operator.token },
    );
    expect(refused).toMatchObject({ status: 422, body: { code: 'payouts_paused' } });
  });

  it('writes no file meanwhile that an earlier run left unwritten, nor later if the bank has it', async () => {
    await gateway.database.query('UPDATE cnab_shipments SET written_at = NULL');
    await expect(run('ship', join(directory, 'again.rem'))).rejects.toThrow('are paused after a restore');
    await expect(readFile(join(directory, 'again.rem'))).rejects.toThrow('ENOENT');
  });

  it('lets approvals wait meanwhile', async () => {
    const id = await created();
    approvedSince = id;
    const path = `/admin/withdrawals/${id}/approve`;
    const approved = await gateway.post(path, undefined, { token: operator.token });
    expect(approved.status).toBe(200);
    // The job of payouts runs four times a second.
    await sleep(1_000);
    expect(await readWithdrawal(gateway, seller, id)).toMatchObject({ status: 'APPROVED' });
  });

  it('resumes after a confirmation that gives the open file number, without what was sent', async () => {
    await expect(restored('--confirm')).rejects.toThrow(
      'The number of the last boletos file of bank 237 is open',
    );
    expect(await system()).toMatchObject({ payoutsPaused: 'restored' });
    const lastFiles = ['--last-file', 'boletos=7', '--last-file', 'transfers=4'];
    const since = (reference: number | string) => ['--sent', sent, '--sent', `${approvedSince}${reference}`];
    await expect(restored('--confirm', ...lastFiles, ...since(''))).rejects.toThrow('has no reference');
    await expect(
      restored('--confirm', ...lastFiles, ...since(`=${await referenceOf(waiting)}`)),
    ).rejects.toThrow('contradicts a payment of this database');
    // It was approved and sent in the lost period, with the next reference.
    expect(await restored('--confirm', ...lastFiles, ...since(`=${before.reference + 1}`))).toBe(
      'Payouts and remittance files are resumed.',
    );
    expect(await system()).toMatchObject({ payoutsPaused: null });
    const [, text] = await run('ship', join(directory, 'next.rem'));
    expect(text).toMatch(/^file 8: /);
    expect(await nextNumber()).toBe(before.number + 5_000);
    const later = await processing();
    await untilOrdered(later);
    expect(await referenceOf(later)).toBeGreaterThan(before.reference + 5_000);
    const file = await shipped('TRANSFERS');
    // The last one that the bank has is 4.
    expect(file.slice(157, 163)).toBe('000005');
    const carried = [...file.matchAll(/JOSE DA CONCEICAO +(\d{12}) /g)].map(([, digits]) => Number(digits));
    expect(carried).toContain(await referenceOf(waiting));
    expect(carried).not.toContain(await referenceOf(sent));
    expect(carried).not.toContain(before.reference + 1);
    await untilStatus(gateway, seller, approvedSince, 'PROCESSING');
    const lost = file.replaceAll(digitsOf(await referenceOf(waiting)), digitsOf(before.reference + 1));
    await taken(
      paymentReturnOf(
        lost,
        carried.map(() => '00'),
        today,
      ),
    );
    expect(await readWithdrawal(gateway, seller, approvedSince)).toMatchObject({ status: 'PAID' });
  });

  it('leaves both steps in the audit log', async () => {
    for (const [action, after] of [
      ['database.restored', { margin: 5_000 }],
      ['database.restore-confirmed', { sent: [sent, approvedSince] }],
    ] as const) {
      const log = await gateway.get(`/admin/audit-log?action=${action}`, { token: operator.token });
      expect(log.body.data).toEqual([expect.objectContaining({ after: expect.objectContaining(after) })]);
    }
    await expect(restored('--confirm')).rejects.toThrow('payouts are not paused');
  });

  it('opens the first file number at the confirmation if the settings of files were missing before', async () => {
    const firstNumber = () =>
      gateway.database.query("SELECT last, is_open FROM cnab_sequences WHERE sequence = 'PAYMENTS'");
    await gateway.database.query("DELETE FROM cnab_sequences WHERE sequence = 'PAYMENTS'");
    const text = await restoredWith({ cnab: undefined }, [
      '--at',
      new Date().toISOString(),
      '--last-file=boletos=7',
      '--last-file=pix=20',
    ]);
    expect(text).toContain('--last-file pix=20 has no effect');
    expect(text).not.toContain('is open');
    const attempt = run('ship', join(directory, 'none.rem'), 'transfers');
    await expect(attempt).rejects.toThrow('are paused after a restore');
    // That attempt begins no numbers either.
    expect(await firstNumber()).toEqual([]);
    await expect(restored('--confirm')).rejects.toThrow(
      'The number of the last payments file of bank 237 is open (0 in this database)',
    );
    expect(await system()).toMatchObject({ payoutsPaused: 'restored' });
    await restored('--confirm', '--last-file', 'pix=20');
    expect(await firstNumber()).toEqual([{ last: 20, is_open: false }]);
  });

  it('writes no unwritten file that the bank has, and later one that it does not have', async () => {
    await gateway.charge({ method: 'BOLETO' });
    expect((await run('ship', join(directory, 'nine.rem')))[1]).toMatch(/^file 9: /);
    const unwritten = () =>
      gateway.database.query('SELECT number FROM cnab_shipments WHERE written_at IS NULL ORDER BY number');
    await gateway.database.query(
      "UPDATE cnab_shipments SET written_at = NULL WHERE sequence = 'BOLETOS' AND number > 7",
    );
    expect(await unwritten()).toEqual([{ number: 8 }, { number: 9 }]);
    await restored('--at', new Date().toISOString(), '--last-file=boletos=8', '--last-file=pix=20');
    expect(await unwritten()).toEqual([{ number: 9 }]);
    await restored('--confirm');
    expect((await run('ship', join(directory, 'again.rem')))[1]).toMatch(/^file 9: /);
    expect(await run('ship', join(directory, 'more.rem'))).toEqual([true, 'nothing to ship']);
  });

  it('creates no file if payouts are paused while it waits for the sequence', async () => {
    await gateway.charge({ method: 'BOLETO' });
    const attempt = await withGatewayDatabase(({ db }) =>
      db.transaction().execute(async (trx) => {
        await sql`SELECT FROM cnab_sequences FOR UPDATE`.execute(trx);
        const shipping = run('ship', join(directory, 'late.rem')).then(String, String);
        await vi.waitUntil(async () => {
          const waiting = await gateway.database.query(
            "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
          );
          return waiting.length > 0;
        }, 10_000);
        await pausePayouts(trx, { restoredTo: new Date(), pausedAt: new Date() });
        return { shipping };
      }),
    );
    expect(await attempt.shipping).toContain('are paused after a restore');
  });
});
