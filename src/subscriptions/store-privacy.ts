import { sql } from 'kysely';

import { rewriteResponses } from '#payments/idempotency/service.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import type { CustomerData, TransactionKey } from '#privacy/personal-data.ts';
import { createRedactor, redactJson, redactUrl } from '#privacy/redaction.ts';
import type { SearchQuery } from '#privacy/search-query.ts';
import type { CustomerInput } from './payer.ts';

interface PayerTexts {
  readonly customer: CustomerInput;
  readonly description: string | null;
  readonly externalRef: string | null;
  readonly metadata: string | null;
  readonly postbackUrl: string | null;
}

/** Erases the payer of a subscription. */
export async function eraseSubscriber(
  trx: DatabaseTransaction,
  { sellerId, id }: TransactionKey,
): Promise<boolean> {
  const { rows } = await sql<PayerTexts>`
    SELECT customer, description, external_ref AS "externalRef", metadata::text AS metadata,
      postback_url AS "postbackUrl"
    FROM subscriptions WHERE seller_id = ${sellerId} AND id = ${id} AND customer IS NOT NULL
    FOR UPDATE`.execute(trx);
  const [row] = rows;
  if (row === undefined) return false;
  const { customer, description, externalRef, metadata, postbackUrl } = row;
  const redact = createRedactor(customer);
  await sql`
    UPDATE subscriptions SET
      customer = ${JSON.stringify(redactJson(customer, redact))},
      description = ${description && redact(description)},
      external_ref = ${externalRef && redact(externalRef)},
      metadata = ${metadata && JSON.stringify(redactJson(JSON.parse(metadata), redact))},
      postback_url = ${postbackUrl && redactUrl(postbackUrl, redact)}
    WHERE seller_id = ${sellerId} AND id = ${id}`.execute(trx);
  await rewriteResponses(trx, { sellerId, id }, (response) => redactJson(response, redact));
  return true;
}

export async function findSubscribers(
  db: Db,
  query: SearchQuery,
  limit: number,
): Promise<readonly CustomerData[]> {
  const matches =
    'document' in query
      ? sql`customer->>'document' = ${query.document}`
      : sql`lower(customer->>'email') = ${query.email.toLowerCase()}`;
  const { rows } = await sql<CustomerData>`
    SELECT seller_id AS "sellerId", id, customer, description, external_ref AS "externalRef", metadata,
      created_at AS "createdAt" FROM subscriptions WHERE ${matches} LIMIT ${limit}`.execute(db);
  return rows;
}
