import { createHash, randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { errorBody } from '#test/support/errors.ts';

let gateway: TestGateway;
let admin: { readonly token: string };
let support: { readonly token: string };

beforeAll(async () => {
  gateway = await startTestGateway();
  admin = { token: await gateway.adminToken() };
  const user = { name: 'Suporte', email: 'suporte@example.com', password: 'a long password' };
  await gateway.post('/admin/users', { ...user, role: 'SUPPORT' }, admin);
  support = { token: await signIn(user.email, user.password) };
});
afterAll(async () => {
  await gateway.stop();
});

async function signIn(email: string, password: string): Promise<string> {
  const response = await gateway.post('/login', { email, password }, { credential: 'none' });
  expect(response.status).toBe(200);
  return String(response.body.accessToken);
}

const wanted = (changes: Readonly<Record<string, unknown>> = {}) => ({
  name: 'Padaria Sol',
  documentType: 'CNPJ',
  document: '11222333000181',
  ownerName: 'Bia Lima',
  ownerEmail: `${randomUUID()}@example.com`,
  ownerPassword: 'a long password',
  ...changes,
});

async function newSeller(changes: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const made = await gateway.post('/admin/sellers', wanted(changes), admin);
  expect(made.status).toBe(201);
  return String(made.body.data.id);
}

async function newKey(sellerId: string, role?: string): Promise<string> {
  const body = role === undefined ? { name: 'test' } : { name: 'test', role };
  const made = await gateway.post(`/admin/sellers/${sellerId}/api-keys`, body, admin);
  expect(made.status).toBe(201);
  return String(made.body.data.key);
}

const sellerMissing = errorBody('seller_not_found');
const forbidden = errorBody('permission_denied');

describe('a new seller', () => {
  it('is returned with its limits and masked document, without a password', async () => {
    const body = wanted();
    const response = await gateway.post('/admin/sellers', body, admin);
    expect(response.status).toBe(201);
    const { id, createdAt, updatedAt, ...seller } = response.body.data;
    expect(seller).toEqual({
      name: 'Padaria Sol',
      documentType: 'CNPJ',
      document: '**.222.333/****-**',
      status: 'ACTIVE',
      requestsPerMinute: 120,
      creationsPerMinute: 60,
      boletoDelayDays: 1,
      cardDelayDays: 30,
      autoApproveUpTo: 0,
      negativeBalanceUpTo: 0,
      chargebackFee: 0,
    });
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Math.abs(Date.parse(createdAt) - Date.now())).toBeLessThan(60_000);
    expect(updatedAt).toBe(createdAt);
    expect(response.text).not.toContain(body.ownerPassword);
    expect(response.text).not.toContain(body.document);
    expect((await gateway.get(`/admin/sellers/${id}`, admin)).body).toEqual(response.body);
  });

  it('with a CPF has it masked', async () => {
    const made = wanted({ documentType: 'CPF', document: '52998224725' });
    const response = await gateway.post('/admin/sellers', made, admin);
    expect(response.body.data).toMatchObject({ documentType: 'CPF', document: '***.982.247-**' });
  });

  it('can create transactions at once, with the default fees and an empty wallet', async () => {
    const body = wanted();
    const { id } = (await gateway.post('/admin/sellers', body, admin)).body.data;
    const token = await signIn(body.ownerEmail, body.ownerPassword);
    const wallet = await gateway.get('/seller-wallet/gestao', { token });
    expect(wallet.body.data).toMatchObject({ sellerId: id, totalBalance: 0 });
    const created = await gateway.charge({ amount: 10_000 }, { token });
    expect(created.status).toBe(201);
    expect(created.body.data.feeAmount).toBe(99);
  });

  it('has its password stored only as an argon2id hash', async () => {
    const body = wanted({ ownerPassword: 'correct horse battery' });
    await gateway.post('/admin/sellers', body, admin);
    const rows = await gateway.database.query<{ row: string; password_hash: string }>(
      'SELECT users::text AS row, password_hash FROM users WHERE email = $1',
      [body.ownerEmail],
    );
    expect(rows[0]?.password_hash).toMatch(/^\$argon2id\$/);
    expect(rows[0]?.row).not.toContain('correct horse');
  });

  it.each(['PENDING', 'ACTIVE', 'SUSPENDED', 'CLOSED'])('may be created as %s', async (status) => {
    const response = await gateway.post('/admin/sellers', wanted({ status }), admin);
    expect(response.status).toBe(201);
    expect(response.body.data.status).toBe(status);
  });

  it('requires every field, and violations are reported in order', async () => {
    const response = await gateway.post('/admin/sellers', {}, admin);
    expect(response.status).toBe(400);
    expect(response.body.error).toBe('Bad Request');
    expect(response.body.message).toEqual([
      'name should not be empty',
      'documentType must be one of the following values: CPF, CNPJ',
      'document must be a string',
      'ownerName should not be empty',
      'ownerEmail must be an email',
    ]);
  });

  it.each([
    [{ name: '  ' }, 'name should not be empty'],
    [{ name: '\u200b\u202e' }, 'name should not be empty'],
    [{ name: '🙂' }, 'name must contain a letter or a digit'],
    [{ ownerName: '\u200b' }, 'ownerName should not be empty'],
    [{ name: 5 }, 'name must be a string'],
    [{ documentType: 'RG' }, 'documentType must be one of the following values: CPF, CNPJ'],
    [{ document: '123' }, 'document must be 14 digits for CNPJ'],
    [{ documentType: 'CPF' }, 'document must be 11 digits for CPF'],
    [{ document: '11.222.333/000' }, 'document must be 14 digits for CNPJ'],
    [{ ownerName: '' }, 'ownerName should not be empty'],
    [{ ownerEmail: 'nobody' }, 'ownerEmail must be an email'],
    [{ ownerPassword: 'short' }, 'ownerPassword must be longer than or equal to 10 characters'],
    [{ ownerPassword: 'password1234' }, 'ownerPassword is too common'],
    [{ ownerName: 'Quitéria Maria', ownerPassword: 'quiteria2026' }, 'ownerPassword is too common'],
    [{ status: 'OPEN' }, 'status must be one of the following values: PENDING, ACTIVE, SUSPENDED, CLOSED'],
  ])('is rejected with %j', async (changes, message) => {
    const before = (await gateway.get('/admin/sellers', admin)).body.count;
    const response = await gateway.post('/admin/sellers', wanted(changes), admin);
    expect(response.status).toBe(400);
    expect(response.body.message).toEqual([message]);
    expect((await gateway.get('/admin/sellers', admin)).body.count).toBe(before);
  });
});

