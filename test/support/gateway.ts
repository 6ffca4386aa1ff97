import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { readConfig } from '#app/config.ts';
import type { Environment } from '#platform/config/settings-reader.ts';
import type { Demo } from '#app/demo.ts';
import type { GuardedRoute } from '#platform/http/guard.ts';
import { startGateway } from '#app/gateway.ts';
import { createLogger } from '#platform/kit/log.ts';
import { createClient, untilServed, type Client } from '#test/support/client.ts';
import { dataKeysOf } from '#test/support/data-keys.ts';
import { APP_ROLE, asRole } from '#test/support/database-roles.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import { freePort } from '#test/support/free-port.ts';
import { forgetReference } from '#test/support/openapi-conformance.ts';
import { NO_SKEW } from '#test/support/node.ts';
import { signInOperator } from '#test/support/second-factor.ts';
import { cloneDatabase, type TestDatabase } from '#test/support/database.ts';

export interface TestGateway extends Client {
  readonly demo: Demo;
  readonly database: TestDatabase;
  /** Its data keys. */
  readonly secrets: SecretBox;
  readonly routes: readonly GuardedRoute[];
  /** A token of the first operator. Request a new one after moving the clock by an hour. */
  adminToken(): Promise<string>;
  /** Advances the domain clock, as the operator. */
  advance(seconds: number): Promise<void>;
  stop(): Promise<void>;
}

export interface TestGatewayOptions {
  readonly environment?: Environment;
  readonly receiverAuthorities?: string;
  /** Keeps the demo seller's default rate limits, which are otherwise raised for tests. */
  readonly defaultRateLimits?: boolean;
  readonly worker?: boolean;
  /** Instead of a copy of the template. */
  readonly database?: TestDatabase;
  /** Runs as the restricted database user of docs/database-roles.md. */
  readonly asApp?: boolean;
}

/** A sandbox gateway with its own database, called over HTTP. */
export async function startTestGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const database = options.database ?? (await cloneDatabase());
  const databaseUrl = options.asApp === true ? asRole(database.ownerUrl, APP_ROLE) : database.url;
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-data-'));
  const port = await freePort();
  forgetReference(`http://127.0.0.1:${port}`, options.environment?.['MODE']);
  const config = readConfig({
    HOST: '127.0.0.1',
    PORT: String(port),
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    MODE: 'sandbox',
    // Each connection costs a process of the server. Those of a dead node wait.
    DATABASE_POOL: process.env['TEST_CITUS'] === '1' ? '10' : '5',
    LOG_LEVEL: 'silent',
    ...(options.environment?.['MODE'] === undefined ? { SIGNUP: 'open', SIGNUPS_PER_HOUR: '1000' } : {}),
    ...(options.defaultRateLimits === true ? {} : { OPERATOR_REQUESTS_PER_MINUTE: '1000000' }),
    ...options.environment,
  });
  const { receiverAuthorities } = options;
  const gateway = await startGateway({
    clockSkew: NO_SKEW,
    config,
    databaseUrl,
    log: createLogger(config.logLevel),
    api: true,
    worker: options.worker ?? true,
    ...(receiverAuthorities === undefined ? {} : { receiverAuthorities }),
  });
  const demo = gateway.demo ?? { baseUrl: `http://127.0.0.1:${port}/v1`, ...NO_DEMO };
  const client = createClient(demo.baseUrl, demo.apiKey);
  const recoveryCodes: string[] = [];
  const adminToken = async () => {
    if (config.mode !== 'sandbox') return signInOperator(client, demo.admin, recoveryCodes);
    const signedIn = await untilServed(() => client.post('/login', demo.admin, { credential: 'none' }));
    return String(signedIn.body.accessToken);
  };
  if (gateway.demo !== undefined && options.defaultRateLimits !== true) {
    const token = await adminToken();
    const rates = { requestsPerMinute: 1_000_000, creationsPerMinute: 1_000_000 };
    await client.patch(`/admin/sellers/${demo.seller.id}`, rates, { token });
  }
  return {
    ...client,
    demo,
    database,
    secrets: await dataKeysOf(database, ...('keys' in config.masterKey ? config.masterKey.keys : [])),
    routes: gateway.routes,
    adminToken,
    async advance(seconds) {
      const token = await adminToken();
      const moved = await untilServed(() =>
        client.post('/sandbox/clock', { advanceSeconds: seconds }, { token }),
      );
      if (moved.status !== 200) throw new Error(`the clock was not advanced: ${moved.text}`);
    },
    async stop() {
      await gateway.stop();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Production has no demo; tests that start it provide credentials. */
const NO_DEMO = {
  apiKey: '',
  seller: { id: '', email: '', password: '' },
  admin: { email: 'operator@example.com', password: 'a long enough password' },
};
