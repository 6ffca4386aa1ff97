import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';

import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { expect, vi } from 'vitest';
import { listenLocally } from '#test/support/free-port.ts';

const Attribute = Type.Object({
  key: Type.String(),
  value: Type.Object({
    stringValue: Type.Optional(Type.String()),
    intValue: Type.Optional(Type.Union([Type.Integer(), Type.String()])),
    boolValue: Type.Optional(Type.Boolean()),
  }),
});
const SentSpan = Type.Object({
  traceId: Type.String(),
  spanId: Type.String(),
  parentSpanId: Type.Optional(Type.String()),
  name: Type.String(),
  kind: Type.Integer(),
  attributes: Type.Array(Attribute),
  links: Type.Optional(Type.Array(Type.Object({ traceId: Type.String(), spanId: Type.String() }))),
  status: Type.Object({ code: Type.Optional(Type.Integer()), message: Type.Optional(Type.String()) }),
});
const Export = Type.Object({
  resourceSpans: Type.Array(
    Type.Object({
      resource: Type.Object({ attributes: Type.Array(Attribute) }),
      scopeSpans: Type.Array(Type.Object({ spans: Type.Array(SentSpan) })),
    }),
  ),
});

/** A span as received. */
interface Seen {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly links: readonly string[];
  readonly failed: boolean;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
}

export interface Collector {
  readonly endpoint: string;
  readonly spans: readonly Seen[];
  /** Everything received, as text. */
  text(): string;
  /** Number of export requests. */
  readonly asked: number;
  /** Stops answering requests. */
  hang(): void;
  /** Begins responses with an error, and never ends them. */
  trickle(): void;
  /** Waits for a span that satisfies the predicate and returns it. */
  find(wanted: (span: Seen) => boolean): Promise<Seen>;
  close(): Promise<void>;
}

/** A fake OpenTelemetry collector: OTLP over HTTP, in JSON. */
export async function startCollector(): Promise<Collector> {
  const spans: Seen[] = [];
  const bodies: unknown[] = [];
  let hanging = false;
  let trickling = false;
  let asked = 0;

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    asked += 1;
    if (hanging) return;
    if (trickling) {
      response.writeHead(503).flushHeaders();
      const timer = setInterval(() => response.write(' '), 100);
      response.once('close', () => clearInterval(timer));
      return;
    }
    const body: unknown = await json(request);
    if (request.url !== '/v1/traces' || !Value.Check(Export, body)) {
      response.writeHead(400).end();
      return;
    }
    bodies.push(body);
    for (const { scopeSpans } of body.resourceSpans) {
      for (const { spans: sent } of scopeSpans) spans.push(...sent.map(seen));
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  }

  const server = createServer((request, response) => void take(request, response));
  const port = await listenLocally(server);
  return {
    endpoint: `http://127.0.0.1:${port}`,
    spans,
    text: () => JSON.stringify(bodies),
    get asked() {
      return asked;
    },
    hang() {
      hanging = true;
    },
    trickle() {
      trickling = true;
    },
    find: (wanted) =>
      vi.waitFor(
        () => {
          const found = spans.find(wanted);
          if (found === undefined) expect.fail(`not among ${spans.map(({ name }) => name).join(', ')}`);
          return found;
        },
        { timeout: 15_000, interval: 50 },
      ),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

const FAILED = 2;

function seen({ attributes, links = [], status, parentSpanId, ...span }: Static<typeof SentSpan>): Seen {
  return {
    ...span,
    parentSpanId: parentSpanId === '' ? undefined : parentSpanId,
    links: links.map(({ spanId }) => spanId),
    failed: status.code === FAILED,
    attributes: Object.fromEntries(
      attributes.map(({ key, value }) => [
        key,
        value.stringValue ?? value.boolValue ?? Number(value.intValue ?? Number.NaN),
      ]),
    ),
  };
}
