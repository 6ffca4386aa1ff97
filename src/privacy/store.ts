import { sql, type RawBuilder } from 'kysely';

import type { Db } from '#platform/database/connect.ts';
import { lowestIdAt } from '#platform/kit/ids.ts';
import { ERASED, erasedDocument, type Person } from './redaction.ts';
import type { Sought } from './search-query.ts';

/** A charge, and the place of its payer in the order in which all are looked at. */
export interface ChargeKey {
  readonly sellerId: string;
  readonly id: string;
}

export interface Looked {
  /** In their order; at most as many as asked for. */
  readonly found: readonly ChargeKey[];
  /** Where to look on; undefined where there is nothing more. */
  readonly next: ChargeKey | undefined;
}

const keyOf = (row: { seller_id: string; transaction_id: string }) => ({
  sellerId: row.seller_id,
  id: row.transaction_id,
});

/** Looks through so many payers behind `after`: there is no index by document or e-mail, which every charge would have to write. */
export async function lookForPayer(
  db: Db,
  sought: Sought,
  after: ChargeKey | undefined,
  { rows: limit, most }: { readonly rows: number; readonly most: number },
): Promise<Looked> {
  const behind =
    after === undefined
      ? sql`true`
      : sql`(seller_id, transaction_id) > (${after.sellerId}::uuid, ${after.id}::uuid)`;
  const hit =
    'document' in sought
      ? sql`document = ${sought.document}`
      : sql`lower(email) = ${sought.email.toLowerCase()}`;
  const { rows } = await sql<{ seller_id: string; transaction_id: string; hit: boolean; looked: number }>`
    WITH looked AS MATERIALIZED (
      SELECT seller_id, transaction_id, erased_at IS NULL AND ${hit} AS hit, row_number() OVER (ORDER BY seller_id, transaction_id) AS place
      FROM customers WHERE ${behind} ORDER BY seller_id, transaction_id LIMIT ${limit}
    ), counted AS (SELECT count(*) AS looked FROM looked)
    SELECT seller_id, transaction_id, hit, looked FROM looked, counted WHERE hit OR place = looked
    ORDER BY place LIMIT ${most + 1}`.execute(db);
  const found = rows.filter((row) => row.hit).slice(0, most);
  const whole = rows.length <= most;
  const end = whole ? rows.at(-1) : found.at(-1);
  const over = whole && (rows[0]?.looked ?? 0) < limit;
  return { found: found.map(keyOf), next: over || end === undefined ? undefined : keyOf(end) };
}

/** Everything that is kept about the payer of a charge, as it is kept. */
export async function findHeld(
  db: Db,
  { sellerId, id }: ChargeKey,
): Promise<Readonly<Record<string, unknown>>> {
  const of = (
    table: string,
    where: RawBuilder<unknown>,
    order: RawBuilder<unknown>,
    without: readonly string[] = [],
  ) =>
    sql`(SELECT coalesce(json_agg(to_jsonb(x) - ${[...without, 'seller_id']}::text[] ORDER BY ${order}), '[]')
      FROM ${sql.table(table)} x WHERE x.seller_id = ${sellerId} AND ${where})`;
  const ofCharge = sql`x.transaction_id = ${id}`;
  const records = sql`x.record_id = ANY (ARRAY[${id}::uuid]
    || ARRAY(SELECT r.id FROM refunds r WHERE r.seller_id = ${sellerId} AND r.transaction_id = ${id})
    || ARRAY(SELECT d.id FROM disputes d WHERE d.seller_id = ${sellerId} AND d.transaction_id = ${id}))`;
  const { rows } = await sql<{ held: Readonly<Record<string, unknown>> }>`
    SELECT json_build_object(
      'sellerName', (SELECT name FROM sellers WHERE id = ${sellerId}),
      'charge', ${of('transactions', sql`x.id = ${id}`, sql`x.id`)} -> 0,
      'payer', ${of('customers', ofCharge, sql`x.id`)} -> 0,
      'items', ${of('items', ofCharge, sql`x.position`)},
      'pix', ${of('pix_charges', ofCharge, sql`x.id`)},
      'boleto', ${of('boleto_charges', ofCharge, sql`x.id`)},
      'card', ${of('card_charges', ofCharge, sql`x.id`)},
      'history', ${of('transaction_history', ofCharge, sql`x.position`)},
      'refunds', ${of('refunds', ofCharge, sql`x.id`)},
      'disputes', ${of('disputes', ofCharge, sql`x.id`)},
      'returns', ${of('returns', ofCharge, sql`x.id`)},
      'providerOrders', ${of('charge_orders', ofCharge, sql`x.id`)},
      'providerReports', ${of('provider_reports', sql`x.record_id = ${id}`, sql`x.id`)},
      'deliveries', ${of('deliveries', records, sql`x.id`)},
      'deliveryAttempts', ${of(
        'delivery_attempts',
        sql`x.delivery_id IN (SELECT d.id FROM deliveries d WHERE d.seller_id = ${sellerId} AND d.record_id = ${id})`,
        sql`x.delivery_id, x.number`,
      )},
      'events', ${of(
        'events',
        sql`x.id IN (SELECT d.event_id FROM deliveries d WHERE d.seller_id = ${sellerId} AND d.record_id = ${id})`,
        sql`x.id`,
      )},
      'keptAnswers', ${of('idempotency_keys', sql`x.answer IS NOT NULL AND ${records}`, sql`x.created_at`, ['body_hash'])}
    ) AS held`.execute(db);
  return rows[0]?.held ?? {};
}

