import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join, dirname } from 'node:path';
import { createServer, type TlsOptions } from 'node:tls';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { makeCertificates, type Certificates } from '#test/support/certificates.ts';
import { freePort } from '#test/support/free-port.ts';
import { checkMachine } from './checks.ts';

const EXPIRED = `-----BEGIN CERTIFICATE-----
MIIBCzCBsgIBATAKBggqhkjOPQQDAjASMRAwDgYDVQQDDAdleHBpcmVkMB4XDTI0
MDEwMTAwMDAwMFoXDTI1MDEwMTAwMDAwMFowEjEQMA4GA1UEAwwHZXhwaXJlZDBZ
MBMGByqGSM49AgEGCCqGSM49AwEHA0IABGhIeLgnQLC+tlg24Ru9nX7KDD43/G9c
AQD98n+fwvamS5iEasXUPfz7V0I1GP/bIHxMxmrRK/BztJoIA7MFe8gwCgYIKoZI
zj0EAwIDSAAwRQIhAI/qRfdkj9Sw0/gbKFUaFX0TQo1LIyGzg3zyxeHl9zWYAiAA
sf8UL46MKgHsIAjNg4/5RZzRV2IoHbjM3AfUmw6JQQ==
-----END CERTIFICATE-----
`;

/** The test authority and its certificates end in two days. */
let soon: Certificates;
/** Ends in two years. */
let late: { cert: string; key: string };
let expired: string;

const at = (name: string): string => join(dirname(soon.ca), name);

beforeAll(async () => {
  soon = await makeCertificates();
  late = { cert: at('late.pem'), key: at('late.key') };
  expired = at('expired.pem');
  await writeFile(expired, EXPIRED);
  const options = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const files = ['-keyout', late.key, '-out', late.cert, '-subj', '/CN=localhost'];
  await promisify(execFile)('openssl', ['req', '-x509', ...options, ...files, '-days', '730']);
});
afterAll(() => soon.remove());

type Config = Parameters<typeof checkMachine>[0];

async function check(name: string, config: Partial<Config>) {
  const defaults = {
    mode: 'sandbox' as const,
    providers: { pix: [], card: [] },
    boletoProvider: undefined,
    certificateFiles: [],
    publicUrl: 'http://localhost',
    redisUrl: undefined,
    providerUrls: [],
  };
  const found = await checkMachine({ ...defaults, ...config });
  return found.find((one) => one.name === name);
}

async function serveTls(options: TlsOptions): Promise<string> {
  const server = createServer(options, (socket) => socket.end());
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening');
  return `https://localhost:${address.port}`;
}

const certificates = (...files: readonly (readonly [string, string])[]) =>
  check('certificates', { certificateFiles: files.map(([name, value]) => ({ name, value })) });

