import type { Registry } from 'prom-client';

import type { Database } from '#platform/database/connect.ts';
import { registerCounter, registerGauge } from '#platform/telemetry/gauge.ts';

/** The database as this process sees it. */
export function registerDatabaseMetrics(registry: Registry, database: Database): void {
  const { pool } = database;
  const registers = [registry];
  registerGauge({
    name: 'database_up',
    help: 'Whether the database is available: 1 or 0',
    registers,
    collect() {
      this.set(database.availability === 'ok' ? 1 : 0);
    },
  });
  registerCounter({
    name: 'database_hung_connections_total',
    help: 'Connections closed because the server was not executing their statement',
    registers,
    collect() {
      this.reset();
      this.inc(database.hungConnections);
    },
  });
  registerGauge({
    name: 'database_pool_connections',
    help: 'Connections for ordinary queries, by state: busy or idle',
    labelNames: ['state'],
    registers,
    collect() {
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
      this.set({ state: 'idle' }, pool.idleCount);
    },
  });
  registerGauge({
    name: 'database_pool_waiting',
    help: 'Callers that wait for a connection',
    registers,
    collect() {
      this.set(pool.waitingCount);
    },
  });
}
