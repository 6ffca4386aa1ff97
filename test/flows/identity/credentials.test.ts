import { randomUUID } from 'node:crypto';

import { SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Answer, CallOptions } from '#test/support/client.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { bodyOf } from '#test/support/errors.ts';

/** Known here, so that tests can sign tokens that differ from good ones in one thing. */
const JWT_SECRET = 'a secret of forty characters for tests!!';
const PASSWORD = 'a long enough password';
const NO_CREDENTIAL: CallOptions = { credential: 'none' };

let gateway: TestGateway;
let admin: CallOptions;

/**
 * Anonymous clients' requests and failed sign-ins are counted by address, and everything here comes from one: each group of
 * tests has a gateway of its own, and signs in no more often than it must.
 */
function onItsOwnGateway(): void {
  beforeAll(async () => {
    gateway = await startTestGateway({ environment: { JWT_SECRET } });
    admin = { token: await gateway.adminToken() };
  });
  afterAll(async () => {
    await gateway.stop();
  });
}

interface TestSeller {
  readonly id: string;
  readonly email: string;
}

async function newSeller(changes: Readonly<Record<string, unknown>> = {}): Promise<TestSeller> {
  const email = `${randomUUID()}@example.com`;
  const made = await gateway.post(
    '/admin/sellers',
    {
      name: 'Loja',
      documentType: 'CNPJ',
      document: '11222333000181',
      ownerName: 'Ana Souza',
      ownerEmail: email,
      ownerPassword: PASSWORD,
      ...changes,
    },
    admin,
  );
  expect(made.status).toBe(201);
  return { id: made.body.data.id, email };
}

async function newKey(sellerId: string, role?: string): Promise<CallOptions> {
  const body = { name: 'test', ...(role === undefined ? {} : { role }) };
  const made = await gateway.post(`/admin/sellers/${sellerId}/api-keys`, body, admin);
  expect(made.status).toBe(201);
  return { apiKey: made.body.data.key };
}

const login = (email: string, password = PASSWORD): Promise<Answer> =>
  gateway.post('/login', { email, password }, NO_CREDENTIAL);

const refresh = (refreshToken: string): Promise<Answer> =>
  gateway.post('/auth/refresh', { refreshToken }, NO_CREDENTIAL);

const wallet = (options: CallOptions): Promise<Answer> => gateway.get('/seller-wallet/gestao', options);

const reported = ({ status, body }: Answer) => ({ status, body });
const refused = (statusCode: number, message: string) => ({
  status: statusCode,
  body: bodyOf(statusCode, message),
});
const UNAUTHORIZED = refused(401, 'Unauthorized');
const FORBIDDEN = refused(403, 'Forbidden resource');
const INACTIVE = refused(403, 'Seller is not active');

async function timedLogin(email: string): Promise<{ readonly ms: number; readonly answer: Answer }> {
  const started = performance.now();
  const answer = await login(email, 'not the password');
  return { ms: performance.now() - started, answer };
}

/** How many connections wait for a lock of another. */
async function waiting(): Promise<number> {
  const [row] = await gateway.database.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return row?.count ?? 0;
}

