import { randomUUID } from 'node:crypto';

import { expect, vi } from 'vitest';

import { SOON, type Scenario, type Stage } from './stage.ts';
import { txidOf, type FakePix, type FakePsp } from '#test/support/fake-psp.ts';

/** Longer than any lease of a dead process. */
const LEASE_SECONDS = 70;

export interface PspStage extends Stage {
  readonly psp: FakePsp;
}

type OnPsp = Scenario<PspStage>;

const originOf = ({ program }: Stage): string => program.baseUrl.replace('/v1', '');
const putsOf = ({ psp }: PspStage, id: string) =>
  psp.calls.filter(({ method, path }) => method === 'PUT' && path.endsWith(`/cob/${txidOf(id)}`)).length;

/** A charge that its payer pays at the PSP, which has not reported it. */
async function paidAtPsp(stage: PspStage): Promise<{ readonly id: string; readonly pix: FakePix }> {
  const id = await stage.charge();
  return { id, pix: stage.psp.pay(txidOf(id), '15.00') };
}

async function paid(stage: PspStage): Promise<{ readonly id: string; readonly pix: FakePix }> {
  const made = await paidAtPsp(stage);
  expect((await stage.psp.callBack(originOf(stage), [made.pix])).status).toBe(200);
  return made;
}

/**
 * A charge that the killed process was creating: created once, also at the PSP, and returned
 * unchanged.
 */
const placed: OnPsp = async (stage) => {
  const { idempotencyKey, metadata } = stage.marked();
  const make = () => stage.client.charge({ metadata }, { idempotencyKey });
  stage.lost(make());
  return async () => {
    await stage.advance(LEASE_SECONDS);
    const { body } = await stage.repeats(make, 201);
    const { id } = body.data;
    await stage.expectOne('transactions', metadata);
    await vi.waitFor(async () => {
      const { pix } = await stage.read(`/transactions/${id}`);
      expect(pix?.copyPaste).toContain(txidOf(id));
    }, SOON);
    expect(stage.psp.cobs.get(txidOf(id))?.status).toBe('ATIVA');
    expect(putsOf(stage, id)).toBe(1);
  };
};

/** A refund that the sweep sends to the PSP: the payer receives it once. */
const refunded: OnPsp = async (stage) => {
  const { id, pix } = await paid(stage);
  const { idempotencyKey } = stage.marked();
  const refund = () => stage.client.post(`/transactions/${id}/refund`, { amount: 400 }, { idempotencyKey });
  stage.lost(refund());
  await stage.program.exit(40_000);
  return async () => {
    expect((await refund()).status).toBe(200);
    await stage.advance(LEASE_SECONDS);
    await stage.until(`/transactions/${id}`, { status: 'PAID', refundedAmount: 400 });
    expect(pix.devolucoes.map(({ valor }) => valor)).toEqual(['4.00']);
    await stage.repeats(refund, 200);
    expect((await stage.causesOf(id)).filter((cause) => cause === 'REFUND')).toHaveLength(1);
  };
};

/** A second payment: it is reversed once, however often it is reported. */
const returned: OnPsp = async (stage) => {
  const { id } = await paid(stage);
  const second = stage.psp.pay(txidOf(id), '15.00');
  const callBack = () => stage.psp.callBack(originOf(stage), [second]);
  stage.lost(callBack());
  await stage.program.exit(40_000);
  return async () => {
    expect((await callBack()).status).toBe(200);
    await stage.advance(LEASE_SECONDS);
    await vi.waitFor(async () => {
      const returns = await stage.operate('GET', `/admin/reversals?transactionId=${id}`);
      expect(returns.body.data).toMatchObject([{ status: 'SENT', amount: 1_500 }]);
    }, SOON);
    expect(second.devolucoes.map(({ valor }) => valor)).toEqual(['15.00']);
    expect(await stage.causesOf(id)).toEqual(['PAYMENT', 'PAYMENT_FEE']);
  };
};

/**
 * A payment whose callback arrived while the PSP was unreachable: confirmed later, and credited
 * once.
 */
const confirmed: OnPsp = async (stage) => {
  const { id, pix } = await paidAtPsp(stage);
  stage.psp.misbehave('GET /pix/', { kind: 'respond', status: 500 });
  expect((await stage.psp.callBack(originOf(stage), [pix])).status).toBe(200);
  return async () => {
    await stage.advance(LEASE_SECONDS);
    await stage.until(`/transactions/${id}`, { status: 'PAID' });
    await vi.waitFor(async () => {
      expect(await stage.query('SELECT 1 FROM unverified_payments')).toEqual([]);
    }, SOON);
    expect(await stage.causesOf(id)).toEqual(['PAYMENT', 'PAYMENT_FEE']);
  };
};

/**
 * A MED refund and the amount that its dispute blocked: the seller is debited once, however often
 * it is reported.
 */
const taken =
  (held: string | undefined, valor: string): OnPsp =>
  async (stage) => {
    const { id, pix } = await paid(stage);
    if (held !== undefined) {
      const notice = {
        id: randomUUID(),
        endToEndId: pix.endToEndId,
        reason: 'FRAUD',
        amount: held,
        status: 'OPEN',
      };
      const reported = await fetch(`${originOf(stage)}/providers/bacen/${stage.psp.secret}/med`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(notice),
      });
      expect(reported.status).toBe(200);
      expect((await stage.read(`/transactions/${id}`)).status).toBe('DISPUTE');
    }
    const before = (await stage.read('/seller-wallet/gestao')).totalBalance;
    stage.psp.take(pix, valor, 'MED_FRAUDE');
    const callBack = () => stage.psp.callBack(originOf(stage), [pix]);
    stage.lost(callBack());
    return async () => {
      expect((await callBack()).status).toBe(200);
      await vi.waitFor(async () => {
        const disputes = await stage.query<{ status: string; amount: number }>(
          'SELECT status, amount::integer FROM disputes WHERE transaction_id = $1 ORDER BY id',
          [id],
        );
        const lost = { status: 'REJECTED', amount: Math.round(Number(valor) * 100) };
        expect(disputes).toEqual(
          held === undefined
            ? [lost]
            : [{ status: 'RESOLVED', amount: Math.round(Number(held) * 100) }, lost],
        );
      }, SOON);
      expect((await callBack()).status).toBe(200);
      expect((await stage.read('/seller-wallet/gestao')).totalBalance).toBe(before - Number(valor) * 100);
    };
  };

export const PSP = {
  'provider-operations.committed': placed,
  'provider-operations.called': placed,
  'provider-operations.recorded': placed,

  'cancellations.created': async (stage) => {
    const id = await stage.charge();
    stage.lost(stage.client.post(`/transactions/${id}/cancel`, undefined, { idempotencyKey: randomUUID() }));
    return async () => {
      expect((await stage.read(`/transactions/${id}`)).status).toBe('FAILED');
      await vi.waitFor(() => {
        expect(stage.psp.cobs.get(txidOf(id))?.status).toBe('REMOVIDA_PELO_USUARIO_RECEBEDOR');
      }, SOON);
    };
  },

  'operation-sweep.leased': refunded,
  'operation-sweep.called': refunded,
  'operation-sweep.recorded': refunded,
  'provider-operations.completed': refunded,

  'provider-events.saved': returned,
  'reversals.leased': returned,
  'reversals.called': returned,
  'reversals.recorded': returned,

  'verifications.leased': confirmed,
  'verifications.called': confirmed,
  'verifications.recorded': confirmed,

  'med.opened': taken(undefined, '15.00'),
  'med.released': taken('4.00', '15.00'),
} satisfies Record<string, OnPsp>;
