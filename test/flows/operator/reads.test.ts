import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { newSeller, withdrawalThatIs, type TestSeller } from '#test/support/withdrawals.ts';

let gateway: TestGateway;
let admin: { readonly token: string };
let support: { readonly token: string };
let seller: TestSeller;

beforeAll(async () => {
  gateway = await startTestGateway();
  admin = { token: await gateway.adminToken() };
  const user = { name: 'Suporte', email: 'suporte@example.com', password: 'a long password' };
  await gateway.post('/admin/users', { ...user, role: 'SUPPORT' }, admin);
  const signedIn = await gateway.post('/login', user, { credential: 'none' });
  support = { token: String(signedIn.body.accessToken) };
  seller = await newSeller(gateway, { balance: 1_000_000 });
});
afterAll(async () => {
  await gateway.stop();
});

describe('operator reads', () => {
  it('return the wallet of a seller, as the seller sees it', async () => {
    await withdrawalThatIs(gateway, seller, 'PENDING');
    const own = await gateway.get('/seller-wallet/gestao', { apiKey: seller.apiKey });
    const seen = await gateway.get(`/admin/sellers/${seller.id}/wallet`, support);
    expect(seen.status).toBe(200);
    expect(seen.body).toEqual(own.body);
    expect(seen.body.data.blockedBalance).toBeGreaterThan(0);
    const elsewhere = await gateway.get(`/admin/sellers/${randomUUID()}/wallet`, support);
    expect([elsewhere.status, elsewhere.body.message]).toEqual([404, 'Seller not found']);
    expect((await gateway.get('/admin/sellers/x/wallet', support)).status).toBe(404);
    const asSeller = await gateway.get(`/admin/sellers/${seller.id}/wallet`, { apiKey: seller.apiKey });
    expect(asSeller.status).toBe(403);
  });

  it('return the current fees of a seller', async () => {
    const path = `/admin/sellers/${seller.id}/fees`;
    const { data } = (await gateway.get(path, support)).body;
    const wanted = { ...data, boleto: { type: 'FIXED', value: 249 } };
    expect((await gateway.call('PUT', path, wanted, support)).status).toBe(403);
    await gateway.call('PUT', path, wanted, admin);
    expect((await gateway.get(path, support)).body).toEqual({ status: true, data: wanted });
    expect((await gateway.get(`/admin/sellers/${randomUUID()}/fees`, support)).status).toBe(404);
  });

  it('return a withdrawal by id, with its seller and approvals', async () => {
    const id = await withdrawalThatIs(gateway, seller, 'PENDING');
    const { body } = await gateway.get(`/admin/withdrawals/${id}`, support);
    expect(body.data).toMatchObject({ id, sellerId: seller.id, status: 'PENDING', approvals: [] });
    const approved = await gateway.post(`/admin/withdrawals/${id}/approve`, undefined, admin);
    expect(approved.status).toBe(200);
    const after = await gateway.get(`/admin/withdrawals/${id}`, support);
    expect(after.body.data.approvals).toHaveLength(1);
    for (const unknown of [randomUUID(), 'x']) {
      const missing = await gateway.get(`/admin/withdrawals/${unknown}`, support);
      expect([missing.status, missing.body.message]).toEqual([404, 'Withdrawal not found']);
    }
  });

  it('return the seller of a dispute, in the list and by id', async () => {
    const as = { apiKey: seller.apiKey };
    const made = await gateway.charge({}, as);
    await gateway.post(`/sandbox/transactions/${made.body.data.id}/pay`, undefined, as);
    await gateway.post(`/sandbox/transactions/${made.body.data.id}/dispute`, undefined, as);
    const owner = { sellerId: seller.id, transactionId: made.body.data.id };
    const { data } = (await gateway.get(`/admin/disputes?sellerId=${seller.id}`, support)).body;
    expect(data).toMatchObject({ count: 1, data: [{ ...owner, sellerName: expect.stringMatching(/./) }] });
    const [listed] = data.data;
    const read = await gateway.get(`/admin/disputes/${listed.id}`, support);
    expect(read.body.data).toEqual(listed);
    for (const unknown of [randomUUID(), 'x']) {
      const missing = await gateway.get(`/admin/disputes/${unknown}`, support);
      expect([missing.status, missing.body.message]).toEqual([404, 'Record Not Found']);
    }
  });
});
