import { randomUUID } from 'node:crypto';

import { hashCredential, newApiKey } from '#platform/kit/ids.ts';
import { query } from './database.ts';
import { dataOf, type Seller, type Server } from './server.ts';

/**
 * Creates sellers with rate limits that no benchmark reaches: one through the API, and its copies.
 */
export async function makeSellers(server: Server, count: number): Promise<readonly Seller[]> {
  const created = await server.operator('POST', '/admin/sellers', {
    name: 'Loja',
    documentType: 'CNPJ',
    document: '11222333000181',
    ownerName: 'Dona da Loja',
    ownerEmail: `bench-${randomUUID()}@example.com`,
    ownerPassword: randomUUID(),
  });
  const id = String(dataOf(created)['id']);
  await server.operator('PATCH', `/admin/sellers/${id}`, {
    requestsPerMinute: 10_000_000,
    creationsPerMinute: 10_000_000,
  });
  const made = await server.operator('POST', `/admin/sellers/${id}/api-keys`, { name: 'bench' });
  const first = { id, apiKey: String(dataOf(made)['key']) };
  return [first, ...(await copySeller(server.databaseUrl, first, count - 1))];
}

/**
 * Copies a seller with its fees, wallets and API key, each copy with a key of its own. Written by
 * SQL, because the API hashes a password for each seller.
 */
async function copySeller(url: string, template: Seller, count: number): Promise<readonly Seller[]> {
  const apiKeys = Array.from({ length: count }, () => newApiKey('test'));
  const rows = await query<{ id: string; n: number }>(url, COPY_SELLER, [
    template.id,
    apiKeys.map(hashCredential),
    hashCredential(template.apiKey),
  ]);
  await query(url, 'ANALYZE sellers, fee_schedules, wallets, api_keys');
  return rows.map(({ id, n }) => ({ id, apiKey: apiKeys[n - 1] ?? '' }));
}

const COPY_SELLER = `
  WITH copies AS MATERIALIZED (
    SELECT gen_random_uuid() AS id, key_hash, n FROM unnest($2::bytea[]) WITH ORDINALITY AS k (key_hash, n)
  ), copied_sellers AS (
    INSERT INTO sellers
    SELECT (jsonb_populate_record(s, jsonb_build_object('id', c.id, 'name', 'Loja ' || c.n))).*
    FROM copies c CROSS JOIN sellers s WHERE s.id = $1
  ), copied_fees AS (
    INSERT INTO fee_schedules
    SELECT (jsonb_populate_record(f, jsonb_build_object('seller_id', c.id))).*
    FROM copies c CROSS JOIN fee_schedules f WHERE f.seller_id = $1
  ), copied_wallets AS (
    INSERT INTO wallets
    SELECT (jsonb_populate_record(w, jsonb_build_object('seller_id', c.id, 'wallet_id', c.id))).*
    FROM copies c CROSS JOIN wallets w WHERE w.seller_id = $1
  ), copied_keys AS (
    INSERT INTO api_keys
    SELECT (jsonb_populate_record(k, jsonb_build_object('seller_id', c.id, 'key_hash', c.key_hash))).*
    FROM copies c CROSS JOIN api_keys k WHERE k.seller_id = $1 AND k.key_hash = $3
  )
  SELECT id, n::integer FROM copies`;
