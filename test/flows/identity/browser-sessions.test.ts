import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import { FROM_DASHBOARD, newBrowser, type Browser } from '#test/support/browser.ts';
import type { ApiResponse, CallOptions } from '#test/support/client.ts';
import { newOwner } from '#test/support/sellers.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { SHARED_SECRETS, startNode } from '#test/support/node.ts';

const PASSWORD = 'a long enough password';

let gateway: TestGateway;
let email: string;

beforeAll(async () => {
  gateway = await startTestGateway({ environment: SHARED_SECRETS });
  email = await newOwner(gateway, PASSWORD);
  // Anonymous clients and failures are counted by the system clock, which each test advances.
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  vi.setSystemTime(Date.now() + 16 * 60_000);
});
afterAll(async () => {
  vi.useRealTimers();
  await gateway.stop();
});

async function signedIn(): Promise<{ readonly browser: Browser; readonly response: ApiResponse }> {
  const browser = newBrowser(gateway.baseUrl);
  const response = await browser.post('/login', { email, password: PASSWORD, session: 'cookie' });
  expect(response.status).toBe(200);
  return { browser, response };
}

const refresh = (browser: Browser, options?: CallOptions) => browser.post('/auth/refresh', {}, options);
const opens = async (token: unknown) =>
  (await gateway.get('/seller-wallet/gestao', { token: String(token) })).status === 200;

describe('a sign-in of a browser', () => {
  it('returns no refresh token, but sets it in an HttpOnly, SameSite cookie with a narrow path', async () => {
    const { browser, response } = await signedIn();
    expect(Object.keys(response.body)).toEqual(['accessToken', 'user']);
    expect(await opens(response.body.accessToken)).toBe(true);
    const kept = browser.jar.get('refresh');
    expect(kept?.value).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    const attributes = kept?.attributes.split('; ').toSorted();
    expect(attributes).toEqual(['HttpOnly', 'Max-Age=604800', 'Path=/v1/auth', 'SameSite=Strict']);
    expect(browser.jar.get('device')?.attributes).toContain('Path=/v1/login');
  });

  it('behind TLS sets Secure cookies below the path of the public URL', async () => {
    const node = await startNode({
      databaseUrl: gateway.database.url,
      environment: { PUBLIC_URL: 'https://pay.example.com/gw' },
    });
    const browser = newBrowser(node.baseUrl);
    const response = await browser.post('/login', { email, password: PASSWORD, session: 'cookie' });
    await node.stop();
    const kept = browser.jar.get('__Secure-refresh')?.attributes.split('; ');
    expect(kept).toEqual(expect.arrayContaining(['Secure', 'HttpOnly', 'Path=/gw/v1/auth']));
    expect(browser.jar.get('__Secure-device')?.attributes).toContain('Path=/gw/v1/login');
    expect(response.body.refreshToken).toBeUndefined();
  });

  it('behind TLS without a path sets __Host- cookies, which other subdomains cannot set', async () => {
    const node = await startNode({
      databaseUrl: gateway.database.url,
      environment: { PUBLIC_URL: 'https://pay.example.com' },
    });
    const browser = newBrowser(node.baseUrl);
    await browser.post('/login', { email, password: PASSWORD, session: 'cookie' });
    for (const [name, life] of [
      ['refresh', 7 * 86_400],
      ['device', 180 * 86_400],
    ] as const) {
      // Requirements of the prefix: Secure, for the whole host and without a domain (RFC 6265bis,
      // 4.1.3.2).
      const attributes = browser.jar.get(`__Host-${name}`)?.attributes.split('; ').toSorted();
      expect(attributes).toEqual(['HttpOnly', `Max-Age=${life}`, 'Path=/', 'SameSite=Strict', 'Secure']);
    }
    const token = browser.jar.get('__Host-refresh')?.value;
    // With another name this host did not set it.
    for (const name of ['refresh', '__Secure-refresh', '__host-refresh']) {
      const headers = { ...FROM_DASHBOARD, cookie: `${name}=${token}` };
      const planted = await node.post('/auth/refresh', {}, { credential: 'none', headers });
      expect([name, planted.status]).toEqual([name, 400]);
    }
    expect((await refresh(browser)).status).toBe(200);
    await node.stop();
  });

  it('without a cookie session sets no cookie and returns both tokens', async () => {
    const browser = newBrowser(gateway.baseUrl);
    const response = await browser.post('/login', { email, password: PASSWORD });
    expect(Object.keys(response.body)).toEqual(['accessToken', 'refreshToken', 'user']);
    expect(response.headers.getSetCookie()).toEqual([]);
    const wrong = await browser.post('/login', { email, password: PASSWORD, session: 'body' });
    expect(wrong.body.message).toEqual(['session must be one of the following values: cookie']);
  });

  it('is refreshed by its cookie, which is replaced each time', async () => {
    const { browser } = await signedIn();
    const first = browser.jar.get('refresh')?.value;
    const next = await refresh(browser);
    expect(next.status).toBe(200);
    expect(Object.keys(next.body)).toEqual(['token']);
    expect(await opens(next.body.token)).toBe(true);
    expect(browser.jar.get('refresh')?.value).not.toBe(first);
    expect((await refresh(browser)).status).toBe(200);
  });

  it('expires seven days after its last use', async () => {
    const { browser } = await signedIn();
    await gateway.advance(7 * 86_400 - 60);
    expect((await refresh(browser)).status).toBe(200);
    await gateway.advance(7 * 86_400 - 60);
    expect((await refresh(browser)).status).toBe(200);
    await gateway.advance(7 * 86_400 + 1);
    expect((await refresh(browser)).status).toBe(401);
  });

  it('is ended by a logout, which removes the cookie', async () => {
    const { browser, response } = await signedIn();
    const stolen = browser.copy();
    const out = await browser.post('/auth/logout', undefined, { token: response.body.accessToken });
    expect([out.status, out.body]).toEqual([200, { status: true, data: {} }]);
    expect([...browser.jar.keys()]).toEqual(['device']);
    expect((await refresh(stolen)).status).toBe(401);
    expect(await opens(response.body.accessToken)).toBe(false);
  });
});

