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
import { paymentReturnOf, returnOf, segmentsOf } from '#test/support/bank-files.ts';
import { createExchange, payoutsThrough, ted } from '#test/support/cnab-exchange.ts';
import { sleep } from '#test/support/process.ts';
import { bringTo, readWithdrawal, untilStatus, withdraw } from '#test/support/withdrawals.ts';

const exchange = createExchange();
const { start, shipped, taken, untilOrdered } = exchange;
const today = saoPauloDate(new Date());

const commandConfig = () =>
  readConfig({ ...payoutsThrough('237'), DATABASE_URL: exchange.gateway.database.url, MODE: 'sandbox' });

async function withGatewayDatabase<T>(use: (database: Database) => Promise<T>): Promise<T> {
  const database = openDatabase({
    url: exchange.gateway.database.url,
    poolSize: 4,
    onError: () => undefined,
  });
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
      { config, database, openSecrets: async () => exchange.gateway.secrets },
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
    await exchange.gateway.stop();
    await rm(directory, { recursive: true, force: true });
  });

  it('creates remittance files and imports return files while the gateway is running', async () => {
    const made = await exchange.gateway.charge({ method: 'BOLETO' });
    const { id } = made.body.data;
    const file = join(directory, 'one.rem');
    expect(await run('ship', file)).toEqual([true, 'file 1: 1 to register, 0 to write off, 0 payments']);
    const shipment = await readFile(file, 'latin1');
    expect(segmentsOf(shipment, 'P')).toHaveLength(1);
    await expect(run('ship', file)).rejects.toThrow('already exists');
    expect(await run('ship', join(directory, 'two.rem'), 'pix')).toEqual([true, 'nothing to ship']);
    await expect(readFile(join(directory, 'two.rem'))).rejects.toThrow('ENOENT');

    const back = join(directory, 'one.ret');
    const responses = [
      { title: 0, movement: '06', paid: 1500, on: today },
      { title: '77777777777', movement: '06', paid: 1, on: today },
    ];
    await writeFile(back, returnOf(shipment, responses), 'latin1');
    const [done, text] = await run('return', back);
    expect(done).toBe(true);
    expect(text).toContain('1 PAID APPLIED');
    expect(text).toMatch(/line 5: PAID UNMATCHED \d+ no such record/);
    expect((await run('return', back))[1]).toContain('this file was imported before');
    expect((await exchange.gateway.get(`/transactions/${id}`)).body.data.status).toBe('PAID');
    await writeFile(back, shipment.slice(0, 100), 'latin1');
    expect(await run('return', back)).toEqual([
      false,
      'line 1: must have 240 columns, has 100\nnothing was imported',
    ]);
  });

  it('writes a file again whose first run could not write it', async () => {
    await exchange.gateway.charge({ method: 'BOLETO' });
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
    expect(() => parseCnabCommand([])).toThrow(
      'ship FILE [boletos|transfers|pix], or npm run cnab return FILE',
    );
    expect(() => parseCnabCommand(['ship', 'x', 'cheques'])).toThrow('Usage: npm run cnab');
    expect(() => parseCnabCommand(['return', 'x', 'pix'])).toThrow('Usage: npm run cnab');
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
      await exchange.gateway.database.query<{ reference: string }>(
        `SELECT reference FROM cnab_payments WHERE withdrawal_id = '${id}'`,
      )
    )[0]?.reference,
  );
/** As files carry it. */
const digitsOf = (reference: number): string => ` ${String(reference).padStart(12, '0')} `;
const system = async () =>
  (await exchange.gateway.get('/admin/system', { token: exchange.operator.token })).body.data;
/** The first number of the next block: processes that run keep the rest of theirs. */
const nextNumber = async (): Promise<number> =>
  Number(
    (await exchange.gateway.database.query<{ next: string }>('SELECT next FROM boleto_numbers'))[0]?.next,
  );
const created = async (): Promise<string> =>
  String((await withdraw(exchange.gateway, exchange.seller, ted())).body.data.id);
