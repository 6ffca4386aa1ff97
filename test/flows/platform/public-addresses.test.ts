import jsQR from 'jsqr';
import { PNG } from 'pngjs';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

import { openDatabase } from '#platform/database/connect.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { VERSION } from '#platform/kit/version.ts';
import { errorBody } from '#test/support/errors.ts';

let gateway: TestGateway;
let root: string;

beforeAll(async () => {
  gateway = await startTestGateway();
  root = gateway.baseUrl.replace(/\/v1$/, '');
});
afterAll(async () => {
  await gateway.stop();
});

/** The QR code of an image, as a payer's camera reads it; pngjs verifies every checksum. */
function readQr(png: Buffer): string | undefined {
  const { data, width, height } = PNG.sync.read(png);
  return jsQR.default(new Uint8ClampedArray(data), width, height)?.data;
}

async function fetchPicture(
  address: string,
): Promise<{ readonly response: Response; readonly bytes: Buffer }> {
  const response = await fetch(address);
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
}

describe('GET /v1/health', () => {
  it('returns ok with version and uptime only, without a credential', async () => {
    const response = await gateway.get('/health', { credential: 'none' });
    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      status: true,
      data: { status: 'ok', version: VERSION, uptimeSeconds: expect.any(Number), database: 'ok' },
    });
    expect(Number.isSafeInteger(response.body.data.uptimeSeconds)).toBe(true);
    expect(response.headers.get('content-type')).toContain('application/json');
  });

  it('ignores an invalid credential', async () => {
    expect((await gateway.get('/health', { apiKey: 'sk_test_nobody' })).status).toBe(200);
    expect((await gateway.get('/health', { token: 'x.y.z' })).status).toBe(200);
  });

  it('returns 503 and names the database while it is unavailable, and recovers', async () => {
    const name = new URL(gateway.database.url).pathname.slice(1);
    const server = new pg.Client({ connectionString: inject('serverUrls')[0] });
    await server.connect();
    try {
      await server.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
      await server.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = $1 AND application_name LIKE 'gateway%'`,
        [name],
      );
      await expect.poll(async () => (await gateway.get('/health')).status, { timeout: 5_000 }).toBe(503);
      const response = await gateway.get('/health');
      expect(response.body).toMatchObject({ status: false, data: { version: VERSION } });
      expect(response.body.data.database).not.toBe('ok');
      expect(response.body.data.status).not.toBe('ok');
      expect(response.headers.get('x-request-id')).not.toBeNull();
    } finally {
      await server.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
      await server.end();
    }
    await expect.poll(async () => (await gateway.get('/health')).status, { timeout: 5_000 }).toBe(200);
    expect((await gateway.charge()).status).toBe(201);
  });
});

describe('a broken database connection', () => {
  it('is reported and does not end the process, whether checked out or idle', async () => {
    const errors: Error[] = [];
    const database = openDatabase({
      url: gateway.database.url,
      poolSize: 2,
      onError: (error) => errors.push(error),
    });
    const connection = await database.pool.connect();
    try {
      const { rows } = await connection.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      await gateway.database.query('SELECT pg_terminate_backend($1::integer)', [rows[0]?.pid]);
      await expect.poll(() => errors.length, { timeout: 5_000 }).toBeGreaterThan(0);
      expect((await database.pool.query('SELECT 1')).rowCount).toBe(1);
    } finally {
      connection.release(true);
      await database.close();
    }
  });
});

describe('public pages', () => {
  it('/ redirects to the dashboard', async () => {
    const response = await fetch(`${root}/`, { redirect: 'manual' });
    expect([301, 302, 303, 307, 308]).toContain(response.status);
    expect(response.headers.get('location')).toBe('/dashboard/');
    const page = await fetch(`${root}/`);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
  });

  it.each(['/dashboard', '/dashboard/', '/docs', '/docs/', '/docs/operator', '/docs/errors', '/docs/guides'])(
    '%s is a page',
    async (path) => {
      const response = await fetch(root + path);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toMatch(/^text\/html; charset=utf-8/);
      expect(await response.text()).toMatch(/^<!doctype html>/i);
    },
  );

  it('refer only to existing files of the gateway', async () => {
    for (const path of ['/dashboard/', '/docs', '/docs/operator', '/docs/errors']) {
      const page = await (await fetch(root + path)).text();
      const addresses = [...page.matchAll(/(?:src|href)="([^"#]+)"/g)].map((match) => match[1] ?? '');
      expect(addresses.length).toBeGreaterThan(0);
      for (const address of addresses) {
        const url = new URL(address, root + path);
        if (url.origin !== root) continue;
        const response = await fetch(url);
        expect(response.status).toBe(200);
        await response.body?.cancel();
      }
    }
  });

  it('do not serve files outside their directories', async () => {
    for (const path of [
      '/assets/',
      '/assets/..%2fpackage.json',
      '/assets/%2e%2e/package.json',
      '/package.json',
    ]) {
      const response = await fetch(root + path);
      expect(response.status).toBe(404);
      expect(await response.text()).not.toContain('vereda');
    }
  });
});

describe('/openapi.json', () => {
  it('describes the API as OpenAPI 3.1, each operation with its responses', async () => {
    const response = await fetch(`${root}/openapi.json`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('application/json');
    const document: OpenApi = JSON.parse(await response.text());
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(document.info.version).toBe(VERSION);
    expect(Object.keys(document.paths)).toEqual(
      expect.arrayContaining([
        '/v1/health',
        '/v1/login',
        '/v1/auth/refresh',
        '/v1/auth/logout',
        '/v1/transactions',
        '/v1/transactions/{id}',
        '/v1/seller-wallet/gestao',
        '/v1/webhooks',
        '/v1/webhooks/{id}',
      ]),
    );
    for (const [path, operations] of Object.entries(document.paths)) {
      expect(path).toMatch(/^\/v1\//);
      for (const operation of Object.values(operations)) {
        expect(operation.summary).toMatch(/\S/);
        expect(Object.keys(operation.responses).length).toBeGreaterThan(1);
      }
    }
  });

  it('excludes operator operations, which are in /openapi-operator.json', async () => {
    const seller = await (await fetch(`${root}/openapi.json`)).text();
    const operator = await (await fetch(`${root}/openapi-operator.json`)).text();
    expect(JSON.parse(operator).openapi).toMatch(/^3\.1\./);
    expect(operator).toContain('/v1/admin/sellers');
    expect(seller).not.toContain('"/v1/admin/');
    expect(operator).not.toContain('"/v1/webhooks"');
  });

  it('marks operations that need no credential', async () => {
    const document: OpenApi = JSON.parse(await (await fetch(`${root}/openapi.json`)).text());
    for (const [path, method] of [
      ['/v1/health', 'get'],
      ['/v1/login', 'post'],
      ['/v1/auth/refresh', 'post'],
    ] as const) {
      expect(document.paths[path]?.[method]?.security).toEqual([]);
    }
    expect(document.paths['/v1/transactions']?.['post']?.security ?? document.security).not.toEqual([]);
  });

  it('documents the Idempotency-Key of creations', async () => {
    const document: OpenApi = JSON.parse(await (await fetch(`${root}/openapi.json`)).text());
    const parameters = document.paths['/v1/transactions']?.['post']?.parameters ?? [];
    expect(parameters).toContainEqual(
      expect.objectContaining({ in: 'header', name: 'idempotency-key', required: true }),
    );
  });

  interface OpenApi {
    readonly openapi: string;
    readonly info: { readonly version: string };
    readonly security: unknown;
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  }
  interface Operation {
    readonly summary: string;
    readonly responses: Readonly<Record<string, unknown>>;
    readonly parameters?: readonly unknown[];
    readonly security?: unknown;
  }
});

describe.each([
  ['/openapi.json', 'no-cache'],
  ['/openapi-operator.json', 'no-cache'],
  ['/docs', 'no-cache'],
  ['/docs/operator', 'no-cache'],
  ['/docs/errors', 'no-cache'],
  ['/docs/guides/accept-pix', 'no-cache'],
  ['/assets/swagger-ui-bundle.js', 'public, max-age=3600'],
])('%s', (path, control) => {
  const get = (headers: Record<string, string>) => fetch(root + path, { headers });

  it('is compressed for clients that accept it', async () => {
    const plain = await get({ 'accept-encoding': 'identity' });
    expect(plain.headers.get('content-encoding')).toBeNull();
    const text = await plain.text();
    for (const encoding of ['gzip', 'br']) {
      const response = await get({ 'accept-encoding': encoding });
      expect(response.headers.get('content-encoding')).toBe(encoding);
      expect(response.headers.get('vary')).toContain('accept-encoding');
      expect(Number(response.headers.get('content-length'))).toBeLessThan(text.length / 2);
      expect(await response.text()).toBe(text);
    }
  });

  it('has a strong ETag for each encoding, and returns 304 to clients that have it', async () => {
    const tags = new Set<string>();
    for (const encoding of ['identity', 'gzip', 'br']) {
      const response = await get({ 'accept-encoding': encoding });
      const etag = response.headers.get('etag') ?? '';
      expect(etag).toMatch(/^"[\w-]+"$/);
      expect(response.headers.get('cache-control')).toBe(control);
      tags.add(etag);
      const again = await get({ 'accept-encoding': encoding, 'if-none-match': etag });
      expect(again.status).toBe(304);
      expect(again.headers.get('etag')).toBe(etag);
      expect(await again.text()).toBe('');
    }
    expect(tags.size).toBe(3);
    expect((await get({ 'if-none-match': '"another"' })).status).toBe(200);
  });
});

describe('/metrics', () => {
  it('returns Prometheus text to the local machine if no token is set', async () => {
    await gateway.get('/health');
    const response = await fetch(`${root}/metrics`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(await response.text()).toMatch(
      /^http_request_duration_seconds_count\{.*route="\/v1\/health".*\} \d+$/m,
    );
  });

  it('creates no series from request data', async () => {
    const created = await gateway.charge();
    await gateway.get(`/transactions/${created.body.data.id}?metadataValue=52998224725`);
    await gateway.get('/transactions/secret-in-path');
    await gateway.get('/nowhere/secret-in-path');
    const text = await (await fetch(`${root}/metrics`)).text();
    expect(text).not.toContain('secret-in-path');
    expect(text).not.toContain('52998224725');
    expect(text).not.toContain(created.body.data.id);
  });
});

describe('/pix/{txid}.png', () => {
  it('returns the QR code of the transaction without a credential', async () => {
    const created = await gateway.charge({ amount: 123_456 });
    const { id, pix, pixQrCode, pixQrCodeBase64 } = created.body.data;
    expect(pix.qrcodeUrl).toBe(`${root}/pix/${String(id).replaceAll('-', '')}.png`);
    const { response, bytes } = await fetchPicture(pix.qrcodeUrl);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('image/png');
    expect(readQr(bytes)).toBe(pixQrCode);
    expect(pix.qrcode).toBe(pixQrCode);
    expect(pix.copyPaste).toBe(pixQrCode);
    expect(pixQrCodeBase64).toBe(`data:image/png;base64,${bytes.toString('base64')}`);
    // Field 54 contains the amount, 26-25 the location below the gateway's URL, 62-05 three
    // asterisks.
    expect(pixQrCode).toContain('54071234.56');
    expect(pixQrCode).toContain(`${pix.qrcodeUrl.replace(/^https?:\/\//, '').replace(/\.png$/, '')}`);
    expect(pixQrCode).toContain('62070503***');
  });

  it.each([
    '00000000000040008000000000000000.png',
    'nothing.png',
    '.png',
    'x'.repeat(32) + '.png',
    '%00.png',
    "'%20OR%20'1'='1.png",
  ])('returns 404 for the unknown transaction %s', async (file) => {
    const response = await fetch(`${root}/pix/${file}`);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ statusCode: 404, error: 'Not Found' });
  });

  it('accepts no other form of the URL', async () => {
    const created = await gateway.charge();
    const { id, pix } = created.body.data;
    for (const address of [pix.qrcodeUrl.replace('.png', '.PNG'), `${root}/pix/${id}.png`]) {
      expect((await fetch(address)).status).toBe(404);
    }
  });
});

describe('unknown URLs', () => {
  it.each(['/v2/health', '/health', '/nothing', '/v1', '/v1/transactionss', '/.env', '/v1/boletos'])(
    '%s returns 404 with the error body',
    async (path) => {
      const response = await fetch(root + path);
      expect(response.status).toBe(404);
      expect(await response.json()).toEqual(errorBody('route_not_found'));
      expect(response.headers.get('x-request-id')).not.toBeNull();
    },
  );
});