describe('an email in use', () => {
  it.each([
    ['in the same case', (email: string) => email],
    ['in upper case', (email: string) => email.toUpperCase()],
  ])('is rejected %s, and nothing of the seller is stored', async (_name, spell) => {
    const body = wanted();
    await gateway.post('/admin/sellers', body, admin);
    const before = await rowCounts();
    const response = await gateway.post(
      '/admin/sellers',
      wanted({ ownerEmail: spell(body.ownerEmail) }),
      admin,
    );
    expect(response.status).toBe(422);
    expect(response.body).toEqual(errorBody('email_taken'));
    expect(await rowCounts()).toEqual(before);
  });

  it('is rejected if it belongs to the operator', async () => {
    const response = await gateway.post(
      '/admin/sellers',
      wanted({ ownerEmail: 'suporte@example.com' }),
      admin,
    );
    expect(response.status).toBe(422);
  });

  it('is accepted from one of several concurrent requests', async () => {
    const before = await rowCounts();
    const ownerEmail = `${randomUUID()}@example.com`;
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => gateway.post('/admin/sellers', wanted({ ownerEmail }), admin)),
    );
    expect(responses.map((response) => response.status).toSorted((a, b) => a - b)).toEqual([
      201,
      ...Array<number>(7).fill(422),
    ]);
    const after = await rowCounts();
    expect(after).toEqual({
      sellers: before.sellers + 1,
      users: before.users + 1,
      fee_schedules: before.fee_schedules + 1,
      wallets: before.wallets + 3,
    });
  });

  interface Counts {
    readonly sellers: number;
    readonly users: number;
    readonly fee_schedules: number;
    readonly wallets: number;
  }

  async function rowCounts(): Promise<Counts> {
    const rows = await gateway.database.query<Counts & { readonly [name: string]: number }>(`SELECT
      (SELECT count(*)::integer FROM sellers) AS sellers, (SELECT count(*)::integer FROM users) AS users,
      (SELECT count(*)::integer FROM fee_schedules) AS fee_schedules,
      (SELECT count(*)::integer FROM wallets) AS wallets`);
    const [counts] = rows;
    if (counts === undefined) throw new Error('no counts');
    return counts;
  }
});

