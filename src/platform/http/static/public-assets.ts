import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname } from 'node:path';

import { sendCacheable } from '#platform/http/caching.ts';
import { pageContentSecurityPolicy } from '#platform/http/headers.ts';
import type { App } from '#platform/http/server.ts';

const PUBLIC = new URL('../../../../dashboard/public/', import.meta.url);
/** Two files of Swagger UI are served, without the pages and settings of the package. */
const SWAGGER_UI = new URL('static/', import.meta.resolve('@fastify/swagger-ui/package.json'));
const SWAGGER_UI_FILES = ['swagger-ui-bundle.js', 'swagger-ui.css'];

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Files with a path of their own. The others are below /assets/. */
const PATHS: Readonly<Record<string, string>> = { 'reference.html': '/docs' };

const REFERENCE_POLICY = pageContentSecurityPolicy(
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
);

const pageRoute = { config: { access: 'public', unlimited: true }, schema: { hide: true } } as const;

/** Revalidated on every use, so that a page never loads the files of another version. */
const REVALIDATE = 'no-cache';
/** For 2 MB of Swagger UI, which change only with its version. */
const CACHE_ONE_HOUR = 'public, max-age=3600';

/** The API reference, its OpenAPI document, and the files that pages outside the dashboard load. */
export async function publicAssetRoutes(app: App, generateOpenApi: () => object): Promise<void> {
  app.get('/', pageRoute, async (_request, reply) => reply.redirect('/dashboard/'));
  // Generated on the first request, because all routes must be registered and startup must be fast.
  let document: string | undefined;
  app.get('/openapi.json', pageRoute, async (_request, reply) => {
    document ??= JSON.stringify(generateOpenApi());
    return reply.type('application/json; charset=utf-8').send(document);
  });
  // Every file has a route of its own, so that no path can lead to other files.
  for (const name of await readdir(PUBLIC)) {
    await registerFile(app, PATHS[name] ?? `/assets/${name}`, new URL(name, PUBLIC), REVALIDATE);
  }
  for (const name of SWAGGER_UI_FILES) {
    await registerFile(app, `/assets/${name}`, new URL(name, SWAGGER_UI), CACHE_ONE_HOUR);
  }
}

async function registerFile(app: App, path: string, file: URL, control: string): Promise<void> {
  const bytes = await readFile(file);
  const type = TYPES[extname(file.pathname)] ?? 'application/octet-stream';
  const headers = path === '/docs' ? { 'content-security-policy': REFERENCE_POLICY } : {};
  const cacheable = { type, from: hash('sha256', bytes), control, headers };
  app.get(path, pageRoute, async (request, reply) => sendCacheable(request, reply, cacheable, () => bytes));
}
