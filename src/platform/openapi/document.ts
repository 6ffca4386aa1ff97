import type { App } from '#platform/http/server.ts';
import { ErrorBody } from '#platform/http/errors.ts';
import { VERSION } from '#platform/kit/version.ts';
import type { DocumentedRoute } from './errors.ts';
import { describeEvents, type DocumentedEvent } from './events.ts';
import { describeOperation, type SharedComponents } from './operations.ts';
import { DOCUMENTS } from './descriptions.ts';
import { isForAudience, type Audience } from './audiences.ts';
import { toOpenApiSchema, type SchemaNode } from './schemas.ts';

export type OpenApiDocuments = Readonly<Record<Audience, SchemaNode>>;

type RegisteredRoute = DocumentedRoute & { readonly url: string };

/** Collects the routes that are registered after this call. The result generates the documents. */
export function collectOpenApiRoutes(
  app: App,
  { publicUrl, events }: { readonly publicUrl: string; readonly events: readonly DocumentedEvent[] },
): () => OpenApiDocuments {
  const routes: RegisteredRoute[] = [];
  app.addHook('onRoute', ({ method, url, schema = {}, config = {} }) => {
    if (schema.hide === true) return;
    for (const one of [method].flat()) {
      // Fastify adds a HEAD route to every GET route.
      if (one !== 'HEAD') routes.push({ method: one.toLowerCase(), url, schema, config });
    }
  });
  const build = (audience: Audience): SchemaNode =>
    buildDocument(audience, {
      routes: routes.filter((route) => isForAudience(audience, route)),
      publicUrl,
      events: audience === 'seller' ? events : [],
    });
  return () => ({ seller: build('seller'), operator: build('operator') });
}

interface DocumentContent {
  readonly routes: readonly RegisteredRoute[];
  readonly publicUrl: string;
  readonly events: readonly DocumentedEvent[];
}

function buildDocument(audience: Audience, { routes, publicUrl, events }: DocumentContent): SchemaNode {
  const shared: SharedComponents = { schemas: new Map(), responses: new Map() };
  const paths: Record<string, Record<string, SchemaNode>> = {};
  for (const route of routes) {
    const path = route.url.replaceAll(/:(\w+)/g, '{$1}');
    (paths[path] ??= {})[route.method] = describeOperation(route, shared);
  }
  const webhooks = describeEvents(events, shared);
  toOpenApiSchema(ErrorBody, shared.schemas);
  const { title, summary, introduction, tags, securitySchemes } = DOCUMENTS[audience];
  const usedTags = new Set(routes.flatMap(({ schema }) => schema.tags ?? []));
  return {
    openapi: '3.1.0',
    info: {
      title,
      version: VERSION,
      summary,
      description: introduction,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl }],
    security: Object.keys(securitySchemes).map((name) => ({ [name]: [] })),
    tags: tags.filter(({ name }) => usedTags.has(name)),
    paths,
    ...(events.length === 0 ? {} : { webhooks }),
    components: {
      schemas: sorted(shared.schemas),
      responses: sorted(shared.responses),
      headers: usedHeaders([paths, ...shared.responses.values()]),
      securitySchemes,
    },
  };
}

/** The headers that the operations and shared responses refer to. */
function usedHeaders(responses: readonly object[]): SchemaNode {
  const text = JSON.stringify(responses);
  return Object.fromEntries(
    Object.entries(HEADERS).filter(([name]) => text.includes(`#/components/headers/${name}"`)),
  );
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
  RateLimitLimit: { ...header('Requests per minute.', integer, 120), required: true },
  RateLimitRemaining: { ...header('Remaining requests in this minute.', integer, 117), required: true },
  RateLimitReset: { ...header('Seconds until the limit resets.', integer, 42), required: true },
  RetryAfter: { ...header('Seconds to wait.', integer, 12), required: true },
  IdempotencyReplayed: header(
    'Present on a replay: this is the first response again, and the request had no effect.',
    { type: 'string', const: 'true' },
    'true',
  ),
};
