import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { ApiResponse } from '#test/support/client.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { newSeller, withdrawalThatIs, type TestSeller } from '#test/support/withdrawals.ts';

let gateway: TestGateway;
let admin: { readonly token: string };
let support: { readonly token: string };
let [one, other]: readonly TestSeller[] = [];

beforeAll(async () => {
  gateway = await startTestGateway();
  admin = { token: await gateway.adminToken() };
  const user = { name: 'Suporte', email: 'suporte@example.com', password: 'a long password' };
  await gateway.post('/admin/users', { ...user, role: 'SUPPORT' }, admin);
  const signedIn = await gateway.post('/login', user, { credential: 'none' });
  support = { token: String(signedIn.body.accessToken) };
  [one, other] = [await newSeller(gateway), await newSeller(gateway)];
});
afterAll(async () => {
  await gateway.stop();
});

const get = (path: string): Promise<ApiResponse> => gateway.get(`/admin/${path}`, support);
const idsOf = ({ body }: ApiResponse): readonly string[] =>
  body.data.map(({ id }: { readonly id: string }) => id);
const lines = ({ text }: ApiResponse): readonly string[] => text.trimEnd().split('\r\n');

async function charge(seller: TestSeller | undefined, action?: string): Promise<string> {
  const as = { apiKey: seller?.apiKey ?? '' };
  const made = await gateway.charge({}, as);
  expect(made.status).toBe(201);
  const id = String(made.body.data.id);
  if (action !== undefined) await gateway.post(`/sandbox/transactions/${id}/${action}`, undefined, as);
  return id;
}

/** Reads all pages of a list. */
async function walk(path: string): Promise<{ readonly ids: readonly string[]; readonly count: number }> {
  const ids: string[] = [];
  for (let cursor = ''; ;) {
    const page = await get(`${path}${cursor}`);
    expect(page.status).toBe(200);
    ids.push(...idsOf(page));
    if (page.body.nextCursor === null) return { ids, count: page.body.count };
    cursor = `&cursor=${page.body.nextCursor}`;
  }
}

const check = async (query: string, ids: readonly string[]) =>
  expect([query, await walk(`transactions?take=2&${query}`)]).toEqual([query, { ids, count: ids.length }]);