describe('sessions', () => {
  onItsOwnGateway();

  describe('POST /login', () => {
    it('answers tokens and user at the top level, and the token opens (C5)', async () => {
      const { email } = await newSeller();
      const answer = await login(email);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({
        accessToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
        refreshToken: expect.stringMatching(
          /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
        ),
        user: { id: expect.any(String), name: 'Ana Souza', email, role: 'OWNER' },
      });
      expect((await wallet({ token: answer.body.accessToken })).status).toBe(200);
    });

    it('knows an e-mail in any case of letters (C5)', async () => {
      const { email } = await newSeller();
      expect((await login(email.toUpperCase())).status).toBe(200);
    });

    it('answers a wrong password and an unknown e-mail alike, in the same time (C5)', async () => {
      const { email } = await newSeller();
      const [known, unknown] = [[], []] as [number[], number[]];
      for (let i = 0; i < 3; i += 1) {
        const one = await timedLogin(email);
        const other = await timedLogin(`nobody-${i}@example.com`);
        expect(reported(one.answer)).toEqual(refused(401, 'Invalid credentials'));
        expect(reported(other.answer)).toEqual(refused(401, 'Invalid credentials'));
        expect([...one.answer.headers.keys()]).toEqual([...other.answer.headers.keys()]);
        known.push(one.ms);
        unknown.push(other.ms);
      }
      // Checking a password takes some twenty milliseconds, finding nobody less than two: the fastest of each tell.
      expect(Math.min(...unknown)).toBeGreaterThan(Math.min(...known) / 3);
      expect(Math.min(...known)).toBeGreaterThan(Math.min(...unknown) / 3);
    });

    it('keeps no password in the clear (C5)', async () => {
      const rows = await gateway.database.query<{ password_hash: string }>('SELECT password_hash FROM users');
      expect(rows.length).toBeGreaterThan(1);
      for (const row of rows) expect(row.password_hash).toMatch(/^\$argon2id\$/);
    });

    it('is reported what is wrong with its body (C3, C5)', async () => {
      const answer = await gateway.post('/login', { email: 'ana', password: '' }, NO_CREDENTIAL);
      expect(answer.status).toBe(400);
      expect(answer.body.message).toEqual(['email must be an email', 'password should not be empty']);
      const mistyped = await gateway.post(
        '/login',
        { email: ['a@b.co'], password: { $ne: '' } },
        NO_CREDENTIAL,
      );
      expect(mistyped.status).toBe(400);
      expect(mistyped.body.message).toEqual(['email must be a string', 'password must be a string']);
    });
  });

  describe('POST /auth/refresh', () => {
    it('gives the next tokens at the top level and rotates (C5)', async () => {
      const { email } = await newSeller();
      const first = await login(email);
      const second = await refresh(first.body.refreshToken);
      expect(second.status).toBe(200);
      expect(second.body).toEqual({ token: expect.any(String), refreshToken: expect.any(String) });
      expect(second.body.refreshToken).not.toBe(first.body.refreshToken);
      expect((await wallet({ token: second.body.token })).status).toBe(200);
      expect((await refresh(second.body.refreshToken)).status).toBe(200);
    });

    it('ends the whole family when a rotated token comes again, and no other family (C5)', async () => {
      const { email } = await newSeller();
      const [first, elsewhere] = [await login(email), await login(email)];
      const second = await refresh(first.body.refreshToken);
      const third = await refresh(second.body.refreshToken);
      expect(third.status).toBe(200);
      expect(reported(await refresh(first.body.refreshToken))).toEqual(UNAUTHORIZED);
      expect(reported(await refresh(third.body.refreshToken))).toEqual(UNAUTHORIZED);
      expect(reported(await refresh(second.body.refreshToken))).toEqual(UNAUTHORIZED);
      expect((await refresh(elsewhere.body.refreshToken)).status).toBe(200);
    });

    it('lives seven days on the domain’s clock (C5)', async () => {
      const { email } = await newSeller();
      const [early, late] = [await login(email), await login(email)];
      await gateway.advance(7 * 24 * 3600 - 60);
      expect((await refresh(early.body.refreshToken)).status).toBe(200);
      await gateway.advance(61);
      expect(reported(await refresh(late.body.refreshToken))).toEqual(UNAUTHORIZED);
      admin = { token: await gateway.adminToken() };
    });

    it.each(['x', '00000000-0000-4000-8000-000000000000', "' OR 1=1 --"])(
      'knows nothing of %s (C5)',
      async (text) => {
        expect(reported(await refresh(text))).toEqual(UNAUTHORIZED);
      },
    );

    it('keeps no token in the clear (C5)', async () => {
      const { email } = await newSeller();
      const { refreshToken } = (await login(email)).body;
      const rows = await gateway.database.query<{ text: string }>(
        'SELECT t::text AS text FROM refresh_tokens t',
      );
      expect(rows.length).toBeGreaterThan(0);
      const hex = Buffer.from(refreshToken).toString('hex');
      for (const { text } of rows) {
        expect(text).not.toContain(refreshToken);
        expect(text).not.toContain(hex);
      }
    });
  });

  describe('a refresh that something else overtakes', () => {
    // A trigger holds the insertion of the next token until the test lets it go: the one moment between the old
    // token's end and the new one's beginning, which a busy server makes long by itself.
    const GATE = 4711;

    beforeAll(async () => {
      await gateway.database.query(`
      CREATE FUNCTION wait_at_gate() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_advisory_xact_lock_shared(${GATE}); RETURN NEW; END $$`);
      await gateway.database.query(
        'CREATE TRIGGER gate BEFORE INSERT ON refresh_tokens FOR EACH ROW EXECUTE FUNCTION wait_at_gate()',
      );
    });
    afterAll(async () => {
      await gateway.database.query('DROP FUNCTION wait_at_gate CASCADE');
    });

    /** Holds `slow` at the gate, starts `fast`, and opens when `fast` has ended or waits for `slow`. */
    async function overtake(
      slow: () => Promise<Answer>,
      fast: () => Promise<Answer>,
    ): Promise<readonly [Answer, Answer]> {
      await gateway.database.query(`SELECT pg_advisory_lock(${GATE})`);
      let ended = false;
      const slowAnswer = slow();
      await expect.poll(waiting).toBe(1);
      const fastAnswer = fast().finally(() => {
        ended = true;
      });
      await expect.poll(async () => ended || (await waiting()) > 1).toBe(true);
      await gateway.database.query(`SELECT pg_advisory_unlock(${GATE})`);
      return [await slowAnswer, await fastAnswer];
    }

    it('by a replay of its token leaves no token of the family alive (C5)', async () => {
      const { email } = await newSeller();
      const { refreshToken } = (await login(email)).body;
      const [first, replay] = await overtake(
        () => refresh(refreshToken),
        () => refresh(refreshToken),
      );
      expect([first.status, replay.status]).toEqual(expect.arrayContaining([200, 401]));
      const won = first.status === 200 ? first : replay;
      expect(reported(await refresh(won.body.refreshToken))).toEqual(UNAUTHORIZED);
    });

    it('by a logout leaves no token of the user alive (C5)', async () => {
      const { email } = await newSeller();
      const { accessToken, refreshToken } = (await login(email)).body;
      const [refreshed, out] = await overtake(
        () => refresh(refreshToken),
        () => gateway.post('/auth/logout', undefined, { token: accessToken }),
      );
      expect(out.status).toBe(200);
      // Whichever came first: what the refresh answered, if it answered tokens, is worth nothing now.
      expect(reported(await wallet({ token: refreshed.body.token ?? 'none' }))).toEqual(UNAUTHORIZED);
      expect(reported(await refresh(refreshed.body.refreshToken ?? 'none'))).toEqual(UNAUTHORIZED);
    });
  });

  describe('POST /auth/logout', () => {
    it('kills every token of the user at once, and of nobody else (C5)', async () => {
      const [one, other] = [await newSeller(), await newSeller()];
      const [here, there, bystander] = [
        await login(one.email),
        await login(one.email),
        await login(other.email),
      ];
      // Used a moment before, so that whatever the gateway remembers of them is fresh.
      for (const { body } of [here, there])
        expect((await wallet({ token: body.accessToken })).status).toBe(200);
      const out = await gateway.post('/auth/logout', undefined, { token: here.body.accessToken });
      expect(out.status).toBe(200);
      expect(out.body).toEqual({ status: true, data: {} });
      for (const { body } of [here, there]) {
        expect(reported(await wallet({ token: body.accessToken }))).toEqual(UNAUTHORIZED);
        expect(reported(await refresh(body.refreshToken))).toEqual(UNAUTHORIZED);
      }
      expect(
        reported(await gateway.post('/auth/logout', undefined, { token: here.body.accessToken })),
      ).toEqual(UNAUTHORIZED);
      expect((await wallet({ token: bystander.body.accessToken })).status).toBe(200);
      expect((await refresh(bystander.body.refreshToken)).status).toBe(200);
      const again = await login(one.email);
      expect((await wallet({ token: again.body.accessToken })).status).toBe(200);
    });

    it('is for users: nobody and an API key have no session to end (C5)', async () => {
      expect(reported(await gateway.post('/auth/logout', undefined, NO_CREDENTIAL))).toEqual(UNAUTHORIZED);
      const { id } = await newSeller();
      expect((await gateway.post('/auth/logout', undefined, await newKey(id))).status).toBe(403);
    });
  });
});

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
      readonly expiresIn?: number | null;
    }

    /** A token as the gateway signs it, but for the parts that are given. */
    async function forge(parts: Parts): Promise<string> {
      const now = Math.floor(Date.now() / 1000) + clockAhead;
      const token = new SignJWT({
        gen: 'generation' in parts ? parts.generation : 0,
        sid: 'session' in parts ? parts.session : sessionId,
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
    let clockAhead: number;

    beforeAll(async () => {
      const { email } = await newSeller();
      const { accessToken, user } = (await login(email)).body;
      userId = user.id;
      good = accessToken;
      const claims = JSON.parse(Buffer.from(good.split('.')[1] ?? '', 'base64url').toString('utf8'));
      issuer = claims.iss;
      sessionId = claims.sid;
      clockAhead = claims.iat - Math.floor(Date.now() / 1000);
    });

    it('lives an hour and says nothing personal (C5)', () => {
      const claims = JSON.parse(Buffer.from(good.split('.')[1] ?? '', 'base64url').toString('utf8'));
      expect(claims.exp - claims.iat).toBe(3600);
      expect(Object.keys(claims).toSorted()).toEqual(['exp', 'gen', 'iat', 'iss', 'jti', 'sid', 'sub']);
    });

    it('that is signed like a good one opens: the tests below differ from it in one thing (C5)', async () => {
      expect((await wallet({ token: await forge({}) })).status).toBe(200);
    });

    it.each<readonly [string, Parts]>([
      ['with another secret', { secret: 'another secret of forty characters!!!!!!' }],
      ['with an empty generation', { generation: undefined }],
      ['of a later generation', { generation: 1 }],
      ['of a generation in quotes', { generation: '0' }],
      ['that has expired', { expiresIn: -1 }],
      ['that expires just now', { expiresIn: 0 }],
      ['that never expires', { expiresIn: null }],
      ['of another issuer', { issuer: 'somebody' }],
      ['of nobody', { subject: randomUUID() }],
      ['of no session', { session: undefined }],
      ['of a session that is none', { session: randomUUID() }],
      ['of a session that is no id', { session: 1 }],
      ['of a subject that is no id', { subject: 'admin' }],
      ['by another algorithm', { algorithm: 'HS512' }],
    ])('%s is 401 (C5)', async (_name, parts) => {
      expect(reported(await wallet({ token: await forge(parts) }))).toEqual(UNAUTHORIZED);
    });

    it('without a signature is 401 (C5)', async () => {
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
        expect(reported(await wallet({ token }))).toEqual(UNAUTHORIZED);
      }
    });

    it('whose claims were changed is 401 (C5)', async () => {
      const [header, payload = '', signature] = good.split('.');
      const claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
      const changed = Buffer.from(JSON.stringify({ ...claims, exp: claims.exp + 1 })).toString('base64url');
      expect(reported(await wallet({ token: `${header}.${changed}.${signature}` }))).toEqual(UNAUTHORIZED);
    });

    it.each(['Basic YTpi', 'Bearer', 'Bearer ', 'bearer', 'Token x', 'Bearer a b', 'null'])(
      'in the form %j is 401 (C5)',
      async (authorization) => {
        expect(reported(await wallet({ ...NO_CREDENTIAL, headers: { authorization } }))).toEqual(
          UNAUTHORIZED,
        );
      },
    );

    it('expires after an hour on the domain’s clock (C5)', async () => {
      const { email } = await newSeller();
      const { accessToken } = (await login(email)).body;
      await gateway.advance(3590);
      expect((await wallet({ token: accessToken })).status).toBe(200);
      await gateway.advance(11);
      expect(reported(await wallet({ token: accessToken }))).toEqual(UNAUTHORIZED);
      admin = { token: await gateway.adminToken() };
    });
  });

  describe('an API key', () => {
    it('is made by the operator, shown once, and opens (C5, C13)', async () => {
      const { id } = await newSeller();
      const made = await gateway.post(`/admin/sellers/${id}/api-keys`, { name: 'loja' }, admin);
      expect(made.status).toBe(201);
      const { data } = made.body;
      expect(data).toMatchObject({ id: expect.any(String), name: 'loja' });
      expect(data.key).toMatch(/^sk_test_[0-9A-Za-z]{49}$/);
      expect(data.key.startsWith(data.prefix)).toBe(true);
      const answer = await wallet({ apiKey: data.key });
      expect(answer.status).toBe(200);
      expect(answer.body.data.sellerId).toBe(id);
    });

    it('is kept as its hash alone (C5)', async () => {
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

    it('that is mistyped, another mode’s, empty or sent twice is 401 (C5)', async () => {
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
        expect(reported(await wallet({ apiKey: wrong }))).toEqual(UNAUTHORIZED);
      }
    });

    it('counts where a token is sent too (C5)', async () => {
      const [one, other] = [await newSeller(), await newSeller()];
      const { apiKey = '' } = await newKey(one.id);
      const { accessToken } = (await login(other.email)).body;
      const both = await wallet({ token: accessToken, headers: { 'x-api-key': apiKey } });
      expect(both.body.data.sellerId).toBe(one.id);
      const badToken = await wallet({ token: 'x.y.z', headers: { 'x-api-key': apiKey } });
      expect(badToken.status).toBe(200);
      expect(
        reported(await wallet({ token: accessToken, headers: { 'x-api-key': 'sk_test_wrong' } })),
      ).toEqual(UNAUTHORIZED);
      expect(
        reported(await gateway.get('/admin/sellers', { ...admin, headers: { 'x-api-key': apiKey } })),
      ).toEqual(FORBIDDEN);
    });

    it('of a seller that is nowhere is not made (C13)', async () => {
      for (const id of [randomUUID(), 'x']) {
        const answer = await gateway.post(`/admin/sellers/${id}/api-keys`, { name: 'a' }, admin);
        expect(answer.status).toBe(404);
      }
    });
  });

  describe('no credential', () => {
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
    ])('opens nothing: %s %s is 401 (C5)', async (method, path) => {
      expect(reported(await gateway.call(method, path, undefined, NO_CREDENTIAL))).toEqual(UNAUTHORIZED);
    });
  });
});

