import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { newId } from '#platform/kit/ids.ts';
import {
  createClient,
  goodCharge,
  type ApiResponse,
  type CallOptions,
  type Client,
} from '#test/support/client.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import type { Kind, Naming, Operation } from '#test/support/operation-rules.ts';
import { OPERATIONS } from '#test/support/operations.ts';

const PASSWORD = 'a long enough password';
const TIMEOUT = { timeout: 120_000 };

let gateway: TestGateway;
/** Calls full paths, as routes contain them. */
let root: Client;
let admin: CallOptions;

beforeAll(async () => {
  // Without a worker, so that only requests change records.
  gateway = await startTestGateway({ worker: false });
  root = createClient(gateway.baseUrl.replace(/\/v1$/, ''), '');
  admin = { token: await gateway.adminToken() };
});
afterAll(async () => {
  await gateway.stop();
});

interface Seller {
  readonly id: string;
  readonly email: string;
  /** The user that signed in. */
  readonly ownerId: string;
  /** A user with all permissions of the seller. */
  readonly owner: CallOptions;
  readonly key: CallOptions;
}

async function newSeller(): Promise<Seller> {
  const email = `${randomUUID()}@example.com`;
  const wanted = {
    name: 'Loja',
    documentType: 'CPF',
    document: '52998224725',
    ownerName: 'Ana',
    ownerEmail: email,
    ownerPassword: PASSWORD,
  };
  const made = await gateway.post('/admin/sellers', wanted, admin);
  const id = String(made.body.data.id);
  const rates = { requestsPerMinute: 1_000_000, creationsPerMinute: 1_000_000 };
  expect((await gateway.patch(`/admin/sellers/${id}`, rates, admin)).status).toBe(200);
  const { body } = await login(email);
  const key = await gateway.post(`/admin/sellers/${id}/api-keys`, { name: 'x' }, admin);
  return {
    id,
    email,
    ownerId: String(body.user.id),
    owner: { token: String(body.accessToken) },
    key: { apiKey: String(key.body.data.key) },
  };
}

const login = (email: string): Promise<ApiResponse> =>
  gateway.post('/login', { email, password: PASSWORD }, { credential: 'none' });

/** One record of each kind. */
type Records = Readonly<Record<Exclude<Kind, 'cursor'>, string>>;

async function good(response: Promise<ApiResponse>): Promise<ApiResponse> {
  const { status, body } = await response;
  expect([status, body.message]).toEqual([status < 300 ? status : 'good', undefined]);
  return response;
}

/** A passkey that nobody can use. */
async function newPasskey(userId: string): Promise<string> {
  const id = randomUUID();
  await gateway.database.query(
    `INSERT INTO passkeys (id, user_id, name, credential_id, public_key, sign_count, transports,
       backup_eligible, backed_up, created_at)
     SELECT $1, id, 'Laptop', $2, '', 0, '{}', false, false, created_at FROM users WHERE id = $3`,
    [id, Buffer.from(id), userId],
  );
  return id;
}

/** Two notifications, with ids that begin with the time. */
async function newNotifications(userId: string): Promise<void> {
  for (const at of [new Date(0), new Date(1)]) {
    await gateway.database.query(
      `INSERT INTO notifications (user_id, id, kind, params, created_at)
       VALUES ($1, $2, 'withdrawal-paid', '{}', $3)`,
      [userId, newId(at.getTime()), at],
    );
  }
}

const CNPJ = '11444777000161';

/** A refund that the payer's bank has not completed. */
async function newRefund(owner: CallOptions): Promise<string> {
  const customer = { ...goodCharge().customer, email: 'ana@banco-lento.example' };
  const { id } = (await good(gateway.charge({ customer }, owner))).body.data;
  await good(gateway.post(`/sandbox/transactions/${id}/pay`, undefined, owner));
  await good(gateway.post(`/transactions/${id}/refund`, {}, { ...owner, idempotencyKey: randomUUID() }));
  const [refund] = await gateway.database.query<{ id: string }>(
    'SELECT id FROM refunds WHERE transaction_id = $1',
    [id],
  );
  return refund?.id ?? '';
}