describe('the transactions of all sellers', () => {
  /** All created records, newest first. */
  const made: { id: string; seller: string; status: string }[] = [];

  beforeAll(async () => {
    for (let round = 0; round < 3; round += 1) {
      for (const seller of [one, other]) {
        const of = seller?.id ?? '';
        made.unshift({ id: await charge(seller), seller: of, status: 'PENDING' });
        made.unshift({ id: await charge(seller, 'pay'), seller: of, status: 'PAID' });
      }
    }
    made.unshift({ id: await charge(other, 'refuse'), seller: other?.id ?? '', status: 'REFUSED' });
  });
  const where = (fits: (charge: (typeof made)[number]) => boolean) => made.filter(fits).map(({ id }) => id);

  it('are listed newest first, paginated, with their sellers', async () => {
    expect(await walk('transactions?take=4')).toEqual({ ids: made.map(({ id }) => id), count: made.length });
    const first = await get('transactions?take=1');
    const [newest] = first.body.data;
    expect(newest).toEqual({
      id: made[0]?.id,
      sellerId: other?.id,
      sellerName: 'Loja',
      amount: 1500,
      netAmount: expect.any(Number),
      feeAmount: expect.any(Number),
      method: 'PIX',
      status: 'REFUSED',
      installments: null,
      paidAt: null,
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect(idsOf(await get('transactions?take=3&skip=2'))).toEqual(made.slice(2, 5).map(({ id }) => id));
  });

  it('are filtered by seller, statuses, method and id, separately and combined', async () => {
    await check(
      `sellerId=${one?.id}`,
      where(({ seller }) => seller === one?.id),
    );
    await check(
      'status=PAID',
      where(({ status }) => status === 'PAID'),
    );
    await check(
      'status=PAID,REFUSED',
      where(({ status }) => status !== 'PENDING'),
    );
    await check(
      'status=REFUSED',
      where(({ status }) => status === 'REFUSED'),
    );
    await check('status=DISPUTE', []);
    await check(
      'method=PIX',
      where(() => true),
    );
    await check('method=BOLETO', []);
    await check(
      'method=PIX&status=PENDING',
      where(({ status }) => status === 'PENDING'),
    );
    await check(
      `sellerId=${other?.id}&status=PENDING,PAID&method=PIX`,
      where(({ seller, status }) => seller === other?.id && status !== 'REFUSED'),
    );
    await check(`sellerId=${randomUUID()}`, []);
    const [id = '', next = ''] = where(({ status }) => status === 'PAID');
    await check(`transactionId=${id}`, [id]);
    await check(`transactionId=${id}&status=PAID`, [id]);
    await check(`transactionId=${id}&status=PENDING`, []);
    const skipped = await get('transactions?status=PAID&take=1&skip=1');
    expect(idsOf(skipped)).toEqual([next]);
    const open = where(({ seller, status }) => seller === other?.id && status !== 'REFUSED');
    const ofSeller = await get(`transactions?sellerId=${other?.id}&status=PENDING,PAID&take=2&skip=1`);
    expect(idsOf(ofSeller)).toEqual(open.slice(1, 3));
  });

  it('are filtered by creation time', async () => {
    const all = (await get('transactions?take=100')).body.data;
    const [edge] = all.slice(5);
    const from = encodeURIComponent(edge.createdAt);
    const since = all.filter((entry: { createdAt: string }) => entry.createdAt >= edge.createdAt);
    const until = all.filter((entry: { createdAt: string }) => entry.createdAt <= edge.createdAt);
    expect((await walk(`transactions?startDate=${from}&take=3`)).ids).toEqual(
      since.map(({ id }: { id: string }) => id),
    );
    expect((await walk(`transactions?endDate=${from}&take=3`)).count).toBe(until.length);
    const paid = until.filter(({ status }: { status: string }) => status === 'PAID');
    expect(await walk(`transactions?endDate=${from}&status=PAID&take=2`)).toEqual({
      ids: paid.map(({ id }: { id: string }) => id),
      count: paid.length,
    });
    expect((await get('transactions?startDate=2020-01-01&endDate=2020-12-31')).body.count).toBe(0);
  });

  it('are exported as CSV, with the same filters', async () => {
    const response = await get('transactions?export=true&take=1&status=PAID');
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const [head, ...rest] = lines(response);
    expect(head).toBe(
      'id,sellerId,sellerName,amount,netAmount,feeAmount,method,status,installments,paidAt,createdAt',
    );
    expect(rest.map((line) => line.split(',')[0])).toEqual(where(({ status }) => status === 'PAID'));
    expect(lines(await get('transactions?export=true'))).toHaveLength(made.length + 1);
    expect(lines(await get(`transactions?export=true&sellerId=${one?.id}`))).toHaveLength(
      where(({ seller }) => seller === one?.id).length + 1,
    );
  });

  it('are exported completely if they exceed the size of one query', async () => {
    const { id } = await newSeller(gateway);
    await gateway.database.query(
      `INSERT INTO transactions (seller_id, id, method, status, version, amount, fee_amount, refunded_amount,
          created_at, updated_at)
        SELECT $1, ('00000000-0000-4000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'PIX',
          CASE WHEN n % 6001 = 0 THEN 'DISPUTE' ELSE 'FAILED' END, 1, 100, 0, 0, now(), now()
        FROM generate_series(1, 12002) n`,
      [id],
    );
    await gateway.database.query(
      `INSERT INTO transaction_counts (seller_id, method, status, writer, count)
        SELECT seller_id, method, status, 0, count(*) FROM transactions WHERE seller_id = $1
        GROUP BY 1, 2, 3`,
      [id],
    );
    const whole = lines(await get(`transactions?export=true&sellerId=${id}`)).slice(1);
    const ids = whole.map((line) => line.slice(0, 36));
    expect(new Set(ids).size).toBe(12_002);
    expect(ids).toEqual(ids.toSorted().toReversed());
    // The rare ones are at the end of both lists, and are found.
    expect(lines(await get(`transactions?export=true&status=DISPUTE`))).toHaveLength(3);
    expect((await get('transactions?status=DISPUTE')).body).toMatchObject({ count: 2 });
    for (const table of ['transactions', 'transaction_counts']) {
      await gateway.database.query(`DELETE FROM ${table} WHERE seller_id = $1`, [id]);
    }
  });

  it.each([
    ['status=LOST', /^status must be one of the following values: PENDING, /],
    ['sellerId=x', /^sellerId must be a UUID$/],
    ['transactionId=x', /^transactionId must be a UUID$/],
    ['startDate=yesterday', /^startDate must be a valid ISO 8601 date string$/],
    ['take=101', /^take must not be greater than 100$/],
    ['cursor=x', /^cursor must be the nextCursor of a previous page$/],
  ])('reject %s', async (query, message) => {
    const response = await get(`transactions?${query}`);
    expect([response.status, response.body.message]).toEqual([400, [expect.stringMatching(message)]]);
  });

  it('are read by id, with all members and their history', async () => {
    const id = await charge(one, 'pay');
    const as = { apiKey: one?.apiKey ?? '' };
    await gateway.post(`/admin/transactions/${id}/dispute`, { reason: 'not mine' }, admin);
    const response = await get(`transactions/${id.toUpperCase()}`);
    const { sellerId, sellerName, history, ...whole } = response.body.data;
    expect(whole).toEqual((await gateway.get(`/transactions/${id}`, as)).body.data);
    expect([sellerId, sellerName]).toEqual([one?.id, 'Loja']);
    const at = expect.stringMatching(/^\d{4}-.*Z$/);
    expect(history).toEqual([
      { from: null, to: 'PENDING', at, actor: 'SELLER', reason: null },
      { from: 'PENDING', to: 'PAID', at, actor: 'PROVIDER', reason: null },
      { from: 'PAID', to: 'DISPUTE', at, actor: 'OPERATOR', reason: null },
    ]);
    expect(response.text).not.toContain('52998224725');
    for (const unknown of [randomUUID(), 'x']) {
      const missing = await get(`transactions/${unknown}`);
      expect([missing.status, missing.body.message]).toEqual([404, 'Transaction not found']);
    }
  });
});

/** The number in the id of an event. */
const numberOf = (id: string): number => Number(id.slice(-2));

describe('the provider events', () => {
  it('of several providers are listed in one order, by cursor and by skip', async () => {
    const ids = await gateway.database.query<{ id: string }>(
      `INSERT INTO provider_events (seller_id, provider, provider_event_id, kind, record_id, occurred_at,
          received_at, outcome, id)
       SELECT $1, CASE n % 3 WHEN 0 THEN 'alpha' ELSE 'beta' END, n, 'PAYMENT', $1, now(), now(),
         CASE WHEN n % 4 = 0 THEN 'LATE' ELSE 'APPLIED' END,
         ('ffffffff-ffff-4000-8000-0000000000' || lpad(n::text, 2, '0'))::uuid
       FROM generate_series(1, 20) AS n RETURNING id`,
      [one?.id],
    );
    const made = ids.map(({ id }) => id).toReversed();
    const applied = made.filter((id) => numberOf(id) % 4 !== 0);
    const alpha = made.filter((id) => numberOf(id) % 3 === 0);
    expect((await walk('provider-events?take=3')).ids.slice(0, 20)).toEqual(made);
    expect(idsOf(await get('provider-events?take=5&skip=7'))).toEqual(made.slice(7, 12));
    expect(idsOf(await get('provider-events?outcome=APPLIED&take=5&skip=7'))).toEqual(applied.slice(7, 12));
    expect(idsOf(await get(`provider-events?sellerId=${one?.id}&take=5&skip=7`))).toEqual(made.slice(7, 12));
    expect(idsOf(await get('provider-events?provider=alpha&take=2&skip=3'))).toEqual(alpha.slice(3, 5));
    expect(idsOf(await get('provider-events?provider=none'))).toEqual([]);
    await gateway.database.query(`DELETE FROM provider_events WHERE provider IN ('alpha', 'beta')`);
  });
});

const wanted = (changes: Readonly<Record<string, unknown>>) => ({
  name: 'Loja',
  documentType: 'CNPJ',
  document: '11222333000181',
  ownerName: 'Dona',
  ownerEmail: `${randomUUID()}@example.com`,
  ownerPassword: 'a long password',
  ...changes,
});
const make = async (changes: Readonly<Record<string, unknown>>): Promise<string> =>
  String((await gateway.post('/admin/sellers', wanted(changes), admin)).body.data.id);

describe('the sellers', () => {
  let [bakery, press, baker]: readonly string[] = [];

  beforeAll(async () => {
    bakery = await make({ name: 'Padaria do Sol 100%', document: '45997418000153' });
    press = await make({ name: 'GRÁFICA Sol', status: 'PENDING' });
    baker = await make({ name: 'João Padeiro', documentType: 'CPF', document: '52998224725' });
  });

  it.each<readonly [string, () => readonly (string | undefined)[]]>([
    ['sol', () => [press, bakery]],
    ['PADARIA', () => [bakery]],
    ['gráfica', () => [press]],
    ['100%', () => [bakery]],
    ['%', () => [bakery]],
    ['_', () => []],
    ['45997418000153', () => [bakery]],
    ['45.997.418/0001-53', () => [bakery]],
    ['982.247', () => [baker]],
    ['982247', () => [baker]],
    ['98', () => []],
    ["'; DROP", () => []],
  ])('are searched by name and document: %s', async (search, found) => {
    const response = await get(`sellers?search=${encodeURIComponent(search)}`);
    expect([response.status, idsOf(response), response.body.count]).toEqual([200, found(), found().length]);
  });

  it('are filtered by status, also in combination with a search', async () => {
    expect(idsOf(await get('sellers?status=PENDING'))).toEqual([press]);
    expect(idsOf(await get('sellers?status=ACTIVE&search=sol'))).toEqual([bakery]);
    expect(idsOf(await get('sellers?status=CLOSED'))).toEqual([]);
    expect((await get('sellers?status=LOST')).status).toBe(400);
    expect((await get('sellers?search=%20')).status).toBe(400);
  });

  it('are exported as CSV, with masked documents', async () => {
    const response = await get('sellers?export=true&search=sol');
    const [head, ...rest] = lines(response);
    expect(head?.split(',').slice(0, 5)).toEqual(['id', 'name', 'documentType', 'document', 'status']);
    expect(rest.map((line) => line.split(',').slice(0, 5))).toEqual([
      [press, 'GRÁFICA Sol', 'CNPJ', '**.222.333/****-**', 'PENDING'],
      [bakery, 'Padaria do Sol 100%', 'CNPJ', '**.997.418/****-**', 'ACTIVE'],
    ]);
    const { count } = (await get('sellers?take=1')).body;
    expect(lines(await get('sellers?export=true'))).toHaveLength(count + 1);
  });
});

describe('the withdrawals of all sellers', () => {
  it('are exported as CSV, with the same filters', async () => {
    const seller = await newSeller(gateway, { balance: 10_000 });
    const pending = await withdrawalThatIs(gateway, seller, 'PENDING', { metadata: { order: 'a,"b"' } });
    const rejected = await withdrawalThatIs(gateway, seller, 'REJECTED');
    const response = await get(`withdrawals?export=true&sellerId=${seller.id}`);
    const [head, ...rest] = lines(response);
    expect(head?.split(',').slice(-6)).toEqual([
      'sellerId',
      'sellerName',
      'rollingAmount',
      'approvedBy',
      'approvalsNeeded',
      'approvals',
    ]);
    expect(rest.map((line) => line.slice(0, 36))).toEqual([rejected, pending]);
    const waiting = lines(await get(`withdrawals?export=true&status=PENDING&sellerId=${seller.id}`));
    expect(waiting).toHaveLength(2);
    expect(waiting[1]).toContain(`,${seller.id},Loja,1000,,1,[]`);
  });
});

const newUser = async (seller: TestSeller | undefined) => {
  const user = { name: 'Bia', email: `${randomUUID()}@example.com`, password: 'a long password' };
  const made = await gateway.post(`/admin/sellers/${seller?.id}/users`, { ...user, role: 'VIEWER' }, admin);
  return { ...user, id: String(made.body.data.id), shown: made.body.data };
};

describe('the users and keys of a seller', () => {
  it('are listed for that seller only, paginated', async () => {
    const seller = await newSeller(gateway);
    const users = [await newUser(seller), await newUser(seller)];
    const first = await get(`sellers/${seller.id}/users?take=2`);
    expect(first.body).toMatchObject({
      data: [users[1]?.shown, users[0]?.shown],
      count: 3,
      nextCursor: expect.any(String),
    });
    const rest = await get(`sellers/${seller.id}/users?take=2&cursor=${first.body.nextCursor}`);
    expect(rest.body.data).toEqual([expect.objectContaining({ role: 'OWNER', sellerId: seller.id })]);
    expect(rest.body.nextCursor).toBeNull();
  });

  it('can be deleted, which ends the user’s tokens at once', async () => {
    const user = await newUser(one);
    const signedIn = await gateway.post('/login', user, { credential: 'none' });
    const { accessToken, refreshToken } = signedIn.body;
    const as = { token: String(accessToken) };
    expect((await gateway.get('/transactions', as)).status).toBe(200);
    const path = `/admin/sellers/${one?.id}/users/${user.id}`;
    expect((await gateway.delete(path, support)).status).toBe(403);
    // Another seller does not have this user.
    const elsewhere = await gateway.delete(`/admin/sellers/${other?.id}/users/${user.id}`, admin);
    expect([elsewhere.status, elsewhere.body.message]).toEqual([404, 'User not found']);
    expect((await gateway.get('/transactions', as)).status).toBe(200);
    expect((await gateway.delete(path, admin)).body).toEqual({ status: true, data: { id: user.id } });
    expect((await gateway.get('/transactions', as)).status).toBe(401);
    expect((await gateway.post('/auth/refresh', { refreshToken }, { credential: 'none' })).status).toBe(401);
    expect((await gateway.delete(path, admin)).status).toBe(404);
  });

  it('are listed by key prefix and can be revoked at once', async () => {
    const path = `/admin/sellers/${one?.id}/api-keys`;
    const made = await gateway.post(path, { name: 'till', role: 'VIEWER' }, admin);
    const { id, key } = made.body.data;
    const listed = await gateway.get(path, support);
    expect(listed.body.count).toBe(listed.body.data.length);
    expect(listed.body.data[0]).toEqual({
      id,
      name: 'till',
      role: 'VIEWER',
      prefix: String(key).slice(0, 12),
      createdBy: { id: expect.any(String), name: 'Admin' },
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      lastUsedAt: null,
    });
    expect(listed.text).not.toContain(key);
    const as = { apiKey: String(key) };
    expect((await gateway.get('/transactions', as)).status).toBe(200);
    expect((await gateway.delete(`${path}/${id}`, support)).status).toBe(403);
    const elsewhere = await gateway.delete(`/admin/sellers/${other?.id}/api-keys/${id}`, admin);
    expect([elsewhere.status, elsewhere.body.message]).toEqual([404, 'API key not found']);
    expect((await gateway.delete(`${path}/${id}`, admin)).body).toEqual({ status: true, data: { id } });
    expect((await gateway.get('/transactions', as)).status).toBe(401);
  });

  it('of an unknown seller return 404', async () => {
    for (const id of [randomUUID(), 'x']) {
      for (const response of [
        await get(`sellers/${id}/users`),
        await get(`sellers/${id}/api-keys`),
        await gateway.delete(`/admin/sellers/${id}/users/${randomUUID()}`, admin),
        await gateway.delete(`/admin/sellers/${id}/api-keys/${randomUUID()}`, admin),
      ]) {
        expect([response.status, response.body.message]).toEqual([404, 'Seller not found']);
      }
    }
  });
});
