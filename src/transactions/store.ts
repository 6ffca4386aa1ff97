import { sql, type SqlBool } from 'kysely';

import type { Db } from '#database/connect.ts';
import type { Lanes, NamedStatement } from '#database/lanes.ts';
import type { Page } from '#http/pages.ts';
import { METHODS, STATUSES, type Item, type Method, type Status, type Transaction } from './transaction.ts';

export interface TransactionKey {
  readonly sellerId: string;
  readonly id: string;
}

/** Charges with all that belongs to them, one statement for all that were asked for. */
const FIND: NamedStatement = {
  name: 'find-transactions',
  text: `
    SELECT t.seller_id, t.id, t.method, t.status, t.status_reason, t.version, t.amount, t.fee_amount, t.refunded_amount,
      t.description, t.metadata, t.postback_url, t.paid_at, t.created_at, t.updated_at,
      c.id AS customer_id, c.external_ref, c.name, c.email, c.phone, c.document_type, c.document,
      p.id AS pix_id, p.txid, p.location, p.code, p.expires_at AS pix_expires_at,
      (SELECT json_agg(json_build_object('id', i.id, 'title', i.title, 'amount', i.amount, 'quantity', i.quantity,
          'tangible', i.tangible, 'externalRef', i.external_ref) ORDER BY i.position)
        FROM items i WHERE i.seller_id = t.seller_id AND i.transaction_id = t.id) AS items
    FROM unnest($1::uuid[], $2::uuid[]) AS w (seller_id, id)
    JOIN transactions t ON t.seller_id = w.seller_id AND t.id = w.id
    JOIN customers c ON c.seller_id = t.seller_id AND c.transaction_id = t.id
    LEFT JOIN pix_charges p ON p.seller_id = t.seller_id AND p.transaction_id = t.id`,
};

interface Row {
  seller_id: string;
  id: string;
  method: Method;
  status: Status;
  status_reason: string | null;
  version: number;
  amount: number;
  fee_amount: number;
  refunded_amount: number;
  description: string | null;
  metadata: Record<string, unknown> | null;
  postback_url: string | null;
  paid_at: Date | null;
  created_at: Date;
  updated_at: Date;
  customer_id: string;
  external_ref: string | null;
  name: string;
  email: string;
  phone: string;
  document_type: 'CPF' | 'CNPJ';
  document: string;
  pix_id: string | null;
  txid: string;
  location: string;
  code: string;
  pix_expires_at: Date;
  items: Item[] | null;
}

/** In the order of the keys; undefined for a key that is nobody's or another seller's. */
export async function findTransactions(
  lanes: Lanes,
  lane: number,
  keys: readonly TransactionKey[],
): Promise<readonly (Transaction | null)[]> {
  const rows = await lanes.query<Row>(lane, FIND, [
    keys.map((key) => key.sellerId),
    keys.map((key) => key.id),
  ]);
  const found = new Map(rows.map((row) => [`${row.seller_id} ${row.id}`, row]));
  return keys.map((key) => {
    const row = found.get(`${key.sellerId} ${key.id.toLowerCase()}`);
    return row === undefined ? null : toTransaction(row);
  });
}

function toTransaction(row: Row): Transaction {
  return {
    sellerId: row.seller_id,
    id: row.id,
    method: row.method,
    status: row.status,
    statusReason: row.status_reason,
    version: row.version,
    amount: row.amount,
    feeAmount: row.fee_amount,
    refundedAmount: row.refunded_amount,
    description: row.description,
    metadata: row.metadata,
    postbackUrl: row.postback_url,
    paidAt: row.paid_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    customer: {
      id: row.customer_id,
      externalRef: row.external_ref,
      name: row.name,
      email: row.email,
      phone: row.phone,
      documentType: row.document_type,
      document: row.document,
    },
    items: row.items ?? [],
    pix:
      row.pix_id === null
        ? null
        : {
            id: row.pix_id,
            txid: row.txid,
            location: row.location,
            code: row.code,
            expiresAt: row.pix_expires_at,
          },
  };
}

export interface TransactionFilter {
  readonly statuses: readonly Status[];
  readonly method: string | undefined;
  readonly transactionId: string | undefined;
  readonly metadataKey: string | undefined;
  readonly metadataValue: string | undefined;
}