/** A seller's records of every kind, with enough for a next page of each list. */
async function newRecords({ id, email, ownerId, owner }: Seller): Promise<Records> {
  const idOf = async (response: Promise<ApiResponse>): Promise<string> =>
    String((await good(response)).body.data.id);
  const fresh = (): CallOptions => ({ ...owner, idempotencyKey: randomUUID() });
  const hook = { url: 'https://localhost:50001/hook', eventType: 'ALL' };
  const webhook = await idOf(gateway.post('/webhooks', hook, owner));
  await idOf(gateway.post('/webhooks', hook, owner));
  const transaction = await idOf(gateway.charge({}, owner));
  const another = await idOf(gateway.charge({ amount: 50_000 }, owner));
  for (const one of [transaction, another])
    await good(gateway.post(`/sandbox/transactions/${one}/pay`, undefined, owner));
  await good(gateway.post(`/sandbox/transactions/${transaction}/dispute`, undefined, owner));
  const dispute = String((await gateway.get('/disputes', owner)).body.data.data[0].id);
  const payout = { amount: 1_000, method: 'PIX', pixKey: 'ana@example.com', pixKeyType: 'EMAIL' };
  const withdrawal = await idOf(gateway.post('/withdrawals', payout, fresh()));
  await idOf(gateway.post('/withdrawals', payout, fresh()));
  const card = { number: '4111111111111111', expirationMonth: 12, expirationYear: 2035, holderName: 'ANA' };
  const kept = await good(gateway.post('/card-tokens', card, owner));
  const key = await good(gateway.post(`/admin/sellers/${id}/api-keys`, { name: 'second' }, admin));
  const user = { name: 'Bia', email: `${randomUUID()}@example.com`, password: PASSWORD, role: 'FINANCE' };
  const delivery = await gateway.get(`/webhooks/deliveries?recordId=${transaction}`, owner);
  const member = await idOf(gateway.post('/users', user, owner));
  const invite = () =>
    idOf(gateway.post('/users/invitations', { email: `${randomUUID()}@example.com`, role: 'VIEWER' }, owner));
  const [invitation] = [await invite(), await invite()];
  await newNotifications(ownerId);
  const payer = goodCharge().customer;
  await idOf(gateway.post('/customers', { ...payer, documentType: 'CNPJ', document: CNPJ }, owner));
  await idOf(gateway.post('/payment-links', { title: 'Prato' }, fresh()));
  const before = await gateway.get('/users/me/sessions', owner);
  await login(email);
  const after = await gateway.get('/users/me/sessions', owner);
  expect(after.body.count).toBe(before.body.count + 1);
  await newPasskey(member);
  const newSubscription = () =>
    idOf(
      gateway.post(
        '/subscriptions',
        { customer: payer, amount: 1_500, method: 'BOLETO', interval: 'MONTHLY', startDate: '2090-01-01' },
        fresh(),
      ),
    );
  await newSubscription();
  return {
    passkey: await newPasskey(ownerId),
    transaction,
    withdrawal,
    dispute,
    webhook,
    delivery: String(delivery.body.data[0].id),
    'api key': String(key.body.data.id),
    user: member,
    invitation,
    session: String(after.body.data[0].id),
    'card token': String(kept.body.data.token),
    customer: await idOf(gateway.post('/customers', payer, owner)),
    'payment link': await idOf(gateway.post('/payment-links', { title: 'Caneca' }, fresh())),
    subscription: await newSubscription(),
    refund: await newRefund(owner),
  };
}

interface RecordRequest {
  readonly name: string;
  readonly method: string;
  readonly url: string;
  readonly operation: Operation;
  readonly naming: Naming;
}

/** Every field of a request that refers to a record, reads first and deletions last. */
const RECORD_REQUESTS: readonly RecordRequest[] = Object.entries(OPERATIONS)
  .flatMap(([name, operation]) =>
    operation.names.map((naming) => {
      const [method = '', url = ''] = name.split(' ');
      return { name: `${name} by ${naming.name}`, method, url, operation, naming };
    }),
  )
  .toSorted((a, b) => rank(a.method) - rank(b.method));

function rank(method: string): number {
  return ['GET', 'POST', 'PATCH', 'DELETE'].indexOf(method);
}

/** Sends a request about a record that is valid except for its owner. */
function ask({ method, url, naming }: RecordRequest, id: string, as: CallOptions): Promise<ApiResponse> {
  const { at, name, body } = naming;
  const path = at === 'path' ? url.replace(`:${name}`, id) : url;
  const query = at === 'query' ? `?${new URLSearchParams({ [name]: id }).toString()}` : '';
  return root.call(method, path + query, body?.(id), { idempotencyKey: randomUUID(), ...as });
}

