import { randomUUID } from 'node:crypto';

import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import type { GuardedRoute } from '#http/guard.ts';
import { mayDo, OPERATOR_ROLES, PERMISSIONS, SELLER_ROLES, type Role } from '#permissions.ts';
import { createClient, type Answer, type CallOptions, type Client } from '#test/support/client.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { SHARED_SECRETS, startNode, type TestNode } from '#test/support/node.ts';

const PASSWORD = 'a long enough password';
const SELLER_CLOSED = 'Seller is not active';
/** A stranger's address may ask so often in a minute. */
const STRANGERS_A_MINUTE = 100;

/** Hundreds of requests, one after the other, and more with every new route. */
const PATIENCE = { timeout: 180_000 };

let gateway: TestGateway;
let node: TestNode;
/** Speaks to whole addresses, as routes name them. */
let root: Client;
let admin: CallOptions;

beforeAll(async () => {
  gateway = await startTestGateway({ environment: SHARED_SECRETS });
  // Its routes are those of every gateway.
  node = await startNode({ databaseUrl: gateway.database.url });
  root = createClient(gateway.baseUrl.replace(/\/v1$/, ''), '');
  admin = { token: await gateway.adminToken() };
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  nextMinute();
});
afterAll(async () => {
  vi.useRealTimers();
  await node.stop();
  await gateway.stop();
});

/** Strangers are counted by the machine's clock, so that this gives them a new allowance. */
function nextMinute(): void {
  vi.setSystemTime(Date.now() + 61_000);
}

interface Caller {
  readonly name: string;
  /** Null for a stranger. */
  readonly role: Role | null;
  readonly isKey: boolean;
  credential(): Promise<CallOptions>;
}

const keep = (as: CallOptions) => (): Promise<CallOptions> => Promise.resolve(as);

const signIn = async (email: string): Promise<CallOptions> => {
  const answer = await gateway.post('/login', { email, password: PASSWORD }, { credential: 'none' });
  expect(answer.status).toBe(200);
  return { token: answer.body.accessToken };
};

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
    const email = `${randomUUID()}@example.com`;
    const user = { name: 'Bia', email, password: PASSWORD, role };
    expect((await gateway.post(`/admin/sellers/${id}/users`, user, admin)).status).toBe(201);
    const key = await gateway.post(`/admin/sellers/${id}/api-keys`, { name: 'x', role }, admin);
    const as = { apiKey: String(key.body.data.key) };
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
    const email = `${randomUUID()}@example.com`;
    const user = { name: 'Bia', email, password: PASSWORD, role };
    expect((await gateway.post('/admin/users', user, admin)).status).toBe(201);
    callers.push({ name: role, role, isKey: false, credential: () => signIn(email) });
  }
  return callers;
}

const isWrite = (route: GuardedRoute): boolean => ['POST', 'PUT', 'PATCH'].includes(route.method);

/** Calls a route with this id wherever its address has a parameter. */
function callRoute(route: GuardedRoute, id: string, as: CallOptions, body: unknown = {}): Promise<Answer> {
  const path = route.url.replaceAll(/:\w+/g, id).replace('*', id);
  return root.call(route.method, path, isWrite(route) ? body : undefined, {
    idempotencyKey: randomUUID(),
    ...as,
  });
}

/** What only people do, whatever a key may. */
const OF_PEOPLE: ReadonlySet<string> = new Set(['session:end', 'account:own', 'users:write']);

/** What is a person's own, whatever becomes of the seller. */
const OF_EVERYBODY: ReadonlySet<string> = new Set(['session:end', 'account:own']);

/** What the one table says of a caller and a route; `open` is any answer that is no refusal of the caller. */
function expected({ access }: GuardedRoute, caller: Caller): '401' | '403' | 'open' {
  if (access === 'public') return 'open';
  if (caller.role === null) return '401';
  // An API key has no session and no account, and changes no team.
  if (OF_PEOPLE.has(access) && caller.isKey) return '403';
  return mayDo(caller.role, access) ? 'open' : '403';
}

function got(route: GuardedRoute, { status, body }: Answer): string {
  if (status === 401 || status === 403) {
    const message = { 401: 'Unauthorized', 403: 'Forbidden resource' }[status];
    return route.method === 'HEAD' || body.message === message ? String(status) : `${status} ${body.message}`;
  }
  return status === 429 || status >= 500 ? `unfit for this test: ${status}` : 'open';
}

