import { randomUUID } from 'node:crypto';

import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import type { GuardedRoute } from '#platform/http/guard.ts';
import {
  hasPermission,
  OPERATOR_ROLES,
  PERMISSIONS,
  SELLER_ROLES,
  type Role,
} from '#platform/kit/permissions.ts';
import { createClient, type ApiResponse, type CallOptions, type Client } from '#test/support/client.ts';
import { secondApproval } from '#test/support/operator.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { operationOf } from '#test/support/operations.ts';

const PASSWORD = 'a long enough password';
const ROLES: readonly Role[] = [...SELLER_ROLES, ...OPERATOR_ROLES];
/** Open whatever the status of the seller. */
const OF_EVERYBODY: ReadonlySet<string> = new Set(['session:end', 'account:own']);
/** The requests per minute of an anonymous client's address. */
const ANONYMOUS_REQUESTS_PER_MINUTE = 100;

/** Hundreds of sequential requests, and more with each new route. */
const TIMEOUT = { timeout: 180_000 };

let gateway: TestGateway;
/** Calls full paths, as routes contain them. */
let root: Client;
let admin: CallOptions;

beforeAll(async () => {
  gateway = await startTestGateway();
  root = createClient(gateway.baseUrl.replace(/\/v1$/, ''), '');
  admin = { token: await gateway.adminToken() };
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  nextMinute();
});
afterAll(async () => {
  vi.useRealTimers();
  await gateway.stop();
});

/** Anonymous clients are counted by the system clock, so this resets their limit. */
function nextMinute(): void {
  vi.setSystemTime(Date.now() + 61_000);
}

interface Caller {
  readonly name: string;
  /** Null for an anonymous client. */
  readonly role: Role | null;
  readonly isKey: boolean;
  /** Of a seller that is not ACTIVE. */
  readonly closed?: boolean;
  credential(): Promise<CallOptions>;
}

const keep = (as: CallOptions) => (): Promise<CallOptions> => Promise.resolve(as);

/** An anonymous client, whatever it sends. */
const callerWithoutAccess = (name: string, as: CallOptions): Caller => ({
  name,
  role: null,
  isKey: false,
  credential: keep(as),
});

/** Whether the credential is valid: otherwise a rejection would prove nothing. */
async function open(as: CallOptions): Promise<void> {
  expect((await gateway.get('/seller-wallet/gestao', as)).status).toBe(200);
}

const signIn = async (email: string): Promise<CallOptions> => {
  const response = await gateway.post('/login', { email, password: PASSWORD }, { credential: 'none' });
  expect(response.status).toBe(200);
  return { token: response.body.accessToken };
};

/** A user of a seller, or of the operator (null). */
async function newUser(
  sellerId: string | null,
  role: Role,
): Promise<{ readonly id: string; readonly email: string }> {
  const email = `${randomUUID()}@example.com`;
  const path = sellerId === null ? '/admin/users' : `/admin/sellers/${sellerId}/users`;
  const made = await gateway.post(path, { name: 'Bia', email, password: PASSWORD, role }, admin);
  return { id: String((await secondApproval(gateway, made)).id), email };
}

interface TestSeller {
  readonly id: string;
  readonly callers: readonly Caller[];
  readonly owner: CallOptions;
}

/** A seller with a user and a key of each role. */
async function newSeller(): Promise<TestSeller> {
  const made = await gateway.post(
    '/admin/sellers',
    {
      name: 'Loja',
      documentType: 'CPF',
      document: '52998224725',
      ownerName: 'Ana',
      ownerEmail: `${randomUUID()}@example.com`,
      ownerPassword: PASSWORD,
    },
    admin,
  );
  const id: string = made.body.data.id;
  const rates = { requestsPerMinute: 1_000_000, creationsPerMinute: 1_000_000 };
  expect((await gateway.patch(`/admin/sellers/${id}`, rates, admin)).status).toBe(200);
  const callers: Caller[] = [];
  for (const role of SELLER_ROLES) {
    const { email } = await newUser(id, role);
    const asked = await gateway.post(`/admin/sellers/${id}/api-keys`, { name: 'x', role }, admin);
    const { key } = await secondApproval(gateway, asked);
    const as = { apiKey: String(key) };
    callers.push({ name: `${role} user`, role, isKey: false, credential: () => signIn(email) });
    callers.push({ name: `${role} key`, role, isKey: true, credential: keep(as) });
  }
  const owner = callers.find((caller) => caller.name === 'OWNER key');
  if (owner === undefined) throw new Error('no owner');
  return { id, callers, owner: await owner.credential() };
}

