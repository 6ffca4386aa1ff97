import { Registry } from 'prom-client';

import { composeServer } from '#app/api.ts';
import { Clock } from '#platform/kit/clock.ts';
import { readConfig } from '#app/config.ts';
import type { Environment } from '#platform/config/settings-reader.ts';
import { SecretBox } from '#platform/crypto/secret-box.ts';
import { openDatabase } from '#platform/database/connect.ts';
import { createMemoryRateLimiter } from '#platform/http/rate-limiter.ts';
import { createLogger } from '#platform/kit/log.ts';
import type { OpenApiDocuments } from '#platform/openapi/document.ts';
import { composeOfflineServices } from '#app/services.ts';

/**
 * Returns the OpenAPI documents that a gateway with these settings serves. The server is composed
 * as at every start, but never listens and never connects to its database.
 */
export async function generateOpenApiOffline(environment: Environment): Promise<OpenApiDocuments> {
  const config = readConfig({ DATABASE_URL: UNREACHABLE_DATABASE_URL, LOG_LEVEL: 'silent', ...environment });
  const log = createLogger(config.logLevel);
  const database = openDatabase({ url: UNREACHABLE_DATABASE_URL, poolSize: 1, onError: () => undefined });
  const rates = createMemoryRateLimiter();
  // Nothing is encrypted.
  const dataKeys = { secrets: new SecretBox([Buffer.alloc(32)]), refresh: async () => undefined };
  const runtime = { config, database, clock: new Clock(), log, dataKeys };
  const { app, generateOpenApi } = await composeServer({
    ...runtime,
    services: composeOfflineServices(runtime),
    rates,
    integrations: [],
    clockSkew: { isExceeded: false },
    advanceClock: async () => undefined,
    checkInstallation: async () => [],
    registry: new Registry(),
    tracing: undefined,
  });
  try {
    return generateOpenApi();
  } finally {
    await app.close();
    await rates.close();
    await database.close();
  }
}

/** No PostgreSQL listens on port 1. */
const UNREACHABLE_DATABASE_URL = 'postgresql://nobody@127.0.0.1:1/nothing';
