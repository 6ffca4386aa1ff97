import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { ApiResponse, CallOptions } from '#test/support/client.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { newMember, newSeller as newSellerAt, type TestSeller } from '#test/support/sellers.ts';
import { errorBody } from '#test/support/errors.ts';

let gateway: TestGateway;
let token: string;
beforeAll(async () => {
  gateway = await startTestGateway();
  token = await gateway.adminToken();
});
afterAll(async () => {
  await gateway.stop();
});

interface Seller extends TestSeller {
  /** A key of the seller with another role. */
  keyOf(role: string): Promise<string>;
}

async function newSeller(): Promise<Seller> {
  const seller = await newSellerAt(gateway);
  const keyOf = async (role: string) => {
    const key = await gateway.post(`/admin/sellers/${seller.id}/api-keys`, { name: role, role }, { token });
    return String(key.body.data.key);
  };
  return { ...seller, keyOf };
}

const wanted = (changes: Readonly<Record<string, unknown>> = {}) => ({
  url: 'https://shop.example.com/hook',
  eventType: 'TRANSACTION',
  ...changes,
});

const register = (
  options: CallOptions,
  changes: Readonly<Record<string, unknown>> = {},
): Promise<ApiResponse> => gateway.post('/webhooks', wanted(changes), options);

const notFound = errorBody('webhook_not_found');

describe('registering a webhook', () => {
  it('returns the webhook with its secret', async () => {
    const { apiKey } = await newSeller();
    const response = await register({ apiKey }, { description: 'Loja virtual' });
    expect(response.status).toBe(201);
    const { id, secret, createdAt, ...rest } = response.body.data;
    expect(response.body.status).toBe(true);
    expect(rest).toEqual({
      url: 'https://shop.example.com/hook',
      status: 'ACTIVE',
      disabledAt: null,
      disabledReason: null,
      eventType: 'TRANSACTION',
      description: 'Loja virtual',
    });
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Math.abs(Date.parse(createdAt) - Date.now())).toBeLessThan(60_000);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  });

  it('returns the secret once and encrypts it at rest', async () => {
    const { apiKey, id } = await newSeller();
    const [one, two] = [await register({ apiKey }), await register({ apiKey })];
    const secrets = [one, two].map((response) => String(response.body.data.secret));
    expect(secrets[0]).not.toBe(secrets[1]);
    const list = await gateway.get('/webhooks', { apiKey });
    const read = await gateway.get(`/webhooks/${one.body.data.id}`, { apiKey });
    for (const response of [list, read]) {
      expect(response.status).toBe(200);
      expect(response.text).not.toContain('secret');
      expect(response.text).not.toContain('whsec_');
    }
    const rows = await gateway.database.query<{ row: string }>(
      'SELECT webhooks::text AS row FROM webhooks WHERE seller_id = $1',
      [id],
    );
    expect(rows).toHaveLength(2);
    for (const { row } of rows) {
      for (const secret of secrets) expect(row).not.toContain(secret.slice('whsec_'.length));
      expect(row).not.toContain('whsec_');
    }
  });

  it.each(['TRANSACTION', 'WITHDRAWAL', 'DISPUTE', 'SUBSCRIPTION', 'ALL'])(
    'accepts the event type %s',
    async (eventType) => {
      const { apiKey } = await newSeller();
      const response = await register({ apiKey }, { eventType });
      expect(response.status).toBe(201);
      expect(response.body.data).toMatchObject({ eventType, description: null });
    },
  );

  it.each([
    ['HTTP', 'http://shop.example.com/hook'],
    ['FTP', 'ftp://shop.example.com/hook'],
    ['no scheme', 'shop.example.com/hook'],
    ['a path only', '/hook'],
    ['no host', 'https://'],
    ['a user name', 'https://user@shop.example.com/hook'],
    ['a password', 'https://user:pass@shop.example.com/hook'],
    ['plain text', 'not an address'],
    ['an empty string', ''],
    ['a script', 'javascript:alert(1)'],
    ['a file', 'file:///etc/passwd'],
  ])('rejects %s as a URL', async (_name, url) => {
    const { apiKey } = await newSeller();
    const response = await register({ apiKey }, { url });
    expect(response.status).toBe(400);
    expect(response.body).toEqual(errorBody('validation_failed', ['url must be an HTTPS URL']));
    expect((await gateway.get('/webhooks', { apiKey })).body.count).toBe(0);
  });

  it.each([
    [`https://shop.example.com/${'a'.repeat(3000)}`, 'The URL is longer than 2048 characters.'],
    ['https://shop.example.com:444/hook', 'The port must be 443 or above 1023.'],
  ])('names the problem of an HTTPS URL', async (url, reason) => {
    const { apiKey } = await newSeller();
    expect((await register({ apiKey }, { url })).body).toEqual(
      errorBody('validation_failed', [`url must be an HTTPS URL that can be called: ${reason}`]),
    );
  });

  it('reports every violation in field order', async () => {
    const { apiKey } = await newSeller();
    const bad = { url: 5, eventType: 'PAYMENT', description: 7 };
    const response = await gateway.post('/webhooks', bad, { apiKey });
    expect(response.status).toBe(400);
    expect(response.body.message).toEqual([
      'url must be a string',
      'eventType must be one of the following values: TRANSACTION, WITHDRAWAL, DISPUTE, SUBSCRIPTION, ALL',
      'description must be a string',
    ]);
    const empty = await gateway.post('/webhooks', {}, { apiKey });
    expect(empty.body.message).toEqual([
      'url must be an HTTPS URL',
      'eventType must be one of the following values: TRANSACTION, WITHDRAWAL, DISPUTE, SUBSCRIPTION, ALL',
    ]);
  });

  it('is limited to twenty, also under concurrency', async () => {
    const { apiKey } = await newSeller();
    const responses = await Promise.all(
      Array.from({ length: 35 }, (_, index) =>
        register({ apiKey }, { url: `https://shop.example.com/hook/${index}` }),
      ),
    );
    expect(responses.filter((response) => response.status === 201)).toHaveLength(20);
    const refused = responses.filter((response) => response.status === 422);
    expect(refused).toHaveLength(15);
    expect(refused[0]?.body).toMatchObject({ statusCode: 422, error: 'Unprocessable Entity' });
    expect((await gateway.get('/webhooks', { apiKey })).body.count).toBe(20);

    const [first] = responses.filter((response) => response.status === 201);
    expect((await register({ apiKey })).status).toBe(422);
    expect((await gateway.delete(`/webhooks/${first?.body.data.id}`, { apiKey })).status).toBe(200);
    expect((await register({ apiKey })).status).toBe(201);
    expect((await register({ apiKey })).status).toBe(422);
  });

  it('counts only the webhooks of the same seller', async () => {
    const [full, other] = [await newSeller(), await newSeller()];
    await Promise.all(Array.from({ length: 20 }, () => register({ apiKey: full.apiKey })));
    expect((await register({ apiKey: full.apiKey })).status).toBe(422);
    expect((await register({ apiKey: other.apiKey })).status).toBe(201);
  });
});

