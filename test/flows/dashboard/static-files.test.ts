import { readdir, readFile, stat } from 'node:fs/promises';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';

const DIST = new URL('../../../dashboard/dist/', import.meta.url);

let gateway: TestGateway;
let root: string;

beforeAll(async () => {
  await stat(DIST).catch(() => {
    throw new Error('the dashboard is not built: npm run build:dashboard');
  });
  gateway = await startTestGateway();
  root = gateway.baseUrl.replace(/\/v1$/, '');
});
afterAll(() => gateway.stop());

describe('GET /dashboard/', () => {
  it('serves the app at every path, with a policy without inline scripts, uncached', async () => {
    for (const path of ['/dashboard', '/dashboard/', '/dashboard/charges/x?status=PAID']) {
      const response = await fetch(root + path);
      expect(response.status).toBe(200);
      expect(response.headers.get('cache-control')).toBe('no-cache');
      const policy = response.headers.get('content-security-policy') ?? '';
      expect(policy).toContain("script-src 'self';");
      expect(policy).toContain("default-src 'none'");
      const html = await response.text();
      expect(html).toContain('<div id="root">');
      expect(html).not.toMatch(/<script[^>]*>[^<]/);
      // No style sheet delays the first paint.
      expect(html.indexOf('<link rel="stylesheet"')).toBeGreaterThan(html.indexOf('id="starting"'));
    }
  });

  it('can be installed: its manifest names icons of the sizes that they have', async () => {
    const html = await (await fetch(`${root}/dashboard/`)).text();
    expect(html).toContain('viewport-fit=cover, interactive-widget=resizes-content');
    expect(html.match(/<meta name="theme-color"/g)).toHaveLength(2);
    const address = /<link rel="manifest" href="([^"]+)"/.exec(html)?.[1];
    const manifest = JSON.parse(await (await fetch(root + address)).text());
    expect(manifest).toMatchObject({
      display: 'standalone',
      start_url: '/dashboard/',
      theme_color: expect.any(String),
    });
    for (const { src, sizes } of manifest.icons) {
      const png = Buffer.from(await (await fetch(root + src)).arrayBuffer());
      expect(`${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`).toBe(sizes);
    }
  });

  it('serves assets compressed and immutable, and 404 for missing ones', async () => {
    const html = await readFile(new URL('index.html', DIST), 'utf8');
    const script = /src="(\/dashboard\/assets\/[^"]+\.js)"/.exec(html)?.[1] ?? '';
    const plain = await fetch(root + script, { headers: { 'accept-encoding': 'identity' } });
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(plain.headers.get('vary')).toBe('accept-encoding');
    const text = await plain.text();
    for (const [accepted, encoding] of [
      ['gzip', 'gzip'],
      ['br', 'br'],
      ['gzip, deflate, br, zstd', 'br'],
      ['BR;q=0.5, gzip ; q=1.0', 'gzip'],
      ['br;q=0, gzip;q=0.000, identity;q=0.1', null],
    ] as const) {
      const response = await fetch(root + script, { headers: { 'accept-encoding': accepted } });
      expect(response.headers.get('content-encoding')).toBe(encoding);
      expect(await response.text()).toBe(text);
    }
    for (const path of ['/dashboard/assets/none.js', '/dashboard/assets/..%2findex.html']) {
      expect((await fetch(root + path)).status).toBe(404);
    }
  });

  it('loads less than 350 kB of compressed script before it is interactive', async () => {
    const html = await readFile(new URL('index.html', DIST), 'utf8');
    const first = [...html.matchAll(/"\/dashboard\/assets\/([^"]+\.js)"/g)].map((match) => match[1] ?? '');
    expect(first.length).toBeGreaterThan(0);
    const names = new Set(await readdir(new URL('assets/', DIST)));
    let bytes = 0;
    for (const name of first) {
      expect(names.has(`${name}.gz`)).toBe(true);
      bytes += (await stat(new URL(`assets/${name}.gz`, DIST))).size;
    }
    expect(bytes).toBeLessThan(350_000);
  });
});
