import { sql, type RawBuilder } from 'kysely';

import type { Db } from '#platform/database/connect.ts';
import { minIdAt } from '#platform/kit/ids.ts';
import { ERASED_PAYER, erasedDocument, type Person } from './redaction.ts';
import type { SearchQuery } from './search-query.ts';

/** A charge, and the place of its payer in the order in which all are looked at. */
export interface TransactionKey {
  readonly sellerId: string;
  readonly id: string;
}

export interface PayerScan {
  /** In their order; at most as many as asked for. */
  readonly keys: readonly TransactionKey[];
  /** Where to look on; undefined where there is nothing more. */
  readonly next: TransactionKey | undefined;
}

const toTransactionKey = (row: { seller_id: string; transaction_id: string }) => ({
  sellerId: row.seller_id,
  id: row.transaction_id,
});

/** Looks through so many payers behind `after`: there is no index by document or e-mail, which every charge would have to write. */
export async function scanForPayer(
  db: Db,
  query: SearchQuery,
  after: TransactionKey | undefined,
  { maxPayers: limit, most: maxMatches }: { readonly maxPayers: number; readonly most: number },
): Promise<PayerScan> {
  const afterCursor =
    after === undefined
      ? sql`true`
      : sql`(seller_id, transaction_id) > (${after.sellerId}::uuid, ${after.id}::uuid)`;
  const hit =
    'document' in query
      ? sql`document = ${query.document}`
      : sql`lower(email) = ${query.email.toLowerCase()}`;
  const { rows } = await sql<{ seller_id: string; transaction_id: string; hit: boolean; looked: number }>`
    WITH looked AS MATERIALIZED (
      SELECT seller_id, transaction_id, erased_at IS NULL AND ${hit} AS hit, row_number() OVER (ORDER BY seller_id, transaction_id) AS place
      FROM transaction_customers WHERE ${afterCursor} ORDER BY seller_id, transaction_id LIMIT ${limit}
    ), counted AS (SELECT count(*) AS looked FROM looked)
    SELECT seller_id, transaction_id, hit, looked FROM looked, counted WHERE hit OR place = looked
    ORDER BY place LIMIT ${maxMatches + 1}`.execute(db);
  const matches = rows.filter((row) => row.hit).slice(0, maxMatches);
  const whole = rows.length <= maxMatches;
  const end = whole ? rows.at(-1) : matches.at(-1);
  const over = whole && (rows[0]?.looked ?? 0) < limit;
  return {
    keys: matches.map(toTransactionKey),
    next: over || end === undefined ? undefined : toTransactionKey(end),
  };
}

