import { createServer } from 'node:net';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { SettingsReader, type Environment } from '#platform/config/settings-reader.ts';
import { listenLocally } from '#test/support/free-port.ts';
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

function settingsErrors(changes: Environment): readonly string[] {
  const reader = new SettingsReader({ ...psp.environment(), ...changes });
  readBacenSettings(reader, 'BACEN', 'production');
  return reader.errors;
}

function newClient(changes: Environment = {}): BacenClient {
  const reader = new SettingsReader({ ...psp.environment(), ...changes });
  const client = createBacenClient(readBacenSettings(reader, 'BACEN', 'production'));
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

describe('a request that was not executed', () => {
  it.each<[string, string, Misbehaviour]>([
    ['401, also with a new token', 'PUT /cob', { kind: 'respond', status: 401 }],
    ['403', 'PUT /cob', { kind: 'respond', status: 403 }],
    ['429', 'PUT /cob', { kind: 'respond', status: 429 }],
    ['503 stated by the API', 'PUT /cob', OUT_OF_SERVICE],
    ['a failing token endpoint', 'POST /token', { kind: 'respond', status: 503 }],
    ['a hanging token endpoint', 'POST /token', { kind: 'hang' }],
    ['a malformed token', 'POST /token', { kind: 'respond', status: 200, body: {} }],
  ])('throws NotExecutedError: %s', async (_name, endpoint, misbehaviour) => {
    psp.misbehave(endpoint, misbehaviour, 2);
    await expect(put(newClient())).rejects.toBeInstanceOf(NotExecutedError);
  });

  it('throws NotExecutedError if the provider is unreachable, unknown or untrusted', async () => {
    const unreachable = newClient({ BACEN_PIX_TOKEN_URL: 'https://localhost:1/token' });
    await expect(put(unreachable)).rejects.toBeInstanceOf(NotExecutedError);
    const unknown = newClient({ BACEN_PIX_URL: 'https://psp.invalid/api' });
    await expect(put(unknown)).rejects.toBeInstanceOf(NotExecutedError);
    const untrusted = newClient({ BACEN_PIX_CA_FILE: undefined });
    await expect(put(untrusted)).rejects.toBeInstanceOf(NotExecutedError);
  });

  it('throws NotExecutedError if the provider rejects the client certificate', async () => {
    const other = await startFakePsp();
    try {
      const rejected = newClient({
        BACEN_PIX_CERT_FILE: other.certificates.clientCert,
        BACEN_PIX_KEY_FILE: other.certificates.clientKey,
      });
      const before = psp.calls.length;
      await expect(put(rejected)).rejects.toBeInstanceOf(NotExecutedError);
      expect(psp.calls.length).toBe(before);
    } finally {
      await other.close();
    }
  });
});

async function failsInTime(call: Promise<unknown>): Promise<boolean> {
  const startedMs = performance.now();
  await expect(call).rejects.toBeInstanceOf(NotExecutedError);
  return performance.now() - startedMs < 2_000;
}

describe('a request whose deadline passes before it has a connection', () => {
  it('throws NotExecutedError if the provider accepts connections and does not respond', async () => {
    const silent = createServer();
    const port = await listenLocally(silent);
    try {
      const client = newClient({ BACEN_PIX_URL: `https://localhost:${port}/api` });
      expect(await failsInTime(put(client, 500))).toBe(true);
      expect(await failsInTime(client.request(PUT, AbortSignal.abort(new Error('late'))))).toBe(true);
    } finally {
      silent.close();
    }
  });

  it('throws NotExecutedError if all connections are in use, and is never sent', async () => {
    const client = newClient();
    await put(client);
    psp.misbehave('PUT /cob', { kind: 'hang' }, 32);
    const before = psp.countOf('PUT /cob');
    const hanging = Array.from({ length: 32 }, () => put(client, 3_000).catch(() => undefined));
    expect(await failsInTime(put(client, 500))).toBe(true);
    await Promise.all(hanging);
    await put(client);
    expect(psp.countOf('PUT /cob') - before).toBe(33);
  });

  it('throws NotExecutedError if it waits for the access token of another call', async () => {
    psp.misbehave('POST /token', { kind: 'hang' });
    const client = newClient();
    const first = put(client).catch(() => undefined);
    expect(await failsInTime(put(client, 500))).toBe(true);
    await first;
  });
});

describe('a request of unknown outcome', () => {
  it.each<[string, Misbehaviour]>([
    ['is cut off', { kind: 'cut' }],
    ['gets no answer', { kind: 'hang' }],
    ['gets a 500', { kind: 'respond', status: 500 }],
    ['gets a 504', { kind: 'respond', status: 504 }],
    ['gets a 503 of a proxy', { kind: 'respond', status: 503, body: { message: 'no upstream' } }],
    ['gets a redirect', { kind: 'respond', status: 302 }],
  ])('throws another error if it %s', async (_name, misbehaviour) => {
    psp.misbehave('PUT /cob', misbehaviour);
    const error: unknown = await put(newClient(), 1_000).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(NotExecutedError);
  });
});

describe('an access token', () => {
  it('is requested once by concurrent calls and reused', async () => {
    const client = newClient();
    const before = psp.tokensGiven();
    await Promise.all(Array.from({ length: 8 }, () => put(client)));
    await put(client);
    expect(psp.tokensGiven()).toBe(before + 1);
  });

  it('is replaced before it expires', async () => {
    psp.tokenLifeSeconds = 0;
    const client = newClient();
    const before = psp.tokensGiven();
    await put(client);
    await put(client);
    expect(psp.tokensGiven()).toBe(before + 2);
  });

  it('is replaced once after it was revoked, and the request is repeated', async () => {
    const client = newClient();
    await put(client);
    psp.revokeTokens();
    const before = psp.tokensGiven();
    const responses = await Promise.all(Array.from({ length: 4 }, () => put(client)));
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(psp.tokensGiven() - before).toBeLessThanOrEqual(2);
  });
});

describe('readBacenSettings', () => {
  it('reports a missing setting in one line', () => {
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
      const lines = settingsErrors({ [`BACEN_PIX_${name}`]: undefined });
      expect(lines).toEqual([expect.stringMatching(new RegExp(`^BACEN_PIX_${name} is required`))]);
    }
  });

  it.each([
    ['BACEN_PIX_URL', 'http://psp.example.com/api'],
    ['BACEN_PIX_TOKEN_URL', 'https://user:hunter2@psp.example.com/token'],
    ['BACEN_PIX_CHAVE', 'c'.repeat(78)],
    ['BACEN_PIX_WEBHOOK_SECRET', 'hunter2'],
    ['BACEN_PIX_WEBHOOK_SECRET', 'a'.repeat(40)],
    ['BACEN_PIX_MED_SECRET', 'hunter2'],
  ])('rejects %s=%s without quoting secrets', (name, value) => {
    const lines = settingsErrors({ [name]: value });
    expect(lines).toEqual([expect.stringMatching(new RegExp(`^${name} must `))]);
    expect(lines[0]).not.toContain('hunter2');
  });

  it.each([
    ['https://psp.example.com/api', false],
    ['https://10.0.0.1/api', false],
    ['https://localhost.example.com/api', false],
    ['https://127.0.0.1:8443/api', true],
    ['https://[::1]:8443/api', true],
    ['https://[::ffff:127.0.0.1]/api', true],
  ])('decides in the sandbox whether %s is accepted without a declaration: %s', (url, isAccepted) => {
    const sandboxErrors = (declared: Environment): readonly string[] => {
      const reader = new SettingsReader({ ...psp.environment(), BACEN_PIX_TOKEN_URL: url, ...declared });
      readBacenSettings(reader, 'BACEN', 'sandbox');
      return reader.errors;
    };
    const line =
      'BACEN_PIX_TOKEN_URL must be a loopback address in MODE=sandbox; ' +
      "BACEN_TEST_ENVIRONMENT=true declares it the provider's test system";
    expect(sandboxErrors({})).toEqual(isAccepted ? [] : [line]);
    expect(sandboxErrors({ BACEN_TEST_ENVIRONMENT: 'true' })).toEqual([]);
    expect(settingsErrors({ BACEN_PIX_TOKEN_URL: url })).toEqual([]);
  });

  it('rejects a missing file and a key that does not match the certificate', () => {
    expect(settingsErrors({ BACEN_PIX_CERT_FILE: '/nowhere/cert.pem' })).toEqual([
      'BACEN_PIX_CERT_FILE names /nowhere/cert.pem, which cannot be read (ENOENT): create the file, ' +
        'or correct the path',
    ]);
    expect(settingsErrors({ BACEN_PIX_KEY_FILE: psp.certificates.serverKey })).toEqual([
      expect.stringMatching(
        /^BACEN_PIX_CA_FILE, BACEN_PIX_CERT_FILE, .* the key must match the certificate$/,
      ),
    ]);
  });
});