describe('registered webhooks', () => {
  it('are listed newest first and returned by id', async () => {
    const { apiKey } = await newSeller();
    expect((await gateway.get('/webhooks', { apiKey })).body).toMatchObject({
      status: true,
      data: [],
      count: 0,
    });
    const made = [];
    for (const eventType of ['TRANSACTION', 'DISPUTE', 'ALL']) {
      const { secret: _secret, ...shown } = (await register({ apiKey }, { eventType })).body.data;
      made.push(shown);
      // Ids are ordered by the millisecond of their creation.
      await expect.poll(() => Date.now()).toBeGreaterThan(Date.parse(shown.createdAt));
    }
    const list = await gateway.get('/webhooks', { apiKey });
    expect(list.status).toBe(200);
    expect(list.body.data).toEqual(made.toReversed());
    expect(list.body.count).toBe(3);
    const read = await gateway.get(`/webhooks/${made[1]?.id}`, { apiKey });
    expect(read.status).toBe(200);
    expect(read.body).toEqual({ status: true, data: made[1] });
  });

  it('can be deleted', async () => {
    const { apiKey } = await newSeller();
    const { id } = (await register({ apiKey })).body.data;
    const deleted = await gateway.delete(`/webhooks/${id}`, { apiKey });
    expect(deleted.status).toBe(200);
    expect(deleted.body).toEqual({ status: true, data: { id } });
    expect((await gateway.get('/webhooks', { apiKey })).body.count).toBe(0);
    expect((await gateway.get(`/webhooks/${id}`, { apiKey })).body).toEqual(notFound);
    const again = await gateway.delete(`/webhooks/${id}`, { apiKey });
    expect(again.status).toBe(404);
    expect(again.body).toEqual(notFound);
  });

  it('are visible to their seller only', async () => {
    const [owner, foreign] = [await newSeller(), await newSeller()];
    const { id } = (await register({ apiKey: owner.apiKey })).body.data;
    expect((await gateway.get(`/webhooks/${id}`, { apiKey: foreign.apiKey })).body).toEqual(notFound);
    expect((await gateway.delete(`/webhooks/${id}`, { apiKey: foreign.apiKey })).body).toEqual(notFound);
    expect((await gateway.get('/webhooks', { apiKey: foreign.apiKey })).body.count).toBe(0);
    expect((await gateway.get(`/webhooks/${id}`, { apiKey: owner.apiKey })).status).toBe(200);
  });

  it.each([
    'not-a-uuid',
    '00000000-0000-0000-0000-000000000000',
    randomUUID(),
    '%00',
    '1;DROP TABLE webhooks',
  ])('return 404 for %j', async (id) => {
    const path = `/webhooks/${encodeURIComponent(id)}`;
    const read = await gateway.get(path);
    expect(read.status).toBe(404);
    expect(read.body).toEqual(notFound);
    expect((await gateway.delete(path)).body).toEqual(notFound);
  });
});