/** Everything that is kept about the payer of a charge, as it is kept. */
export async function findPayerData(
  db: Db,
  { sellerId, id }: TransactionKey,
): Promise<Readonly<Record<string, unknown>>> {
  const rowsOf = (
    table: string,
    where: RawBuilder<unknown>,
    order: RawBuilder<unknown>,
    without: readonly string[] = [],
  ) =>
    sql`(SELECT coalesce(json_agg(to_jsonb(x) - ${[...without, 'seller_id']}::text[] ORDER BY ${order}), '[]')
      FROM ${sql.table(table)} x WHERE x.seller_id = ${sellerId} AND ${where})`;
  const ofTransaction = sql`x.transaction_id = ${id}`;
  const records = sql`x.record_id = ANY (ARRAY[${id}::uuid]
    || ARRAY(SELECT r.id FROM refunds r WHERE r.seller_id = ${sellerId} AND r.transaction_id = ${id})
    || ARRAY(SELECT d.id FROM disputes d WHERE d.seller_id = ${sellerId} AND d.transaction_id = ${id}))`;
  const { rows } = await sql<{ held: Readonly<Record<string, unknown>> }>`
    SELECT json_build_object(
      'sellerName', (SELECT name FROM sellers WHERE id = ${sellerId}),
      'charge', ${rowsOf('transactions', sql`x.id = ${id}`, sql`x.id`)} -> 0,
      'payer', ${rowsOf('transaction_customers', ofTransaction, sql`x.id`)} -> 0,
      'items', ${rowsOf('transaction_items', ofTransaction, sql`x.position`)},
      'pix', ${rowsOf('pix_payments', ofTransaction, sql`x.id`)},
      'boleto', ${rowsOf('boleto_payments', ofTransaction, sql`x.id`)},
      'card', ${rowsOf('card_payments', ofTransaction, sql`x.id`)},
      'history', ${rowsOf('transaction_history', ofTransaction, sql`x.position`)},
      'refunds', ${rowsOf('refunds', ofTransaction, sql`x.id`)},
      'disputes', ${rowsOf('disputes', ofTransaction, sql`x.id`)},
      'returns', ${rowsOf('payment_reversals', ofTransaction, sql`x.id`)},
      'providerOrders', ${rowsOf('provider_operations', ofTransaction, sql`x.id`)},
      'providerReports', ${rowsOf('provider_events', sql`x.record_id = ${id}`, sql`x.id`)},
      'deliveries', ${rowsOf('deliveries', records, sql`x.id`)},
      'deliveryAttempts', ${rowsOf(
        'delivery_attempts',
        sql`x.delivery_id IN (SELECT d.id FROM deliveries d WHERE d.seller_id = ${sellerId} AND d.record_id = ${id})`,
        sql`x.delivery_id, x.number`,
      )},
      'events', ${rowsOf(
        'events',
        sql`x.id IN (SELECT d.event_id FROM deliveries d WHERE d.seller_id = ${sellerId} AND d.record_id = ${id})`,
        sql`x.id`,
      )},
      'keptAnswers', ${rowsOf('idempotency_keys', sql`x.response IS NOT NULL AND ${records}`, sql`x.created_at`, ['body_hash'])}
    ) AS held`.execute(db);
  return rows[0]?.held ?? {};
}

/** Why the payer of a charge cannot be forgotten yet. */
export type ErasureBlockReason = 'BOLETO_OPEN' | 'PROVIDER_PENDING' | 'DISPUTED';

export interface LockedTransaction {
  readonly status: string;
  readonly documentType: string;
  readonly person: Person;
  readonly reason: ErasureBlockReason | null;
}

/** Holds the charge and its payer until the end of the transaction; undefined where the payer has been erased. */
export async function lockTransaction(
  trx: Db,
  { sellerId, id }: TransactionKey,
): Promise<LockedTransaction | undefined> {
  const { rows } = await sql<{
    status: string;
    document_type: string;
    name: string;
    email: string;
    phone: string;
    document: string;
    external_ref: string | null;
    reason: ErasureBlockReason | null;
  }>`
    SELECT t.status, c.document_type, c.name, c.email, c.phone, c.document, c.external_ref,
      CASE
        -- A boleto names its payer for as long as it can be paid, and so does the file that registers it.
        WHEN t.method = 'BOLETO' AND (t.status IN ('PENDING', 'WAITING_PAYMENT', 'PROCESSING') OR EXISTS (
          SELECT 1 FROM boleto_registrations b WHERE b.seller_id = t.seller_id AND b.transaction_id = t.id
            AND b.stage IN ('TO_SHIP', 'WRITING_OFF'))) THEN 'BOLETO_OPEN'
        WHEN EXISTS (SELECT 1 FROM provider_operations o WHERE o.seller_id = t.seller_id AND o.transaction_id = t.id AND o.state = 'OPEN')
          THEN 'PROVIDER_PENDING'
        WHEN t.status = 'DISPUTE' OR EXISTS (
          SELECT 1 FROM disputes d WHERE d.seller_id = t.seller_id AND d.transaction_id = t.id AND d.status IN ('OPEN', 'UNDER_REVIEW'))
          THEN 'DISPUTED'
      END AS reason
    FROM transactions t JOIN transaction_customers c ON c.seller_id = t.seller_id AND c.transaction_id = t.id
    WHERE t.seller_id = ${sellerId} AND t.id = ${id} AND c.erased_at IS NULL FOR UPDATE OF t, c`.execute(trx);
  const [row] = rows;
  if (row === undefined) return undefined;
  const {
    status,
    document_type: documentType,
    name,
    email,
    phone,
    document,
    external_ref: externalRef,
    reason,
  } = row;
  return { status, documentType, person: { name, email, phone, document, externalRef }, reason };
}

