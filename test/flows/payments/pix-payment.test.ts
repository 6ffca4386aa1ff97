import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { startReceiver, type Receiver } from '#test/support/receiver.ts';

let gateway: TestGateway;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  gateway = await startTestGateway({ receiverAuthorities: receiver.authority });
});
afterAll(async () => {
  await gateway.stop();
  await receiver.close();
});

describe('a Pix payment', () => {
  it('is created, paid, credited net of the fee and sent to the webhook', async () => {
    const registered = await gateway.post('/webhooks', { url: receiver.url, eventType: 'TRANSACTION' });
    expect(registered.status).toBe(201);
    const created = await gateway.charge();
    expect(created.status).toBe(201);
    expect(created.body.data).toMatchObject({
      status: 'PENDING',
      amount: 1500,
      feeAmount: 15,
      netAmount: 1485,
    });

    const paid = await gateway.post(`/sandbox/transactions/${created.body.data.id}/pay`);
    expect(paid.status).toBe(200);
    expect(paid.body.data.status).toBe('PAID');
    const wallet = await gateway.get('/seller-wallet/gestao');
    expect(wallet.body.data).toMatchObject({ availableBalance: 1485, blockedBalance: 0, totalBalance: 1485 });

    await receiver.waitFor(1);
    expect(receiver.received[0]?.body).toMatchObject({
      event: 'TRANSACTION_UPDATED',
      data: {
        id: created.body.data.id,
        status: 'PAID',
        amount: 1500,
        netAmount: 1485,
        feeAmount: 15,
        method: 'PIX',
      },
    });
    const check = await gateway.get('/admin/ledger/check', { token: await gateway.adminToken() });
    expect(check.body.data).toMatchObject({ balanced: true, discrepancies: [] });
  });
});
