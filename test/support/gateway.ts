import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { readConfig } from '#app/config.ts';
import type { Environment } from '#platform/config/settings-reader.ts';
import type { Demo } from '#app/demo.ts';
import type { GuardedRoute } from '#platform/http/guard.ts';
import { startGateway } from '#app/gateway.ts';
import { createLogger } from '#platform/kit/log.ts';
import { createClient, type Client } from '#test/support/client.ts';
import { APP_ROLE, asRole } from '#test/support/database-roles.ts';
import { SecretBox } from '#platform/crypto/secret-box.ts';
import { cloneDatabase, type TestDatabase } from '#test/support/database.ts';

export interface TestGateway extends Client {
  readonly demo: Demo;
  readonly database: TestDatabase;
  /** The keys that it encrypts with. */
  readonly secrets: SecretBox;
  readonly routes: readonly GuardedRoute[];
  /** A token of the operator's first user. Ask again after the clock has moved by an hour. */
  adminToken(): Promise<string>;
  /** Moves the domain's clock forward, as the operator. */
  advance(seconds: number): Promise<void>;
  stop(): Promise<void>;
}

export interface TestGatewayOptions {
  readonly environment?: Environment;
  readonly receiverAuthorities?: string;
  /** The demo seller's rates stay as they are made; otherwise tests would run into them. */
  readonly keepRates?: boolean;
  readonly worker?: boolean;
  /** It serves as the user of the database that docs/database-roles.md makes. */
  readonly asApp?: boolean;
}

/** A whole gateway in the sandbox on a database of its own, spoken to over real HTTP. */
export async function startTestGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const database = await cloneDatabase();
  const databaseUrl = options.asApp === true ? asRole(database.ownerUrl, APP_ROLE) : database.url;
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-data-'));
  const port = await freePort();
  const config = readConfig({
    HOST: '127.0.0.1',
    PORT: String(port),
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    MODE: 'sandbox',
    LOG_LEVEL: 'silent',
    ...options.environment,
  });
  const { receiverAuthorities } = options;
  const gateway = await startGateway({
    config,
    databaseUrl,
    log: createLogger(config.logLevel),
    api: true,
    worker: options.worker ?? true,
    ...(receiverAuthorities === undefined ? {} : { receiverAuthorities }),
  });
  const demo = gateway.demo ?? { baseUrl: `http://127.0.0.1:${port}/v1`, ...NO_DEMO };
  const client = createClient(demo.baseUrl, demo.apiKey);
  const adminToken = async () => {
    const signedIn = await client.post('/login', demo.admin, { credential: 'none' });
    return String(signedIn.body.accessToken);
  };
  if (gateway.demo !== undefined && options.keepRates !== true) {
    const token = await adminToken();
    const rates = { requestsPerMinute: 1_000_000, creationsPerMinute: 1_000_000 };
    await client.patch(`/admin/sellers/${demo.seller.id}`, rates, { token });
  }
  return {
    ...client,
    demo,
    database,
    secrets: new SecretBox(config.encryptionKeys),
    routes: gateway.routes,
    adminToken,
    async advance(seconds) {
      await client.post('/sandbox/clock', { advanceSeconds: seconds }, { token: await adminToken() });
    },
    async stop() {
      await gateway.stop();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Outside the sandbox there is no demo; tests that start such a gateway bring their own credentials. */
const NO_DEMO = {
  apiKey: '',
  seller: { id: '', email: '', password: '' },
  admin: { email: 'operator@example.com', password: 'a long enough password' },
};

/** A port that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        if (address === null || typeof address === 'string') reject(new Error('no port'));
        else resolve(address.port);
      });
    });
  });
}