async function newOperators(): Promise<readonly Caller[]> {
  const callers: Caller[] = [];
  for (const role of OPERATOR_ROLES) {
    const { email } = await newUser(null, role);
    callers.push({ name: role, role, isKey: false, credential: () => signIn(email) });
  }
  return callers;
}

const isWrite = (route: GuardedRoute): boolean => ['POST', 'PUT', 'PATCH'].includes(route.method);

/** Calls a route with this id for every parameter of its path. */
function callRoute(
  route: GuardedRoute,
  id: string,
  as: CallOptions,
  body: unknown = {},
): Promise<ApiResponse> {
  const path = route.url.replaceAll(/:\w+/g, id).replace('*', id);
  return root.call(route.method, path, isWrite(route) ? body : undefined, {
    idempotencyKey: randomUUID(),
    ...as,
  });
}

/**
 * The expected access of a caller to an operation; `open` is any response other than a rejection of
 * the caller.
 */
function expected(route: GuardedRoute, { role, isKey, closed }: Caller): '401' | '403' | 'closed' | 'open' {
  const { may, peopleOnly, whileClosed } = operationOf(route);
  if (may === 'public') return 'open';
  if (role === null) return '401';
  if (!may.includes(role)) return '403';
  if (closed === true && !whileClosed) return 'closed';
  return peopleOnly && isKey ? '403' : 'open';
}

const REFUSALS: Readonly<Record<string, readonly [number, string]>> = {
  '401': [401, 'Unauthorized'],
  '403': [403, 'Forbidden resource'],
  closed: [403, 'Seller is not active'],
};

/** Whether the response matches the expectation. A response to HEAD has no body. */
function isAnswered(right: string, { method }: GuardedRoute, { status, body }: ApiResponse): boolean {
  const refusal = REFUSALS[right];
  if (refusal === undefined) return status !== 401 && status !== 403 && status !== 429 && status < 500;
  return status === refusal[0] && (method === 'HEAD' || body.message === refusal[1]);
}

const nameOf = (route: GuardedRoute): string => `${route.method} ${route.url}`;

/** What the guard decides by: the access, whether for people only, and of an inactive seller. */
function ruleOf(route: GuardedRoute): string {
  const { peopleOnly, whileClosed } = operationOf(route);
  return [route.access, peopleOnly, whileClosed].join(' ');
}

/** One route for each rule of the guard. */
const routePerRule = (): readonly GuardedRoute[] => [
  ...new Map(gateway.routes.map((route) => [ruleOf(route), route])).values(),
];

/** Calls these routes as this caller; returns the differences from the table. */
async function callRoutes(caller: Caller, called = gateway.routes): Promise<readonly string[]> {
  const wrong: string[] = [];
  let as = await caller.credential();
  let strange = 0;
  // Operations that end the session are called last.
  const routes = called.toSorted(
    (a, b) => Number(a.access === 'session:end') - Number(b.access === 'session:end'),
  );
  for (const route of routes) {
    const right = expected(route, caller);
    if (right === 'open' && operationOf(route).may === 'public' && caller.role !== null) continue;
    if (caller.role === null) {
      strange += 1;
      if (strange % ANONYMOUS_REQUESTS_PER_MINUTE === 0) nextMinute();
    }
    const response = await callRoute(route, randomUUID(), as);
    if (!isAnswered(right, route, response)) {
      wrong.push(`${nameOf(route)} as ${caller.name}: ${response.status} ${response.text}, not ${right}`);
    }
    if (route.access === 'session:end' && right === 'open') as = await caller.credential();
  }
  nextMinute();
  return wrong;
}