describe('a request from outside the dashboard', () => {
  const FOREIGN: readonly (readonly [string, Record<string, string>, number])[] = [
    ['has no X-Requested-By', { 'x-requested-by': '' }, 403],
    ['has another X-Requested-By', { 'x-requested-by': 'shop' }, 403],
    ['is cross-site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['is from another port or subdomain', { 'sec-fetch-site': 'same-site' }, 403],
    ['is a form submission', { 'content-type': 'text/plain' }, 415],
  ];
  it.each(FOREIGN)('that %s is rejected and does not consume the cookie', async (_name, headers, status) => {
    const { browser } = await signedIn();
    expect((await refresh(browser, { headers })).status).toBe(status);
    expect((await refresh(browser)).status).toBe(200);
  });

  it('without headers is rejected', async () => {
    const { browser } = await signedIn();
    const bare = await browser.post('/auth/refresh');
    expect(bare.status).toBe(415);
    expect((await refresh(browser)).status).toBe(200);
  });

  it('from a browser without Sec-Fetch-Site is accepted with the X-Requested-By header', async () => {
    const { browser } = await signedIn();
    const cookie = `refresh=${browser.jar.get('refresh')?.value}`;
    const old = await gateway.post(
      '/auth/refresh',
      {},
      {
        credential: 'none',
        headers: { cookie, 'x-requested-by': 'dashboard' },
      },
    );
    expect(old.status).toBe(200);
  });

  it.each(['cross-site', 'same-site', 'none'])('sets no cookie if it is %s', async (site) => {
    const headers = { 'sec-fetch-site': site };
    const browser = newBrowser(gateway.baseUrl);
    const body = { email, password: PASSWORD, session: 'cookie' };
    const planted = await browser.post('/login', body, { headers });
    expect([planted.status, planted.headers.getSetCookie()]).toEqual([403, []]);
    const second = { challenge: 'x', code: '000000', session: 'cookie' };
    const next = await browser.post('/login/two-factor', second, { headers });
    expect([next.status, next.headers.getSetCookie()]).toEqual([403, []]);
  });

  it('gets no CORS permission to send the header', async () => {
    const asked = await fetch(`${gateway.baseUrl}/auth/refresh`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://evil.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'x-requested-by,content-type',
      },
    });
    expect(asked.status).toBe(404);
    const { browser } = await signedIn();
    const response = await refresh(browser, { headers: { origin: gateway.baseUrl } });
    for (const { headers } of [asked, response]) {
      expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });

  it('without a cookie requires a token', async () => {
    const response = await refresh(newBrowser(gateway.baseUrl));
    expect([response.status, response.body.message]).toEqual([400, ['refreshToken should not be empty']]);
  });
});

