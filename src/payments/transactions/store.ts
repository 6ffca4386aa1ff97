import { sql, type RawBuilder, type SqlBool } from 'kysely';

import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import type { DueQuery } from '#platform/jobs/due-query.ts';
import type { DueCondition } from '#platform/jobs/due-job-reader.ts';
import type { NamedStatement, RunStatement } from '#platform/database/statements.ts';
import { fullyReportedBefore } from '#payments/boletos/report-deadline.ts';
import { feeParts, type Fee } from '#sellers/fees/schedule.ts';
import type {
  BoletoPayment,
  CardPayment,
  Item,
  Method,
  PixReceipt,
  Release,
  RiskStatus,
  Status,
  Transaction,
  TransactionKey,
} from './transaction.ts';

/** Reads transactions with everything that belongs to them, in one statement. */
const FIND_TRANSACTIONS: NamedStatement = {
  name: 'find-transactions',
  text: `
    SELECT t.seller_id, t.id, t.method, t.status, t.status_reason, t.version, t.amount, t.fee_amount,
      t.fee_type, t.fee_value, t.fee_fixed_part, t.fee_minimum, t.refunded_amount, t.refunding_amount,
      t.installments, t.description,
      t.metadata, t.postback_url, t.external_ref AS order_ref, t.customer_id AS customer_record_id,
      t.payment_link_id, t.subscription_id, t.payment_secret, t.public_url, t.risk_status,
      t.risk_capture, t.expires_at, t.paid_at,
        t.created_at, t.updated_at,
      c.id AS customer_id, c.external_ref, c.name, c.email, c.phone, c.document_type, c.document,
      p.id AS pix_id, p.txid, p.location, p.code, p.expires_at AS pix_expires_at,
      CASE WHEN t.method = 'BOLETO' THEN (
        SELECT json_build_object('id', b.id, 'ourNumber', b.our_number, 'barcode', b.barcode,
          'digitableLine', b.digitable_line, 'dueDate', b.due_date, 'location', b.location,
          'instructions', b.instructions, 'expiresAt', b.expires_at,
          'registration', (SELECT r.registration FROM boleto_registrations r
            WHERE r.seller_id = b.seller_id AND r.transaction_id = b.transaction_id))
        FROM boleto_payments b WHERE b.seller_id = t.seller_id AND b.transaction_id = t.id) END AS boleto,
      CASE WHEN t.method = 'CREDIT_CARD' THEN (
        SELECT json_build_object('id', d.id, 'brand', d.brand, 'lastFour', d.last_four,
          'authorizationCode', d.authorization_code, 'nsu', d.nsu, 'networkReference', d.network_reference)
        FROM card_payments d WHERE d.seller_id = t.seller_id AND d.transaction_id = t.id) END AS card,
      CASE WHEN t.method = 'PIX' AND t.paid_at IS NOT NULL THEN (
        SELECT json_build_object('endToEndId', e.provider_event_id, 'payer', e.payer)
        FROM provider_events e WHERE e.seller_id = t.seller_id AND e.record_id = t.id
          AND e.kind = 'PAYMENT' AND e.outcome = 'APPLIED' LIMIT 1) END AS pix_receipt,
      CASE WHEN t.method <> 'PIX' THEN (
        SELECT json_agg(json_build_object('number', r.number, 'amount', r.amount, 'status', r.status,
          'dueAt', r.due_at) ORDER BY r.number)
        FROM releases r WHERE r.seller_id = t.seller_id AND r.transaction_id = t.id) END AS releases,
      (SELECT json_agg(json_build_object('id', i.id, 'title', i.title, 'amount', i.amount,
          'quantity', i.quantity, 'tangible', i.tangible, 'externalRef', i.external_ref) ORDER BY i.position)
        FROM transaction_items i WHERE i.seller_id = t.seller_id AND i.transaction_id = t.id) AS items
    FROM unnest($1::uuid[], $2::uuid[]) AS k (seller_id, id)
    JOIN transactions t ON t.seller_id = k.seller_id AND t.id = k.id
    JOIN transaction_customers c ON c.seller_id = t.seller_id AND c.transaction_id = t.id
    LEFT JOIN pix_payments p ON p.seller_id = t.seller_id AND p.transaction_id = t.id`,
};

