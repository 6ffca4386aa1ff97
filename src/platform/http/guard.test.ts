import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { newApiKey } from '#platform/kit/ids.ts';
import { callingSeller, callingUserId, registerGuard, idempotencyKey } from './guard.ts';
import type { Principal } from './principal.ts';
import { createMemoryRateLimiter } from './rate-limiter.ts';
import { createServer, type App } from './server.ts';

const KEY = '11111111-1111-4111-8111-111111111111';
const account = { id: 'seller', active: true, requestsPerMinute: 1_000, creationsPerMinute: 1_000 };

/** The owner of each credential in these tests. */
const PRINCIPALS: Readonly<Record<string, Principal>> = {
  owner: {
    kind: 'seller',
    isVerified: async () => true,
    role: 'OWNER',
    seller: account,
    userId: null,
    sessionId: null,
    key: { id: 'key', prefix: 'sk_test_abcd' },
    browser: false,
    name: 'A',
  },
  viewer: {
    kind: 'seller',
    isVerified: async () => true,
    role: 'VIEWER',
    seller: account,
    userId: 'user',
    sessionId: 'session',
    key: null,
    browser: false,
    name: 'A',
  },
  closed: {
    kind: 'seller',
    isVerified: async () => true,
    role: 'OWNER',
    seller: { ...account, active: false },
    userId: 'user',
    sessionId: 'session',
    key: null,
    browser: false,
    name: 'A',
  },
  closedViewer: {
    kind: 'seller',
    isVerified: async () => true,
    role: 'VIEWER',
    seller: { ...account, active: false },
    userId: 'user',
    sessionId: 'session',
    key: null,
    browser: false,
    name: 'A',
  },
  busy: {
    kind: 'seller',
    isVerified: async () => true,
    role: 'VIEWER',
    seller: { ...account, id: 'busy', requestsPerMinute: 1 },
    userId: null,
    sessionId: null,
    key: { id: 'key', prefix: 'sk_test_abcd' },
    browser: false,
    name: 'A',
  },
  admin: {
    kind: 'operator',
    isVerified: async () => true,
    role: 'ADMIN',
    needsSecondFactor: false,
    userId: 'operator',
    sessionId: 'session',
    name: 'A',
  },
};

const limits = () => ({ rateLimiter: createMemoryRateLimiter(), operatorRequestsPerMinute: 2 });

let app: App;
let handled: number;

/** Credentials whose owner is known before the lookup, like that of an access token. */
const read = async (credential: string) => {
  const principal = PRINCIPALS[credential];
  return principal && { holder: principal, authenticate: async () => principal };
};

beforeEach(async () => {
  handled = 0;
  app = createServer(pino({ level: 'silent' }));
  registerGuard(app, { readApiKey: read, readAccessToken: read }, limits());
  const done = async () => {
    handled += 1;
    return { done: true };
  };
  app.get('/open', { config: { access: 'public' } }, done);
  app.get('/read', { config: { access: 'transactions:read' } }, done);
  app.post(
    '/create',
    { config: { access: 'transactions:create', idempotent: true, creation: true } },
    async (request) => ({
      seller: callingSeller(request).id,
      key: idempotencyKey(request),
    }),
  );
  app.post('/end', { config: { access: 'session:end', anySellerStatus: true } }, async (request) => ({
    user: callingUserId(request),
  }));
  await app.ready();
});
afterEach(async () => {
  await app.close();
});

async function ask(method: 'GET' | 'POST', url: string, headers: Readonly<Record<string, string>> = {}) {
  const response = await app.inject({ method, url, headers });
  return { status: response.statusCode, headers: response.headers, body: response.json() };
}
const as = (who: string) => ({ 'x-api-key': who });

async function refusalOf(who: string): Promise<readonly [number, unknown]> {
  const { status, body } = await ask('POST', '/create', as(who));
  return [status, body.message];
}

