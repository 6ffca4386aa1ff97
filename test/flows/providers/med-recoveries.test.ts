import { randomBytes } from 'node:crypto';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { startFakePsp, txidOf, type FakePsp } from '#test/support/fake-psp.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';

const MED_SECRET = randomBytes(32).toString('hex');

let psp: FakePsp;
let gateway: TestGateway;
let origin: string;

beforeAll(async () => {
  psp = await startFakePsp();
  gateway = await startTestGateway({
    environment: { PIX_PROVIDER: 'bacen', ...psp.environment(), BACEN_PIX_MED_SECRET: MED_SECRET },
  });
  origin = gateway.baseUrl.replace('/v1', '');
});
afterAll(async () => {
  await gateway.stop();
  await psp.close();
});

async function sendNotice(notice: object): Promise<void> {
  const response = await fetch(`${origin}/providers/bacen/${MED_SECRET}/med`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ reason: 'FRAUD', status: 'OPEN', recoveryId: 'recovery-1', ...notice }),
  });
  expect(response.status).toBe(200);
}

it('a second claim of a recovery leaves the state of the first, which has ended', async () => {
  const id = String((await gateway.charge()).body.data.id);
  const pix = psp.pay(txidOf(id), '15.00');
  expect((await psp.callBack(origin, [pix])).status).toBe(200);
  const { endToEndId } = pix;
  const first = { id: 'claim-1', endToEndId, amount: '5.00' };
  await sendNotice(first);
  await sendNotice({ ...first, status: 'CLOSED', analysisResult: 'REJECTED' });
  const second = { id: 'claim-2', endToEndId, amount: '15.00' };
  await sendNotice(second);
  await sendNotice({ ...second, recoveryStatus: 'ANALYSED' });
  const { data } = (await gateway.get(`/disputes?transactionId=${id}`)).body.data;
  expect(data).toMatchObject([
    { status: 'OPEN', med: { status: 'ANALYSED', acceptedAmount: 1500 } },
    { status: 'RESOLVED', med: { status: 'COMPLETED', acceptedAmount: 0 } },
  ]);
});