export async function erasePayer(
  trx: Db,
  { sellerId, id }: TransactionKey,
  documentType: string,
  at: Date,
): Promise<void> {
  await trx
    .updateTable('transaction_customers')
    .set({ ...ERASED_PAYER, document: erasedDocument(documentType), external_ref: null, erased_at: at })
    .where('seller_id', '=', sellerId)
    .where('transaction_id', '=', id)
    .execute();
}

export type TextKind = 'text' | 'json' | 'url';

/** A text beside a charge that anybody may have written, and so may name its payer. */
export interface StoredText {
  readonly source: TextSource;
  /** Of its row. */
  readonly key: readonly string[];
  readonly column: string;
  readonly kind: TextKind;
  readonly text: string;
}

export interface TextSource {
  readonly table: string;
  /** The primary key but for the seller. */
  readonly key: readonly string[];
  readonly columns: Readonly<Record<string, TextKind>>;
  readonly where: (related: RelatedRecords) => RawBuilder<unknown>;
}

/** What belongs to a charge. */
interface RelatedRecords extends TransactionKey {
  /** The ids of the charge, its refunds and its disputes. */
  readonly records: readonly string[];
  /** Ids of what was written when something happened to it. */
  readonly idRanges: readonly { readonly from: string; readonly to: string }[];
}

const ofTransaction = ({ id }: RelatedRecords) => sql`x.transaction_id = ${id}`;
const ofRecords = ({ records }: RelatedRecords) => sql`x.record_id = ANY (${[...records]}::uuid[])`;

export const TEXT_SOURCES: readonly TextSource[] = [
  {
    table: 'transactions',
    key: ['id'],
    columns: { description: 'text', metadata: 'json', postback_url: 'url', status_reason: 'text' },
    where: ({ id }) => sql`x.id = ${id}`,
  },
  {
    table: 'transaction_items',
    key: ['transaction_id', 'position'],
    columns: { title: 'text', external_ref: 'text' },
    where: ofTransaction,
  },
  {
    table: 'boleto_payments',
    key: ['transaction_id'],
    columns: { instructions: 'text' },
    where: ofTransaction,
  },
  {
    table: 'boleto_registrations',
    key: ['transaction_id'],
    columns: { reason: 'text' },
    where: ofTransaction,
  },
  {
    table: 'transaction_history',
    key: ['transaction_id', 'position'],
    columns: { reason: 'text' },
    where: ofTransaction,
  },
  { table: 'provider_operations', key: ['id'], columns: { detail: 'text' }, where: ofTransaction },
  { table: 'refunds', key: ['id'], columns: { reason: 'text' }, where: ofTransaction },
  {
    table: 'disputes',
    key: ['id'],
    columns: { reason: 'text', appeal_reason: 'text' },
    where: ofTransaction,
  },
  {
    table: 'payment_reversals',
    key: ['id'],
    columns: { detail: 'text', note: 'text' },
    where: ofTransaction,
  },
  {
    table: 'provider_events',
    key: ['provider', 'provider_event_id'],
    columns: { detail: 'text' },
    where: ofRecords,
  },
  {
    table: 'idempotency_keys',
    key: ['operation', 'key'],
    columns: { response: 'json' },
    where: (related) => sql`x.response IS NOT NULL AND ${ofRecords(related)}`,
  },
  { table: 'deliveries', key: ['id'], columns: { url: 'url', endpoint: 'url' }, where: ofRecords },
  {
    table: 'delivery_attempts',
    key: ['delivery_id', 'number'],
    columns: { response_body: 'text', error: 'text' },
    where: ({ sellerId, records }) => sql`x.delivery_id IN (
      SELECT d.id FROM deliveries d WHERE d.seller_id = ${sellerId} AND d.record_id = ANY (${[...records]}::uuid[]))`,
  },
  {
    table: 'events',
    key: ['id'],
    columns: { payload: 'json' },
    // An event without a delivery is found by its id, which begins with the time of what it tells.
    where: ({ sellerId, records, idRanges }) => sql`x.id IN (
      SELECT d.event_id FROM deliveries d WHERE d.seller_id = ${sellerId} AND d.record_id = ANY (${[...records]}::uuid[])
      UNION ALL
      SELECT e.id FROM unnest(${idRanges.map((span) => span.from)}::uuid[], ${idRanges.map((span) => span.to)}::uuid[]) AS s (low, high)
      JOIN events e ON e.seller_id = ${sellerId} AND e.id >= s.low AND e.id < s.high
        AND e.record_id = ANY (${[...records]}::uuid[]))`,
  },
];

