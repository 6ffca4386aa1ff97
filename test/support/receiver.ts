import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { eventViolations } from './openapi-conformance.ts';
import { listenLocally } from '#test/support/free-port.ts';

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- JSON
  readonly body: any;
  readonly at: number;
}

export interface Receiver {
  readonly url: string;
  /** The certificate to trust, in PEM. */
  readonly authority: string;
  readonly received: readonly Received[];
  /** The responses to the next calls; 200 by default. */
  respondWith(handler: (request: Received, response: ServerResponse) => void): void;
  /** Resolves after this many calls. */
  waitFor(calls: number, timeoutMs?: number): Promise<void>;
  close(): Promise<void>;
}

export interface ReceiverOptions {
  /** Whether it receives webhook events, which must match the reference. Default: true. */
  readonly events?: boolean;
}

/** A webhook receiver over HTTPS. Closing it fails if an event did not match the API reference. */
export async function startReceiver({ events = true }: ReceiverOptions = {}): Promise<Receiver> {
  const { key, cert } = await selfSigned();
  const received: Received[] = [];
  const undescribed: string[] = [];
  let handler = (_request: Received, response: ServerResponse): void => {
    response.end('ok');
  };
  const server = createServer({ key, cert }, (request: IncomingMessage, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const one = { headers: request.headers, text, body: JSON.parse(text) as unknown, at: Date.now() };
      received.push(one);
      if (events) undescribed.push(...eventViolations(one.body));
      handler(one, response);
    });
  });
  const port = await listenLocally(server);
  return {
    url: `https://localhost:${port}/hook`,
    authority: cert,
    received,
    respondWith(next) {
      handler = next;
    },
    async waitFor(calls, timeoutMs = 10_000) {
      const end = Date.now() + timeoutMs;
      while (received.length < calls) {
        if (Date.now() > end) throw new Error(`${received.length} of ${calls} calls came in ${timeoutMs} ms`);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      if (undescribed.length > 0) {
        throw new Error(`events came that are not as described:\n${undescribed.join('\n')}`);
      }
    },
  };
}

export async function selfSigned(): Promise<{ key: string; cert: string }> {
  const directory = await mkdtemp(join(tmpdir(), 'gateway-receiver-'));
  const [key, cert] = [join(directory, 'key.pem'), join(directory, 'cert.pem')];
  try {
    await promisify(execFile)('openssl', [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '2',
      '-subj',
      '/CN=localhost',
      '-addext',
      'subjectAltName=DNS:localhost,IP:127.0.0.1',
      '-addext',
      'basicConstraints=critical,CA:TRUE',
      '-keyout',
      key,
      '-out',
      cert,
    ]);
    return { key: await readFile(key, 'utf8'), cert: await readFile(cert, 'utf8') };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
