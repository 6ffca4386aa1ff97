import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer as createTcpServer, type Server as TcpServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Resolve, ResolvedAddress } from './resolver.ts';
import { createSender, type PostRequest, type Sender, type SenderOptions } from './sender.ts';

interface Identity {
  readonly key: string;
  readonly cert: string;
}

type Listener = (req: IncomingMessage, res: ServerResponse) => unknown;

const directory = mkdtempSync(join(tmpdir(), 'webhook-sender-'));
let identities: Record<'good' | 'other' | 'many' | 'expired' | 'early' | 'selfSigned', Identity>;
let ca: string;

const EC_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

function openssl(...args: string[]): void {
  execFileSync('openssl', args, { cwd: directory, stdio: 'pipe' });
}

function selfSigned(name: string): Identity {
  const files = ['-keyout', `${name}.key`, '-out', `${name}.pem`];
  openssl('req', '-x509', ...EC_KEY, ...files, '-subj', `/CN=${name}`, '-days', '2');
  return readIdentity(name);
}

function issued(name: string, altNames: string, validity?: readonly [string, string]): Identity {
  openssl('req', ...EC_KEY, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${name}`);
  writeFileSync(join(directory, `${name}.ext`), `subjectAltName = ${altNames}\n`);
  const files = ['-in', `${name}.csr`, '-out', `${name}.pem`, '-extfile', `${name}.ext`];
  const authority = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial'];
  if (validity === undefined) openssl('x509', '-req', ...files, ...authority, '-days', '2');
  else issueFor(name, validity);
  return readIdentity(name);
}

const CA_CONFIG = `
[ca]
default_ca = tests
[tests]
database = index.txt
serial = ca.srl
new_certs_dir = .
default_md = sha256
policy = any
[any]
commonName = supplied
`;

/** Issues a certificate for a period in the past or future, as only `openssl ca` can. */
function issueFor(name: string, [from, to]: readonly [string, string]): void {
  writeFileSync(join(directory, 'index.txt'), '');
  writeFileSync(join(directory, 'ca.cnf'), CA_CONFIG);
  const files = ['-in', `${name}.csr`, '-out', `${name}.pem`, '-extfile', `${name}.ext`, '-notext'];
  const authority = ['-config', 'ca.cnf', '-cert', 'ca.pem', '-keyfile', 'ca.key'];
  openssl('ca', '-batch', ...authority, ...files, '-startdate', from, '-enddate', to);
}

function readIdentity(name: string): Identity {
  const read = (suffix: string) => readFileSync(join(directory, name + suffix), 'utf8');
  return { key: read('.key'), cert: read('.pem') };
}

beforeAll(() => {
  ca = selfSigned('ca').cert;
  identities = {
    good: issued('good', 'DNS:hooks.test, DNS:localhost, IP:127.0.0.1'),
    other: issued('other', 'DNS:other.test'),
    expired: issued('expired', 'DNS:hooks.test', ['20260101000000Z', '20260102000000Z']),
    early: issued('early', 'DNS:hooks.test', ['20990102000000Z', '20990103000000Z']),
    many: issued('many', 'DNS:a.test, DNS:b.test, DNS:c.test, DNS:d.test'),
    selfSigned: selfSigned('hooks.test'),
  };
});

afterAll(() => rmSync(directory, { recursive: true }));

const sockets: Socket[] = [];
const servers: TcpServer[] = [];
const senders: Sender[] = [];

afterEach(async () => {
  vi.unstubAllEnvs();
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) server.close();
  await Promise.all(senders.splice(0).map((sender) => sender.close()));
});

async function listen(server: TcpServer) {
  const counts = { connections: 0 };
  servers.push(server);
  server.on('connection', (socket: Socket) => {
    counts.connections += 1;
    sockets.push(socket.on('error', () => {}));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  return { url: `https://hooks.test:${port}/hook?a=1`, port, counts };
}

const serve = (listener: Listener, identity: keyof typeof identities = 'good') =>
  listen(createHttpsServer(identities[identity], (req, res) => void listener(req, res)));

const loopback = { address: '127.0.0.1', family: 4 };
const resolveTo = (...addresses: ResolvedAddress[]) => vi.fn<Resolve>(() => Promise.resolve(addresses));

function newSender(options: Partial<SenderOptions> = {}): Sender {
  const defaults = { allowPrivate: true, ca, timeoutMs: 5000, lookup: resolveTo(loopback) };
  const sender = createSender({ ...defaults, ...options });
  senders.push(sender);
  return sender;
}

function request(url: string, more: Partial<PostRequest> = {}): PostRequest {
  return { url, body: '{}', headers: {}, ...more };
}

/** Sends one request with a new sender. */
const post = (url: string, options?: Partial<SenderOptions>) => newSender(options).post(request(url));

const noAnswer = { ok: false, statusCode: null, responseBody: null, retryAfterSeconds: null };
const forbidden = 'The host resolves to an address that is not public.';
const cancelled = 'The delivery was canceled.';

describe('responses', () => {
  it('posts the body and headers and returns a 2xx response', async () => {
    const seen: unknown[] = [];
    const { url } = await serve(async (req, res) => {
      seen.push([req.method, req.url, req.headers, await text(req)]);
      res.writeHead(201).end('criado ✓');
    });
    const headers = { 'Webhook-Id': 'msg_1' };
    const result = await newSender().post(request(url, { body: '{"n":"João"}', headers }));
    const response = { ok: true, statusCode: 201, responseBody: 'criado ✓', error: null };
    expect(result).toEqual({ ...response, latencyMs: expect.any(Number), retryAfterSeconds: null });
    const defaults = { 'content-type': 'application/json', 'user-agent': 'Vereda-Webhooks/1' };
    const sent = { ...defaults, 'webhook-id': 'msg_1' };
    expect(seen).toEqual([['POST', '/hook?a=1', expect.objectContaining(sent), '{"n":"João"}']]);
  });

  it.each([
    ['120', 120],
    ['Wed, 21 Oct 2015 07:28:00 GMT', 0],
    ['Fri, 31 Dec 2100 00:00:00 GMT', expect.any(Number)],
    ['-5', null],
    ['soon', null],
  ])('returns a 5xx response with Retry-After: %s', async (retryAfter, retryAfterSeconds) => {
    const { url } = await serve((_req, res) => res.writeHead(503, { 'retry-after': retryAfter }).end());
    const error = 'The server responded with status 503.';
    const result = await post(url);
    expect(result).toMatchObject({ ok: false, statusCode: 503, responseBody: '', error, retryAfterSeconds });
  });

  it('does not follow redirects', async () => {
    let count = 0;
    const { url } = await serve((_req, res) => {
      count += 1;
      res.writeHead(307, { location: '/elsewhere' }).end();
    });
    const error = expect.stringContaining('redirects are not followed');
    expect(await post(url)).toMatchObject({ ok: false, statusCode: 307, error });
    expect(count).toBe(1);
  });

  it.each([
    ['a long text', Buffer.from('x'.repeat(1_000_000)), 'x'.repeat(1024)],
    ['a character across the limit', Buffer.from(`x${'é'.repeat(600)}`), `x${'é'.repeat(511)}`],
    ['NUL', Buffer.from('a\0b'), 'ab'],
    ['a lone surrogate', Buffer.from([0x61, 0xed, 0xa0, 0x80, 0x62]), 'a\uFFFD\uFFFD\uFFFDb'],
    ['bytes that are not UTF-8', Buffer.alloc(1024, 0xff), '\uFFFD'.repeat(341)],
  ])('truncates and sanitizes a body with %s', async (_case, body, kept) => {
    const { url } = await serve((_req, res) => res.end(body));
    const { ok, responseBody } = await post(url);
    expect({ ok, responseBody }).toEqual({ ok: true, responseBody: kept });
  });

  it('stops reading an endless body after 1 KiB', async () => {
    const { url } = await serve((_req, res) => void res.write('x'.repeat(1024)));
    const result = await post(url);
    expect(result).toMatchObject({ ok: true, statusCode: 200, responseBody: 'x'.repeat(1024) });
    expect(result.latencyMs).toBeLessThan(2000);
  });
});

describe('deadline', () => {
  it('ends a request without a response', async () => {
    const { url } = await serve(() => {});
    const result = await post(url, { timeoutMs: 200 });
    expect(result).toMatchObject({ ...noAnswer, error: 'No complete response within 0.2 seconds.' });
    expect(result.latencyMs).toBeLessThan(2000);
  });

  it('ends a request with a slow response body, and its connection', async () => {
    const gone = Promise.withResolvers<void>();
    const { url } = await serve((_req, res) => {
      const timer = setInterval(() => res.write('.'), 20);
      res.on('close', () => {
        clearInterval(timer);
        gone.resolve();
      });
    });
    const result = await post(url, { timeoutMs: 300 });
    const error = 'No complete response within 0.3 seconds.';
    expect(result).toMatchObject({ ok: false, statusCode: 200, error });
    expect(result.responseBody).toMatch(/^\.+$/);
    expect(result.latencyMs).toBeLessThan(2000);
    await gone.promise;
  });

  it('ends a DNS lookup that hangs', async () => {
    const lookup = resolveTo();
    lookup.mockReturnValue(new Promise(() => {}));
    const result = await post('https://hooks.test/', { timeoutMs: 200, lookup });
    expect(result).toMatchObject({ ...noAnswer, error: 'No connection to the server within 0.2 seconds.' });
    expect(result.latencyMs).toBeLessThan(2000);
  });

  it('opens no further connections to a server that hangs after its deadline', async () => {
    const { port, counts } = await listen(createTcpServer());
    const sender = newSender({ timeoutMs: 300 });
    const hanging = request(`https://hooks.test:${port}/`);
    const results = await Promise.all(Array.from({ length: 8 }, () => sender.post(hanging)));
    const error = 'No connection to the server within 0.3 seconds.';
    expect(results.map((result) => result.error)).toEqual(results.map(() => error));
    await sleep(2000);
    expect(counts.connections).toBe(8);
  });

  it('lets requests in progress end when it is closed', async () => {
    const { url } = await serve(async (_req, res) => {
      await sleep(200);
      res.end();
    });
    const sender = newSender();
    const running = Array.from({ length: 10 }, () => sender.post(request(url)));
    await sender.close();
    expect((await Promise.all(running)).every((result) => result.ok)).toBe(true);
  });

  it('is not blocked by canceled requests, and starts no others', async () => {
    const { url, counts } = await serve(() => {});
    const sender = newSender();
    const running = Array.from({ length: 10 }, () => sender.post(request(url)));
    await vi.waitFor(() => expect(counts.connections).toBe(10));
    sender.cancel();
    for (const result of await Promise.all(running)) {
      expect(result).toMatchObject({ ...noAnswer, error: cancelled });
      expect(result.latencyMs).toBeLessThan(2000);
    }
    expect(await sender.post(request(url))).toMatchObject({ ...noAnswer, error: cancelled });
    expect(counts.connections).toBe(10);
  });

  it('never sends a request that was canceled while connecting', async () => {
    const paths: unknown[] = [];
    const { url, port, counts } = await serve((req, res) => {
      paths.push(req.url);
      res.end();
    });
    const lookup = resolveTo(loopback);
    lookup.mockImplementationOnce(async () => {
      await sleep(400);
      return [loopback];
    });
    const sender = newSender({ timeoutMs: 200, lookup });
    const late = await sender.post(request(`https://hooks.test:${port}/late`));
    expect(late).toMatchObject({ ...noAnswer, error: 'No connection to the server within 0.2 seconds.' });
    await vi.waitFor(() => expect(counts.connections).toBe(1));
    expect(await sender.post(request(url))).toMatchObject({ ok: true });
    expect(paths).toEqual(['/hook?a=1']);
  });

  it('covers connecting, headers and body together', async () => {
    const { url } = await serve(async (_req, res) => {
      await sleep(400);
      res.writeHead(200).write('.');
      await sleep(400);
      res.end();
    });
    const lookup = vi.fn<Resolve>(async () => {
      await sleep(400);
      return [loopback];
    });
    // Each of the three, and any two together, are shorter than the deadline; all three are not.
    const result = await post(url, { timeoutMs: 1_050, lookup });
    const error = 'No complete response within 1.05 seconds.';
    expect(result).toMatchObject({ ok: false, statusCode: 200, responseBody: '.', error });
    expect(result.latencyMs).toBeLessThan(1_190);
  });
});

describe('addresses', () => {
  it.each([
    ['a private address', [loopback]],
    ['a private address beside a public one', [{ address: '8.8.8.8', family: 4 }, loopback]],
    ['a mapped private address', [{ address: '::ffff:127.0.0.1', family: 6 }]],
    ['an invalid address', [{ address: 'localhost', family: 4 }]],
  ])('rejects a name that resolves to %s', async (_case, addresses) => {
    const { url, counts } = await serve((_req, res) => res.end());
    const sender = newSender({ allowPrivate: false, lookup: resolveTo(...addresses) });
    expect(await sender.post(request(url))).toMatchObject({ ...noAnswer, error: forbidden });
    expect(counts.connections).toBe(0);
  });

  it.each(['127.0.0.1', '2130706433', '[::ffff:127.0.0.1]', 'localhost'])(
    'rejects %s before connecting',
    async (host) => {
      const { port, counts } = await serve((_req, res) => res.end());
      const lookup = resolveTo({ address: '8.8.8.8', family: 4 });
      const result = await post(`https://${host}:${port}/`, { allowPrivate: false, lookup });
      expect(result).toMatchObject({ ...noAnswer, error: forbidden });
      expect([counts.connections, lookup.mock.calls.length]).toEqual([0, 0]);
    },
  );

  it('resolves once per connection and connects to that address only', async () => {
    const { url, counts } = await serve((req, res) => {
      if (req.headers['x-last'] === '1') res.setHeader('connection', 'close');
      res.end();
    });
    const lookup = resolveTo({ address: '127.0.0.9', family: 4 });
    lookup.mockResolvedValueOnce([loopback]);
    const sender = newSender({ lookup });
    expect(await sender.post(request(url))).toMatchObject({ ok: true });
    // Undici reuses a connection one turn of the event loop after the response.
    await sleep(20);
    expect(await sender.post(request(url, { headers: { 'x-last': '1' } }))).toMatchObject({ ok: true });
    expect([counts.connections, lookup.mock.calls.length]).toEqual([1, 1]);
    const error = 'The server refused the connection.';
    expect(await sender.post(request(url))).toMatchObject({ ...noAnswer, error });
    expect([counts.connections, lookup.mock.calls.length]).toEqual([1, 2]);
  });

  it('tries the next allowed address if one refuses the connection', async () => {
    const { url } = await serve((_req, res) => res.end());
    const lookup = resolveTo({ address: '127.0.0.9', family: 4 }, { address: '::1', family: 6 }, loopback);
    expect(await post(url, { lookup })).toMatchObject({ ok: true });
  });

  it('uses the system resolver by default, and reaches IP addresses', async () => {
    const { port } = await serve((_req, res) => res.end());
    const sender = createSender({ allowPrivate: true, ca });
    senders.push(sender);
    expect(await sender.post(request(`https://localhost:${port}/`))).toMatchObject({ ok: true });
    expect(await sender.post(request(`https://127.0.0.1:${port}/`))).toMatchObject({ ok: true });
  });
});

describe('failures', () => {
  it.each([
    ['other', "The server's certificate is for another name (other.test)."],
    ['expired', "The server's certificate expired on 2026-01-02."],
    ['early', "The server's certificate is not valid before 2099-01-02."],
    ['many', "The server's certificate is for another name (a.test, b.test, c.test, …)."],
    ['selfSigned', "The server's certificate is self-signed."],
  ] as const)('reports the certificate error: %s', async (identity, error) => {
    const { url } = await serve((_req, res) => res.end(), identity);
    const sender = newSender();
    // The second connection must be verified like the first one, without its TLS session.
    expect(await sender.post(request(url))).toMatchObject({ ...noAnswer, error });
    expect(await sender.post(request(url))).toMatchObject({ ...noAnswer, error });
  });

  it.each([
    ['https://user:pass@elsewhere.test/new?token=secret#part', ' to https://elsewhere.test/new'],
    ['/moved?token=secret', ' to https://hooks.test:PORT/moved'],
    ['javascript:alert(1)', ''],
    [`https://elsewhere.test/${'x'.repeat(500)}`, ` to https://elsewhere.test/${'x'.repeat(177)}…`],
  ])('reports the target of a redirect without its secrets: %s', async (location, where) => {
    const { url, port } = await serve((_req, res) => res.writeHead(307, { location }).end());
    const target = where.replace('PORT', String(port));
    const error = `The server responded with a redirect${target} (status 307); redirects are not followed.`;
    expect(await post(url)).toMatchObject({ ok: false, statusCode: 307, error });
  });

  it('trusts only the given certificate authorities, whatever the environment contains', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    const { url } = await serve((_req, res) => res.end());
    const sender = createSender({ allowPrivate: true, lookup: resolveTo(loopback) });
    senders.push(sender);
    const error =
      "The server's certificate is signed by an authority that is not trusted, or its chain is incomplete.";
    expect(await sender.post(request(url))).toMatchObject({ ...noAnswer, error });
  });

  it('requires HTTPS', async () => {
    const plain = await listen(createHttpServer((_req, res) => res.end()));
    const overPlain = await post(plain.url);
    expect(overPlain).toMatchObject({
      ...noAnswer,
      error: expect.stringContaining('the port does not offer HTTPS'),
    });
    const result = await post(plain.url.replace('https', 'http'));
    expect(result).toMatchObject({ ...noAnswer, error: 'The URL must start with https://.' });
  });

  it.each([
    ['ENOTFOUND', 'DNS lookup failed.'],
    ['EAI_AGAIN', 'DNS is temporarily unavailable for the host name.'],
    ['toString', 'The request failed.'],
  ])('reports a failed DNS lookup: %s', async (code, error) => {
    const lookup = () => Promise.reject(Object.assign(new Error('secret'), { code }));
    const result = await post('https://hooks.test/', { lookup });
    expect(result).toMatchObject({ ...noAnswer, error });
    const empty = await post('https://hooks.test/', { lookup: resolveTo() });
    expect(empty).toMatchObject({ ...noAnswer, error: 'DNS lookup failed.' });
  });

  it('reports a connection reset before and during the response', async () => {
    const { url } = await serve((req, res) => {
      const early = req.headers['x-early'] === '1';
      if (!early) res.writeHead(200, { 'content-length': '10' }).write('half');
      setTimeout(() => req.socket.destroy(), 50);
    });
    const error = 'The server closed the connection before the response was complete.';
    const early = await newSender().post(request(url, { headers: { 'x-early': '1' } }));
    expect(early).toMatchObject({ ...noAnswer, error });
    const within = await post(url);
    expect(within).toMatchObject({ ok: false, statusCode: 200, responseBody: 'half', error });
  });

  it('neither throws nor quotes a header it cannot send', async () => {
    const sender = newSender();
    const headers = { 'webhook-signature': 'v1,secret\n' };
    const result = await sender.post(request('https://hooks.test/', { headers }));
    expect(result).toMatchObject({ ...noAnswer, error: 'The request failed.' });
    await Promise.all([sender.close(), sender.close()]);
    const late = await sender.post(request('https://hooks.test/'));
    expect(late).toMatchObject({ ...noAnswer, error: cancelled });
  });
});

it('reuses connections for 50 requests, eight at once', async () => {
  const { url, counts } = await serve(async (req, res) => res.end(await text(req)));
  const sender = newSender();
  const bodies: unknown[] = [];
  const remaining = Array.from({ length: 50 }, (_, i) => i);
  const postRemaining = async (): Promise<void> => {
    for (let i = remaining.shift(); i !== undefined; i = remaining.shift()) {
      const result = await sender.post(request(url, { body: `{"i":${i}}` }));
      bodies[i] = result.ok && result.responseBody;
    }
  };
  await Promise.all(Array.from({ length: 8 }, postRemaining));
  expect(bodies).toEqual(Array.from({ length: 50 }, (_, i) => `{"i":${i}}`));
  // A connection is free one turn of the event loop after its response.
  expect(counts.connections).toBeLessThanOrEqual(16);
});