describe('two tabs of one browser', () => {
  it('are both accepted with the same token at the same time, and the session continues', async () => {
    const { browser } = await signedIn();
    const tabs = [browser, browser.copy(), browser.copy(), browser.copy()];
    const responses = await Promise.all(tabs.map((tab) => refresh(tab)));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    // All received the same next token, so the order of the responses does not matter.
    expect(new Set(tabs.map(({ jar }) => jar.get('refresh')?.value)).size).toBe(1);
    for (const { body } of responses) expect(await opens(body.token)).toBe(true);
    expect((await refresh(browser)).status).toBe(200);
  });

  it('are accepted for ten seconds; a later reuse ends the token family', async () => {
    const { browser } = await signedIn();
    const [soon, late] = [browser.copy(), browser.copy()];
    expect((await refresh(browser)).status).toBe(200);
    vi.setSystemTime(Date.now() + 9_000);
    expect((await refresh(soon)).status).toBe(200);
    vi.setSystemTime(Date.now() + 1_500);
    expect((await refresh(late)).status).toBe(401);
    expect((await refresh(browser)).status).toBe(401);
    expect((await refresh(soon)).status).toBe(401);
  });

  it('are refused with a token two rotations old, and the session continues', async () => {
    const { browser } = await signedIn();
    const behind = browser.copy();
    await refresh(browser);
    await refresh(browser);
    const refused = await refresh(behind);
    expect(refused.status).toBe(401);
    expect(refused.headers.getSetCookie()).toEqual([]);
    expect((await refresh(browser)).status).toBe(200);
  });

  it('end the session for both after a second use of the next token, which reveals a theft', async () => {
    const { browser } = await signedIn();
    const attacker = browser.copy();
    await Promise.all([refresh(browser), refresh(attacker)]);
    expect((await refresh(attacker)).status).toBe(200);
    vi.setSystemTime(Date.now() + 11_000);
    expect((await refresh(browser)).status).toBe(401);
    expect((await refresh(attacker)).status).toBe(401);
  });

  it('have a grace period, unlike programs, whose second use of a token ends its family', async () => {
    const { body } = await gateway.post('/login', { email, password: PASSWORD }, { credential: 'none' });
    const exchange = (refreshToken: string) =>
      gateway.post('/auth/refresh', { refreshToken }, { credential: 'none' });
    const next = await exchange(body.refreshToken);
    expect((await exchange(body.refreshToken)).status).toBe(401);
    expect((await exchange(next.body.refreshToken)).status).toBe(401);
  });
});

describe('a token in the wrong transport', () => {
  it('is rejected if a cookie token is in a body or a program’s token in a cookie', async () => {
    const { browser } = await signedIn();
    const refreshToken = browser.jar.get('refresh')?.value;
    const inBody = await gateway.post('/auth/refresh', { refreshToken }, { credential: 'none' });
    expect(inBody.status).toBe(401);
    expect((await refresh(browser)).status).toBe(200);
    const { body } = await gateway.post('/login', { email, password: PASSWORD }, { credential: 'none' });
    const headers = { ...FROM_DASHBOARD, cookie: `refresh=${body.refreshToken}` };
    const inCookie = await gateway.post('/auth/refresh', {}, { credential: 'none', headers });
    expect(inCookie.status).toBe(401);
    const sent = { refreshToken: body.refreshToken };
    expect((await gateway.post('/auth/refresh', sent, { credential: 'none' })).status).toBe(200);
  });

  it('is accepted from the body if there is a cookie too', async () => {
    const { browser } = await signedIn();
    const { body } = await gateway.post('/login', { email, password: PASSWORD }, { credential: 'none' });
    const response = await browser.post('/auth/refresh', { refreshToken: body.refreshToken });
    expect(Object.keys(response.body)).toEqual(['token', 'refreshToken']);
    expect((await refresh(browser)).status).toBe(200);
  });

  it('is rejected if a device cookie is sent as an access token or session', async () => {
    const { browser } = await signedIn();
    const device = browser.jar.get('device')?.value;
    expect(await opens(device)).toBe(false);
    const headers = { ...FROM_DASHBOARD, cookie: `refresh=${device}` };
    expect((await gateway.post('/auth/refresh', {}, { credential: 'none', headers })).status).toBe(401);
  });
});

describe('a known device', () => {
  it('is recognized only for the email that signed in on it', async () => {
    const { browser } = await signedIn();
    const other = await newOwner(gateway, PASSWORD);
    const device = browser.jar.get('device')?.value;
    const response = await browser.post('/login', { email: other, password: PASSWORD, session: 'cookie' });
    expect(response.status).toBe(200);
    expect(browser.jar.get('device')?.value).not.toBe(device);
  });
});
