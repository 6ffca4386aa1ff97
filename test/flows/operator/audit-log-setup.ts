import { randomUUID } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, expect } from 'vitest';
import { cnabEnvironment } from '#test/support/bank-files.ts';
import { type ApiResponse, type CallOptions } from '#test/support/client.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { SHARED_SECRETS, startNode, type TestNode } from '#test/support/node.ts';
import { newSeller, type TestSeller } from '#test/support/withdrawals.ts';

export const CNPJ = '11222333000181';

export const PASSWORD = 'a very secret password';

export let gateway: TestGateway;

/** Its routes are those of every gateway. */
export let node: TestNode;

export let adminId: string;

export let seller: TestSeller;

export let owner: CallOptions & { readonly id: string };

/**
 * The other ADMIN, who decided a request. With one ADMIN, changes take effect without a second one.
 */
const requesters: string[] = [];
export const leaveRequester = (id: string): unknown => requesters.push(id);

let signIns = 0;

/**
 * Signs in each time, because the clock is advanced by hours, and from an address of its own,
 * because the sign-ins of an address are limited.
 */
export async function admin(): Promise<{ readonly token: string }> {
  for (const id of requesters.splice(0)) {
    await gateway.database.query('DELETE FROM users WHERE id = $1', [id]);
  }
  signIns += 1;
  const headers = { 'x-forwarded-for': `10.0.${signIns >> 8}.${signIns & 255}` };
  const response = await gateway.post('/login', gateway.demo.admin, { credential: 'none', headers });
  expect(response.status).toBe(200);
  return { token: String(response.body.accessToken) };
}

export interface Row {
  readonly id: string;
  readonly actor_kind: string;
  readonly actor_id: string | null;
  readonly actor_name: string | null;
  readonly actor_role: string | null;
  readonly actor_key_prefix: string | null;
  readonly action: string;
  readonly record_type: string;
  readonly record_id: string | null;
  readonly seller_id: string | null;
  readonly before: unknown;
  readonly after: unknown;
  readonly request_id: string | null;
}

/** A change before it is made: the expected log entry follows from the response. */
export interface Prepared {
  readonly act: () => Promise<ApiResponse>;
  readonly expectedRow: (response: ApiResponse) => Partial<Row>;
}

/** By route, such as `POST /v1/users`. */
export type Changes = Readonly<Record<string, () => Promise<Prepared>>>;

export const person = (changes: Readonly<Record<string, unknown>> = {}) => ({
  name: 'Bia',
  email: `${randomUUID()}@example.com`,
  password: PASSWORD,
  ...changes,
});

export const hook = (changes: Readonly<Record<string, unknown>> = {}) => ({
  url: `https://localhost:50001/hook?token=${PASSWORD.replaceAll(' ', '-')}`,
  eventType: 'ALL',
  description: 'stock',
  ...changes,
});

export const hookShown = { url: 'https://localhost:50001/hook?…', eventType: 'ALL', description: 'stock' };

export async function newKey(): Promise<string> {
  const made = await gateway.post('/api-keys', { name: 'till', role: 'FINANCE' }, owner);
  expect(made.status).toBe(201);
  return String(made.body.data.id);
}

/** A paid charge, which disputes need. */
export async function paid(): Promise<string> {
  const made = await gateway.charge({}, { apiKey: seller.apiKey });
  const id = String(made.body.data.id);
  await gateway.post(`/sandbox/transactions/${id}/pay`, undefined, { apiKey: seller.apiKey });
  return id;
}

const keyId = async (): Promise<string> => {
  const [row] = await gateway.database.query<{ id: string }>(
    `SELECT id FROM api_keys WHERE seller_id = $1 AND name = 'test'`,
    [seller.id],
  );
  return row?.id ?? '';
};

/** The log does not contain whose data it was. */
export const payerRecord = { record_type: 'payer', record_id: null, seller_id: null, before: null };

export const byOperator = () => ({
  actor_kind: 'OPERATOR_USER',
  actor_id: adminId,
  actor_name: 'Admin',
  actor_role: 'ADMIN',
});

export const byKey = async () => ({
  actor_kind: 'API_KEY',
  actor_id: await keyId(),
  actor_name: 'test',
  actor_role: 'OWNER',
  actor_key_prefix: expect.stringMatching(/^sk_test_\w{4}$/),
});

export const byOwner = () => ({
  actor_kind: 'SELLER_USER',
  actor_id: owner.id,
  actor_name: 'Caio',
  actor_role: 'OWNER',
});

export const keyMembers = (role: string) => ({
  name: 'till',
  role,
  prefix: expect.stringMatching(/^sk_test_\w{4}$/),
});

/** A colleague of the owner who has signed in. */
export async function newColleague(): Promise<{ readonly id: string; readonly token: string }> {
  const wanted = person({ role: 'OWNER' });
  const made = await gateway.post('/users', wanted, owner);
  const credentials = { email: wanted.email, password: PASSWORD };
  const signedIn = await gateway.post('/login', credentials, { credential: 'none' });
  return { id: String(made.body.data.id), token: String(signedIn.body.accessToken) };
}

/** `ahead` steps of thirty seconds from now, which the gateway accepts as the next one. */
export const codeOf = (secret: string, ahead = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + ahead * 30_000 });

export async function newSeed(as: CallOptions): Promise<string> {
  const begun = await gateway.post('/users/me/two-factor', { password: PASSWORD }, as);
  return String(begun.body.data.secret);
}

/** Changes of a user's own account. */
export const ofColleague = (id: string, action: string, changes: Partial<Row> = {}): Partial<Row> => ({
  actor_kind: 'SELLER_USER',
  actor_id: id,
  actor_name: 'Bia',
  action,
  record_type: 'user',
  record_id: id,
  seller_id: seller.id,
  before: null,
  after: null,
  ...changes,
});

export async function newHook(): Promise<string> {
  const made = await gateway.post('/webhooks', hook(), { apiKey: seller.apiKey });
  expect(made.status).toBe(201);
  return String(made.body.data.id);
}

/** Registers the hooks of a test file. */
export function setUp(): void {
  beforeAll(async () => {
    // Without a worker, so that only the test changes records.
    gateway = await startTestGateway({
      environment: { TRUSTED_PROXIES: '127.0.0.1', ...SHARED_SECRETS, ...cnabEnvironment('341') },
      worker: false,
    });
    node = await startNode({ databaseUrl: gateway.database.url });
    const [user] = await gateway.database.query<{ id: string }>('SELECT id FROM users WHERE email = $1', [
      gateway.demo.admin.email,
    ]);
    adminId = user?.id ?? '';
    seller = await newSeller(gateway, { balance: 100_000 });
    const email = `${randomUUID()}@example.com`;
    const made = await gateway.post(
      `/admin/sellers/${seller.id}/users`,
      { name: 'Caio', email, password: PASSWORD, role: 'OWNER' },
      await admin(),
    );
    const signedIn = await gateway.post('/login', { email, password: PASSWORD }, { credential: 'none' });
    owner = { id: made.body.data.id, token: signedIn.body.accessToken };
  });
  afterAll(async () => {
    await node.stop();
    await gateway.stop();
  });
}
