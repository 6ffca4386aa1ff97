import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { GUIDES } from '#platform/http/static/guides.ts';
import { addAxe, layoutProblems } from '#test/support/browser-session.ts';
import { launchChromium } from '#test/support/chromium.ts';
import { freePort } from '#test/support/free-port.ts';
import { blocksOf, followGuide, makeClone, readGuide, START, withoutComments } from '#test/support/guides.ts';
import { makePlaceOnServer, type Place, type Program } from '#test/support/process.ts';
import { startReceiver, type Receiver } from '#test/support/receiver.ts';

import { eventNames, trigger } from '../../../packages/cli/src/trigger.ts';

interface OpenApi {
  readonly paths: Readonly<Record<string, object>>;
}

let place: Place;
let program: Program;
let root: string;
/** The folder of a reader, which contains the clone and the reader's own folder. */
let home: string;
/** Responds to webhooks with 200. */
let receiver: Receiver;
let receiverPort: number;
/** Such as `POST /v1/transactions`. */
let operations: ReadonlySet<string>;

beforeAll(async () => {
  [place, receiver, receiverPort] = await Promise.all([makePlaceOnServer(), startReceiver(), freePort()]);
  const authority = join(place.dataDir, 'authority.pem');
  await writeFile(authority, receiver.authority);
  program = await place.start({
    NODE_EXTRA_CA_CERTS: authority,
    SIGNUP: 'open',
    TRUSTED_PROXIES: '127.0.0.1',
  });
  root = program.baseUrl.replace(/\/v1$/, '');
  home = await mkdtemp(join(tmpdir(), 'vereda-guides-'));
  await makeClone(home, place.dataDir);
  operations = await readOperations();
  const signedIn = await program.client.post('/login', program.demo.admin, { credential: 'none' });
  const rates = { requestsPerMinute: 1_000_000, creationsPerMinute: 1_000_000 };
  const token = String(signedIn.body.accessToken);
  await program.client.patch(`/admin/sellers/${program.demo.seller.id}`, rates, { token });
}, 60_000);
afterAll(async () => {
  await program.end();
  await place.remove();
  await receiver.close();
  await rm(home, { recursive: true, force: true });
}, 30_000);

/** What `vereda trigger` prints. Called in this process, because 30 starts take too long. */
async function triggerEvent(event: string): Promise<{ readonly status: string }> {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    await trigger(event, {
      url: root,
      apiKey: program.demo.apiKey,
      json: true,
      amount: 5_000,
      medType: 'SCAM',
    });
    const record = JSON.parse(write.mock.calls.map(([text]) => String(text)).join(''));
    return record.data?.[0] ?? record;
  } finally {
    write.mockRestore();
  }
}

// Before the guides, which move the clock.
describe('the page of the sandbox', () => {
  it(
    'lists all events of vereda trigger, and the statuses that they reach',
    { timeout: 120_000 },
    async () => {
      vi.stubEnv('VEREDA_ADMIN_EMAIL', program.demo.admin.email);
      vi.stubEnv('VEREDA_ADMIN_PASSWORD', program.demo.admin.password);
      await program.client.post('/webhooks', { url: receiver.url, eventType: 'ALL' });
      const rows = (await readGuide('sandbox', 'en')).matchAll(/^\| `([A-Z_]+)` .* `([a-z_.]+)` \|$/gm);
      const statuses = Array.from(rows, ([, status = '', event = '']) => [event, status] as const);
      const reached: (readonly [string, string])[] = [];
      for (const [event] of statuses) reached.push([event, (await triggerEvent(event)).status]);
      expect(reached).toEqual(statuses);
      const others = ['subscription_invoice.created'];
      const known = eventNames().filter((name) => name.includes('.') && !others.includes(name));
      expect(statuses.map(([event]) => event).toSorted()).toEqual(known.toSorted());
      vi.unstubAllEnvs();
      const webhooks = (await program.client.get('/webhooks')).body.data;
      for (const { id } of webhooks) await program.client.call('DELETE', `/webhooks/${id}`);
    },
  );
});

async function readOperations(): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const path of ['/openapi.json', '/openapi-operator.json']) {
    const { paths }: OpenApi = JSON.parse(await (await open(path)).text());
    for (const [address, methods] of Object.entries(paths)) {
      for (const method of Object.keys(methods)) found.add(`${method.toUpperCase()} ${address}`);
    }
  }
  return found;
}

/** The addresses of this test instead of those in the guides. */
const adapt = (text: string): string =>
  text.replaceAll('http://127.0.0.1:8080', root).replaceAll('4242', String(receiverPort));

describe.each(GUIDES)('the guide %s', (slug) => {
  it('has the same code in both languages', async () => {
    const [pt, en] = [blocksOf(await readGuide(slug, 'pt')), blocksOf(await readGuide(slug, 'en'))];
    expect(en.length).toBeGreaterThan(0);
    expect(pt.map(withoutComments)).toEqual(en.map(withoutComments));
  });

  it('names operations that exist', async () => {
    for (const language of ['pt', 'en']) {
      const text = await readGuide(slug, language);
      const named = text.matchAll(/`((?:GET|POST|PUT|PATCH|DELETE)\s+\/v1\/[^?`\s]+)/g);
      const names = Array.from(named, ([, name = '']) => name.replace(/\s+/, ' '));
      expect(names.filter((name) => !operations.has(name))).toEqual([]);
    }
  });

  it('runs as printed', { timeout: 240_000 }, async () => {
    // The first one runs every command as it is.
    const isQuick = slug !== GUIDES[0];
    const reader = { home, adapt, isQuick, gatewayOutput: () => program.stdout() };
    await expect(followGuide(reader, blocksOf(await readGuide(slug, 'en')))).resolves.toBeUndefined();
  });
});