/** In JSON, timestamps are strings. */
type InJson<T> = { readonly [K in keyof T]: T[K] extends Date ? string : T[K] };

interface TransactionRow {
  seller_id: string;
  id: string;
  method: Method;
  status: Status;
  status_reason: string | null;
  version: number;
  amount: number;
  fee_amount: number;
  fee_type: 'FIXED' | 'PERCENTAGE' | null;
  fee_value: number | null;
  fee_fixed_part: number | null;
  fee_minimum: number | null;
  refunded_amount: number;
  refunding_amount: number;
  installments: number | null;
  description: string | null;
  metadata: Record<string, unknown> | null;
  postback_url: string | null;
  order_ref: string | null;
  customer_record_id: string | null;
  payment_link_id: string | null;
  subscription_id: string | null;
  payment_secret: string;
  public_url: string;
  risk_status: RiskStatus | null;
  risk_capture: boolean | null;
  pix_receipt: PixReceipt | null;
  expires_at: Date | null;
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
  boleto: InJson<BoletoPayment> | null;
  card: CardPayment | null;
  releases: readonly InJson<Release>[] | null;
  items: Item[] | null;
}

/** Returns the transactions in the order of the keys; null where there is none. */
export async function findTransactions(
  query: RunStatement,
  keys: readonly TransactionKey[],
): Promise<readonly (Transaction | null)[]> {
  const rows = await query<TransactionRow>(FIND_TRANSACTIONS, [
    keys.map((key) => key.sellerId),
    keys.map((key) => key.id),
  ]);
  const found = new Map(rows.map((row) => [`${row.seller_id} ${row.id}`, row]));
  return keys.map((key) => {
    const row = found.get(`${key.sellerId} ${key.id.toLowerCase()}`);
    return row === undefined ? null : toTransaction(row);
  });
}

function toFeeRule(row: TransactionRow): Fee | null {
  if (row.fee_type === null || row.fee_value === null) return null;
  const parts = { fixedPart: row.fee_fixed_part ?? 0, minimum: row.fee_minimum ?? 0 };
  return { type: row.fee_type, value: row.fee_value, ...feeParts(parts) };
}

