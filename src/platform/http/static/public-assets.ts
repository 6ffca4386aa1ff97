import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname } from 'node:path';

import { sendCacheable } from '#platform/http/caching.ts';
import { pageContentSecurityPolicy } from '#platform/http/headers.ts';
import type { App } from '#platform/http/server.ts';

const DIRECTORY = new URL('../../../../dashboard/public/', import.meta.url);
/** Of Swagger UI two files are served as they are: the package's own pages and settings are not. */
const SWAGGER_UI = new URL('static/', import.meta.resolve('@fastify/swagger-ui/package.json'));
const SWAGGER_UI_FILES = ['swagger-ui-bundle.js', 'swagger-ui.css'];

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Files with an address of their own; the others lie under /assets/. */
const ADDRESSES: Readonly<Record<string, string>> = { 'reference.html': '/docs' };

/** What the reference may do: run and call what this gateway serves, and nothing else. No code or style stands in the page. */
const REFERENCE_POLICY = pageContentSecurityPolicy(
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
);

const page = { config: { access: 'public', unlimited: true }, schema: { hide: true } } as const;

/** What a browser is served beside the dashboard: the reference, and the description of the API that the reference is made from. */
export async function publicAssetRoutes(app: App, openApiDocument: () => object): Promise<void> {
  app.get('/', page, async (_request, reply) => reply.redirect('/dashboard/'));
  // Made when it is first asked for: by then all routes are there, and a start need not wait for it.
  let description: string | undefined;
  app.get('/openapi.json', page, async (_request, reply) => {
    description ??= JSON.stringify(openApiDocument());
    return reply.type('application/json; charset=utf-8').send(description);
  });
  // Only what lies in the folder at start is served, each file under a route of its own: no path leads elsewhere.
  for (const name of await readdir(DIRECTORY)) {
    await serve(app, ADDRESSES[name] ?? `/assets/${name}`, new URL(name, DIRECTORY));
  }
  for (const name of SWAGGER_UI_FILES) {
    await serve(app, `/assets/${name}`, new URL(name, SWAGGER_UI), CACHE_ONE_HOUR);
  }
}

/** Nearly two megabytes that change with a new version only. */
const CACHE_ONE_HOUR = 'public, max-age=3600';

/** Asked for again each time, so that no page meets the style or script of another version. */
const ALWAYS_REVALIDATE = 'no-cache';

async function serve(app: App, address: string, file: URL, control = ALWAYS_REVALIDATE): Promise<void> {
  const bytes = await readFile(file);
  const type = TYPES[extname(file.pathname)] ?? 'application/octet-stream';
  const headers = address === '/docs' ? { 'content-security-policy': REFERENCE_POLICY } : {};
  const cacheable = { type, from: hash('sha256', bytes), control, headers };
  app.get(address, page, async (request, reply) => sendCacheable(request, reply, cacheable, () => bytes));
}
