import { randomUUID } from 'node:crypto';
import { SignJWT, UnsecuredJWT } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  JWT_SECRET,
  NO_CREDENTIAL,
  gateway,
  admin,
  onItsOwnGateway,
  newSeller,
  newKey,
  login,
  wallet,
  resultOf,
  UNAUTHORIZED,
  FORBIDDEN,
  renewAdmin,
} from './credentials-setup.ts';

describe('credentials', () => {
  onItsOwnGateway();

  describe('an access token', () => {
    let userId: string;
    let good: string;

    interface Parts {
      readonly secret?: string;
      readonly algorithm?: string;
      readonly issuer?: string;
      readonly subject?: string;
      readonly generation?: unknown;
      readonly session?: unknown;
      readonly seller?: unknown;
      readonly browser?: unknown;
      readonly expiresIn?: number | null;
    }

    /** A token as the gateway signs it, except for the given parts. */
    async function forge(parts: Parts): Promise<string> {
      const now = Math.floor(Date.now() / 1000) + clockAhead;
      const token = new SignJWT({
        gen: 'generation' in parts ? parts.generation : 0,
        sid: 'session' in parts ? parts.session : sessionId,
        seller: 'seller' in parts ? parts.seller : sellerId,
        browser: 'browser' in parts ? parts.browser : false,
      })
        .setProtectedHeader({ alg: parts.algorithm ?? 'HS256' })
        .setIssuer(parts.issuer ?? issuer)
        .setSubject(parts.subject ?? userId)
        .setIssuedAt(now);
      if (parts.expiresIn !== null) token.setExpirationTime(now + (parts.expiresIn ?? 3600));
      return token.sign(new TextEncoder().encode(parts.secret ?? JWT_SECRET));
    }
    let issuer: string;
    let sessionId: string;
    let sellerId: string;
    let clockAhead: number;

    beforeAll(async () => {
      const { id, email } = await newSeller();
      const { accessToken, user } = (await login(email)).body;
      sellerId = id;
      userId = user.id;
      good = accessToken;
      const claims = JSON.parse(Buffer.from(good.split('.')[1] ?? '', 'base64url').toString('utf8'));
      issuer = claims.iss;
      sessionId = claims.sid;
      clockAhead = claims.iat - Math.floor(Date.now() / 1000);
    });

    it('expires after an hour and contains no personal data', () => {
      const claims = JSON.parse(Buffer.from(good.split('.')[1] ?? '', 'base64url').toString('utf8'));
      expect(claims.exp - claims.iat).toBe(3600);
      expect(claims).toEqual({
        exp: expect.any(Number),
        gen: 0,
        iat: expect.any(Number),
        iss: issuer,
        jti: expect.any(String),
        seller: sellerId,
        sid: sessionId,
        sub: userId,
        browser: false,
      });
    });

    it('forged with the right secret is accepted, so that the next tests change one property', async () => {
      expect((await wallet({ token: await forge({}) })).status).toBe(200);
    });

    it.each<readonly [string, Parts]>([
      ['with another secret', { secret: 'another secret of forty characters!!!!!!' }],
      ['with an empty generation', { generation: undefined }],
      ['of a later generation', { generation: 1 }],
      ['with a generation in quotes', { generation: '0' }],
      ['that has expired', { expiresIn: -1 }],
      ['that expires now', { expiresIn: 0 }],
      ['that never expires', { expiresIn: null }],
      ['of another issuer', { issuer: 'somebody' }],
      ['of an unknown user', { subject: randomUUID() }],
      ['without a session', { session: undefined }],
      ['of an unknown session', { session: randomUUID() }],
      ['with a malformed session id', { session: 1 }],
      ['with a malformed subject', { subject: 'admin' }],
      ['without a seller', { seller: undefined }],
      ['with a malformed seller id', { seller: 'x' }],
      ['without the browser claim', { browser: undefined }],
      ['with another algorithm', { algorithm: 'HS512' }],
    ])('%s is rejected with 401', async (_name, parts) => {
      expect(resultOf(await wallet({ token: await forge(parts) }))).toEqual(UNAUTHORIZED);
    });

    it('without a signature is rejected with 401', async () => {
      const none = new UnsecuredJWT({ gen: 0 })
        .setIssuer(issuer)
        .setSubject(userId)
        .setIssuedAt()
        .setExpirationTime('100 days')
        .encode();
      const [header, payload] = good.split('.');
      for (const token of [
        none,
        `${header}.${payload}.`,
        `${header}.${payload}`,
        good.slice(0, -2),
        `${good}x`,
      ]) {
        expect(resultOf(await wallet({ token }))).toEqual(UNAUTHORIZED);
      }
    });

    it('with changed claims is rejected with 401', async () => {
      const [header, payload = '', signature] = good.split('.');
      const claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
      const changed = Buffer.from(JSON.stringify({ ...claims, exp: claims.exp + 1 })).toString('base64url');
      expect(resultOf(await wallet({ token: `${header}.${changed}.${signature}` }))).toEqual(UNAUTHORIZED);
    });

    it.each(['Basic YTpi', 'Bearer', 'Bearer ', 'bearer', 'Token x', 'Bearer a b', 'null'])(
      'in the form %j is rejected with 401',
      async (authorization) => {
        expect(resultOf(await wallet({ ...NO_CREDENTIAL, headers: { authorization } }))).toEqual(
          UNAUTHORIZED,
        );
      },
    );

    it('expires after an hour on the domain clock', async () => {
      const { email } = await newSeller();
      const { accessToken } = (await login(email)).body;
      await gateway.advance(3590);
      expect((await wallet({ token: accessToken })).status).toBe(200);
      await gateway.advance(11);
      expect(resultOf(await wallet({ token: accessToken }))).toEqual(UNAUTHORIZED);
      await renewAdmin();
    });
  });

  describe('an API key', () => {
    it('is created by the operator, shown once, and accepted', async () => {
      const { id } = await newSeller();
      const made = await gateway.post(`/admin/sellers/${id}/api-keys`, { name: 'loja' }, admin);
      expect(made.status).toBe(201);
      const { data } = made.body;
      expect(data).toMatchObject({ id: expect.any(String), name: 'loja' });
      expect(data.key).toMatch(/^sk_test_[0-9A-Za-z]{49}$/);
      expect(data.key.startsWith(data.prefix)).toBe(true);
      const response = await wallet({ apiKey: data.key });
      expect(response.status).toBe(200);
      expect(response.body.data.sellerId).toBe(id);
    });

    it('is stored only as a hash', async () => {
      const { id } = await newSeller();
      const { apiKey = '' } = await newKey(id);
      const rows = await gateway.database.query<{ text: string }>(
        'SELECT k::text AS text FROM api_keys k WHERE seller_id = $1',
        [id],
      );
      expect(rows).toHaveLength(1);
      expect(rows[0]?.text).not.toContain(apiKey);
      expect(rows[0]?.text).not.toContain(apiKey.slice(20));
      expect(rows[0]?.text).not.toContain(Buffer.from(apiKey).toString('hex'));
    });

    it('that is mistyped, of another mode, empty or sent twice is rejected with 401', async () => {
      const { apiKey = '' } = await newKey((await newSeller()).id);
      const other = apiKey.endsWith('a') ? 'b' : 'a';
      for (const wrong of [
        apiKey.slice(0, -1) + other,
        apiKey.slice(0, -1),
        apiKey.replace('sk_test_', 'sk_live_'),
        apiKey.toLowerCase(),
        `${apiKey}, ${apiKey}`,
        '',
        'x',
      ]) {
        expect(resultOf(await wallet({ apiKey: wrong }))).toEqual(UNAUTHORIZED);
      }
    });

    it('takes precedence over a token', async () => {
      const [one, other] = [await newSeller(), await newSeller()];
      const { apiKey = '' } = await newKey(one.id);
      const { accessToken } = (await login(other.email)).body;
      const both = await wallet({ token: accessToken, headers: { 'x-api-key': apiKey } });
      expect(both.body.data.sellerId).toBe(one.id);
      const badToken = await wallet({ token: 'x.y.z', headers: { 'x-api-key': apiKey } });
      expect(badToken.status).toBe(200);
      expect(
        resultOf(await wallet({ token: accessToken, headers: { 'x-api-key': 'sk_test_wrong' } })),
      ).toEqual(UNAUTHORIZED);
      expect(
        resultOf(await gateway.get('/admin/sellers', { ...admin, headers: { 'x-api-key': apiKey } })),
      ).toEqual(FORBIDDEN);
    });

    it('is not created for an unknown seller', async () => {
      for (const id of [randomUUID(), 'x']) {
        const response = await gateway.post(`/admin/sellers/${id}/api-keys`, { name: 'a' }, admin);
        expect(response.status).toBe(404);
      }
    });
  });

  describe('a missing credential', () => {
    it.each([
      ['GET', '/transactions'],
      ['GET', '/transactions/00000000-0000-4000-8000-000000000000'],
      ['POST', '/transactions'],
      ['GET', '/seller-wallet/gestao'],
      ['GET', '/webhooks'],
      ['POST', '/webhooks'],
      ['GET', '/webhooks/postback-secret'],
      ['DELETE', '/webhooks/00000000-0000-4000-8000-000000000000'],
      ['POST', '/sandbox/transactions/00000000-0000-4000-8000-000000000000/pay'],
      ['POST', '/sandbox/clock'],
      ['GET', '/admin/sellers'],
      ['POST', '/admin/sellers'],
      ['GET', '/admin/ledger/check'],
    ])('is rejected with 401 by %s %s', async (method, path) => {
      expect(resultOf(await gateway.call(method, path, undefined, NO_CREDENTIAL))).toEqual(UNAUTHORIZED);
    });
  });
});
