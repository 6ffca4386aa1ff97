import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { cnabEnvironment, segmentsOf } from '#test/support/bank-files.ts';
import { goodCharge } from '#test/support/client.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { SHARED_SECRETS } from '#test/support/node.ts';
import { operatorOf, type Operator } from '#test/support/operator.ts';
import { newSeller, untilStatus, withdrawn } from '#test/support/withdrawals.ts';

let gateway: TestGateway;
let operator: Operator;

beforeAll(async () => {
  const environment = cnabEnvironment('341', { ...SHARED_SECRETS, PAYOUT_PROVIDER: 'cnab' });
  gateway = await startTestGateway({ environment });
  operator = await operatorOf(gateway);
});
afterAll(() => gateway.stop());

const customer = (name: string) => ({ ...goodCharge().customer, name });
const boletoOf = async (name: string) => {
  const made = await gateway.charge({ method: 'BOLETO', customer: customer(name) });
  expect(made.status).toBe(201);
  return made.body.data;
};
async function shipped(service: string): Promise<string> {
  const made = await gateway.post('/admin/cnab/shipments', { service }, { token: operator.token });
  expect(made.status).toBe(201);
  const path = `/admin/cnab/shipments/${made.body.data.id}/file`;
  return (await gateway.get(path, { token: operator.token })).text;
}

describe('names in other scripts', () => {
  const NAMES = [
    ['Иванов Пётр', 'IVANOV PETR'],
    ['Ελένη Παπαδοπούλου', 'ELENI PAPADOPOYLOY'],
    ['محمد علي', 'MHMD LY'],
    ['王小明', 'WANGXIAOMING'],
    ['김철수', 'GIMCHEOLSU'],
  ] as const;

  it('are transliterated in segment Q of boleto files', async () => {
    for (const [name] of NAMES) await boletoOf(name);
    const written = segmentsOf(await shipped('BOLETOS'), 'Q').map((line) => line.slice(33, 73).trim());
    expect(written).toEqual(NAMES.map(([, ascii]) => ascii));
  });

  it('are transliterated in segment A of payment files', async () => {
    const seller = await newSeller(gateway, { balance: 100_000, autoApproveUpTo: 100_000 });
    for (const [beneficiaryName] of NAMES) {
      const id = await withdrawn(gateway, seller, { beneficiaryName });
      await untilStatus(gateway, seller, id, 'PROCESSING');
    }
    const ready = () => gateway.database.query('SELECT 1 FROM cnab_payments');
    await expect.poll(ready).toHaveLength(NAMES.length);
    const written = segmentsOf(await shipped('PIX'), 'A').map((line) => line.slice(43, 73).trim());
    expect(written.toSorted()).toEqual(NAMES.map(([, ascii]) => ascii).toSorted());
  });
});