async function callRoutesAsAll(
  callers: readonly Caller[],
  routes: readonly GuardedRoute[],
): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const caller of callers) wrong.push(...(await callRoutes(caller, routes)));
  return wrong;
}

describe('access rules of the routes', () => {
  it('match the table of operations exactly', () => {
    const unlike = gateway.routes.filter((route) => {
      const { may } = operationOf(route);
      const allowed = ROLES.filter((role) => route.access !== 'public' && hasPermission(role, route.access));
      return (route.access === 'public') !== (may === 'public')
        ? true
        : may !== 'public' && String(allowed) !== String(ROLES.filter((role) => may.includes(role)));
    });
    expect(unlike.map(nameOf)).toEqual([]);
    expect(gateway.routes.length).toBeGreaterThan(100);
  });

  it('apply to every role, key and anonymous client', TIMEOUT, async () => {
    const seller = await newSeller();
    const anonymous = callerWithoutAccess('anonymous', { credential: 'none' });
    // HEAD has the handler and the rule of GET.
    const routes = gateway.routes.filter(({ method }) => method !== 'HEAD');
    expect(await callRoutesAsAll([...seller.callers, ...(await newOperators())], routes)).toEqual([]);
    expect(await callRoutes(anonymous)).toEqual([]);
  });

  it('reject ended credentials, however they ended', TIMEOUT, async () => {
    const { id } = await newSeller();
    const asked = await gateway.post(`/admin/sellers/${id}/api-keys`, { name: 'x' }, admin);
    const made = await secondApproval(gateway, asked);
    const deletedKey = { apiKey: String(made.key) };
    await open(deletedKey);
    await gateway.delete(`/admin/sellers/${id}/api-keys/${made.id}`, admin);

    const out = await newUser(id, 'OWNER');
    const loggedOut = await signIn(out.email);
    expect((await gateway.post('/auth/logout', undefined, loggedOut)).status).toBe(200);

    const ended = await newUser(id, 'OWNER');
    const [endedSession, other] = [await signIn(ended.email), await signIn(ended.email)];
    const sessions = await gateway.get('/users/me/sessions', endedSession);
    const current = sessions.body.data.find((one: { current: boolean }) => one.current);
    expect((await gateway.delete(`/users/me/sessions/${current.id}`, other)).status).toBe(200);

    const changed = await newUser(id, 'OWNER');
    const [elsewhere, here] = [await signIn(changed.email), await signIn(changed.email)];
    const passwords = { currentPassword: PASSWORD, newPassword: `another ${PASSWORD}` };
    expect((await gateway.post('/users/me/password', passwords, here)).status).toBe(200);

    const gone = await newUser(id, 'OWNER');
    const ofDeleted = await signIn(gone.email);
    expect((await gateway.delete(`/admin/sellers/${id}/users/${gone.id}`, admin)).status).toBe(200);

    const admins = await newUser(null, 'ADMIN');
    const ofDeletedAdmin = await signIn(admins.email);
    await secondApproval(gateway, await gateway.delete(`/admin/users/${admins.id}`, admin));

    const callers = [
      callerWithoutAccess('a deleted key', deletedKey),
      callerWithoutAccess('a user who has logged out', loggedOut),
      callerWithoutAccess('a session that was ended', endedSession),
      callerWithoutAccess('a session from before a new password', elsewhere),
      callerWithoutAccess('a deleted user', ofDeleted),
      callerWithoutAccess('a deleted ADMIN', ofDeletedAdmin),
    ];
    const wrong = await callRoutesAsAll(callers, routePerRule());
    expect(wrong).toEqual([]);
    // Other credentials are still valid.
    for (const as of [other, here]) await open(as);
  });

  it('use the current role of the user, not the role at sign-in', TIMEOUT, async () => {
    const { id } = await newSeller();
    const lead = await signIn((await newUser(id, 'OWNER')).email);
    const callers: Caller[] = [];
    for (const [from, to] of [
      ['OWNER', 'VIEWER'],
      ['FINANCE', 'DEVELOPER'],
    ] as const) {
      const { id: userId, email } = await newUser(id, from);
      const as = await signIn(email);
      await open(as);
      expect((await gateway.patch(`/users/${userId}`, { role: to }, lead)).status).toBe(200);
      let asked = 0;
      const credential = async () => ((asked += 1) === 1 ? as : signIn(email));
      callers.push({ name: `${from} made ${to}`, role: to, isKey: false, credential });
    }
    expect(await callRoutesAsAll(callers, routePerRule())).toEqual([]);
  });

  it('close all routes of an inactive seller except the own account and session', TIMEOUT, async () => {
    const seller = await newSeller();
    const wrong: string[] = [];
    for (const status of ['PENDING', 'SUSPENDED', 'CLOSED']) {
      expect((await gateway.patch(`/admin/sellers/${seller.id}`, { status }, admin)).status).toBe(200);
      for (const caller of seller.callers.filter(({ name }) => /OWNER|VIEWER user/.test(name))) {
        // Every status closes the same routes.
        const routes = status === 'PENDING' && caller.isKey ? gateway.routes : routePerRule();
        const closed = { ...caller, name: `${caller.name} while ${status}`, closed: true };
        wrong.push(...(await callRoutes(closed, routes)));
      }
    }
    expect(wrong).toEqual([]);
  });
});