function toTransaction(row: TransactionRow): Transaction {
  return {
    sellerId: row.seller_id,
    id: row.id,
    method: row.method,
    status: row.status,
    statusReason: row.status_reason,
    version: row.version,
    amount: row.amount,
    feeAmount: row.fee_amount,
    feeRule: toFeeRule(row),
    refundedAmount: row.refunded_amount,
    refundingAmount: row.refunding_amount,
    installments: row.installments,
    description: row.description,
    metadata: row.metadata,
    postbackUrl: row.postback_url,
    externalRef: row.order_ref,
    customerId: row.customer_record_id,
    paymentLinkId: row.payment_link_id,
    subscriptionId: row.subscription_id,
    paymentSecret: row.payment_secret,
    publicUrl: row.public_url,
    riskStatus: row.risk_status,
    riskCapture: row.risk_capture,
    pixReceipt: row.pix_receipt,
    expiresAt: row.expires_at,
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
    boleto: row.boleto === null ? null : { ...row.boleto, expiresAt: new Date(row.boleto.expiresAt) },
    card: row.card,
    releases: (row.releases ?? []).map((release) => ({ ...release, dueAt: new Date(release.dueAt) })),
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

/** The versions of transactions, by id. */
export async function findVersions(
  db: Db,
  keys: readonly TransactionKey[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ id: string; version: number }>`
    SELECT t.id, t.version
    FROM unnest(${keys.map((key) => key.sellerId)}::uuid[],
      ${keys.map((key) => key.id)}::uuid[]) AS k (seller_id, id)
    JOIN transactions t ON t.seller_id = k.seller_id AND t.id = k.id`.execute(db);
  return new Map(rows.map(({ id, version }) => [id, version]));
}

type ExpiredTransaction = TransactionKey & { readonly status: string };

// Constants, so that every plan can use the partial indexes.
const EXPIRING_PIX_AND_CARDS = sql<SqlBool>`
  status IN ('PENDING', 'WAITING_PAYMENT', 'AUTHORIZED') AND method <> 'BOLETO'`;
const EXPIRING_BOLETOS = sql<SqlBool>`status IN ('PENDING', 'WAITING_PAYMENT') AND method = 'BOLETO'`;

const expiryDue =
  (expiring: RawBuilder<SqlBool>): DueCondition =>
  (now) =>
    sql`(
    SELECT 1 FROM transactions WHERE ${expiring} AND expires_at <= ${now} ORDER BY expires_at LIMIT 1)`;

/** Whether unpaid transactions by Pix and card have expired. */
export const EXPIRY_DUE = expiryDue(EXPIRING_PIX_AND_CARDS);
/** Whether unpaid boletos have expired, also those whose reports may still arrive. */
export const BOLETO_EXPIRY_DUE = expiryDue(EXPIRING_BOLETOS);

/** Finds unpaid transactions by Pix and card that have expired, the longest overdue first. */
export const findExpiredTransactions = (db: Db, query: DueQuery): Promise<readonly ExpiredTransaction[]> =>
  selectExpired(db, query).where(EXPIRING_PIX_AND_CARDS).execute();

/**
 * Finds unpaid boletos that have expired, the longest overdue first. One whose bank reports
 * payments in files is due when the reports must have arrived.
 */
export const findExpiredBoletos = (db: Db, query: DueQuery): Promise<readonly ExpiredTransaction[]> =>
  selectExpired(db, query)
    .where(EXPIRING_BOLETOS)
    .where(
      sql<SqlBool>`(expires_at < ${fullyReportedBefore(query.now)} OR (
        SELECT r.registration FROM boleto_registrations r
        WHERE r.seller_id = transactions.seller_id AND r.transaction_id = transactions.id) IS NULL)`,
    )
    .execute();

const selectExpired = (db: Db, { now, limit, exceptSellers }: DueQuery) =>
  db
    .selectFrom('transactions')
    .select(['seller_id as sellerId', 'id', 'status'])
    .where('expires_at', '<=', now)
    .$if(exceptSellers.length > 0, (query) => query.where('seller_id', 'not in', exceptSellers))
    .orderBy('expires_at')
    .limit(limit);

const PENDING_RELEASE = sql<SqlBool>`status = 'PENDING'`;

/** Whether releases are due. */
export const RELEASES_DUE: DueCondition = (now) => sql`(
  SELECT 1 FROM releases WHERE ${PENDING_RELEASE} AND due_at <= ${now} ORDER BY due_at LIMIT 1)`;

/** Finds transactions with releases that are due, the longest overdue first. */
export async function findTransactionsWithDueReleases(
  db: Db,
  { now, limit, exceptSellers }: DueQuery,
): Promise<readonly TransactionKey[]> {
  const rows = await db
    .selectFrom('releases')
    .select(['seller_id', 'transaction_id'])
    .where(PENDING_RELEASE)
    .where('due_at', '<=', now)
    .$if(exceptSellers.length > 0, (query) => query.where('seller_id', 'not in', exceptSellers))
    .orderBy('due_at')
    .limit(limit)
    .execute();
  const keys = new Map(
    rows.map((row) => [row.transaction_id, { sellerId: row.seller_id, id: row.transaction_id }]),
  );
  return [...keys.values()];
}

/**
 * Finds the key of a transaction by its id alone, for the payer's public URLs and for the operator.
 */
export async function findTransactionKeyById(db: Db, id: string): Promise<TransactionKey | undefined> {
  const row = await db.selectFrom('transactions').select('seller_id').where('id', '=', id).executeTakeFirst();
  return row === undefined ? undefined : { sellerId: row.seller_id, id };
}

/**
 * Locks a transaction until the end of the database transaction. Returns false if it does not
 * exist.
 */
export async function lockTransaction(trx: DatabaseTransaction, key: TransactionKey): Promise<boolean> {
  const row = await trx
    .selectFrom('transactions')
    .select('id')
    .where((eb) => eb.and({ seller_id: key.sellerId, id: key.id }))
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}