/** Why the payer of a charge cannot be forgotten yet. */
export type Reason = 'BOLETO_OPEN' | 'PROVIDER_PENDING' | 'DISPUTED';

export interface LockedCharge {
  readonly status: string;
  readonly documentType: string;
  readonly person: Person;
  readonly reason: Reason | null;
}

/** Holds the charge and its payer until the end of the transaction; undefined where the payer has been erased. */
export async function lockCharge(within: Db, { sellerId, id }: ChargeKey): Promise<LockedCharge | undefined> {
  const { rows } = await sql<{
    status: string;
    document_type: string;
    name: string;
    email: string;
    phone: string;
    document: string;
    external_ref: string | null;
    reason: Reason | null;
  }>`
    SELECT t.status, c.document_type, c.name, c.email, c.phone, c.document, c.external_ref,
      CASE
        -- A boleto names its payer for as long as it can be paid, and so does the file that registers it.
        WHEN t.method = 'BOLETO' AND (t.status IN ('PENDING', 'WAITING_PAYMENT', 'PROCESSING') OR EXISTS (
          SELECT 1 FROM boleto_registrations b WHERE b.seller_id = t.seller_id AND b.transaction_id = t.id
            AND b.stage IN ('TO_SHIP', 'WRITING_OFF'))) THEN 'BOLETO_OPEN'
        WHEN EXISTS (SELECT 1 FROM charge_orders o WHERE o.seller_id = t.seller_id AND o.transaction_id = t.id AND o.state = 'OPEN')
          THEN 'PROVIDER_PENDING'
        WHEN t.status = 'DISPUTE' OR EXISTS (
          SELECT 1 FROM disputes d WHERE d.seller_id = t.seller_id AND d.transaction_id = t.id AND d.status IN ('OPEN', 'UNDER_REVIEW'))
          THEN 'DISPUTED'
      END AS reason
    FROM transactions t JOIN customers c ON c.seller_id = t.seller_id AND c.transaction_id = t.id
    WHERE t.seller_id = ${sellerId} AND t.id = ${id} AND c.erased_at IS NULL FOR UPDATE OF t, c`.execute(
    within,
  );
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
  within: Db,
  { sellerId, id }: ChargeKey,
  documentType: string,
  at: Date,
): Promise<void> {
  await within
    .updateTable('customers')
    .set({ ...ERASED, document: erasedDocument(documentType), external_ref: null, erased_at: at })
    .where('seller_id', '=', sellerId)
    .where('transaction_id', '=', id)
    .execute();
}

export type TextKind = 'text' | 'json' | 'url';

/** A text beside a charge that anybody may have written, and so may name its payer. */
export interface FoundText {
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
  readonly where: (of: About) => RawBuilder<unknown>;
}

/** What belongs to a charge. */
interface About extends ChargeKey {
  /** The ids of the charge, its refunds and its disputes. */
  readonly records: readonly string[];
  /** Ids of what was written when something happened to it. */
  readonly spans: readonly { readonly from: string; readonly to: string }[];
}

const ofCharge = ({ id }: About) => sql`x.transaction_id = ${id}`;
const ofRecords = ({ records }: About) => sql`x.record_id = ANY (${[...records]}::uuid[])`;