/** Another client than the readers of the guides, whose requests count against its limit. */
const OTHER_CLIENT = { 'x-forwarded-for': '192.0.2.1' };

const open = (path: string, headers: Record<string, string> = {}) =>
  fetch(root + path, { headers: { ...OTHER_CLIENT, ...headers } });

/** A page as wide as a phone. */
const openPage = async (browser: Browser, options: BrowserContextOptions): Promise<Page> =>
  (
    await browser.newContext({
      viewport: { width: 360, height: 740 },
      extraHTTPHeaders: { 'x-forwarded-for': '192.0.2.2' },
      ...options,
    })
  ).newPage();

describe('the pages of the guides', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());

  it('are in the language of ?lang, or else of the browser', async () => {
    const [portuguese, english] = [{ 'accept-language': 'pt-BR,pt' }, { 'accept-language': 'en-GB' }];
    for (const path of ['/docs/guides', '/docs/guides/accept-pix']) {
      for (const [query, headers, language] of [
        ['', {}, 'pt-BR'],
        ['', portuguese, 'pt-BR'],
        ['', english, 'en'],
        ['?lang=en', portuguese, 'en'],
        ['?lang=pt', english, 'pt-BR'],
      ] as const) {
        const response = await open(path + query, headers);
        expect(response.status).toBe(200);
        expect(response.headers.get('vary')).toBe('accept-encoding, accept-language');
        expect(await response.text()).toContain(`<html lang="${language}">`);
      }
    }
    const unknown = await open('/docs/guides?lang=fr');
    expect(unknown.status).toBe(400);
    expect(await unknown.text()).toContain('lang must be one of');
  });

  it('name the page in both languages, and run only scripts of the gateway', async () => {
    const response = await open('/docs/guides/accept-pix?lang=en');
    expect(response.headers.get('content-security-policy')).toBe(
      "default-src 'none';script-src 'self';style-src 'self';" +
        "img-src 'self';base-uri 'none';frame-ancestors 'none'",
    );
    const page = await response.text();
    const path = '/docs/guides/accept-pix';
    expect(page).toContain(`<link rel="alternate" hreflang="pt-BR" href="${path}?lang=pt" />`);
    expect(page).toContain(`<link rel="alternate" hreflang="en" href="${path}?lang=en" />`);
    expect(page).toContain(`<link rel="alternate" hreflang="x-default" href="${path}" />`);
    expect(page).toContain(`href="${path}?lang=pt" lang="pt-BR">Português</a>`);
  });

  it('link to existing pages and headings only, in the same language', async () => {
    const pages = new Map<string, string>();
    const read = async (path: string): Promise<string> => {
      const page = pages.get(path) ?? (await (await open(path)).text());
      pages.set(path, page);
      return page;
    };
    const problems: string[] = [];
    for (const language of ['pt', 'en']) {
      const paths = ['', ...GUIDES.map((slug) => `/${slug}`)];
      for (const path of paths.map((one) => `/docs/guides${one}?lang=${language}`)) {
        const body = (await read(path)).split('<main>')[1] ?? '';
        const links = Array.from(
          body.matchAll(/href="([^"]+)"/g),
          ([, href = '']) => new URL(href, root + path),
        );
        for (const url of links.filter(({ origin }) => origin === root)) {
          const target = await read(url.pathname + url.search);
          const isGuide = url.pathname.startsWith('/docs/guides');
          const isRight =
            target.startsWith('<!doctype html>') &&
            (url.hash === '' || target.includes(` id="${decodeURIComponent(url.hash.slice(1))}"`)) &&
            (!isGuide || url.searchParams.get('lang') === language);
          if (!isRight) problems.push(`${url.href} in ${path}`);
        }
      }
    }
    expect(problems).toEqual([]);
    expect(pages.size).toBeGreaterThan(2 * GUIDES.length);
  });

  it.each(['nothing', 'Accept-Pix', '..%2fREADME', 'accept-pix.md', 'constructor'])(
    'do not exist for the guide %s',
    async (slug) => {
      const response = await open(`/docs/guides/${slug}`);
      expect(response.status).toBe(404);
      expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    },
  );

  it('fit a phone and are accessible in both themes', { timeout: 60_000 }, async () => {
    const page = await openPage(browser, { bypassCSP: true });
    const problems: string[] = [];
    for (const slug of GUIDES) {
      await page.goto(`${root}/docs/guides/${slug}?lang=pt`);
      if (await page.evaluate('document.documentElement.scrollWidth > innerWidth')) problems.push(slug);
    }
    // Axe takes a second for each; these contain everything that a guide can.
    for (const slug of ['', 'accept-pix', 'migrate']) {
      await page.goto(`${root}/docs/guides/${slug}?lang=pt`);
      await addAxe(page);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        const found = await layoutProblems(page, { rules: colorScheme === 'light' ? 'all' : 'colors' });
        problems.push(...found.map((problem) => `${slug}, ${colorScheme}: ${problem}`));
      }
    }
    expect(problems).toEqual([]);
  });

  it('copy code with their Content-Security-Policy, and change the language', async () => {
    const page = await openPage(browser, { permissions: ['clipboard-read', 'clipboard-write'] });
    const problems: string[] = [];
    page.on('console', (message) => problems.push(message.text()));
    page.on('pageerror', (error) => problems.push(error.message));
    await page.goto(`${root}/docs/guides/accept-pix?lang=en`);
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`${START}\n`);
    await page.getByRole('link', { name: 'Português' }).click();
    await page.getByRole('heading', { level: 1, name: 'Aceite Pix em dez minutos' }).waitFor();
    expect(problems).toEqual([]);
  });
});