const nameOf = (route: GuardedRoute): string => `${route.method} ${route.url}`;

describe('every route', () => {
  it('is known with what it asks for', () => {
    expect(node.routes.length).toBeGreaterThan(30);
    const names = node.routes.map(nameOf);
    for (const name of [
      'POST /v1/transactions',
      'DELETE /v1/api-keys/:id',
      'GET /v1/admin/users',
      'POST /v1/login',
    ]) {
      expect(names).toContain(name);
    }
  });

  it('answers every role, key and stranger as the one table says (C5)', PATIENCE, async () => {
    const seller = await newSeller();
    const stranger: Caller = {
      name: 'stranger',
      role: null,
      isKey: false,
      credential: keep({ credential: 'none' }),
    };
    const wrong: string[] = [];
    let strangers = 0;
    for (const caller of [...seller.callers, ...(await newOperators()), stranger]) {
      let as = await caller.credential();
      // What ends a session comes last.
      const routes = node.routes.toSorted(
        (a, b) => Number(a.access === 'session:end') - Number(b.access === 'session:end'),
      );
      for (const route of routes) {
        if (route.access === 'public' && caller.role !== null) continue;
        if (caller.role === null) {
          strangers += 1;
          if (strangers % STRANGERS_A_MINUTE === 0) nextMinute();
        }
        const answer = got(route, await callRoute(route, randomUUID(), as));
        const right = expected(route, caller);
        if (answer !== right) wrong.push(`${nameOf(route)} as ${caller.name}: ${answer}, not ${right}`);
        if (route.access === 'session:end' && right === 'open') as = await caller.credential();
      }
      nextMinute();
    }
    expect(wrong).toEqual([]);
  });

  it(
    'of a seller is closed while the seller is not ACTIVE, but for ending a session (C5)',
    PATIENCE,
    async () => {
      const seller = await newSeller();
      const wrong: string[] = [];
      for (const status of ['PENDING', 'SUSPENDED', 'CLOSED']) {
        expect((await gateway.patch(`/admin/sellers/${seller.id}`, { status }, admin)).status).toBe(200);
        for (const route of node.routes) {
          if (route.access === 'public' || OF_EVERYBODY.has(route.access)) continue;
          if (!mayDo('OWNER', route.access)) continue;
          const answer = await callRoute(route, randomUUID(), seller.owner);
          const message = route.method === 'HEAD' ? SELLER_CLOSED : answer.body.message;
          if (answer.status !== 403 || message !== SELLER_CLOSED) {
            wrong.push(`${nameOf(route)} while ${status}: ${answer.status} ${message}`);
          }
        }
      }
      expect(wrong).toEqual([]);
    },
  );
});

const sellerRoutes = (): readonly GuardedRoute[] =>
  node.routes.filter(
    (route) => route.access !== 'public' && route.method !== 'HEAD' && mayDo('OWNER', route.access),
  );

/** Fills in every member that an operation with an id may ask for; what is unknown is ignored. */
const bodyFor = (id: string) => ({
  amount: 100,
  reason: 'a reason',
  appealReason: 'a reason',
  description: 'changed by a stranger',
  disputeId: id,
  transactionIds: [id],
  withdrawalIds: [id],
});

/** Every id that this seller's own lists show, and every record that its own reads show. */
async function recordsOf(
  as: CallOptions,
): Promise<{ ids: ReadonlySet<string>; reads: ReadonlyMap<string, string> }> {
  const ids = new Set<string>();
  for (const route of sellerRoutes().filter((one) => one.method === 'GET' && !one.url.includes(':'))) {
    const { status, text } = await callRoute(route, '', as);
    // The ids in the examples of events are nobody's.
    if (status !== 200 || route.url === '/v1/webhooks/event-types') continue;
    for (const [, id] of text.matchAll(/"id":"([0-9a-f-]{36})"/g)) if (id !== undefined) ids.add(id);
  }
  const reads = new Map<string, string>();
  for (const route of sellerRoutes().filter((one) => one.method === 'GET' && one.url.includes(':'))) {
    for (const id of ids) {
      const { status, text } = await callRoute(route, id, as);
      if (status === 200) reads.set(`${route.url} ${id}`, text);
    }
  }
  return { ids, reads };
}