/** The parts of a response that may differ between any two. */
const INCIDENTAL = /^(x-request-id|date|ratelimit-.*|keep-alive|connection)$/;

/** All parts of a response from which a client could learn something. */
const resultOf = ({ status, headers, text }: ApiResponse, id: string) => ({
  status,
  headers: [...headers].filter(([name]) => !INCIDENTAL.test(name)),
  text: text
    .replaceAll(id, 'the id')
    .replaceAll(encodeURIComponent(id), 'the id')
    .replace(/"requestId":"[^"]*"/, '"requestId":""'),
});

/** What the processes themselves write. */
const OF_PROCESSES = ['cache_invalidations', 'master_key_holders'];

/** A digest of every table, without the last use of credentials. */
async function everything(): Promise<ReadonlyMap<string, string>> {
  const tables = await gateway.database.query<{ name: string }>(
    `SELECT quote_ident(relname) AS name FROM pg_class
     WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace
       AND relname <> ALL ($1) ORDER BY relname`,
    [OF_PROCESSES],
  );
  expect(tables.length).toBeGreaterThan(30);
  const counts = tables.map(
    ({ name }) =>
      `SELECT '${name}' AS name,
         count(*) || ' ' || md5(coalesce(string_agg(row, '' ORDER BY row), '')) AS digest
       FROM (SELECT (to_jsonb(t) - 'last_used_at')::text AS row FROM ${name} t) AS rows`,
  );
  const rows = await gateway.database.query<{ name: string; digest: string }>(counts.join(' UNION ALL '));
  return new Map(rows.map(({ name, digest }) => [name, digest]));
}