describe('rights', () => {
  onItsOwnGateway();

  describe('roles', () => {
    const MISSING = '00000000-0000-4000-8000-000000000000';
    const READS = ['/transactions', `/transactions/${MISSING}`, '/seller-wallet/gestao', '/webhooks'];

    it.each(['OWNER', 'FINANCE', 'DEVELOPER', 'VIEWER'])('%s reads (C5)', async (role) => {
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
    ])('%s charges and registers webhooks: %s (C5)', async (role, allowed) => {
      const as = await newKey((await newSeller()).id, role);
      const webhook = { url: 'https://example.com/hook', eventType: 'ALL' };
      const answers = [
        await gateway.charge({}, as),
        await gateway.post('/webhooks', webhook, as),
        await gateway.get('/webhooks/postback-secret', as),
        await gateway.delete(`/webhooks/${MISSING}`, as),
      ];
      const statuses = answers.map((answer) => answer.status);
      expect(statuses).toEqual(allowed ? [201, 201, 200, 404] : [403, 403, 403, 403]);
    });

    it('are reported before the body is looked at (C3, C5)', async () => {
      const as = await newKey((await newSeller()).id, 'VIEWER');
      expect(reported(await gateway.post('/transactions', '{', as))).toEqual(FORBIDDEN);
    });

    it('that nobody has cannot be given (C5)', async () => {
      const { id } = await newSeller();
      for (const role of ['ADMIN', 'SUPPORT', 'owner', '']) {
        const answer = await gateway.post(`/admin/sellers/${id}/api-keys`, { name: 'a', role }, admin);
        expect(answer.status).toBe(400);
        expect(answer.body.message).toEqual([
          'role must be one of the following values: OWNER, FINANCE, DEVELOPER, VIEWER',
        ]);
      }
    });

    it('of sellers do not open the operator’s routes (C5, C13)', async () => {
      const seller = await newSeller();
      const owner: CallOptions = { token: (await login(seller.email)).body.accessToken };
      for (const as of [owner, await newKey(seller.id, 'OWNER')]) {
        expect(reported(await gateway.get('/admin/sellers', as))).toEqual(FORBIDDEN);
        expect(reported(await gateway.get(`/admin/sellers/${seller.id}`, as))).toEqual(FORBIDDEN);
        expect(
          reported(await gateway.patch(`/admin/sellers/${seller.id}`, { requestsPerMinute: 9 }, as)),
        ).toEqual(FORBIDDEN);
        expect(reported(await gateway.post('/admin/sellers', {}, as))).toEqual(FORBIDDEN);
        expect(
          reported(await gateway.post(`/admin/sellers/${seller.id}/api-keys`, { name: 'a' }, as)),
        ).toEqual(FORBIDDEN);
        expect(reported(await gateway.get('/admin/ledger/check', as))).toEqual(FORBIDDEN);
        expect(reported(await gateway.post('/sandbox/clock', { advanceSeconds: 1 }, as))).toEqual(FORBIDDEN);
      }
    });

    it('of the operator do not open the sellers’ routes (C5, C13)', async () => {
      for (const path of [...READS, '/webhooks/postback-secret'])
        expect(reported(await gateway.get(path, admin))).toEqual(FORBIDDEN);
      expect(reported(await gateway.charge({}, { ...admin, idempotencyKey: randomUUID() }))).toEqual(
        FORBIDDEN,
      );
      expect(reported(await gateway.post(`/sandbox/transactions/${MISSING}/pay`, undefined, admin))).toEqual(
        FORBIDDEN,
      );
    });

    it('SUPPORT reads what the operator reads and changes nothing (C5, C13)', async () => {
      const email = `${randomUUID()}@example.com`;
      // Until there is a route for it, a colleague of the operator is made as an auditor would: by SQL.
      await gateway.database.query(
        `INSERT INTO users (id, seller_id, name, email, role, password_hash, created_at, updated_at)
       SELECT $1, NULL, 'Colleague', $2, 'SUPPORT', password_hash, created_at, updated_at FROM users WHERE email = $3`,
        [randomUUID(), email, gateway.demo.admin.email],
      );
      const support = { token: (await login(email, gateway.demo.admin.password)).body.accessToken };
      const { id } = await newSeller();
      expect((await gateway.get('/admin/sellers', support)).status).toBe(200);
      expect((await gateway.get(`/admin/sellers/${id}`, support)).status).toBe(200);
      expect((await gateway.get('/admin/ledger/check', support)).status).toBe(200);
      expect(reported(await gateway.patch(`/admin/sellers/${id}`, { status: 'CLOSED' }, support))).toEqual(
        FORBIDDEN,
      );
      expect(reported(await gateway.post('/admin/sellers', {}, support))).toEqual(FORBIDDEN);
      expect(reported(await gateway.post(`/admin/sellers/${id}/api-keys`, { name: 'a' }, support))).toEqual(
        FORBIDDEN,
      );
      expect(reported(await gateway.post('/sandbox/clock', { advanceSeconds: 1 }, support))).toEqual(
        FORBIDDEN,
      );
    });
  });

  describe('a seller that is not ACTIVE', () => {
    it.each(['PENDING', 'SUSPENDED', 'CLOSED'])(
      'but %s operates nothing and can still sign in and out (C5)',
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
          expect(reported(await gateway.charge({}, as))).toEqual(INACTIVE);
          expect(reported(await gateway.get('/transactions', as))).toEqual(INACTIVE);
          expect(reported(await gateway.get(`/transactions/${before.body.data.id}`, as))).toEqual(INACTIVE);
          expect(reported(await wallet(as))).toEqual(INACTIVE);
          expect(reported(await gateway.get('/webhooks', as))).toEqual(INACTIVE);
          expect(reported(await gateway.post('/webhooks', {}, as))).toEqual(INACTIVE);
          expect(
            reported(await gateway.post(`/sandbox/transactions/${before.body.data.id}/pay`, undefined, as)),
          ).toEqual(INACTIVE);
        }
        expect((await gateway.post('/auth/logout', undefined, token)).status).toBe(200);

        await gateway.patch(`/admin/sellers/${seller.id}`, { status: 'ACTIVE' }, admin);
        expect((await gateway.charge({}, key)).status).toBe(201);
      },
    );

    it('from the start is refused likewise (C5, C13)', async () => {
      const { id } = await newSeller({ status: 'PENDING' });
      expect(reported(await gateway.charge({}, await newKey(id)))).toEqual(INACTIVE);
    });
  });

  describe('another seller’s records', () => {
    it('are not found, by any credential and under any operation (C5)', async () => {
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
        expect(reported(await gateway.get(`/transactions/${chargeId}`, as))).toEqual(
          refused(404, 'Transaction not found'),
        );
        expect(reported(await gateway.post(`/sandbox/transactions/${chargeId}/pay`, undefined, as))).toEqual(
          refused(404, 'Transaction not found'),
        );
        expect(reported(await gateway.get(`/webhooks/${webhookId}`, as))).toEqual(
          refused(404, 'Webhook not found'),
        );
        expect(reported(await gateway.delete(`/webhooks/${webhookId}`, as))).toEqual(
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
    it('makes a seller with the limits of a new one (C6, C13)', async () => {
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

    it('refuses an e-mail that is in use, in any case of letters, and then makes nothing (C13)', async () => {
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

    it('is reported all that is wrong at once (C3, C13)', async () => {
      const answer = await gateway.post(
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
      expect(answer.status).toBe(400);
      expect(answer.body.message).toEqual([
        'name should not be empty',
        'document must be 11 digits for CPF',
        'ownerName should not be empty',
        'ownerEmail must be an email',
        'ownerPassword must be longer than or equal to 8 characters',
        'status must be one of the following values: PENDING, ACTIVE, SUSPENDED, CLOSED',
      ]);
    });

    it('takes no password that its owner cannot sign in with (C5, C13)', async () => {
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