describe('the list of sellers', () => {
  it('is newest first, paginated, with each seller once during concurrent creations', async () => {
    const made: string[] = [];
    for (let index = 0; index < 7; index += 1) made.push(await newSeller({ name: `Loja ${index}` }));
    const first = await gateway.get('/admin/sellers?take=3', admin);
    const total = first.body.count;
    expect(first.body.data.map((seller: { id: string }) => seller.id)).toEqual(made.toReversed().slice(0, 3));

    const seen = [...first.body.data];
    let cursor: string | null = first.body.nextCursor;
    while (cursor !== null) {
      await newSeller({ name: 'Made meanwhile' });
      const page = await gateway.get(`/admin/sellers?take=3&cursor=${cursor}`, admin);
      expect(page.status).toBe(200);
      seen.push(...page.body.data);
      cursor = page.body.nextCursor;
    }
    const ids = seen.map((seller: { id: string }) => seller.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(total);
    expect(ids.toSorted().toReversed()).toEqual(ids);
    for (const { document } of seen) expect(document).toContain('***');
  });

  it.each([
    ['take=0', 'take must not be less than 1'],
    ['take=101', 'take must not be greater than 100'],
    ['take=x', 'take must be an integer number'],
    ['skip=-1', 'skip must not be less than 0'],
    ['skip=100001', 'skip must not be greater than 100000'],
  ])('rejects %s', async (query, message) => {
    const response = await gateway.get(`/admin/sellers?${query}`, admin);
    expect(response.status).toBe(400);
    expect(response.body.message).toEqual([message]);
  });
});

describe('changes of a seller', () => {
  it('apply only the given fields', async () => {
    const id = await newSeller();
    const before = (await gateway.get(`/admin/sellers/${id}`, admin)).body.data;
    const limits = {
      status: 'SUSPENDED',
      requestsPerMinute: 1200,
      creationsPerMinute: 600,
      boletoDelayDays: 2,
      cardDelayDays: 14,
      autoApproveUpTo: 500_000,
      negativeBalanceUpTo: 10_000,
      chargebackFee: 250,
    };
    for (const [name, value] of Object.entries(limits)) {
      const changed = await gateway.patch(`/admin/sellers/${id}`, { [name]: value }, admin);
      expect(changed.status).toBe(200);
      expect(changed.body.data).toEqual({
        ...before,
        ...Object.fromEntries(Object.entries(limits).slice(0, Object.keys(limits).indexOf(name) + 1)),
        updatedAt: changed.body.data.updatedAt,
      });
      expect(Date.parse(changed.body.data.updatedAt)).toBeGreaterThanOrEqual(Date.parse(before.createdAt));
    }
    const after = await gateway.get(`/admin/sellers/${id}`, admin);
    expect(after.body.data).toMatchObject({ ...limits, name: before.name, document: before.document });
  });

  it('ignore fields that cannot be changed', async () => {
    const id = await newSeller();
    const other = randomUUID();
    const changes = { id: other, name: 'Outra', document: '52998224725', createdAt: '2020-01-01T00:00:00Z' };
    const changed = await gateway.patch(`/admin/sellers/${id}`, changes, admin);
    expect(changed.status).toBe(200);
    expect(changed.body.data).toMatchObject({ id, name: 'Padaria Sol', document: '**.222.333/****-**' });
  });

  it.each([
    [{ status: 'GONE' }, 'status must be one of the following values: PENDING, ACTIVE, SUSPENDED, CLOSED'],
    [{ requestsPerMinute: 0 }, 'requestsPerMinute must not be less than 1'],
    [{ requestsPerMinute: '60' }, 'requestsPerMinute must be an integer number'],
    [{ creationsPerMinute: 1.5 }, 'creationsPerMinute must be an integer number'],
    [{ boletoDelayDays: -1 }, 'boletoDelayDays must not be less than 0'],
    [{ cardDelayDays: 366 }, 'cardDelayDays must not be greater than 365'],
    [{ autoApproveUpTo: -1 }, 'autoApproveUpTo must not be less than 0'],
    [{ negativeBalanceUpTo: null }, 'negativeBalanceUpTo must be an integer number'],
  ])('are rejected with %j', async (changes, message) => {
    const id = await newSeller();
    const before = await gateway.get(`/admin/sellers/${id}`, admin);
    const response = await gateway.patch(`/admin/sellers/${id}`, changes, admin);
    expect(response.status).toBe(400);
    expect(response.body.message).toEqual([message]);
    expect((await gateway.get(`/admin/sellers/${id}`, admin)).body).toEqual(before.body);
  });

  it.each([randomUUID(), 'not-a-uuid'])('return 404 for a seller %s', async (id) => {
    expect((await gateway.get(`/admin/sellers/${id}`, admin)).body).toEqual(sellerMissing);
    expect((await gateway.patch(`/admin/sellers/${id}`, {}, admin)).body).toEqual(sellerMissing);
    const key = await gateway.post(`/admin/sellers/${id}/api-keys`, { name: 'x' }, admin);
    expect(key.body).toEqual(sellerMissing);
  });

  it.each(['PENDING', 'SUSPENDED', 'CLOSED'])(
    'to %s close every operation except sign-in, and back to ACTIVE reopen them',
    async (status) => {
      const body = wanted();
      const id = String((await gateway.post('/admin/sellers', body, admin)).body.data.id);
      const apiKey = await newKey(id);
      const created = await gateway.charge({}, { apiKey });
      const charge = created.body.data.id;
      await gateway.patch(`/admin/sellers/${id}`, { status }, admin);
      const token = await signIn(body.ownerEmail, body.ownerPassword);
      const closed = errorBody('seller_not_active');
      for (const credential of [{ apiKey }, { token }]) {
        const responses = await Promise.all([
          gateway.charge({}, credential),
          gateway.get('/transactions', credential),
          gateway.get(`/transactions/${charge}`, credential),
          gateway.get('/seller-wallet/gestao', credential),
          gateway.get('/webhooks', credential),
          gateway.post('/webhooks', { url: 'https://example.com/', eventType: 'ALL' }, credential),
          gateway.post(`/sandbox/transactions/${charge}/pay`, undefined, credential),
        ]);
        for (const response of responses) expect(response.body).toEqual(closed);
      }
      await gateway.patch(`/admin/sellers/${id}`, { status: 'ACTIVE' }, admin);
      expect((await gateway.charge({}, { apiKey })).status).toBe(201);
      expect((await gateway.get('/transactions', { token })).status).toBe(200);
    },
  );

  it('of the rate limits apply from the next request', async () => {
    const id = await newSeller();
    const apiKey = await newKey(id);
    await gateway.patch(`/admin/sellers/${id}`, { requestsPerMinute: 2 }, admin);
    expect((await gateway.get('/transactions', { apiKey })).headers.get('ratelimit-limit')).toBe('2');
    await gateway.get('/transactions', { apiKey });
    expect((await gateway.get('/transactions', { apiKey })).status).toBe(429);
    await gateway.patch(`/admin/sellers/${id}`, { requestsPerMinute: 500 }, admin);
    expect((await gateway.get('/transactions', { apiKey })).status).toBe(200);
  });
});

describe('an API key created by the operator', () => {
  it('is shown once and stored as a hash', async () => {
    const id = await newSeller();
    const response = await gateway.post(`/admin/sellers/${id}/api-keys`, { name: 'Loja virtual' }, admin);
    expect(response.status).toBe(201);
    const { key, prefix, ...rest } = response.body.data;
    expect(rest).toMatchObject({ id: expect.any(String), name: 'Loja virtual' });
    expect(key).toMatch(/^sk_test_[0-9A-Za-z]{49}$/);
    expect(key.startsWith(prefix)).toBe(true);
    expect(prefix.length).toBeLessThan(20);
    const rows = await gateway.database.query<{ row: string; key_hash: Buffer }>(
      'SELECT api_keys::text AS row, key_hash FROM api_keys WHERE seller_id = $1',
      [id],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.key_hash.equals(createHash('sha256').update(String(key)).digest())).toBe(true);
    expect(rows[0]?.row).not.toContain(String(key).slice(12));
    expect((await gateway.get('/transactions', { apiKey: String(key) })).status).toBe(200);
  });

  it.each([
    [undefined, 201],
    ['OWNER', 201],
    ['DEVELOPER', 201],
    ['FINANCE', 403],
    ['VIEWER', 403],
  ])('of role %s gets for a creation the status %i', async (role, status) => {
    const apiKey = await newKey(await newSeller(), role);
    expect((await gateway.charge({}, { apiKey })).status).toBe(status);
    expect((await gateway.get('/transactions', { apiKey })).status).toBe(200);
  });

  it('is rejected if one character is wrong', async () => {
    const key = await newKey(await newSeller());
    for (const wrong of [
      key.slice(0, -1) + (key.endsWith('0') ? '1' : '0'),
      key.replace(/.(?=.{10}$)/, (found) => (found === '0' ? '1' : '0')),
      key.slice(0, -1),
      `${key}0`,
      key.replace('sk_test_', 'sk_live_'),
      key.toUpperCase(),
    ]) {
      const response = await gateway.get('/transactions', { apiKey: wrong });
      expect(response.status).toBe(401);
      expect(response.body.message).toBe('Unauthorized');
    }
  });

  it.each([
    [{}, 'name should not be empty'],
    [{ name: '' }, 'name should not be empty'],
    [
      { name: 'x', role: 'ADMIN' },
      'role must be one of the following values: OWNER, FINANCE, DEVELOPER, VIEWER',
    ],
  ])('is rejected with %j', async (body, message) => {
    const response = await gateway.post(`/admin/sellers/${await newSeller()}/api-keys`, body, admin);
    expect(response.status).toBe(400);
    expect(response.body.message).toEqual([message]);
  });

  it('can access only its own seller', async () => {
    const [one, two] = [await newKey(await newSeller()), await newKey(await newSeller())];
    const { id } = (await gateway.charge({}, { apiKey: one })).body.data;
    expect((await gateway.get(`/transactions/${id}`, { apiKey: one })).status).toBe(200);
    const hidden = await gateway.get(`/transactions/${id}`, { apiKey: two });
    expect(hidden.status).toBe(404);
    expect(hidden.body.message).toBe('Transaction not found');
    expect((await gateway.get('/transactions', { apiKey: two })).body.count).toBe(0);
  });
});

describe('access to the operator’s routes', () => {
  let sellerId: string;
  beforeAll(async () => {
    sellerId = await newSeller();
  });

  const reads = () => ['/admin/sellers', `/admin/sellers/${sellerId}`, '/admin/ledger/check'];
  const writes = () =>
    [
      ['POST', '/admin/sellers', wanted()],
      ['PATCH', `/admin/sellers/${sellerId}`, { requestsPerMinute: 5 }],
      ['POST', `/admin/sellers/${sellerId}/api-keys`, { name: 'x' }],
      ['POST', '/sandbox/clock', { advanceSeconds: 1 }],
    ] as const;

  it('lets SUPPORT read and not write', async () => {
    for (const path of reads()) expect((await gateway.get(path, support)).status).toBe(200);
    const before = (await gateway.get('/admin/sellers', support)).body;
    for (const [method, path, body] of writes()) {
      const response = await gateway.call(method, path, body, support);
      expect(response.status).toBe(403);
      expect(response.body).toEqual(forbidden);
    }
    expect((await gateway.get('/admin/sellers', support)).body).toEqual(before);
  });

  it.each(['OWNER', 'FINANCE', 'DEVELOPER', 'VIEWER'])(
    'is refused to sellers in the role %s',
    async (role) => {
      const credential = { apiKey: await newKey(sellerId, role) };
      for (const path of reads()) expect((await gateway.get(path, credential)).body).toEqual(forbidden);
      for (const [method, path, body] of writes()) {
        expect((await gateway.call(method, path, body, credential)).body).toEqual(forbidden);
      }
    },
  );

  it('is refused to a signed-in owner of a seller', async () => {
    const token = await signIn(gateway.demo.seller.email, gateway.demo.seller.password);
    for (const path of reads()) expect((await gateway.get(path, { token })).body).toEqual(forbidden);
    for (const [method, path, body] of writes()) {
      expect((await gateway.call(method, path, body, { token })).body).toEqual(forbidden);
    }
  });

  it('is refused without a credential', async () => {
    const anonymous = { credential: 'none' } as const;
    for (const path of reads()) expect((await gateway.get(path, anonymous)).status).toBe(401);
    for (const [method, path, body] of writes()) {
      expect((await gateway.call(method, path, body, anonymous)).status).toBe(401);
    }
  });

  it('does not include the sellers’ own operations', async () => {
    for (const who of [admin, support]) {
      expect((await gateway.get('/transactions', who)).body).toEqual(forbidden);
      expect((await gateway.charge({}, who)).body).toEqual(forbidden);
      expect((await gateway.get('/seller-wallet/gestao', who)).body).toEqual(forbidden);
    }
  });
});
