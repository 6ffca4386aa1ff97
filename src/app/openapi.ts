import { Registry } from 'prom-client';

import { composeServer } from './api.ts';
import { Clock } from '#platform/kit/clock.ts';
import { readConfig } from './config.ts';
import type { Environment } from '#platform/config/settings-reader.ts';
import { openDatabase } from '#platform/database/connect.ts';
import { createMemoryRateLimiter } from '#platform/http/rate-limiter.ts';
import { createLogger } from '#platform/kit/log.ts';
import { composeOfflineServices } from './services.ts';

/**
 * The document as a gateway with these settings serves it. The server is composed as at every start and never listens;
 * its database is connected to when it is first asked, which nobody does here.
 */
export async function generateOpenApiOffline(environment: Environment): Promise<object> {
  const config = readConfig({ DATABASE_URL: UNREACHABLE_DATABASE_URL, LOG_LEVEL: 'silent', ...environment });
  const log = createLogger(config.logLevel);
  const database = openDatabase({ url: UNREACHABLE_DATABASE_URL, poolSize: 1, onError: () => undefined });
  const clock = new Clock();
  const rates = createMemoryRateLimiter();
  const services = composeOfflineServices({ config, database, clock, log });
  const { app, generateOpenApi } = await composeServer(
    { config, log },
    database,
    clock,
    rates,
    services,
    [],
    new Registry(),
    () => undefined,
  );
  try {
    return generateOpenApi();
  } finally {
    await app.close();
    await rates.close();
    await database.close();
  }
}

/** Port 1 of this machine, where no PostgreSQL is. */
const UNREACHABLE_DATABASE_URL = 'postgresql://nobody@127.0.0.1:1/nothing';
