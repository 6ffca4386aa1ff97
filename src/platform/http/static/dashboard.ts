import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { mime } from '@fastify/send';
import { fastifyStatic } from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { sendCacheable } from '#platform/http/caching.ts';
import { routeNotFound } from '#platform/http/errors.ts';
import { pageContentSecurityPolicy } from '#platform/http/headers.ts';
import type { App } from '#platform/http/server.ts';

/** The build output of `dashboard/`, which `npm ci` creates. Missing if nothing was built. */
const BUILD = new URL('../../../../dashboard/dist/', import.meta.url);
const UNBUILT_PAGE = new URL('../../../../dashboard/public/unbuilt.html', import.meta.url);
const ASSETS = fileURLToPath(new URL('assets/', BUILD));

/** Inline scripts are forbidden. Mantine needs inline styles. */
const POLICY = pageContentSecurityPolicy(
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
);

const pageRoute = { config: { access: 'public', unlimited: true }, schema: { hide: true } } as const;

// The library's table of media types predates RFC 9239.
mime.define({ 'text/javascript': ['js'] }, true);

/** The dashboard below /dashboard/: its assets, and its page at every other path. */
export async function dashboardRoutes(app: App, mode: string): Promise<void> {
  await registerPage(app, mode);
  await app.register(registerAssets);
}

/** The page routes by its URL in the browser. */
async function registerPage(app: App, mode: string): Promise<void> {
  const html = await readPage(mode);
  const cacheable = {
    type: 'text/html; charset=utf-8',
    from: html,
    control: 'no-cache',
    headers: { 'content-security-policy': POLICY },
  };
  const sendPage = (request: FastifyRequest, reply: FastifyReply) =>
    sendCacheable(request, reply, cacheable, () => Buffer.from(html));
  app.get('/dashboard', pageRoute, sendPage);
  app.get('/dashboard/*', pageRoute, sendPage);
}

/** The page states its mode, so that it need not request it. */
async function readPage(mode: string): Promise<string> {
  const built = await readFile(new URL('index.html', BUILD), 'utf8').catch(() => undefined);
  if (built === undefined) return readFile(UNBUILT_PAGE, 'utf8');
  return built.replace('data-mode="sandbox"', `data-mode="${mode}"`);
}

/** File names contain a hash of the content, so the files are immutable. */
async function registerAssets(app: App): Promise<void> {
  const names = new Set(await readdir(ASSETS).catch(() => []));
  await app.register(fastifyStatic, {
    root: ASSETS,
    serve: false,
    suppressWarning: true,
    preCompressed: true,
    maxAge: '365d',
    immutable: true,
    etag: false,
    lastModified: false,
    acceptRanges: false,
  });
  app.get<{ Params: { name: string } }>('/dashboard/assets/:name', pageRoute, async ({ params }, reply) => {
    // A missing file must not be served as the page, which a browser would run as a script.
    const isAsset = names.has(params.name) && !/\.(?:br|gz)$/.test(params.name);
    if (!isAsset) throw routeNotFound();
    return reply.sendFile(params.name);
  });
}
