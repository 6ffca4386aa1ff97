import { expect, vi } from 'vitest';

import { SOON, type Scenario, type Stage } from './stage.ts';
import { saoPauloDate } from '#formats/calendar/sao-paulo.ts';
import { paymentReturnOf, returnOf, segmentsOf } from '#test/support/bank-files.ts';
import type { ApiResponse } from '#test/support/client.ts';

/** Longer than any lease of a dead process. */
const LEASE_SECONDS = 70;
const today = (): string => saoPauloDate(new Date());

const ship = (stage: Stage, service: string): Promise<ApiResponse> =>
  stage.operate('POST', '/admin/cnab/shipments', { service });

async function fileOf(stage: Stage, id: string): Promise<string> {
  return (await stage.operate('GET', `/admin/cnab/shipments/${id}/file`)).text;
}

async function shipped(stage: Stage, service: string): Promise<string> {
  const made = await ship(stage, service);
  expect(made.status).toBe(201);
  return fileOf(stage, made.body.data.id);
}

const take = (stage: Stage, file: string): Promise<ApiResponse> =>
  stage.operate('POST', '/admin/cnab/returns', file, { headers: { 'content-type': 'text/plain' } });

const boleto = (stage: Stage): Promise<string> => stage.charge({ method: 'BOLETO', amount: 25_990 });

/**
 * A boleto that the bank reports as paid: it is credited once, even if the file is imported again.
 */
const paidByFile: Scenario = async (stage) => {
  const id = await boleto(stage);
  const file = await shipped(stage, 'BOLETOS');
  const reported = returnOf(file, [{ title: 0, movement: '06', paid: 25_990, on: today() }]);
  stage.lost(take(stage, reported));
  return async () => {
    for (let time = 0; time < 2; time += 1) {
      const again = await take(stage, reported);
      expect(again.status).toBe(200);
      expect(again.body.data.counts).toMatchObject([{ kind: 'PAID', outcome: 'APPLIED', lines: 1 }]);
    }
    expect((await stage.read(`/transactions/${id}`)).status).toBe('PAID');
    expect((await stage.causesOf(id)).filter((cause) => cause === 'PAYMENT')).toHaveLength(1);
  };
};

/** A payout to be sent to the bank: it is in one file, once, and is paid once. */
const paidOut: Scenario = async (stage) => {
  await stage.paid({ amount: 10_000 });
  const body = { amount: 1_000, method: 'PIX', pixKey: 'ana@example.com', pixKeyType: 'EMAIL' };
  const { idempotencyKey } = stage.marked();
  const withdraw = () => stage.client.post('/withdrawals', body, { idempotencyKey });
  const { id } = (await withdraw()).body.data;
  stage.lost(stage.operate('POST', `/admin/withdrawals/${id}/approve`));
  await stage.program.exit(40_000);
  return async () => {
    expect((await withdraw()).body.data.id).toBe(id);
    await stage.until(`/withdrawals/${id}`, { status: 'PROCESSING' });
    await stage.advance(LEASE_SECONDS);
    await vi.waitFor(async () => {
      const open = 'SELECT FROM payouts WHERE withdrawal_id = $1 AND submitted_at IS NOT NULL';
      expect(await stage.query(open, [id])).toHaveLength(1);
    }, SOON);
    const file = await shipped(stage, 'PIX');
    expect(segmentsOf(file, 'A')).toHaveLength(1);
    expect((await ship(stage, 'PIX')).body.message).toBe('No record is waiting for a remittance file');
    expect((await take(stage, paymentReturnOf(file, ['00'], today()))).status).toBe(201);
    await stage.until(`/withdrawals/${id}`, { status: 'PAID' });
    expect(await stage.causesOf(id)).toEqual(['WITHDRAWAL_RESERVED', 'WITHDRAWAL_PAID']);
  };
};

export const BANK = {
  'cnab-shipments.committed': async (stage) => {
    await boleto(stage);
    const list = async () => (await stage.operate('GET', '/admin/cnab/shipments?take=100')).body.data;
    const before = (await list()).length;
    stage.lost(ship(stage, 'BOLETOS'));
    return async () => {
      const after = await list();
      expect(after).toHaveLength(before + 1);
      expect(segmentsOf(await fileOf(stage, after[0].id), 'P')).toHaveLength(1);
      expect((await ship(stage, 'BOLETOS')).body.message).toBe('No record is waiting for a remittance file');
    };
  },

  'cnab-returns.saved': paidByFile,
  'cnab-returns.line-applied': paidByFile,

  'payouts.created': paidOut,
  'payouts.leased': paidOut,
  'payouts.called': paidOut,
  'payouts.recorded': paidOut,
} satisfies Record<string, Scenario>;
