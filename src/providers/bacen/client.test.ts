import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { SettingsReader, type Environment } from '#platform/config/settings-reader.ts';
import { startFakePsp, OUT_OF_SERVICE, type FakePsp, type Misbehaviour } from '#test/support/fake-psp.ts';
import { NotExecutedError } from '#platform/jobs/provider-calls.ts';
import { createBacenClient, type BacenClient } from './client.ts';
import { readBacenSettings } from './settings.ts';

let psp: FakePsp;
beforeAll(async () => {
  psp = await startFakePsp();
});
afterAll(() => psp.close());

const clients: BacenClient[] = [];
afterEach(async () => {
  psp.behave();
  psp.tokenLifeSeconds = 3600;
  await Promise.all(clients.splice(0).map((client) => client.close()));
});

/** The lines of what is wrong. */
function wrongIn(changes: Environment): readonly string[] {
  const reader = new SettingsReader({ ...psp.environment(), ...changes });
  readBacenSettings(reader, 'BACEN');
  return reader.errors;
}

function newClient(changes: Environment = {}): BacenClient {
  const reader = new SettingsReader({ ...psp.environment(), ...changes });
  const client = createBacenClient(readBacenSettings(reader, 'BACEN'));
  expect(reader.errors).toEqual([]);
  clients.push(client);
  return client;
}

const PUT = {
  method: 'PUT',
  path: `/cob/${'a'.repeat(32)}`,
  body: { calendario: { expiracao: 60 }, valor: { original: '1.00' }, chave: 'pix@example.com' },
} as const;

const put = (client: BacenClient, deadlineMs = 10_000) =>
  client.request(PUT, AbortSignal.timeout(deadlineMs));

describe('a request that was certainly not carried out', () => {
  it.each<[string, string, Misbehaviour]>([
    ['401, again with a new token', 'PUT /cob', { kind: 'answer', status: 401 }],
    ['403', 'PUT /cob', { kind: 'answer', status: 403 }],
    ['429', 'PUT /cob', { kind: 'answer', status: 429 }],
    ['503 by the API’s own word', 'PUT /cob', OUT_OF_SERVICE],
    ['no token', 'POST /token', { kind: 'answer', status: 503 }],
    ['a token that never comes', 'POST /token', { kind: 'hang' }],
    ['a token in another form', 'POST /token', { kind: 'answer', status: 200, body: {} }],
  ])('says so: %s', async (_why, what, how) => {
    psp.misbehave(what, how, 2);
    await expect(put(newClient())).rejects.toBeInstanceOf(NotExecutedError);
  });

  it('says so where nobody is there, is known, or can be trusted', async () => {
    const away = newClient({ BACEN_PIX_TOKEN_URL: 'https://localhost:1/token' });
    await expect(put(away)).rejects.toBeInstanceOf(NotExecutedError);
    const nobody = newClient({ BACEN_PIX_URL: 'https://psp.invalid/api' });
    await expect(put(nobody)).rejects.toBeInstanceOf(NotExecutedError);
    const untrusted = newClient({ BACEN_PIX_CA_FILE: undefined });
    await expect(put(untrusted)).rejects.toBeInstanceOf(NotExecutedError);
  });

  it('says so where the provider does not know our certificate', async () => {
    const other = await startFakePsp();
    try {
      const stranger = newClient({
        BACEN_PIX_CERT_FILE: other.certificates.clientCert,
        BACEN_PIX_KEY_FILE: other.certificates.clientKey,
      });
      const before = psp.calls.length;
      await expect(put(stranger)).rejects.toBeInstanceOf(NotExecutedError);
      expect(psp.calls.length).toBe(before);
    } finally {
      await other.close();
    }
  });
});

describe('a request of which nobody knows', () => {
  it.each<[string, Misbehaviour]>([
    ['is cut off', { kind: 'cut' }],
    ['gets no answer', { kind: 'hang' }],
    ['gets a 500', { kind: 'answer', status: 500 }],
    ['gets a 504', { kind: 'answer', status: 504 }],
    ['gets a 503 of something in between', { kind: 'answer', status: 503, body: { message: 'no upstream' } }],
    ['gets a redirect', { kind: 'answer', status: 302 }],
  ])('is not said to be untaken where it %s', async (_how, how) => {
    psp.misbehave('PUT /cob', how);
    const failed: unknown = await put(newClient(), 1_000).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(Error);
    expect(failed).not.toBeInstanceOf(NotExecutedError);
  });
});

describe('a token', () => {
  it('is fetched once for all that wait for it, and kept', async () => {
    const client = newClient();
    const before = psp.tokensGiven();
    await Promise.all(Array.from({ length: 8 }, () => put(client)));
    await put(client);
    expect(psp.tokensGiven()).toBe(before + 1);
  });

  it('is replaced before its end', async () => {
    psp.tokenLifeSeconds = 0;
    const client = newClient();
    const before = psp.tokensGiven();
    await put(client);
    await put(client);
    expect(psp.tokensGiven()).toBe(before + 2);
  });

  it('that was taken back is replaced once, and the request is made again', async () => {
    const client = newClient();
    await put(client);
    psp.revokeTokens();
    const before = psp.tokensGiven();
    const answers = await Promise.all(Array.from({ length: 4 }, () => put(client)));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(psp.tokensGiven() - before).toBeLessThanOrEqual(2);
  });
});

describe('a wrong setting', () => {
  it('is one line that names it and holds no secret', () => {
    const names = [
      'URL',
      'TOKEN_URL',
      'CLIENT_ID',
      'CLIENT_SECRET',
      'CERT_FILE',
      'KEY_FILE',
      'CHAVE',
      'WEBHOOK_SECRET',
    ];
    for (const name of names) {
      const lines = wrongIn({ [`BACEN_PIX_${name}`]: undefined });
      expect(lines).toEqual([expect.stringMatching(new RegExp(`^BACEN_PIX_${name} is required`))]);
    }
  });

  it.each([
    ['BACEN_PIX_URL', 'http://psp.example.com/api'],
    ['BACEN_PIX_TOKEN_URL', 'https://user:hunter2@psp.example.com/token'],
    ['BACEN_PIX_CHAVE', 'c'.repeat(78)],
    ['BACEN_PIX_WEBHOOK_SECRET', 'hunter2'],
    ['BACEN_PIX_WEBHOOK_SECRET', 'a'.repeat(40)],
  ])('%s=%s is refused', (name, value) => {
    const lines = wrongIn({ [name]: value });
    expect(lines).toEqual([expect.stringMatching(new RegExp(`^${name} must `))]);
    expect(lines[0]).not.toContain('hunter2');
  });

  it('is a file that is not there, or a pair that does not belong together', () => {
    expect(wrongIn({ BACEN_PIX_CERT_FILE: '/nowhere/cert.pem' })).toEqual([
      'BACEN_PIX_CERT_FILE cannot be read: ENOENT',
    ]);
    expect(wrongIn({ BACEN_PIX_KEY_FILE: psp.certificates.serverKey })).toEqual([
      expect.stringMatching(/^BACEN_PIX_CA_FILE, BACEN_PIX_CERT_FILE, .* must belong together$/),
    ]);
  });
});