const changed = (
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly string[] => [...after.keys()].filter((name) => before.get(name) !== after.get(name));

describe('the table of operations', () => {
  it('has exactly one row for each route', () => {
    const routes = gateway.routes.filter(({ method }) => method !== 'HEAD');
    expect(routes.map(({ method, url }) => `${method} ${url}`).toSorted()).toEqual(
      Object.keys(OPERATIONS).toSorted(),
    );
  });

  /** Fields that are named like ids and do not refer to a record of a seller. */
  const NO_RECORD = new Set([
    'POST /v1/auth/refresh refreshToken', // a credential: test/flows/payments/card-tokens.test.ts
    'PATCH /v1/subscriptions/:id cardTokenId', // test/flows/subscriptions/requests.test.ts
    'GET /v1/subscriptions/:id/invoices cursor', // within the subscription of the path
    'GET /v1/disputes/:id/attachments/:attachmentId attachmentId', // disputes.test.ts
    'POST /v1/disputes/:id/attachments id', // disputes.test.ts
    'GET /v1/application/documents/:documentId documentId', // applications.test.ts
    'DELETE /v1/application/documents/:documentId documentId', // applications.test.ts
    'POST /v1/transactions card.sessionId',
    // A credential of an authenticator: test/flows/identity/passkeys.test.ts
    'POST /v1/auth/step-up passkey.id',
    'POST /v1/auth/step-up passkey.rawId',
    'POST /v1/users/me/passkeys passkey.id',
    'POST /v1/users/me/passkeys passkey.rawId',
    'POST /v1/transactions card.threeDS.referenceId',
    'POST /v1/transactions card.threeDS.xid',
    'POST /v1/sandbox/transactions/:id/pay reportId', // an id that the seller chooses: below
  ]);

  it('covers every field in seller requests that refers to a record', async () => {
    const document = (await root.get('/openapi.json', { credential: 'none' })).body;
    const missing: string[] = [];
    for (const [path, methods] of Object.entries<Record<string, Described>>(document.paths)) {
      for (const [method, described] of Object.entries(methods)) {
        const name = `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
        const operation = OPERATIONS[name];
        if (operation === undefined || operation.may === 'public' || name.includes('/admin/')) continue;
        const known = new Set(operation.names.map((naming) => naming.name));
        for (const member of namesIn(document, described)) {
          if (!known.has(member) && !NO_RECORD.has(`${name} ${member}`)) missing.push(`${name} ${member}`);
        }
      }
    }
    expect(missing).toEqual([]);
  });
});

interface Described {
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: unknown }>> };
}

const LOOKS_LIKE_ID = /(^id|Ids?|xid|[tT]oken|cursor|^after)$/;

/** Parameters and body fields whose names suggest that they refer to a record. */
function namesIn(document: unknown, { parameters = [], requestBody }: Described): readonly string[] {
  const named = parameters.filter(({ in: where }) => where !== 'header').map(({ name }) => name);
  const schema = requestBody?.content['application/json']?.schema;
  return [...named, ...membersOf(document, schema)].filter((name) => LOOKS_LIKE_ID.test(name));
}

const read = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

function membersOf(document: unknown, schema: unknown, path = ''): readonly string[] {
  const found: string[] = [];
  const { $ref, properties, items, anyOf, allOf, oneOf } = read(schema);
  if (typeof $ref === 'string') {
    const target = $ref
      .slice(2)
      .split('/')
      .reduce<unknown>((at, step) => read(at)[step], document);
    found.push(...membersOf(document, target, path));
  }
  for (const one of [anyOf, allOf, oneOf].flat())
    if (one !== undefined) found.push(...membersOf(document, one, path));
  if (items !== undefined) found.push(...membersOf(document, items, path));
  for (const [name, member] of Object.entries(read(properties))) {
    const inside = path === '' ? name : `${path}.${name}`;
    found.push(inside, ...membersOf(document, member, inside));
  }
  return found;
}

describe('an id of another seller', () => {
  let victim: Seller;
  let foreign: Seller;
  let records: Records;
  /** The next page of each list, with its owner's cursor. */
  const cursors = new Map<string, string>();

  beforeAll(async () => {
    [victim, foreign] = [await newSeller(), await newSeller()];
    records = await newRecords(victim);
    for (const { url, naming } of RECORD_REQUESTS.filter(
      (recordRequest) => recordRequest.naming.kind === 'cursor',
    )) {
      const { body } = await good(root.call('GET', `${url}?take=1`, undefined, victim.owner));
      if (typeof body.nextCursor !== 'string') throw new Error(`${url} has no next page by ${naming.name}`);
      cursors.set(url, body.nextCursor);
    }
  });

  const idFor = ({ url, naming }: RecordRequest): string =>
    naming.kind === 'cursor' ? (cursors.get(url) ?? '') : records[naming.kind];

  /** The credential of the other seller: an API key if the operation accepts one. */
  const credentialsOf = ({ peopleOnly }: Operation): readonly CallOptions[] =>
    peopleOnly ? [foreign.owner] : [foreign.owner, foreign.key];

  it('gets the response of an unknown id, and changes nothing, in every operation', TIMEOUT, async () => {
    const wrong: string[] = [];
    let before = await everything();
    for (const recordRequest of RECORD_REQUESTS) {
      const { name, naming, operation } = recordRequest;
      for (const as of credentialsOf(operation)) {
        const id = idFor(recordRequest);
        const foreign = await ask(recordRequest, id, as);
        if (naming.unknown === 'nothing') {
          if (foreign.status !== 200) wrong.push(`${name}: ${foreign.status} ${foreign.text}`);
          const shown = [...Object.values(records), victim.id, victim.ownerId].filter(
            (one) => one !== id && foreign.text.includes(one),
          );
          if (shown.length > 0) wrong.push(`${name} shows ${shown.join(', ')}`);
        } else {
          const [status, message] = naming.unknown;
          const said = [foreign.body.message].flat()[0];
          if (foreign.status !== status || said !== message)
            wrong.push(`${name}: ${foreign.status} ${foreign.text}`);
        }
        if (naming.kind === 'cursor') continue;
        for (const other of [randomUUID(), id.toUpperCase()]) {
          const unknown = await ask(recordRequest, other, as);
          const [one, two] = [resultOf(foreign, id), resultOf(unknown, other)];
          if (JSON.stringify(one) !== JSON.stringify(two))
            wrong.push(`${name}: ${JSON.stringify(one)}, and of an unknown id ${JSON.stringify(two)}`);
        }
      }
      const after = await everything();
      const tables = changed(before, after);
      if (tables.length > 0) wrong.push(`${name} has changed ${tables.join(', ')}`);
      before = after;
    }
    expect(wrong).toEqual([]);
  });

  it('is not found by operations for other kinds of records', TIMEOUT, async () => {
    const wrong: string[] = [];
    const before = await everything();
    const ids = [...Object.values(records), victim.id, victim.ownerId];
    for (const recordRequest of RECORD_REQUESTS) {
      const { name, naming, operation } = recordRequest;
      if (naming.unknown === 'nothing') continue;
      const [as] = credentialsOf(operation);
      for (const id of ids) {
        const { status } = await ask(recordRequest, id, as ?? {});
        if (status !== naming.unknown[0]) wrong.push(`${name} with ${id}: ${status}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(changed(before, await everything())).toEqual([]);
  });

  it('is absent from all lists of another seller, with any filter', TIMEOUT, async () => {
    const wrong: string[] = [];
    const ids = [...Object.values(records), victim.id, victim.ownerId, victim.email];
    const lists = Object.keys(OPERATIONS).filter(
      (name) => /^GET \/v1\/(?!admin)[^:]*$/.test(name) && OPERATIONS[name]?.may !== 'public',
    );
    for (const name of lists) {
      const url = name.replace('GET ', '');
      for (const query of ['', `?sellerId=${victim.id}`, `?userId=${victim.ownerId}`]) {
        const { text } = await root.call('GET', url + query, undefined, foreign.owner);
        for (const id of ids) if (text.includes(id)) wrong.push(`${url}${query} shows ${id}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('of a provider event in the sandbox is scoped to the seller', async () => {
    const reportId = `report ${randomUUID()}`;
    const pay = async (as: CallOptions) => {
      const { body } = await good(gateway.charge({}, as));
      return gateway.post(`/sandbox/transactions/${body.data.id}/pay`, { reportId }, as);
    };
    const [first, second] = [await pay(victim.owner), await pay(foreign.owner)];
    expect([first.status, second.status, second.body.data.status]).toEqual([200, 200, 'PAID']);
    expect(second.body.data.id).not.toBe(first.body.data.id);
    // The same id for another charge is rejected.
    expect((await pay(foreign.owner)).status).toBe(422);
  });

  it('of an Idempotency-Key is scoped to the seller', async () => {
    const idempotencyKey = randomUUID();
    const mine = await gateway.post('/transactions', goodCharge(), { ...victim.key, idempotencyKey });
    const theirs = await gateway.post('/transactions', goodCharge(), { ...foreign.key, idempotencyKey });
    expect([mine.status, theirs.status]).toEqual([201, 201]);
    expect(theirs.headers.get('idempotency-replayed')).toBeNull();
    expect(theirs.body.data.id).not.toBe(mine.body.data.id);
  });

  it('of a user or a key returns 404 to the operator under another seller', async () => {
    const before = await everything();
    for (const [path, id] of [
      ['users', records.user],
      ['api-keys', records['api key']],
    ] as const) {
      const response = await gateway.delete(`/admin/sellers/${foreign.id}/${path}/${id}`, admin);
      expect([path, response.status]).toEqual([path, 404]);
    }
    for (const id of [records.user, victim.ownerId]) {
      expect((await gateway.delete(`/admin/users/${id}`, admin)).status).toBe(404);
    }
    expect(changed(before, await everything())).toEqual([]);
  });

  /**
   * Filters by what the items of the list do not contain: customers.test.ts, payment-links.test.ts.
   */
  const UNNAMED = new Set(['customerId', 'paymentLinkId', 'subscriptionId']);

  // The last test, because it changes the records of the others.
  it('is accepted from its owner in each of these requests', TIMEOUT, async () => {
    const wrong: string[] = [];
    for (const recordRequest of RECORD_REQUESTS) {
      const response = await ask(recordRequest, idFor(recordRequest), victim.owner);
      const { status } = response;
      // A rejection for the record's status shows that it was found.
      const { code } = response.body;
      const found =
        status < 300 || status === 422 || code === 'invoice_not_found' || code === 'attachment_not_found';
      if (!found) wrong.push(`${recordRequest.name}: ${status} ${response.text}`);
      if (recordRequest.naming.unknown !== 'nothing' || recordRequest.naming.kind === 'cursor') continue;
      if (UNNAMED.has(recordRequest.naming.name)) continue;
      if (!response.text.includes(idFor(recordRequest)))
        wrong.push(`${recordRequest.name} shows nothing to its owner`);
    }
    expect(wrong).toEqual([]);
  });
});