/** What is written with a change has an id of nearly its time. */
const ID_RANGE_MARGIN_MS = 60_000;

async function findRelatedRecords(trx: Db, key: TransactionKey): Promise<RelatedRecords> {
  const { sellerId, id } = key;
  const { rows } = await sql<{ id: string | null; at: Date }>`
    SELECT NULL::uuid AS id, at FROM transaction_history WHERE seller_id = ${sellerId} AND transaction_id = ${id}
    UNION ALL SELECT id, created_at FROM refunds WHERE seller_id = ${sellerId} AND transaction_id = ${id}
    UNION ALL SELECT id, booked_at FROM refunds WHERE seller_id = ${sellerId} AND transaction_id = ${id} AND booked_at IS NOT NULL
    UNION ALL SELECT id, created_at FROM disputes WHERE seller_id = ${sellerId} AND transaction_id = ${id}
    UNION ALL SELECT id, updated_at FROM disputes WHERE seller_id = ${sellerId} AND transaction_id = ${id}`.execute(
    trx,
  );
  return {
    ...key,
    records: [...new Set([id, ...rows.flatMap((row) => row.id ?? [])])],
    idRanges: rows.map(({ at }) => ({
      from: minIdAt(at.getTime() - ID_RANGE_MARGIN_MS),
      to: minIdAt(at.getTime() + ID_RANGE_MARGIN_MS),
    })),
  };
}

/** Every text beside a charge. */
export async function findTexts(trx: Db, key: TransactionKey): Promise<readonly StoredText[]> {
  const related = await findRelatedRecords(trx, key);
  const texts: StoredText[] = [];
  for (const source of TEXT_SOURCES) {
    const names = Object.keys(source.columns);
    const { rows } = await sql<{ key: readonly string[]; texts: readonly (string | null)[] }>`
      SELECT ARRAY[${sql.join(source.key.map((name) => sql`x.${sql.ref(name)}::text`))}] AS key,
        ARRAY[${sql.join(names.map((name) => sql`x.${sql.ref(name)}::text`))}] AS texts
      FROM ${sql.table(source.table)} x WHERE x.seller_id = ${key.sellerId} AND ${source.where(related)}`.execute(
      trx,
    );
    for (const row of rows) {
      for (const [index, column] of names.entries()) {
        const text = row.texts[index] ?? null;
        const kind = source.columns[column] ?? 'text';
        if (text !== null) texts.push({ source, key: row.key, column, kind, text });
      }
    }
  }
  return texts;
}

export async function replaceText(
  trx: Db,
  sellerId: string,
  { source, key, column, kind }: StoredText,
  text: string,
): Promise<void> {
  const keyCondition = sql.join(
    source.key.map((name, index) => sql`x.${sql.ref(name)} = ${key[index]}`),
    sql` AND `,
  );
  const value = kind === 'json' && column !== 'payload' ? sql`${text}::json` : sql`${text}`;
  await sql`UPDATE ${sql.table(source.table)} x SET ${sql.ref(column)} = ${value} WHERE x.seller_id = ${sellerId} AND ${keyCondition}`.execute(
    trx,
  );
}