const processing = async (): Promise<string> => {
  const id = await created();
  await bringTo(exchange.gateway, exchange.seller, id, 'PROCESSING');
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
    await exchange.gateway.charge({ method: 'BOLETO' });
    await run('ship', join(directory, 'first.rem'));
    sent = await processing();
    waiting = await processing();
    await untilOrdered(waiting);
    await exchange.gateway.charge({ method: 'BOLETO' });
    before = { reference: await referenceOf(waiting), number: await nextNumber() };
  });
  afterAll(async () => {
    await exchange.gateway.stop();
    await rm(directory, { recursive: true, force: true });
  });

  it.each([
    [['--at', 'yesterday'], /^--at must be an ISO 8601 time/],
    [[], /^Usage: npm run restored -- --at TIME/],
    [['--at', '2026-11-01T00:00:00Z', '--margin', '0'], /^--margin must be an integer from 1/],
    [['--at', '2026-11-01T00:00:00Z', '--last-file', 'cheques=1'], /^--last-file must be SERVICE=NUMBER/],
    [['--confirm', '--at', '2026-11-01T00:00:00Z'], /^Usage: npm run restored/],
    [['--confirm', '--sent', 'x'], /^--sent must be the id of a withdrawal/],
    [['--confirm', '--sent', `${randomUUID()}=A1`], /^--sent must be the id of a withdrawal/],
  ])('%j is refused with what would be right', (args, message) => {
    expect(() => parseRestoredCommand(args)).toThrow(message);
  });

  it('pauses payouts and shipments, lists what may have been sent, and advances numbers', async () => {
    const text = await restored('--at', new Date(Date.now() - 60_000).toISOString(), '--margin', '5000');
    expect(text).toContain('Boleto numbers and payment references advanced by 5000.');
    for (const id of [sent, waiting])
      expect(text).toContain(`  ${id}  seller ${exchange.seller.id}  PROCESSING  TED`);
    expect(text).toContain('The number of the last boletos file of bank 237 is open (1 in this database)');
    // The first file of payments may have been sent since.
    expect(text).toContain('The number of the last payments file of bank 237 is open (0 in this database)');
    expect(await system()).toMatchObject({ payoutsPaused: 'restored' });
    await expect(restored('--at', new Date().toISOString())).rejects.toThrow('paused already');
    await expect(run('ship', join(directory, 'paused.rem'), 'transfers')).rejects.toThrow(
      'payouts and remittance files are paused after a restore',
    );
    const refused = await exchange.gateway.post(
      '/admin/cnab/shipments',
      { service: 'TRANSFERS' },
      { token: exchange.operator.token },
    );
    expect(refused).toMatchObject({ status: 422, body: { code: 'payouts_paused' } });
  });

  it('writes no file meanwhile that an earlier run left unwritten, or later if the bank has it', async () => {
    await exchange.gateway.database.query('UPDATE cnab_shipments SET written_at = NULL');
    await expect(run('ship', join(directory, 'again.rem'))).rejects.toThrow('are paused after a restore');
    await expect(readFile(join(directory, 'again.rem'))).rejects.toThrow('ENOENT');
  });

  it('lets approvals wait meanwhile', async () => {
    const id = await created();
    approvedSince = id;
    const path = `/admin/withdrawals/${id}/approve`;
    const approved = await exchange.gateway.post(path, undefined, { token: exchange.operator.token });
    expect(approved.status).toBe(200);
    // The job of payouts runs four times a second.
    await sleep(1_000);
    expect(await readWithdrawal(exchange.gateway, exchange.seller, id)).toMatchObject({ status: 'APPROVED' });
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
    await untilStatus(exchange.gateway, exchange.seller, approvedSince, 'PROCESSING');
    const lost = file.replaceAll(digitsOf(await referenceOf(waiting)), digitsOf(before.reference + 1));
    await taken(
      paymentReturnOf(
        lost,
        carried.map(() => '00'),
        today,
      ),
    );
    expect(await readWithdrawal(exchange.gateway, exchange.seller, approvedSince)).toMatchObject({
      status: 'PAID',
    });
  });

  it('leaves both steps in the audit log', async () => {
    for (const [action, after] of [
      ['database.restored', { margin: 5_000 }],
      ['database.restore-confirmed', { sent: [sent, approvedSince] }],
    ] as const) {
      const log = await exchange.gateway.get(`/admin/audit-log?action=${action}`, {
        token: exchange.operator.token,
      });
      expect(log.body.data).toEqual([expect.objectContaining({ after: expect.objectContaining(after) })]);
    }
    await expect(restored('--confirm')).rejects.toThrow('payouts are not paused');
  });

  it('opens the first file number at the confirmation if the file settings were missing before', async () => {
    const firstNumber = () =>
      exchange.gateway.database.query("SELECT last, is_open FROM cnab_sequences WHERE sequence = 'PAYMENTS'");
    await exchange.gateway.database.query("DELETE FROM cnab_sequences WHERE sequence = 'PAYMENTS'");
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
    await exchange.gateway.charge({ method: 'BOLETO' });
    expect((await run('ship', join(directory, 'nine.rem')))[1]).toMatch(/^file 9: /);
    const unwritten = () =>
      exchange.gateway.database.query(
        'SELECT number FROM cnab_shipments WHERE written_at IS NULL ORDER BY number',
      );
    await exchange.gateway.database.query(
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
    await exchange.gateway.charge({ method: 'BOLETO' });
    const attempt = await withGatewayDatabase(({ db }) =>
      db.transaction().execute(async (trx) => {
        await sql`SELECT FROM cnab_sequences FOR UPDATE`.execute(trx);
        const shipping = run('ship', join(directory, 'late.rem')).then(String, String);
        await vi.waitUntil(async () => {
          const waiting = await exchange.gateway.database.query(
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