describe('the postback secret', () => {
  it('is created once for each seller', async () => {
    const [one, two] = [await newSeller(), await newSeller()];
    const developer = await newMember(gateway, one.id, 'DEVELOPER');
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => gateway.get('/webhooks/postback-secret', developer)),
    );
    expect(new Set(responses.map((response) => `${response.status} ${response.text}`)).size).toBe(1);
    expect(responses[0]?.body.data.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const other = await gateway.get('/webhooks/postback-secret', await newMember(gateway, two.id, 'OWNER'));
    expect(other.body.data.secret).not.toBe(responses[0]?.body.data.secret);
    const rows = await gateway.database.query<{ encrypted_secret: string }>(
      'SELECT encrypted_secret FROM postback_secrets WHERE seller_id = $1',
      [one.id],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.encrypted_secret).not.toContain('whsec_');
  });
});

describe('access to webhooks', () => {
  it.each([
    ['OWNER', 201],
    ['DEVELOPER', 201],
    ['FINANCE', 403],
    ['VIEWER', 403],
  ])('for registering and deleting is checked for the role %s', async (role, status) => {
    const seller = await newSeller();
    const apiKey = await seller.keyOf(role);
    const response = await register({ apiKey });
    expect(response.status).toBe(status);
    const { id } = (await register({ apiKey: seller.apiKey })).body.data;
    expect((await gateway.get('/webhooks', { apiKey })).status).toBe(200);
    expect((await gateway.get(`/webhooks/${id}`, { apiKey })).status).toBe(200);
    expect((await gateway.delete(`/webhooks/${id}`, { apiKey })).status).toBe(status === 201 ? 200 : 403);
    // The secret allows signing postbacks, so only roles that can change webhooks may read it.
    const person = await newMember(gateway, seller.id, role);
    const read = status === 201 ? 200 : 403;
    expect((await gateway.get('/webhooks/postback-secret', person)).status).toBe(read);
    expect((await gateway.get('/webhooks/postback-secret', { apiKey })).status).toBe(read);
    const log = await gateway.get(`/admin/audit-log?action=postback-secret.read&sellerId=${seller.id}`, {
      token,
    });
    expect(log.body.count).toBe(status === 201 ? 2 : 0);
  });

  it('is refused without a credential, and to the operator', async () => {
    expect((await register({ credential: 'none' })).status).toBe(401);
    expect((await gateway.get('/webhooks', { credential: 'none' })).status).toBe(401);
    const operator = await register({ token });
    expect(operator.status).toBe(403);
    expect(operator.body.message).toBe('Forbidden resource');
  });
});

describe('webhooks in production', () => {
  let strict: TestGateway;
  beforeAll(async () => {
    strict = await startTestGateway({ environment: { WEBHOOK_ALLOW_PRIVATE: 'false' } });
  });
  afterAll(async () => {
    await strict.stop();
  });

  it.each([
    'https://127.0.0.1/hook',
    'https://127.0.0.1:8443/hook',
    'https://127.1/hook',
    'https://0x7f.0.0.1/hook',
    'https://2130706433/hook',
    'https://0.0.0.0/hook',
    'https://localhost/hook',
    'https://LOCALHOST./hook',
    'https://app.localhost/hook',
    'https://[::1]/hook',
    'https://[::ffff:127.0.0.1]/hook',
    'https://[fe80::1]/hook',
    'https://[fc00::1]/hook',
    'https://10.1.2.3/hook',
    'https://172.16.0.1/hook',
    'https://192.168.1.1/hook',
    'https://169.254.169.254/latest/meta-data',
    'https://[fd00:ec2::254]/latest/meta-data',
    'https://100.64.0.1/hook',
  ])('reject the private address %s', async (url) => {
    const response = await strict.post('/webhooks', wanted({ url }));
    expect(response.status).toBe(400);
    expect(response.body.message).toEqual([expect.stringMatching(/^url must /)]);
    expect((await strict.get('/webhooks')).body.count).toBe(0);
  });

  it('accept a public address', async () => {
    const response = await strict.post('/webhooks', wanted({ url: 'https://93.184.215.14/hook' }));
    expect(response.status).toBe(201);
  });
});