// Deliveries are tried by a worker at their own pace; what it does is no stranger's doing.
const stable = (reads: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  new Map([...reads].filter(([name]) => !name.includes('deliveries')));

describe('another seller’s records', () => {
  it('are not found by any operation, and nothing happens to them (C5, C13)', PATIENCE, async () => {
    const [mine, theirs] = [await newSeller(), await newSeller()];
    const as = theirs.owner;
    const hook = { url: 'https://localhost:50001/hook', eventType: 'ALL' };
    expect((await gateway.post('/webhooks', hook, as)).status).toBe(201);
    const charge = await gateway.charge({}, as);
    await gateway.charge({}, as);
    await gateway.post(`/sandbox/transactions/${charge.body.data.id}/pay`, undefined, as);
    await gateway.post(
      '/withdrawals',
      { amount: 100, method: 'PIX', pixKey: 'ana@example.com', pixKeyType: 'EMAIL' },
      { ...as, idempotencyKey: randomUUID() },
    );
    const disputed = await gateway.charge({}, as);
    await gateway.post(`/sandbox/transactions/${disputed.body.data.id}/pay`, undefined, as);
    await gateway.post(`/sandbox/transactions/${disputed.body.data.id}/dispute`, undefined, as);
    const { ids, reads } = await recordsOf(as);
    const read = new Set([...reads.keys()].map((name) => name.split(' ')[0]));
    for (const url of ['/v1/transactions/:id', '/v1/webhooks/:id']) expect(read).toContain(url);

    const wrong: string[] = [];
    const person = await mine.callers.find(({ name }) => name === 'OWNER user')?.credential();
    if (person === undefined) throw new Error('no owner');
    for (const route of sellerRoutes()) {
      const stranger = OF_PEOPLE.has(route.access) ? person : mine.owner;
      const namesRecord = route.url.includes(':') || /resend|appeal/.test(route.url);
      if (!namesRecord) continue;
      for (const id of ids) {
        const { status } = await callRoute(route, id, stranger, bodyFor(id));
        // A body that does not fit is refused before anything is looked for.
        const right = status === 404 || (status === 400 && isWrite(route));
        if (!right) wrong.push(`${nameOf(route)} with ${id}: ${status}`);
      }
    }
    expect(stable((await recordsOf(as)).reads)).toEqual(stable(reads));

    for (const route of sellerRoutes().filter((one) => one.method === 'GET' && !one.url.includes(':'))) {
      const { text } = await callRoute(route, '', mine.owner);
      for (const id of ids) if (text.includes(id)) wrong.push(`${nameOf(route)} shows ${id}`);
    }
    expect(wrong).toEqual([]);
    for (const id of ids) {
      const found = await gateway.get(`/transactions?transactionId=${id}`, mine.owner);
      expect(found.body.count).toBe(0);
    }
  });
});

/** What C5 says in words, said again without looking at the code. */
describe('the table of permissions', () => {
  const entries = Object.entries<readonly Role[]>(PERMISSIONS);
  const ofSellers = entries.filter(([name]) => !name.startsWith('operator:') && !OF_EVERYBODY.has(name));

  it('gives the owner all, and every role of a seller all reads (C5)', () => {
    const withoutOwner = ofSellers.filter(([, roles]) => !roles.includes('OWNER'));
    expect(withoutOwner).toEqual([]);
    const halfRead = ofSellers.filter(
      ([name, roles]) => name.endsWith(':read') && !SELLER_ROLES.every((role) => roles.includes(role)),
    );
    expect(halfRead).toEqual([]);
  });

  it('gives the viewer reads alone (C5)', () => {
    const written = ofSellers.filter(([name, roles]) => roles.includes('VIEWER') && !name.endsWith(':read'));
    expect(written).toEqual([]);
  });

  it('gives withdrawals, refunds and appeals to finance, the rest of the writes to developers (C5)', () => {
    const finance = /^(withdrawals|refunds|disputes|transactions:refund)/;
    const writes = ofSellers.filter(([name]) => !name.endsWith(':read') && name !== 'users:write');
    const right = writes.map(([name]) => [name, ['OWNER', finance.test(name) ? 'FINANCE' : 'DEVELOPER']]);
    expect(Object.fromEntries(writes)).toEqual(Object.fromEntries(right));
  });

  it('gives the team to the owner alone', () => {
    expect(ofSellers.find(([name]) => name === 'users:write')?.[1]).toEqual(['OWNER']);
  });

  it('gives the operator’s writes to ADMIN, its reads to SUPPORT too, and neither to sellers (C5, C13)', () => {
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