export const TEXT_SOURCES: readonly TextSource[] = [
  {
    table: 'transactions',
    key: ['id'],
    columns: { description: 'text', metadata: 'json', postback_url: 'url', status_reason: 'text' },
    where: ({ id }) => sql`x.id = ${id}`,
  },
  {
    table: 'items',
    key: ['transaction_id', 'position'],
    columns: { title: 'text', external_ref: 'text' },
    where: ofCharge,
  },
  { table: 'boleto_charges', key: ['transaction_id'], columns: { instructions: 'text' }, where: ofCharge },
  { table: 'boleto_registrations', key: ['transaction_id'], columns: { reason: 'text' }, where: ofCharge },
  {
    table: 'transaction_history',
    key: ['transaction_id', 'position'],
    columns: { reason: 'text' },
    where: ofCharge,
  },
  { table: 'charge_orders', key: ['id'], columns: { detail: 'text' }, where: ofCharge },
  { table: 'refunds', key: ['id'], columns: { reason: 'text' }, where: ofCharge },
  { table: 'disputes', key: ['id'], columns: { reason: 'text', appeal_reason: 'text' }, where: ofCharge },
  { table: 'returns', key: ['id'], columns: { detail: 'text', note: 'text' }, where: ofCharge },
  {
    table: 'provider_reports',
    key: ['provider', 'report_id'],
    columns: { detail: 'text' },
    where: ofRecords,
  },
  {
    table: 'idempotency_keys',
    key: ['operation', 'key'],
    columns: { answer: 'json' },
    where: (about) => sql`x.answer IS NOT NULL AND ${ofRecords(about)}`,
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
    where: ({ sellerId, records, spans }) => sql`x.id IN (
      SELECT d.event_id FROM deliveries d WHERE d.seller_id = ${sellerId} AND d.record_id = ANY (${[...records]}::uuid[])
      UNION ALL
      SELECT e.id FROM unnest(${spans.map((span) => span.from)}::uuid[], ${spans.map((span) => span.to)}::uuid[]) AS s (low, high)
      JOIN events e ON e.seller_id = ${sellerId} AND e.id >= s.low AND e.id < s.high
        AND e.record_id = ANY (${[...records]}::uuid[]))`,
  },
];

/** What is written with a change has an id of nearly its time. */
const SPAN_MS = 60_000;

async function findAbout(within: Db, key: ChargeKey): Promise<About> {
  const { sellerId, id } = key;
  const { rows } = await sql<{ id: string | null; at: Date }>`
    SELECT NULL::uuid AS id, at FROM transaction_history WHERE seller_id = ${sellerId} AND transaction_id = ${id}
    UNION ALL SELECT id, created_at FROM refunds WHERE seller_id = ${sellerId} AND transaction_id = ${id}
    UNION ALL SELECT id, booked_at FROM refunds WHERE seller_id = ${sellerId} AND transaction_id = ${id} AND booked_at IS NOT NULL
    UNION ALL SELECT id, created_at FROM disputes WHERE seller_id = ${sellerId} AND transaction_id = ${id}
    UNION ALL SELECT id, updated_at FROM disputes WHERE seller_id = ${sellerId} AND transaction_id = ${id}`.execute(
    within,
  );
  return {
    ...key,
    records: [...new Set([id, ...rows.flatMap((row) => row.id ?? [])])],
    spans: rows.map(({ at }) => ({
      from: lowestIdAt(at.getTime() - SPAN_MS),
      to: lowestIdAt(at.getTime() + SPAN_MS),
    })),
  };
}

/** Every text beside a charge. */
export async function findTexts(within: Db, key: ChargeKey): Promise<readonly FoundText[]> {
  const about = await findAbout(within, key);
  const found: FoundText[] = [];
  for (const source of TEXT_SOURCES) {
    const names = Object.keys(source.columns);
    const { rows } = await sql<{ key: readonly string[]; texts: readonly (string | null)[] }>`
      SELECT ARRAY[${sql.join(source.key.map((name) => sql`x.${sql.ref(name)}::text`))}] AS key,
        ARRAY[${sql.join(names.map((name) => sql`x.${sql.ref(name)}::text`))}] AS texts
      FROM ${sql.table(source.table)} x WHERE x.seller_id = ${key.sellerId} AND ${source.where(about)}`.execute(
      within,
    );
    for (const row of rows) {
      for (const [place, column] of names.entries()) {
        const text = row.texts[place] ?? null;
        const kind = source.columns[column] ?? 'text';
        if (text !== null) found.push({ source, key: row.key, column, kind, text });
      }
    }
  }
  return found;
}

export async function replaceText(
  within: Db,
  sellerId: string,
  { source, key, column, kind }: FoundText,
  text: string,
): Promise<void> {
  const same = sql.join(
    source.key.map((name, place) => sql`x.${sql.ref(name)} = ${key[place]}`),
    sql` AND `,
  );
  const value = kind === 'json' && column !== 'payload' ? sql`${text}::json` : sql`${text}`;
  await sql`UPDATE ${sql.table(source.table)} x SET ${sql.ref(column)} = ${value} WHERE x.seller_id = ${sellerId} AND ${same}`.execute(
    within,
  );
}