describe('a route', () => {
  it('without access rules is rejected at startup', async () => {
    const other = createServer(pino({ level: 'silent' }));
    registerGuard(
      other,
      { readApiKey: async () => undefined, readAccessToken: async () => undefined },
      limits(),
    );
    expect(() => other.get('/forgotten', async () => ({}))).toThrow('/forgotten');
    await other.close();
  });

  it('that is public requires no credential', async () => {
    expect((await ask('GET', '/open')).status).toBe(200);
    expect((await ask('GET', '/open', as('nobody'))).status).toBe(200);
  });
});

describe('a credential', () => {
  it('is an API key or a token; the key takes precedence', async () => {
    expect((await ask('GET', '/read', as('owner'))).status).toBe(200);
    expect((await ask('GET', '/read', { authorization: 'Bearer owner' })).status).toBe(200);
    expect((await ask('GET', '/read', { authorization: 'bearer owner' })).status).toBe(200);
    expect((await ask('GET', '/read', { ...as('owner'), authorization: 'Bearer nobody' })).status).toBe(200);
    expect((await ask('GET', '/read', { ...as('nobody'), authorization: 'Bearer owner' })).status).toBe(401);
    expect((await ask('GET', '/read', { ...as(''), authorization: 'Bearer owner' })).status).toBe(401);
    expect(handled).toBe(4);
  });

  it.each([
    [{}, 'missing_credentials'],
    [as('nobody'), 'malformed_api_key'],
    [as(''), 'malformed_api_key'],
    [as(newApiKey('test').replace(/.$/, '_')), 'malformed_api_key'],
    [as(newApiKey('test')), 'revoked_api_key'],
    [{ authorization: 'owner' }, 'invalid_access_token'],
    [{ authorization: 'Basic owner' }, 'invalid_access_token'],
    [{ authorization: 'Bearer  owner' }, 'invalid_access_token'],
    [{ authorization: 'Bearer nobody' }, 'invalid_access_token'],
  ])('%j is rejected with %s', async (headers, code) => {
    const response = await ask('GET', '/read', headers);
    expect(response.status).toBe(401);
    expect(response.body).toMatchObject({
      statusCode: 401,
      message: 'Unauthorized',
      error: 'Unauthorized',
      code,
    });
    expect(response.headers['ratelimit-limit']).toBe('120');
  });
});

describe('refusals', () => {
  it('are decided in order: credential, rate, permission, seller status, request', async () => {
    expect(await refusalOf('nobody')).toEqual([401, 'Unauthorized']);
    expect(await refusalOf('busy')).toEqual([403, 'Forbidden resource']);
    expect(await refusalOf('busy')).toEqual([429, 'Rate limit exceeded']);
    expect(await refusalOf('closedViewer')).toEqual([403, 'Forbidden resource']);
    expect(await refusalOf('closed')).toEqual([403, 'Seller is not active']);
    expect(await refusalOf('owner')).toEqual([400, 'Idempotency-Key header is required']);
    expect(await refusalOf('admin')).toEqual([403, 'Forbidden resource']);
  });

  it('are sent before the body is read', async () => {
    const response = await app.inject({
      method: 'POST',
      url: '/create',
      headers: { ...as('viewer'), 'content-type': 'text/plain', 'idempotency-key': KEY },
      payload: 'x'.repeat(300_000),
    });
    expect(response.statusCode).toBe(403);
  });
});

describe('an Idempotency-Key', () => {
  it('is accepted in any letter case and treated as the same key', async () => {
    const key = 'ABCDEFAB-CDEF-4ABC-AABC-ABCDEFABCDEF';
    const response = await ask('POST', '/create', { ...as('owner'), 'idempotency-key': key });
    expect(response.body).toEqual({ seller: 'seller', key: key.toLowerCase() });
  });

  it.each(['x', KEY.replace('4111', '1111'), `${KEY},${KEY}`, KEY.replaceAll('-', '')])(
    '%s is rejected',
    async (key) => {
      const response = await ask('POST', '/create', { ...as('owner'), 'idempotency-key': key });
      expect(response.body).toMatchObject({ statusCode: 400, message: 'Idempotency-Key must be a UUID' });
    },
  );
});

