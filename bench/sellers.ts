import { randomUUID } from 'node:crypto';

import { hashCredential, newApiKey } from '#platform/kit/ids.ts';
import { query } from './database.ts';
import { dataOf, type Seller, type Server } from './server.ts';

/**
 * Creates sellers with rate limits that no benchmark reaches: one through the API, and its copies.
 */
export async function makeSellers(server: Server, count: number): Promise<readonly Seller[]> {
  const owner = { email: `bench-${randomUUID()}@example.com`, password: randomUUID() };
  const created = await server.operator('POST', '/admin/sellers', {
    name: 'Loja',
    documentType: 'CNPJ',
    document: '11222333000181',
    ownerName: 'Dona da Loja',
    ownerEmail: owner.email,
    ownerPassword: owner.password,
  });
  const id = String(dataOf(created)['id']);
  await server.operator('PATCH', `/admin/sellers/${id}`, {
    requestsPerMinute: 10_000_000,
    creationsPerMinute: 10_000_000,
  });
  const made = await server.operator('POST', `/admin/sellers/${id}/api-keys`, { name: 'bench' });
  const first = { id, apiKey: String(dataOf(made)['key']), owner };
  return [first, ...(await copySeller(server.databaseUrl, first, count - 1))];
}

/**
 * Copies a seller with its fees, wallets and API key, each copy with a key of its own. Written by
 * SQL, because the API hashes a password for each seller. A statement for each table, because Citus
 * places the tables differently.
 */
async function copySeller(url: string, template: Seller, count: number): Promise<readonly Seller[]> {
  const sellers = Array.from({ length: count }, () => ({ id: randomUUID(), apiKey: newApiKey('test') }));
  const ids = sellers.map(({ id }) => id);
  const hashes = sellers.map(({ apiKey }) => hashCredential(apiKey).toString('hex'));
  await copyRows(url, ['sellers', 'id', template.id], [ids, hashes], `'id', c.id, 'name', 'Loja ' || c.n`);
  const columns = `'seller_id', c.id`;
  await copyRows(url, ['fee_schedules', 'seller_id', template.id], [ids, hashes], columns);
  await copyRows(url, ['wallets', 'seller_id', template.id], [ids, hashes], `${columns}, 'wallet_id', c.id`);
  const key = hashCredential(template.apiKey);
  const keyColumns = `${columns}, 'key_hash', '\\x' || c.key_hash`;
  await copyRows(url, ['api_keys', 'key_hash', key], [ids, hashes], keyColumns);
  await query(url, 'ANALYZE sellers, fee_schedules, wallets, api_keys');
  return sellers;
}

/** Inserts the rows of the template again for each copy, with other values in some columns. */
async function copyRows(
  url: string,
  [table, column, value]: readonly [string, string, unknown],
  copies: readonly [readonly string[], readonly string[]],
  changes: string,
): Promise<void> {
  const rows = await query<{ row: string }>(
    url,
    `SELECT to_jsonb(t)::text AS row FROM ${table} t WHERE ${column} = $1`,
    [value],
  );
  await query(
    url,
    `INSERT INTO ${table}
     SELECT (jsonb_populate_record(NULL::${table}, row || jsonb_build_object(${changes}))).*
     FROM unnest($1::uuid[], $2::text[]) WITH ORDINALITY AS c (id, key_hash, n)
     CROSS JOIN unnest($3::jsonb[]) AS row`,
    [...copies, rows.map(({ row }) => row)],
  );
}
