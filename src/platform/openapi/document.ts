import type { App } from '#platform/http/server.ts';
import { ErrorBody } from '#platform/http/errors.ts';
import { VERSION } from '#platform/kit/version.ts';
import type { DocumentedRoute } from './errors.ts';
import { describeEvents, type DocumentedEvent } from './events.ts';
import { describeOperation, type SharedComponents } from './operations.ts';
import { INTRODUCTION, TAGS } from './descriptions.ts';
import { toOpenApiSchema, type SchemaNode } from './schemas.ts';

/** Collects the routes that are registered after this call. The result generates the document. */
export function collectOpenApiRoutes(
  app: App,
  { publicUrl, events }: { readonly publicUrl: string; readonly events: readonly DocumentedEvent[] },
): () => SchemaNode {
  const routes: (DocumentedRoute & { readonly url: string })[] = [];
  app.addHook('onRoute', ({ method, url, schema = {}, config = {} }) => {
    if (schema.hide === true) return;
    for (const one of [method].flat()) {
      // Fastify adds a HEAD route to every GET route.
      if (one !== 'HEAD') routes.push({ method: one.toLowerCase(), url, schema, config });
    }
  });
  return () => buildDocument(routes, publicUrl, events);
}

function buildDocument(
  routes: readonly (DocumentedRoute & { readonly url: string })[],
  publicUrl: string,
  events: readonly DocumentedEvent[],
): SchemaNode {
  const shared: SharedComponents = { schemas: new Map(), responses: new Map() };
  const paths: Record<string, Record<string, SchemaNode>> = {};
  const usedTags = new Set(['Events']);
  for (const route of routes) {
    const path = route.url.replaceAll(/:(\w+)/g, '{$1}');
    (paths[path] ??= {})[route.method] = describeOperation(route, shared);
    for (const tag of route.schema.tags ?? []) usedTags.add(tag);
  }
  const webhooks = describeEvents(events, shared);
  toOpenApiSchema(ErrorBody, shared.schemas);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Vereda seller API',
      version: VERSION,
      summary: 'Charges, wallet, withdrawals, disputes and webhooks for sellers in Brazil.',
      description: INTRODUCTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl }],
    security: [{ apiKey: [] }, { accessToken: [] }],
    tags: TAGS.filter(({ name }) => usedTags.has(name)),
    paths,
    webhooks,
    components: {
      schemas: sorted(shared.schemas),
      responses: sorted(shared.responses),
      headers: HEADERS,
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-key',
          description: 'An API key of the seller, `sk_test_…` in the sandbox.',
        },
        accessToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'The access token of `POST /v1/login`, valid for one hour.',
        },
      },
    },
  };
}

const sorted = (components: ReadonlyMap<string, SchemaNode>): SchemaNode =>
  Object.fromEntries([...components].toSorted(([a], [b]) => (a < b ? -1 : 1)));

const header = (description: string, schema: SchemaNode, example: unknown) => ({
  description,
  schema,
  example,
});
const integer = { type: 'integer' };

const HEADERS = {
  RequestId: {
    ...header(
      'Identifies this request in the logs.',
      { type: 'string' },
      'd2f3a7c4-5a0e-4f0b-9c1d-6f1f5e0b7a21',
    ),
    required: true,
  },
  // Not required, because operator users are not rate limited.
  RateLimitLimit: header('Requests per minute.', integer, 120),
  RateLimitRemaining: header('Remaining requests in this minute.', integer, 117),
  RateLimitReset: header('Seconds until the limit resets.', integer, 42),
  RetryAfter: { ...header('Seconds to wait.', integer, 12), required: true },
  IdempotencyReplayed: header(
    'Only on a replay: this is the first response again, and the request had no effect.',
    { type: 'string', const: 'true' },
    'true',
  ),
};