describe('a session', () => {
  it('can be ended by every user whatever the seller status, but not by a key', async () => {
    expect((await ask('POST', '/end', as('closed'))).body).toEqual({ user: 'user' });
    expect((await ask('POST', '/end', as('viewer'))).body).toEqual({ user: 'user' });
    expect((await ask('POST', '/end', as('admin'))).body).toEqual({ user: 'operator' });
    expect((await ask('POST', '/end', as('owner'))).status).toBe(403);
  });
});

describe('rate limits', () => {
  it('report the limit that will be reached first', async () => {
    const few = { ...account, id: 'few', requestsPerMinute: 50, creationsPerMinute: 3 };
    const other = createServer(pino({ level: 'silent' }));
    const seller: Principal = {
      kind: 'seller',
      isVerified: async () => true,
      role: 'OWNER',
      seller: few,
      userId: null,
      sessionId: null,
      key: { id: 'key', prefix: 'sk_test_abcd' },
      browser: false,
      name: 'A',
    };
    const credential = { holder: seller, authenticate: async () => seller };
    const authenticator = { readApiKey: async () => credential, readAccessToken: async () => credential };
    registerGuard(other, authenticator, limits());
    other.post('/create', { config: { access: 'transactions:create', creation: true } }, async () => ({}));
    other.get('/read', { config: { access: 'transactions:read' } }, async () => ({}));
    const create = () => other.inject({ method: 'POST', url: '/create', headers: as('x') });
    const responses = [await create(), await create(), await create(), await create()];
    expect(responses.map((response) => response.statusCode)).toEqual([200, 200, 200, 429]);
    expect(responses.map((response) => Number(response.headers['ratelimit-limit']))).toEqual([3, 3, 3, 3]);
    expect(responses.map((response) => Number(response.headers['ratelimit-remaining']))).toEqual([
      2, 1, 0, 0,
    ]);
    const read = await other.inject({ method: 'GET', url: '/read', headers: as('x') });
    expect(read.statusCode).toBe(200);
    expect(Number(read.headers['ratelimit-limit'])).toBe(50);
    await other.close();
  });

  it('count requests of an operator by user', async () => {
    const responses = [await ask('GET', '/read', as('admin')), await ask('GET', '/read', as('admin'))];
    expect(responses.map(({ status }) => status)).toEqual([403, 403]);
    expect((await ask('GET', '/read', as('admin'))).status).toBe(429);
  });
});

describe('a caller above its limit', () => {
  let lookups: number;
  let server: App;

  /** Reads credentials as `read` does, and counts the lookups. */
  function startServer(isHolderKnown: boolean): void {
    lookups = 0;
    server = createServer(pino({ level: 'silent' }));
    const readCounted = async (credential: string) => {
      const authenticate = async () => {
        lookups += 1;
        return PRINCIPALS[credential];
      };
      return { holder: isHolderKnown ? PRINCIPALS[credential] : undefined, authenticate };
    };
    registerGuard(server, { readApiKey: readCounted, readAccessToken: readCounted }, limits());
    server.get('/read', { config: { access: 'transactions:read' } }, async () => ({}));
  }
  afterEach(() => server.close());

  const send = async (credential: string) =>
    (await server.inject({ method: 'GET', url: '/read', headers: as(credential) })).statusCode;

  it('is rejected before its credential is looked up', async () => {
    startServer(true);
    expect([await send('busy'), await send('busy'), await send('busy')]).toEqual([200, 429, 429]);
    expect(lookups).toBe(1);
  });

  it('with unknown credentials is counted by address, also if all come at once', async () => {
    startServer(false);
    const statuses = await Promise.all(Array.from({ length: 200 }, (_, index) => send(`unknown ${index}`)));
    expect(statuses.filter((status) => status === 401)).toHaveLength(120);
    expect(statuses.filter((status) => status === 429)).toHaveLength(80);
    expect(lookups).toBe(120);
    expect([await send('owner'), lookups]).toEqual([429, 120]);
  });

  it('does not include a client with a valid credential seen for the first time', async () => {
    startServer(false);
    const statuses = await Promise.all(Array.from({ length: 200 }, () => send('owner')));
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(await send('unknown')).toBe(401);
  });
});
