import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';

import { readConfig } from '#app/config.ts';
import type { Environment } from '#platform/config/settings-reader.ts';
import { startGateway } from '#app/gateway.ts';
import type { ClockSkew } from '#platform/database/clock-skew.ts';
import type { GuardedRoute } from '#platform/http/guard.ts';
import { createLogger } from '#platform/kit/log.ts';
import { createClient, type Client } from '#test/support/client.ts';
import { freePort } from '#test/support/free-port.ts';
import { forgetReference } from '#test/support/openapi-conformance.ts';

/** Tests of one process set its clock, and not the database's. */
export const NO_SKEW: ClockSkew = {
  isExceeded: false,
  checkExceeded: async () => false,
  job: { name: 'clock skew', intervalMs: 3_600_000, run: async () => false },
};

/** Secrets that nodes of one installation share. Give them to every node of a test. */
export const SHARED_SECRETS: Environment = {
  JWT_SECRET: 'a secret of forty characters for tests!!',
  ENCRYPTION_KEY: '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff',
};

interface LogLine {
  readonly level: string;
  readonly msg: string;
  readonly text: string;
}

export interface TestNode extends Client {
  readonly routes: readonly GuardedRoute[];
  /** The log from level `info` on. */
  readonly logged: readonly LogLine[];
  stop(): Promise<void>;
}

export interface TestNodeOptions {
  /** A database that another gateway has migrated and initialized. */
  readonly databaseUrl: string;
  /** The API key of its client. */
  readonly apiKey?: string;
  readonly environment?: Environment;
  /** Whether it runs a worker; otherwise other nodes do the due work. */
  readonly worker?: boolean;
}

/** Another gateway on the database of a running one, as behind a load balancer. */
export async function startNode(options: TestNodeOptions): Promise<TestNode> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-node-'));
  const port = await freePort();
  forgetReference(`http://127.0.0.1:${port}`, options.environment?.['MODE']);
  const logged: LogLine[] = [];
  const removeData = () => rm(dataDir, { recursive: true, force: true });
  const gateway = await startGateway({
    clockSkew: NO_SKEW,
    config: readConfig({
      HOST: '127.0.0.1',
      PORT: String(port),
      DATA_DIR: dataDir,
      DATABASE_URL: options.databaseUrl,
      MODE: 'sandbox',
      ...SHARED_SECRETS,
      ...options.environment,
    }),
    databaseUrl: options.databaseUrl,
    log: createLogger('info', keepLines(logged)),
    api: true,
    worker: options.worker ?? false,
  }).catch(async (error: unknown) => {
    await removeData();
    throw error;
  });
  return {
    ...createClient(`http://127.0.0.1:${port}/v1`, options.apiKey ?? ''),
    routes: gateway.routes,
    logged,
    async stop() {
      await gateway.stop();
      await removeData();
    },
  };
}

function keepLines(lines: LogLine[]): Writable {
  return new Writable({
    write(chunk, _encoding, done) {
      const text = String(chunk);
      const { level, msg }: { level: string; msg: string } = JSON.parse(text);
      lines.push({ level, msg, text });
      done();
    },
  });
}
