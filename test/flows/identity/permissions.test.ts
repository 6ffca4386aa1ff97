import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { CallOptions } from '#test/support/client.ts';
import {
  PASSWORD,
  gateway,
  admin,
  onItsOwnGateway,
  newSeller,
  newKey,
  login,
  refresh,
  wallet,
  resultOf,
  refused,
  FORBIDDEN,
} from './credentials-setup.ts';

const INACTIVE = refused(403, 'Seller is not active');

describe('permissions', () => {
  onItsOwnGateway();

  describe('roles', () => {
    const MISSING = '00000000-0000-4000-8000-000000000000';
    const READS = ['/transactions', `/transactions/${MISSING}`, '/seller-wallet/gestao', '/webhooks'];

    it.each(['OWNER', 'FINANCE', 'DEVELOPER', 'VIEWER'])('allow %s to read', async (role) => {
      const as = await newKey((await newSeller()).id, role);
      for (const path of READS) {
        expect([200, 404]).toContain((await gateway.get(path, as)).status);
      }
    });

    it.each([
      ['OWNER', true],
      ['DEVELOPER', true],
      ['FINANCE', false],
      ['VIEWER', false],
    ])('allow %s to create transactions and register webhooks: %s', async (role, allowed) => {
      const as = await newKey((await newSeller()).id, role);
      const webhook = { url: 'https://example.com/hook', eventType: 'ALL' };
      const responses = [
        await gateway.charge({}, as),
        await gateway.post('/webhooks', webhook, as),
        await gateway.delete(`/webhooks/${MISSING}`, as),
      ];
      const statuses = responses.map((response) => response.status);
      expect(statuses).toEqual(allowed ? [201, 201, 404] : [403, 403, 403]);
    });

    it('are checked before the body is parsed', async () => {
      const as = await newKey((await newSeller()).id, 'VIEWER');
      expect(resultOf(await gateway.post('/transactions', '{', as))).toEqual(FORBIDDEN);
    });

    it('of operators cannot be given to a seller’s key', async () => {
      const { id } = await newSeller();
      for (const role of ['ADMIN', 'SUPPORT', 'owner', '']) {
        const response = await gateway.post(`/admin/sellers/${id}/api-keys`, { name: 'a', role }, admin);
        expect(response.status).toBe(400);
        expect(response.body.message).toEqual([
          'role must be one of the following values: OWNER, FINANCE, DEVELOPER, VIEWER',
        ]);
      }
    });

    it('of sellers do not include the operator’s routes', async () => {
      const seller = await newSeller();
      const owner: CallOptions = { token: (await login(seller.email)).body.accessToken };
      for (const as of [owner, await newKey(seller.id, 'OWNER')]) {
        expect(resultOf(await gateway.get('/admin/sellers', as))).toEqual(FORBIDDEN);
        expect(resultOf(await gateway.get(`/admin/sellers/${seller.id}`, as))).toEqual(FORBIDDEN);
        expect(
          resultOf(await gateway.patch(`/admin/sellers/${seller.id}`, { requestsPerMinute: 9 }, as)),
        ).toEqual(FORBIDDEN);
        expect(resultOf(await gateway.post('/admin/sellers', {}, as))).toEqual(FORBIDDEN);
        expect(
          resultOf(await gateway.post(`/admin/sellers/${seller.id}/api-keys`, { name: 'a' }, as)),
        ).toEqual(FORBIDDEN);
        expect(resultOf(await gateway.get('/admin/ledger/check', as))).toEqual(FORBIDDEN);
        expect(resultOf(await gateway.post('/sandbox/clock', { advanceSeconds: 1 }, as))).toEqual(FORBIDDEN);
      }
    });

    it('of the operator do not include the sellers’ routes', async () => {
      for (const path of [...READS, '/webhooks/postback-secret'])
        expect(resultOf(await gateway.get(path, admin))).toEqual(FORBIDDEN);
      expect(resultOf(await gateway.charge({}, { ...admin, idempotencyKey: randomUUID() }))).toEqual(
        FORBIDDEN,
      );
      expect(resultOf(await gateway.post(`/sandbox/transactions/${MISSING}/pay`, undefined, admin))).toEqual(
        FORBIDDEN,
      );
    });

    it('of SUPPORT include the operator’s reads and no writes', async () => {
      const email = `${randomUUID()}@example.com`;
      // Creates a SUPPORT user by SQL.
      await gateway.database.query(
        `INSERT INTO users (id, seller_id, name, email, role, password_hash, created_at, updated_at)
       SELECT $1, NULL, 'Colleague', $2, 'SUPPORT', password_hash, created_at, updated_at FROM users
       WHERE email = $3`,
        [randomUUID(), email, gateway.demo.admin.email],
      );
      const support = { token: (await login(email, gateway.demo.admin.password)).body.accessToken };
      const { id } = await newSeller();
      expect((await gateway.get('/admin/sellers', support)).status).toBe(200);
      expect((await gateway.get(`/admin/sellers/${id}`, support)).status).toBe(200);
      expect((await gateway.get('/admin/ledger/check', support)).status).toBe(200);
      expect(resultOf(await gateway.patch(`/admin/sellers/${id}`, { status: 'CLOSED' }, support))).toEqual(
        FORBIDDEN,
      );
      expect(resultOf(await gateway.post('/admin/sellers', {}, support))).toEqual(FORBIDDEN);
      expect(resultOf(await gateway.post(`/admin/sellers/${id}/api-keys`, { name: 'a' }, support))).toEqual(
        FORBIDDEN,
      );
      expect(resultOf(await gateway.post('/sandbox/clock', { advanceSeconds: 1 }, support))).toEqual(
        FORBIDDEN,
      );
    });
  });

  describe('a seller that is not ACTIVE', () => {
    it.each(['PENDING', 'SUSPENDED', 'CLOSED'])(
      'but %s is refused all operations and can still sign in and out',
      async (status) => {
        const seller = await newSeller();
        const key = await newKey(seller.id);
        const before = await gateway.charge({}, key);
        expect(before.status).toBe(201);
        const changed = await gateway.patch(`/admin/sellers/${seller.id}`, { status }, admin);
        expect(changed.body.data.status).toBe(status);

        const signedIn = await login(seller.email);
        expect(signedIn.status).toBe(200);
        const refreshed = await refresh(signedIn.body.refreshToken);
        expect(refreshed.status).toBe(200);
        const token: CallOptions = { token: refreshed.body.token };
        for (const as of [key, token]) {
          expect(resultOf(await gateway.charge({}, as))).toEqual(INACTIVE);
          expect(resultOf(await gateway.get('/transactions', as))).toEqual(INACTIVE);
          expect(resultOf(await gateway.get(`/transactions/${before.body.data.id}`, as))).toEqual(INACTIVE);
          expect(resultOf(await wallet(as))).toEqual(INACTIVE);
          expect(resultOf(await gateway.get('/webhooks', as))).toEqual(INACTIVE);
          expect(resultOf(await gateway.post('/webhooks', {}, as))).toEqual(INACTIVE);
          expect(
            resultOf(await gateway.post(`/sandbox/transactions/${before.body.data.id}/pay`, undefined, as)),
          ).toEqual(INACTIVE);
        }
        expect((await gateway.post('/auth/logout', undefined, token)).status).toBe(200);

        await gateway.patch(`/admin/sellers/${seller.id}`, { status: 'ACTIVE' }, admin);
        expect((await gateway.charge({}, key)).status).toBe(201);
      },
    );

    it('since its creation is refused likewise', async () => {
      const { id } = await newSeller({ status: 'PENDING' });
      expect(resultOf(await gateway.charge({}, await newKey(id)))).toEqual(INACTIVE);
    });
  });

  describe('records of another seller', () => {
    it('return 404, with any credential and any operation', async () => {
      const [one, other] = [await newSeller(), await newSeller()];
      const [mine, foreign] = [await newKey(one.id), await newKey(other.id)];
      const charge = await gateway.charge({}, mine);
      const chargeId: string = charge.body.data.id;
      const webhook = await gateway.post(
        '/webhooks',
        { url: 'https://example.com/hook', eventType: 'ALL' },
        mine,
      );
      const webhookId: string = webhook.body.data.id;
      const signedIn: CallOptions = { token: (await login(other.email)).body.accessToken };
      for (const as of [foreign, signedIn]) {
        expect(resultOf(await gateway.get(`/transactions/${chargeId}`, as))).toEqual(
          refused(404, 'Transaction not found'),
        );
        expect(resultOf(await gateway.post(`/sandbox/transactions/${chargeId}/pay`, undefined, as))).toEqual(
          refused(404, 'Transaction not found'),
        );
        expect(resultOf(await gateway.get(`/webhooks/${webhookId}`, as))).toEqual(
          refused(404, 'Webhook not found'),
        );
        expect(resultOf(await gateway.delete(`/webhooks/${webhookId}`, as))).toEqual(
          refused(404, 'Webhook not found'),
        );
        expect((await gateway.get('/webhooks', as)).body.data).toEqual([]);
        expect((await gateway.get('/transactions', as)).body).toMatchObject({ data: [], count: 0 });
        expect((await wallet(as)).body.data.sellerId).toBe(other.id);
      }
      expect((await gateway.get(`/transactions/${chargeId}`, mine)).body.data.status).toBe('PENDING');
      expect((await gateway.get(`/webhooks/${webhookId}`, mine)).status).toBe(200);
    });
  });

  describe('POST /admin/sellers', () => {
    it('creates a seller with the default limits', async () => {
      const { id } = await newSeller();
      const read = await gateway.get(`/admin/sellers/${id}`, admin);
      expect(read.body.data).toMatchObject({
        id,
        name: 'Loja',
        status: 'ACTIVE',
        requestsPerMinute: 120,
        creationsPerMinute: 60,
      });
    });

    it('rejects an email in use, in any letter case, and creates nothing', async () => {
      const { email } = await newSeller();
      const before = (await gateway.get('/admin/sellers?take=1', admin)).body.count;
      const again = await gateway.post(
        '/admin/sellers',
        {
          name: 'Loja',
          documentType: 'CPF',
          document: '52998224725',
          ownerName: 'Ana',
          ownerEmail: email.toUpperCase(),
          ownerPassword: PASSWORD,
        },
        admin,
      );
      expect(again.status).toBe(422);
      expect((await gateway.get('/admin/sellers?take=1', admin)).body.count).toBe(before);
    });

    it('reports all violations at once', async () => {
      const response = await gateway.post(
        '/admin/sellers',
        {
          name: ' ',
          documentType: 'CPF',
          document: '1',
          ownerEmail: 'a',
          ownerPassword: 'short',
          status: 'OPEN',
        },
        admin,
      );
      expect(response.status).toBe(400);
      expect(response.body.message).toEqual([
        'name should not be empty',
        'document must be 11 digits for CPF',
        'ownerName should not be empty',
        'ownerEmail must be an email',
        'ownerPassword must be longer than or equal to 10 characters',
        'status must be one of the following values: PENDING, ACTIVE, SUSPENDED, CLOSED',
      ]);
    });

    it('rejects a password that its owner could not sign in with', async () => {
      const email = `${randomUUID()}@example.com`;
      const ownerPassword = ' '.repeat(12);
      const body = {
        name: 'Loja',
        documentType: 'CPF',
        document: '52998224725',
        ownerName: 'Ana',
        ownerEmail: email,
        ownerPassword,
      };
      const made = await gateway.post('/admin/sellers', body, admin);
      const signedIn = await login(email, ownerPassword);
      expect([201, 400]).toContain(made.status);
      expect(signedIn.status === 200).toBe(made.status === 201);
    });
  });
});
