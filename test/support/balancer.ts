import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

import { Type } from 'typebox';
import { Value } from 'typebox/value';

import { freePort } from '#test/support/free-port.ts';

const LOOK_MS = 50;
/** A gateway on a busy machine is late, not gone. */
const LOOK_DEADLINE_MS = 5_000;
/** Longer than a shutdown may take. */
const TIMEOUT_MS = 30_000;

/** A process behind the balancer. */
export interface Backend {
  readonly port: number;
  /** Whether its last health response was 200. */
  ready: boolean;
  /** Number of requests answered. */
  served: number;
  /** Its distinct health responses, in order. */
  readonly said: string[];
}

/** A load balancer in front of gateways. */
export interface Balancer {
  readonly baseUrl: string;
  readonly backends: readonly Backend[];
  /** Requests without a response, or for which no gateway was available. */
  readonly failures: readonly string[];
  close(): Promise<void>;
}

const Health = Type.Object({ data: Type.Object({ status: Type.String() }) });

/**
 * Keeps connections alive. Polls health twenty times per second and sends nothing to gateways that
 * do not answer 200. Only a refused connection is retried on another gateway, because the outcome
 * of any other failure is unknown.
 */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true });
  const backends = ports.map((port): Backend => ({ port, ready: false, served: 0, said: [] }));
  const failures: string[] = [];
  let turn = 0;
  const closing = new AbortController();

  async function look(backend: Backend): Promise<void> {
    while (!closing.signal.aborted) {
      const said = await healthOf(backend.port);
      backend.ready = said === 'ok';
      if (backend.said.at(-1) !== said) backend.said.push(said);
      await sleep(LOOK_MS);
    }
  }

  /** Forwards a request; false if the connection was refused. */
  function pass(backend: Backend, asked: IncomingMessage, body: Buffer, answer: ServerResponse) {
    return new Promise<boolean>((resolve) => {
      const { method, url, headers } = asked;
      const onward = request({ port: backend.port, host: '127.0.0.1', agent, method, path: url, headers });
      const fail = (error: NodeJS.ErrnoException): void => {
        if (error.code === 'ECONNREFUSED') {
          resolve(false);
          return;
        }
        failures.push(`${method} ${url} at ${backend.port}: ${error.code ?? error.message}`);
        if (!answer.headersSent) answer.writeHead(502);
        answer.end();
        resolve(true);
      };
      onward.setTimeout(TIMEOUT_MS, () => onward.destroy(new Error('no answer')));
      onward.on('error', fail);
      onward.on('response', (got) => {
        const { connection: _, ...kept } = got.headers;
        const give = (bytes: Buffer): void => {
          backend.served += 1;
          answer.writeHead(got.statusCode ?? 502, kept).end(bytes);
          resolve(true);
        };
        buffer(got).then(give, fail);
      });
      onward.end(body);
    });
  }

  async function spread(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const body = await buffer(asked);
    const ready = backends.filter((backend) => backend.ready);
    turn += 1;
    for (let n = 0; n < ready.length; n += 1) {
      const backend = ready[(turn + n) % ready.length];
      if (backend !== undefined && (await pass(backend, asked, body, answer))) return;
    }
    failures.push(`${asked.method} ${asked.url}: no gateway is ready`);
    answer.writeHead(502).end();
  }

  const looking = backends.map(look);
  const server = createServer((asked, answer) => void spread(asked, answer));
  const port = await freePort();
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    backends,
    failures,
    async close() {
      closing.abort();
      await Promise.all(looking);
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

/** The status of the response, or `gone` without one. */
async function healthOf(port: number): Promise<string> {
  try {
    const signal = AbortSignal.timeout(LOOK_DEADLINE_MS);
    const answer = await fetch(`http://127.0.0.1:${port}/v1/health`, { signal });
    const body: unknown = await answer.json();
    return Value.Check(Health, body) ? body.data.status : 'strange';
  } catch {
    return 'gone';
  }
}
