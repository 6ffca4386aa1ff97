import { expect, vi } from 'vitest';

import { cnabEnvironment } from '#test/support/bank-files.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { SHARED_SECRETS } from '#test/support/node.ts';
import { operatorOf, type Operator } from '#test/support/operator.ts';
import { bringTo, newSeller, withdrawn, type TestSeller } from '#test/support/withdrawals.ts';

type Changes = Readonly<Record<string, unknown>>;

/** At another bank. */
export const ACCOUNT = { bankCode: '237', branch: '3021-1', account: '987654-3', accountType: 'CHECKING' };
export const ted = (changes: Changes = {}) => ({
  method: 'TED',
  pixKey: null,
  pixKeyType: null,
  bankAccount: ACCOUNT,
  beneficiaryName: 'José da Conceição',
  beneficiaryDocumentNumber: '52998224725',
  ...changes,
});

/** The settings of a gateway that sends payouts in files to a bank. */
export const payoutsThrough = (bank: string) =>
  cnabEnvironment(bank, { ...SHARED_SECRETS, PAYOUT_PROVIDER: 'cnab' });

/** Creates a remittance file and returns it. */
export async function newShipmentFile(
  gateway: TestGateway,
  { token }: Operator,
  service: string,
): Promise<string> {
  const created = await gateway.post('/admin/cnab/shipments', { service }, { token });
  expect(created.status).toBe(201);
  const file = await gateway.get(`/admin/cnab/shipments/${created.body.data.id}/file`, { token });
  expect(file.status).toBe(200);
  return file.text;
}

/** A gateway that exchanges files with a bank, which `start` names. */
export function createExchange() {
  let gateway: TestGateway;
  let operator: Operator;
  let seller: TestSeller;

  async function start(bank: string): Promise<void> {
    gateway = await startTestGateway({ environment: payoutsThrough(bank) });
    operator = await operatorOf(gateway);
    seller = await newSeller(gateway, { balance: 100_000 });
  }

  const shipped = (service: string): Promise<string> => newShipmentFile(gateway, operator, service);

  /** Imports a return file. */
  async function taken(file: string) {
    const response = await gateway.call('POST', '/admin/cnab/returns', file, {
      token: operator.token,
      headers: { 'content-type': 'text/plain' },
    });
    expect(response.status).toBe(201);
    return response.body.data;
  }

  const untilOrdered = (id: string) =>
    vi.waitUntil(
      async () =>
        (await gateway.database.query('SELECT 1 FROM cnab_payments WHERE withdrawal_id = $1', [id]))
          .length === 1,
      10_000,
    );

  /** A withdrawal that was submitted to the file exchange. */
  async function ordered(changes: Changes): Promise<string> {
    const id = await withdrawn(gateway, seller, changes);
    await bringTo(gateway, seller, id, 'PROCESSING');
    await untilOrdered(id);
    return id;
  }

  return {
    get gateway() {
      return gateway;
    },
    get operator() {
      return operator;
    },
    get seller() {
      return seller;
    },
    start,
    shipped,
    taken,
    untilOrdered,
    ordered,
  };
}
