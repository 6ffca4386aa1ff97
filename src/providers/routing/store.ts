import { sql } from 'kysely';

import { ROUTED_METHODS, type RoutedMethod } from '#payments/operations/routing.ts';
import type { DatabaseTransaction } from '#platform/database/connect.ts';
import type { NamedStatement, RunStatement } from '#platform/database/statements.ts';

/** A provider to which nothing new of a method is sent. */
export interface PausedProvider {
  readonly method: RoutedMethod;
  readonly provider: string;
  readonly reason: string;
  readonly pausedBy: string;
  readonly pausedByName: string;
  readonly pausedAt: Date;
}

/** What operators have changed. */
export interface StoredRoutes {
  readonly orders: ReadonlyMap<RoutedMethod, readonly string[]>;
  readonly paused: readonly PausedProvider[];
}

const LOAD_ORDERS: NamedStatement = {
  name: 'load-provider-orders',
  text: `SELECT method, providers FROM provider_orders LIMIT ${ROUTED_METHODS.length}`,
};
const LOAD_PAUSED: NamedStatement = {
  name: 'load-paused-providers',
  text: `
    SELECT method, provider, reason, paused_by AS "pausedBy", paused_by_name AS "pausedByName",
      paused_at AS "pausedAt"
    FROM paused_providers LIMIT 200`,
};

interface OrderRow {
  readonly method: RoutedMethod;
  readonly providers: readonly string[];
}

export async function loadRoutes(query: RunStatement): Promise<StoredRoutes> {
  const orders = await query<OrderRow>(LOAD_ORDERS, []);
  const paused = await query<PausedProvider>(LOAD_PAUSED, []);
  return { orders: new Map(orders.map(({ method, providers }) => [method, providers])), paused };
}

/** Serializes changes of routes until the end of the transaction. */
export async function lockRoutes(trx: DatabaseTransaction): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('provider routes', 0))`.execute(trx);
}

export async function saveOrder(
  trx: DatabaseTransaction,
  method: RoutedMethod,
  names: readonly string[],
  at: Date,
): Promise<void> {
  const providers = JSON.stringify(names);
  await trx
    .insertInto('provider_orders')
    .values({ method, providers, updated_at: at })
    .onConflict((conflict) => conflict.column('method').doUpdateSet({ providers, updated_at: at }))
    .execute();
}

export async function deleteOrder(trx: DatabaseTransaction, method: RoutedMethod): Promise<void> {
  await trx.deleteFrom('provider_orders').where('method', '=', method).execute();
}

export async function insertPaused(trx: DatabaseTransaction, paused: PausedProvider): Promise<void> {
  const { method, provider, reason, pausedBy, pausedByName, pausedAt } = paused;
  await trx
    .insertInto('paused_providers')
    .values({
      method,
      provider,
      reason,
      paused_by: pausedBy,
      paused_by_name: pausedByName,
      paused_at: pausedAt,
    })
    .execute();
}

export async function deletePaused(
  trx: DatabaseTransaction,
  method: RoutedMethod,
  provider: string,
): Promise<void> {
  await trx
    .deleteFrom('paused_providers')
    .where('method', '=', method)
    .where('provider', '=', provider)
    .execute();
}
