import { query } from './database.ts';
import type { Call, Load, Work } from './load.ts';
import type { Seller, Server } from './server.ts';

/** A round must not end before the requested transactions are created. */
export const AMPLE_SECONDS = 600;

/** Creates transactions over HTTP. Not part of any measurement. */
export async function createCharges(
  load: Load,
  server: Server,
  sellers: readonly Seller[],
  count: number,
): Promise<void> {
  await load.run({
    port: server.port,
    callers: 64,
    seconds: AMPLE_SECONDS,
    status: 201,
    work: createWork(sellers),
    limit: count,
  });
}

export const createWork = (sellers: readonly Seller[]): Work => ({
  kind: 'create',
  apiKeys: sellers.map((seller) => seller.apiKey),
});

export const createCardWork = (sellers: readonly Seller[]): Work => ({
  kind: 'create-card',
  apiKeys: sellers.map((seller) => seller.apiKey),
});

/**
 * Unpaid transactions of these sellers in random order, because payments do not arrive in the order
 * of creation.
 */
export async function pendingCharges(
  server: Server,
  sellers: readonly Seller[],
  limit: number,
): Promise<readonly { readonly id: string; readonly apiKey: string }[]> {
  const apiKeys = new Map(sellers.map((seller) => [seller.id, seller.apiKey]));
  const rows = await query<{ seller_id: string; id: string }>(
    server.databaseUrl,
    `SELECT seller_id, id FROM transactions
     WHERE seller_id = ANY ($1) AND status = 'PENDING' ORDER BY random() LIMIT $2`,
    [[...apiKeys.keys()], limit],
  );
  return rows.map((row) => ({ id: row.id, apiKey: apiKeys.get(row.seller_id) ?? '' }));
}

/** Creates transactions, without measuring it, and returns the calls that pay each of them once. */
export async function preparePayments(
  load: Load,
  server: Server,
  sellers: readonly Seller[],
  count: number,
): Promise<readonly Call[]> {
  await createCharges(load, server, sellers, count);
  const charges = await pendingCharges(server, sellers, count);
  return charges.map(({ id, apiKey }) => ({
    method: 'POST',
    path: `/v1/sandbox/transactions/${id}/pay`,
    apiKey,
  }));
}
