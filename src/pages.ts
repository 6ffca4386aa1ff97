import { readdir, readFile } from 'node:fs/promises';
import { extname } from 'node:path';

import swagger from '@fastify/swagger';

import type { App } from '#http/server.ts';
import { VERSION } from '#version.ts';

const DIRECTORY = new URL('../dashboard/public/', import.meta.url);

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Files with an address of their own; the others lie under /assets/. */
const ADDRESSES: Readonly<Record<string, string>> = { 'index.html': '/dashboard', 'docs.html': '/docs' };

/** Collects the schemas of the routes that are registered after it. */
export async function describeRoutes(app: App): Promise<void> {
  await app.register(swagger, {
    // Operations without a credential say so; the others inherit.
    transform: ({ schema, url, route }) => ({
      schema: route.config?.access === 'public' ? { ...schema, security: [] } : schema,
      url,
    }),
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Seller API',
        version: VERSION,
        description:
          'Charges, wallet and webhooks for sellers in Brazil. Money is an integer number of cents.',
      },
      components: {
        securitySchemes: {
          apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
          accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        },
      },
      security: [{ apiKey: [] }, { accessToken: [] }],
    },
  });
}

/** What a browser is served: the dashboard, the reference, and the description of the API they are made from. */
export async function pageRoutes(app: App): Promise<void> {
  const page = { config: { access: 'public', unlimited: true }, schema: { hide: true } } as const;
  app.get('/', page, async (_request, reply) => reply.redirect('/dashboard/'));
  app.get('/openapi.json', page, async () => app.swagger());
  // Only what lies in the folder at start is served, each file under a route of its own: no path leads elsewhere.
  for (const name of await readdir(DIRECTORY)) {
    const bytes = await readFile(new URL(name, DIRECTORY));
    const type = TYPES[extname(name)] ?? 'application/octet-stream';
    app.get(ADDRESSES[name] ?? `/assets/${name}`, page, async (_request, reply) =>
      reply.type(type).send(bytes),
    );
  }
}
