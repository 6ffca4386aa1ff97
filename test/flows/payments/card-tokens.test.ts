import { createHmac, generateKeyPairSync, hkdfSync, randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';

import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { SignJWT } from 'jose';

import { FROM_DASHBOARD, newBrowser } from '#test/support/browser.ts';
import type { ApiResponse, CallOptions } from '#test/support/client.ts';
import { newOwner } from '#test/support/sellers.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { SHARED_SECRETS, startNode, type TestNode } from '#test/support/node.ts';
import { bodyOf } from '#test/support/errors.ts';

const PASSWORD = 'a long enough password';
const NO_CREDENTIAL: CallOptions = { credential: 'none' };
const SECRET = Buffer.from(String(SHARED_SECRETS['JWT_SECRET']));
const UNAUTHORIZED = bodyOf(401, 'Unauthorized');

let gateway: TestGateway;
let email: string;
/** A valid access token and its content. */
let good: string;
let header: Readonly<Record<string, unknown>>;
let claims: Readonly<Record<string, unknown>>;
/** The URL at which a token claims that its key is available. */
let keys: Server;
let keysAsked = 0;
let keysUrl: string;

beforeAll(async () => {
  gateway = await startTestGateway({ environment: SHARED_SECRETS });
  email = await newOwner(gateway, PASSWORD);
  good = String((await login()).body.accessToken);
  [header, claims] = [read(decoded(part(0))), read(decoded(part(1)))];
  keys = createServer((_request, response) => {
    keysAsked += 1;
    response.end(JSON.stringify({ keys: [{ kty: 'oct', k: Buffer.from('other').toString('base64url') }] }));
  });
  await new Promise<void>((resolve) => keys.listen(0, '127.0.0.1', resolve));
  const address = keys.address();
  keysUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/keys`;
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterAll(async () => {
  vi.useRealTimers();
  keys.close();
  await gateway.stop();
});

/** Anonymous clients are counted by the system clock, by which tokens expire after an hour. */
function nextMinute(): void {
  vi.setSystemTime(Date.now() + 61_000);
}

const login = (address = email): Promise<ApiResponse> =>
  gateway.post('/login', { email: address, password: PASSWORD }, NO_CREDENTIAL);
const refresh = (refreshToken: unknown): Promise<ApiResponse> =>
  gateway.post('/auth/refresh', { refreshToken }, NO_CREDENTIAL);
const asks = (as: CallOptions): Promise<ApiResponse> => gateway.get('/users/me', as);
const opens = async (token: unknown): Promise<boolean> =>
  (await asks({ token: String(token) })).status === 200;

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const decoded = (text: string): unknown => JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));

const read = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

type Hash = 'sha256' | 'sha384' | 'sha512';

/** A forged token: any header and claims, signed with any key. */
function forged(
  changes: object,
  {
    key = SECRET,
    hash = 'sha256',
    body = claims,
  }: { key?: string | Buffer; hash?: Hash; body?: unknown } = {},
): string {
  const content = `${encoded({ ...header, ...changes })}.${encoded(body)}`;
  return `${content}.${createHmac(hash, key).update(content).digest('base64url')}`;
}

/** The same token a moment later, so that no two attempts of one test are equal. */
const inAnHour = (seconds = 3_600) => Math.floor(Date.now() / 1_000) + seconds;

const RSA = generateKeyPairSync('rsa', { modulusLength: 2048 });
const EC = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const PEM = RSA.publicKey.export({ type: 'spki', format: 'pem' });
const OWN_KEY = Buffer.from('a key that the foreign made up, long enough');
const OWN_JWK = { kty: 'oct', k: OWN_KEY.toString('base64url'), alg: 'HS256' };
const claimed = () => new SignJWT({ ...claims });

type Forger = () => string | Promise<string>;
const part = (index: number): string => good.split('.')[index] ?? '';
/** The text with one character changed. */
const corrupted = (text: string): string => `${text.startsWith('A') ? 'B' : 'A'}${text.slice(1)}`;

describe('an access token', () => {
  afterAll(nextMinute);

  it('forged with the gateway’s secret is accepted, so that the next tests change one property', async () => {
    expect(await opens(forged({}))).toBe(true);
    expect(await opens(forged({ typ: 'JWT', kid: 'any' }))).toBe(true);
  });

  const FORGED: readonly (readonly [string, Forger])[] = [
    // Algorithms
    ['without a signature, alg none', () => `${encoded({ alg: 'none' })}.${part(1)}.`],
    ['alg None', () => `${encoded({ alg: 'None' })}.${part(1)}.`],
    ['alg none, with the old signature', () => `${encoded({ alg: 'none' })}.${part(1)}.${part(2)}`],
    ['alg none, without the last dot', () => `${encoded({ alg: 'none' })}.${part(1)}`],
    ['alg empty', () => forged({ alg: '' })],
    ['without alg', () => forged({ alg: undefined })],
    ['alg in a list', () => forged({ alg: ['HS256'] })],
    ['HS384 with the right secret', () => forged({ alg: 'HS384' }, { hash: 'sha384' })],
    ['HS512 with the right secret', () => forged({ alg: 'HS512' }, { hash: 'sha512' })],
    ['alg hs256 in lower case', () => forged({ alg: 'hs256' })],
    [
      'RS256 with the attacker’s key',
      () => claimed().setProtectedHeader({ alg: 'RS256' }).sign(RSA.privateKey),
    ],
    [
      'PS256 with the attacker’s key',
      () => claimed().setProtectedHeader({ alg: 'PS256' }).sign(RSA.privateKey),
    ],
    [
      'ES256 with the attacker’s key',
      () => claimed().setProtectedHeader({ alg: 'ES256' }).sign(EC.privateKey),
    ],
    ['RS256 in the header, signed with HMAC', () => forged({ alg: 'RS256' })],
    ['HS256 with a public key as its secret', () => forged({}, { key: PEM })],
    ['HS256 with an empty secret', () => forged({}, { key: '' })],
    ['HS256 with the word null', () => forged({}, { key: 'null' })],
    // The location of the key
    ['with its key in the header (jwk)', () => forged({ jwk: OWN_JWK }, { key: OWN_KEY })],
    ['with a remote key set (jku)', () => forged({ jku: keysUrl, kid: '1' }, { key: OWN_KEY })],
    ['with a remote certificate (x5u)', () => forged({ x5u: keysUrl }, { key: OWN_KEY })],
    ['with its certificate in the header (x5c)', () => forged({ x5c: [PEM] }, { key: PEM })],
    ['with a file as its key (kid)', () => forged({ kid: '../../../../dev/null' }, { key: '' })],
    ['with SQL as its key (kid)', () => forged({ kid: "' UNION SELECT 'x" }, { key: 'x' })],
    // Critical headers
    ['with a critical header that is unknown', () => forged({ crit: ['exp2'], exp2: 1 })],
    ['with a critical header that is absent', () => forged({ crit: ['b64'] })],
    ['with an unencoded payload (b64)', () => forged({ crit: ['b64'], b64: false })],
    ['with no critical headers at all', () => forged({ crit: [] })],
    // Claims
    ['that has expired', () => forged({}, { body: { ...claims, exp: inAnHour(-1) } })],
    ['that never expires', () => forged({}, { body: { ...claims, exp: undefined } })],
    ['with text as its expiration', () => forged({}, { body: { ...claims, exp: 'tomorrow' } })],
    ['that is not valid yet', () => forged({}, { body: { ...claims, nbf: inAnHour() } })],
    ['of another issuer', () => forged({}, { body: { ...claims, iss: 'another' } })],
    ['without an issuer', () => forged({}, { body: { ...claims, iss: undefined } })],
    ['with several issuers', () => forged({}, { body: { ...claims, iss: ['gateway', 'another'] } })],
    ['of another user in this session', () => forged({}, { body: { ...claims, sub: randomUUID() } })],
    ['of another session', () => forged({}, { body: { ...claims, sid: randomUUID() } })],
    ['without a session', () => forged({}, { body: { ...claims, sid: undefined } })],
    ['of a session before the last logout', () => forged({}, { body: { ...claims, gen: -1 } })],
    ['with a filter as its session', () => forged({}, { body: { ...claims, sid: { ne: '' } } })],
    ['whose claims are a list', () => forged({}, { body: [claims] })],
    ['whose claims are not an object', () => forged({}, { body: 'claims' })],
    ['whose claims are null', () => forged({}, { body: null })],
    // The encoded token
    ['with another signature', () => `${part(0)}.${part(1)}.${corrupted(part(2))}`],
    ['with a shorter signature', () => good.slice(0, -2)],
    ['with half a signature', () => good.slice(0, -22)],
    ['with a longer signature', () => `${good}AA`],
    ['with no signature', () => `${part(0)}.${part(1)}.`],
    ['with two parts', () => `${part(0)}.${part(1)}`],
    ['with four parts', () => `${good}.${part(2)}`],
    ['with five parts, as an encrypted one has', () => `${part(0)}..${part(1)}..${part(2)}`],
    ['that begins with a dot', () => `.${good}`],
    ['of dots only', () => '..'],
    ['with another payload', () => `${part(0)}.${encoded({ ...claims, jti: randomUUID() })}.${part(2)}`],
    ['with another header', () => `${encoded({ ...header, typ: 'JWT' })}.${part(1)}.${part(2)}`],
    ['that is too long', () => `${good}${'A'.repeat(3_000)}`],
  ];

  it.each(FORGED)('%s is rejected with 401', async (_name, forge) => {
    const token = await forge();
    expect(token).not.toBe(good);
    const response = await asks({ token });
    expect([response.status, response.body]).toEqual([401, UNAUTHORIZED]);
  });

  it('never causes a request for its key', async () => {
    expect(await opens(forged({ jku: keysUrl, x5u: keysUrl }, { key: OWN_KEY }))).toBe(false);
    expect(keysAsked).toBe(0);
  });

  it('that is valid is still accepted after the attempts above', async () => {
    expect(await opens(good)).toBe(true);
  });

  it('is rejected with the header, payload or signature of another', async () => {
    const other = String((await login(await newOwner(gateway, PASSWORD))).body.accessToken);
    const [mine, theirs] = [good.split('.'), other.split('.')];
    for (const [from, to] of [
      [mine, theirs],
      [theirs, mine],
    ]) {
      expect(await opens(`${from?.[0]}.${to?.[1]}.${from?.[2]}`)).toBe(false);
    }
    expect([await opens(good), await opens(other)]).toEqual([true, true]);
  });

  it.each([
    ['with another secret', { JWT_SECRET: 'another secret of forty characters !!!!!' }],
    ['with the same secret', {}],
  ])('of another installation %s is rejected with 401', async (_name, environment) => {
    const elsewhere = await startTestGateway({ environment: { ...SHARED_SECRETS, ...environment } });
    try {
      const theirs = await elsewhere.adminToken();
      expect((await elsewhere.get('/users/me', { token: theirs })).status).toBe(200);
      expect((await asks({ token: theirs })).body).toEqual(UNAUTHORIZED);
      expect((await elsewhere.get('/users/me', { token: good })).body).toEqual(UNAUTHORIZED);
    } finally {
      await elsewhere.stop();
    }
  });
});

/** Every credential that this gateway issues, by name. */
async function handedOut(): Promise<Readonly<Record<string, string>>> {
  const owner = await newOwner(gateway, PASSWORD);
  const browser = newBrowser(gateway.baseUrl);
  await browser.post('/login', { email: owner, password: PASSWORD, session: 'cookie' });
  const signedIn = (await login(owner)).body;
  const as = { token: String(signedIn.accessToken) };
  const key = await gateway.post('/api-keys', { name: 'x' }, as);
  const user = { name: 'Bia', email: `${randomUUID()}@example.com`, password: PASSWORD, role: 'OWNER' };
  await gateway.post('/users', user, as);
  const theirs = { token: String((await login(user.email)).body.accessToken) };
  const begun = await gateway.post('/users/me/two-factor', { password: PASSWORD }, theirs);
  const seed = String(begun.body.data.secret);
  const code = new TOTP({ secret: Secret.fromBase32(seed) }).generate({ timestamp: Date.now() });
  const confirmed = await gateway.post('/users/me/two-factor/confirm', { code }, theirs);
  expect(confirmed.status).toBe(200);
  const hook = await gateway.post(
    '/webhooks',
    { url: 'https://shop.example.com/hook', eventType: 'ALL' },
    as,
  );
  return {
    'access token': as.token,
    'refresh token': String(signedIn.refreshToken),
    'refresh cookie': browser.jar.get('refresh')?.value ?? '',
    'device cookie': browser.jar.get('device')?.value ?? '',
    challenge: String((await login(user.email)).body.challenge),
    'API key': String(key.body.data.key),
    'recovery code': String(confirmed.body.data.recoveryCodes[0]),
    seed,
    'webhook secret': String(hook.body.data.secret),
    'session id': String((await gateway.get('/users/me/sessions', as)).body.data[0].id),
    'user id': String(signedIn.user.id),
  };
}

describe('a credential sent in the place of another', () => {
  afterAll(nextMinute);

  let all: Readonly<Record<string, string>>;
  beforeAll(async () => {
    all = await handedOut();
  });

  /** The places that accept credentials, and the kind that each accepts. */
  const PLACES: readonly (readonly [string, string, (text: string) => Promise<ApiResponse>])[] = [
    ['Authorization', 'access token', (token) => asks({ token })],
    ['X-Api-Key', 'API key', (apiKey) => gateway.get('/webhooks', { apiKey })],
    ['refreshToken', 'refresh token', refresh],
    [
      'the refresh cookie header',
      'refresh cookie',
      (text) =>
        gateway.post(
          '/auth/refresh',
          {},
          { ...NO_CREDENTIAL, headers: { ...FROM_DASHBOARD, cookie: `refresh=${text}` } },
        ),
    ],
    [
      'challenge',
      'challenge',
      (challenge) => gateway.post('/login/two-factor', { challenge, code: '000000' }, NO_CREDENTIAL),
    ],
  ];

  it.each(PLACES)('is rejected by %s, which accepts only the %s', async (_place, right, bring) => {
    expect(Object.values(all).filter((text) => text.length < 8)).toEqual([]);
    const wrong: string[] = [];
    for (const [name, text] of Object.entries(all).filter(([one]) => one !== right)) {
      const response = await bring(text);
      // A text that is too long for its place is malformed there.
      const refused = response.body.message === 'Unauthorized' || response.status === 400;
      if (!refused) wrong.push(`${name}: ${response.status} ${response.text}`);
    }
    expect(wrong).toEqual([]);
  });

  it.each(PLACES)(
    'is neither consumed nor revoked by %s, which still accepts the %s',
    async (_place, right, bring) => {
      const { status, body } = await bring(all[right] ?? '');
      // A challenge still requires a code.
      expect([status, body.message]).toEqual(
        right === 'challenge' ? [401, 'Invalid credentials'] : [200, undefined],
      );
    },
  );

  it('fails signature verification, since challenges and devices use other keys', async () => {
    for (const purpose of ['second factor challenge', 'known device', 'refresh token chain']) {
      const key = Buffer.from(hkdfSync('sha256', SECRET, '', purpose, 32));
      expect(await opens(forged({}, { key }))).toBe(false);
    }
    const device = String(all['device cookie']).split('.');
    const [type, bound] = [decoded(device[0] ?? ''), decoded(device[1] ?? '')];
    // With everything that an access token needs, but of another type, signed with the key of
    // access tokens.
    const both = { ...claims, ...read(bound), sub: claims['sub'] };
    expect(read(type)['typ']).toBe('device+jwt');
    expect(
      (
        await gateway.post(
          '/login/two-factor',
          { challenge: forged({}, { body: both }), code: '000000' },
          NO_CREDENTIAL,
        )
      ).body.message,
    ).toBe('Unauthorized');
  });
});

describe('a refresh token', () => {
  afterAll(nextMinute);

  const TWENTY = Array.from({ length: 20 });

  it('of a program in twenty concurrent requests is exchanged once, and its family ends', async () => {
    const [signedIn, beside] = [(await login()).body, (await login()).body];
    const responses = await Promise.all(TWENTY.map(() => refresh(signedIn.refreshToken)));
    const passed = responses.filter(({ status }) => status === 200);
    expect(passed).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(19);
    // The gateway cannot know which of the two is the attacker: both are signed out.
    expect(await opens(passed[0]?.body.token)).toBe(false);
    expect(await opens(signedIn.accessToken)).toBe(false);
    expect((await refresh(passed[0]?.body.refreshToken)).status).toBe(401);
    // The other session continues, and the user can sign in again at once.
    expect(await opens(beside.accessToken)).toBe(true);
    expect((await refresh(beside.refreshToken)).status).toBe(200);
    expect((await login()).status).toBe(200);
  });

  it('of a browser in twenty concurrent requests continues one session, also on two nodes', async () => {
    const node: TestNode = await startNode({ databaseUrl: gateway.database.url });
    try {
      const first = newBrowser(gateway.baseUrl);
      await first.post('/login', { email, password: PASSWORD, session: 'cookie' });
      const tabs = TWENTY.map((_, index) =>
        newBrowser(index % 2 === 0 ? gateway.baseUrl : node.baseUrl, first.jar),
      );
      const responses = await Promise.all(tabs.map((tab) => tab.post('/auth/refresh', {})));
      expect(responses.map(({ status }) => status)).toEqual(TWENTY.map(() => 200));
      expect(new Set(tabs.map(({ jar }) => jar.get('refresh')?.value)).size).toBe(1);
      for (const { body } of responses) expect(await opens(body.token)).toBe(true);
      const [family] = await gateway.database.query<{ count: number }>(
        `SELECT count(*)::integer AS count FROM refresh_tokens
         WHERE used_at IS NULL
           AND family_id = (SELECT family_id FROM refresh_tokens ORDER BY created_at DESC LIMIT 1)`,
      );
      expect(family?.count).toBe(1);
      expect((await first.copy().post('/auth/refresh', {})).status).toBe(200);
    } finally {
      await node.stop();
    }
  });

  it.each([
    ['unknown', () => randomUUID()],
    ['empty', () => ''],
    ['in another format', () => "' OR 1=1 --"],
    ['surrounded by spaces', (token: string) => ` ${token} `],
    ['in upper case', (token: string) => token.toUpperCase()],
    ['truncated', (token: string) => token.slice(0, -1)],
  ])('that is %s is rejected and ends nothing', async (_name, modify) => {
    const { refreshToken } = (await login()).body;
    const response = await refresh(modify(String(refreshToken)));
    expect([400, 401]).toContain(response.status);
    expect((await refresh(refreshToken)).status).toBe(200);
  });
});

describe('a logout', () => {
  it('revokes every credential of the user on every node, and no API key', async () => {
    const owner = await newOwner(gateway, PASSWORD);
    const node = await startNode({ databaseUrl: gateway.database.url });
    try {
      const browser = newBrowser(gateway.baseUrl);
      const inBrowser = await browser.post('/login', { email: owner, password: PASSWORD, session: 'cookie' });
      const [one, other] = [(await login(owner)).body, (await login(owner)).body];
      const key = await gateway.post('/api-keys', { name: 'x' }, { token: one.accessToken });
      const tokens = [one.accessToken, other.accessToken, inBrowser.body.accessToken];
      for (const token of tokens) expect((await node.get('/users/me', { token })).status).toBe(200);
      const out = await gateway.post('/auth/logout', undefined, { token: one.accessToken });
      expect(out.status).toBe(200);
      for (const token of tokens) expect(await opens(token)).toBe(false);
      for (const { refreshToken } of [one, other]) expect((await refresh(refreshToken)).status).toBe(401);
      expect((await browser.post('/auth/refresh', {})).status).toBe(401);
      await vi.waitFor(
        async () => {
          for (const token of tokens) expect((await node.get('/users/me', { token })).status).toBe(401);
        },
        { timeout: 5_000, interval: 50 },
      );
      expect((await gateway.get('/webhooks', { apiKey: key.body.data.key })).status).toBe(200);
    } finally {
      await node.stop();
    }
  });
});
