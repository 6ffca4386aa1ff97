import { readdir, readFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';

import { routeNotFound } from '#platform/http/errors.ts';
import { pageContentSecurityPolicy } from '#platform/http/headers.ts';
import type { App } from '#platform/http/server.ts';
import { errorsPage } from './errors-page.ts';
import { guideRoutes } from './guides.ts';
import { fileSender, REVALIDATE, type SendFile } from './send-file.ts';

const PUBLIC = new URL('../../../../dashboard/public/', import.meta.url);
/** The scripts of the payment page, which `npm ci` builds. */
const PAYMENT_PAGE = new URL('../../../../dashboard/dist/payment/', import.meta.url);
/** Two files of Swagger UI are served, without the pages and settings of the package. */
const SWAGGER_UI = new URL('static/', import.meta.resolve('@fastify/swagger-ui/package.json'));
const SWAGGER_UI_FILES = ['swagger-ui-bundle.js', 'swagger-ui.css'];

/** Pages of the API reference. The other files are below /assets/. */
const REFERENCE_PATHS: Readonly<Record<string, string>> = {
  'reference.html': '/docs',
  'reference-operator.html': '/docs/operator',
};

const REFERENCE_POLICY = pageContentSecurityPolicy(
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
);

const ERRORS_POLICY = pageContentSecurityPolicy("style-src 'self'", "img-src 'self'");

const unlimitedRoute = { config: { access: 'public', unlimited: true }, schema: { hide: true } } as const;
const limitedRoute = { config: { access: 'public' }, schema: { hide: true } } as const;

/** For 2 MB of Swagger UI, which change only with its version. */
const CACHE_ONE_HOUR = 'public, max-age=3600';

type GenerateOpenApi = () => Readonly<Record<'seller' | 'operator', object>>;

/**
 * The API reference, its OpenAPI documents, the guides, and the files that pages outside the
 * dashboard load.
 */
export async function publicAssetRoutes(app: App, generateOpenApi: GenerateOpenApi): Promise<void> {
  app.get('/', unlimitedRoute, async (_request, reply) => reply.redirect('/dashboard/'));
  registerDocuments(app, generateOpenApi);
  // Every file has a route of its own, so that no path can lead to other files.
  for (const name of await readdir(PUBLIC)) {
    const path = REFERENCE_PATHS[name];
    const file = new URL(name, PUBLIC);
    await (path === undefined
      ? registerAsset(app, file, REVALIDATE)
      : registerPage(app, path, await readFile(file), REFERENCE_POLICY));
  }
  registerPage(app, '/docs/errors', Buffer.from(errorsPage()), ERRORS_POLICY);
  guideRoutes(app);
  await registerPaymentScripts(app);
  for (const name of SWAGGER_UI_FILES) {
    await registerAsset(app, new URL(name, SWAGGER_UI), CACHE_ONE_HOUR);
  }
}

/**
 * Without a build there are no scripts. Other sites load `checkout.js`, to embed the payment page.
 */
async function registerPaymentScripts(app: App): Promise<void> {
  const scripts = [
    ['/assets/payment.js', 'payment.js', {}],
    ['/checkout.js', 'checkout.js', { 'cross-origin-resource-policy': 'cross-origin' }],
  ] as const;
  for (const [path, name, headers] of scripts) {
    const bytes = await readFile(new URL(name, PAYMENT_PAGE)).catch(() => undefined);
    const send = bytes === undefined ? undefined : fileSender(bytes, '.js', { control: REVALIDATE, headers });
    app.get(path, unlimitedRoute, (request, reply) => {
      if (send === undefined) throw routeNotFound();
      return send(request, reply);
    });
  }
}

function registerDocuments(app: App, generateOpenApi: GenerateOpenApi): void {
  // Generated on the first request, because all routes must be registered and startup must be fast.
  let documents: ReturnType<GenerateOpenApi> | undefined;
  for (const [path, audience] of [
    ['/openapi.json', 'seller'],
    ['/openapi-operator.json', 'operator'],
  ] as const) {
    let send: SendFile | undefined;
    app.get(path, limitedRoute, async (request, reply) => {
      documents ??= generateOpenApi();
      send ??= fileSender(Buffer.from(JSON.stringify(documents[audience])), '.json');
      return send(request, reply);
    });
  }
}

function registerPage(app: App, path: string, html: Buffer, policy: string): void {
  app.get(path, limitedRoute, fileSender(html, '.html', { headers: { 'content-security-policy': policy } }));
}

async function registerAsset(app: App, file: URL, control: string): Promise<void> {
  const send = fileSender(await readFile(file), extname(file.pathname), { control });
  app.get(`/assets/${basename(file.pathname)}`, unlimitedRoute, send);
}