/** The rules of access, independent of the code. */
describe('PERMISSIONS', () => {
  const entries = Object.entries<readonly Role[]>(PERMISSIONS);
  const ofSellers = entries.filter(([name]) => !name.startsWith('operator:') && !OF_EVERYBODY.has(name));

  it('grants the owner everything, and every seller role all reads', () => {
    const withoutOwner = ofSellers.filter(([, roles]) => !roles.includes('OWNER'));
    expect(withoutOwner).toEqual([]);
    const halfRead = ofSellers.filter(
      ([name, roles]) => name.endsWith(':read') && !SELLER_ROLES.every((role) => roles.includes(role)),
    );
    expect(halfRead).toEqual([]);
  });

  it('grants the viewer only reads', () => {
    const written = ofSellers.filter(([name, roles]) => roles.includes('VIEWER') && !name.endsWith(':read'));
    expect(written).toEqual([]);
  });

  it('grants finance withdrawals, refunds and appeals, developers other writes, and both customers', () => {
    const finance = /^(withdrawals|refunds|disputes|transactions:refund)/;
    const ofOwners = ['users:write', 'application:own'];
    const writes = ofSellers.filter(([name]) => !name.endsWith(':read') && !ofOwners.includes(name));
    const right = writes.map(([name]) => {
      if (name === 'customers:write') return [name, ['OWNER', 'FINANCE', 'DEVELOPER']];
      return [name, ['OWNER', finance.test(name) ? 'FINANCE' : 'DEVELOPER']];
    });
    expect(Object.fromEntries(writes)).toEqual(Object.fromEntries(right));
  });

  it.each(['users:write', 'application:own'])('grants only the owner %s', (permission) => {
    expect(ofSellers.find(([name]) => name === permission)?.[1]).toEqual(['OWNER']);
  });

  it('grants ADMIN the operator’s writes, SUPPORT its reads too, and sellers neither', () => {
    const operators = entries.filter(([name]) => name.startsWith('operator:'));
    const right = operators.map(([name]) => [
      name,
      name === 'operator:read' ? ['ADMIN', 'SUPPORT'] : ['ADMIN'],
    ]);
    expect(Object.fromEntries(operators)).toEqual(Object.fromEntries(right));
    const mixed = ofSellers.filter(([, roles]) => OPERATOR_ROLES.some((role) => roles.includes(role)));
    expect(mixed).toEqual([]);
  });
});