export interface TransactionSummary {
  readonly id: string;
  readonly amount: number;
  readonly feeAmount: number;
  readonly method: Method;
  readonly status: Status;
  readonly paidAt: Date | null;
  readonly createdAt: Date;
}

/** Newest first, which is the order of the primary key; one more than asked for where there is a next page. */
export async function findSummaries(
  db: Db,
  sellerId: string,
  filter: TransactionFilter,
  page: Page,
): Promise<readonly TransactionSummary[]> {
  let query = matching(db, sellerId, filter)
    .select(['id', 'amount', 'fee_amount', 'method', 'status', 'paid_at', 'created_at'])
    .orderBy('id', 'desc')
    .limit(page.take + 1)
    .offset(page.skip);
  if (page.after !== undefined) query = query.where('id', '<', page.after);
  const rows = await query.execute();
  return rows.map((row) => ({
    id: row.id,
    amount: row.amount,
    feeAmount: row.fee_amount,
    method: METHODS.find((method) => method === row.method) ?? 'PIX',
    status: STATUSES.find((status) => status === row.status) ?? 'PENDING',
    paidAt: row.paid_at,
    createdAt: row.created_at,
  }));
}

export async function countMatching(db: Db, sellerId: string, filter: TransactionFilter): Promise<number> {
  const row = await matching(db, sellerId, filter)
    .select((expression) => expression.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return row.count;
}

function matching(db: Db, sellerId: string, filter: TransactionFilter) {
  let query = db.selectFrom('transactions').where('seller_id', '=', sellerId);
  if (filter.statuses.length > 0) query = query.where('status', 'in', filter.statuses);
  if (filter.method !== undefined) query = query.where('method', '=', filter.method);
  if (filter.transactionId !== undefined) query = query.where('id', '=', filter.transactionId);
  if (filter.metadataKey !== undefined) {
    const value = filter.metadataValue ?? '';
    query = query.where(sql<SqlBool>`strpos(metadata ->> ${filter.metadataKey}, ${value}) > 0`);
  }
  return query;
}

/** Charges whose time has passed while they waited, the longest overdue first. */
export async function findExpired(db: Db, now: Date, limit: number): Promise<readonly TransactionKey[]> {
  const rows = await db
    .selectFrom('transactions')
    .select(['seller_id', 'id'])
    .where('status', 'in', ['PENDING', 'WAITING_PAYMENT'])
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ sellerId: row.seller_id, id: row.id }));
}

/** The code of a PIX charge by its id alone, for its public picture. */
export async function findPixCode(db: Db, transactionId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('transactions')
    .innerJoin('pix_charges', (join) =>
      join
        .onRef('pix_charges.seller_id', '=', 'transactions.seller_id')
        .onRef('pix_charges.transaction_id', '=', 'transactions.id'),
    )
    .select('pix_charges.code')
    .where('transactions.id', '=', transactionId)
    .executeTakeFirst();
  return row?.code;
}

/** Keeps a report that changed nothing, so that it is not lost and an operator sees it. */
export async function insertUnappliedReport(
  db: Db,
  key: TransactionKey,
  report: {
    readonly provider: string;
    readonly reportId: string;
    readonly kind: string;
    readonly amount: number | null;
    readonly occurredAt: Date;
  },
  outcome: 'LATE' | 'REJECTED',
  detail: string,
  now: Date,
): Promise<void> {
  await db
    .insertInto('provider_reports')
    .values({
      seller_id: key.sellerId,
      provider: report.provider,
      report_id: report.reportId,
      kind: report.kind,
      record_id: key.id,
      amount: report.amount,
      occurred_at: report.occurredAt,
      received_at: now,
      outcome,
      detail,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function findReport(
  db: Db,
  sellerId: string,
  provider: string,
  reportId: string,
): Promise<{ readonly outcome: string; readonly recordId: string } | undefined> {
  const row = await db
    .selectFrom('provider_reports')
    .select(['outcome', 'record_id'])
    .where('seller_id', '=', sellerId)
    .where('provider', '=', provider)
    .where('report_id', '=', reportId)
    .executeTakeFirst();
  return row === undefined ? undefined : { outcome: row.outcome, recordId: row.record_id };
}