describe('the check of certificates', () => {
  it('is OK without certificates, and with those that end in 30 days or later', async () => {
    expect(await certificates()).toMatchObject({ status: 'OK', detail: 'none is configured' });
    expect(await certificates(['BACEN_CLIENT_CERT_FILE', late.cert])).toMatchObject({
      status: 'OK',
      detail: 'valid for 30 days or more',
    });
  });

  it('warns of those that end earlier, by their settings', async () => {
    expect(
      await certificates(['BACEN_CLIENT_CERT_FILE', soon.clientCert], ['ADYEN_CERT_FILE', late.cert]),
    ).toMatchObject({
      status: 'WARNING',
      detail: expect.stringMatching(/^BACEN_CLIENT_CERT_FILE ends at \S+Z$/),
    });
  });

  it('fails once one has ended, and names this one first', async () => {
    expect(
      await certificates(['BACEN_CLIENT_CERT_FILE', soon.clientCert], ['ADYEN_CERT_FILE', expired]),
    ).toMatchObject({
      status: 'FAILED',
      detail: expect.stringMatching(/^ADYEN_CERT_FILE ends at .+; BACEN_CLIENT_CERT_FILE ends at /),
    });
  });

  it('counts the first end in a chain, and the last end in a file of authorities', async () => {
    const both = at('both.pem');
    await writeFile(both, (await soon.read(late.cert)) + EXPIRED);
    expect(await certificates(['BACEN_CLIENT_CERT_FILE', both])).toMatchObject({ status: 'FAILED' });
    expect(await certificates(['BACEN_CA_FILE', both])).toMatchObject({ status: 'OK' });
  });

  it('fails if a file cannot be read, and does not print its content', async () => {
    const missing = at('missing.pem');
    expect(await certificates(['BACEN_CA_FILE', missing])).toMatchObject({
      status: 'FAILED',
      detail: expect.stringContaining(missing),
    });
    const broken = at('broken.pem');
    await writeFile(broken, '-----BEGIN CERTIFICATE-----\nc2VjcmV0\n-----END CERTIFICATE-----\n');
    const found = await certificates(['BACEN_CA_FILE', broken]);
    expect(found).toMatchObject({ status: 'FAILED' });
    expect(found?.detail).not.toContain('c2VjcmV0');
  });

  it('reads the certificate of PUBLIC_URL from its server', async () => {
    const read = (path: string) => soon.read(path);
    const ending = await serveTls({ cert: await read(soon.serverCert), key: await read(soon.serverKey) });
    expect(await check('certificates', { publicUrl: ending })).toMatchObject({
      status: 'WARNING',
      detail: expect.stringMatching(/^localhost:\d+ ends at /),
    });
    const valid = await serveTls({ cert: await read(late.cert), key: await read(late.key) });
    expect(await check('certificates', { publicUrl: valid })).toMatchObject({ status: 'OK' });
    const nobody = `https://localhost:${await freePort()}`;
    expect(await check('certificates', { publicUrl: nobody })).toMatchObject({
      status: 'WARNING',
      detail: expect.stringMatching(
        /^the certificate of localhost:\d+ cannot be read from here: .*ECONNREFUSED/,
      ),
    });
  });
});

describe('the checks of Redis and providers', () => {
  it('fail if nothing listens, and name the setting', async () => {
    const nobody = `localhost:${await freePort()}`;
    expect(await check('redis', { redisUrl: `redis://:hidden@${nobody}` })).toMatchObject({
      status: 'FAILED',
      detail: expect.stringMatching(/ECONNREFUSED .*: check REDIS_URL$/),
    });
    expect(await check('redis', { redisUrl: `redis://:hidden@${nobody}` })).not.toMatchObject({
      detail: expect.stringContaining('hidden'),
    });
    const listening = await serveTls({});
    expect(
      await check('providers', {
        providerUrls: [
          { name: 'BACEN_PIX_URL', value: listening },
          { name: 'ADYEN_URL', value: `https://${nobody}` },
        ],
      }),
    ).toMatchObject({ status: 'FAILED', detail: expect.stringMatching(/^ADYEN_URL: .*ECONNREFUSED/) });
  });

  it('are OK if all are reachable or none is configured', async () => {
    expect(await check('redis', {})).toMatchObject({ status: 'OK', detail: 'none is configured' });
    expect(await check('providers', {})).toMatchObject({ status: 'OK', detail: 'no address is configured' });
    const providerUrls = [{ name: 'BACEN_PIX_URL', value: await serveTls({}) }];
    expect(await check('providers', { providerUrls })).toMatchObject({ status: 'OK', detail: 'reachable' });
  });

  it('warn if production has no payment method', async () => {
    expect(await check('providers', { mode: 'production' })).toMatchObject({
      status: 'WARNING',
      detail: expect.stringContaining('PIX_PROVIDER, BOLETO_PROVIDER or CARD_PROVIDER'),
    });
    expect(await check('providers', { mode: 'production', boletoProvider: 'cnab' })).toMatchObject({
      status: 'OK',
    });
  });
});
