import { toIso } from '#platform/kit/iso-time.ts';
import { unformatOurNumber } from '#formats/boleto/agreement.ts';
import type { NamedStatement, RunStatement } from '#platform/database/statements.ts';
import type { IdempotencyKey } from '#payments/idempotency/store.ts';
import { updateCountsSql } from './store-counts.ts';
import { INSERT_SUBMISSIONS, type PendingSubmission } from '#payments/operations/store.ts';
import {
  initialTransactionStatus,
  type BoletoPayment,
  type CardPayment,
  type NewTransaction,
} from './transaction.ts';

export const CREATE_OPERATION = 'transactions.create';

export const creationKey = (sellerId: string, key: string): IdempotencyKey => ({
  sellerId,
  operation: CREATE_OPERATION,
  key,
});

export interface Creation {
  readonly transaction: NewTransaction;
  readonly idempotencyKey: string;
  /** SHA-256 of the canonical body. */
  readonly bodyHash: Buffer;
  /** The CREATE operation at an external provider. */
  readonly operation?: PendingSubmission;
}

/**
 * Creates transactions in one statement: the idempotency keys first, and everything else only for
 * new keys. Each part reads only rows that an earlier part has returned, so that the statement
 * needs no explicit locks and does not depend on the order in which its parts run.
 *
 * The insert waits for a concurrent transaction that is inserting the same key. Keys are inserted
 * in order, so that two processes with the same keys cannot deadlock.
 */
const createStatement = (name: string, otherParts: string): NamedStatement => ({
  name,
  text: `
    WITH input AS MATERIALIZED (
      SELECT * FROM json_to_recordset($1::json) AS i (
        seller_id uuid, id uuid, key uuid, body_hash text, method text, status text, amount bigint,
        fee_amount bigint, fee_type text, fee_value bigint, fee_fixed_part bigint, fee_minimum bigint,
        installments smallint, description text,
        metadata json, postback_url text, external_ref text, customer_record_id uuid, payment_link_id uuid,
        subscription_id uuid, payment_secret uuid, public_url text, risk_status text, risk_capture boolean,
        created_at timestamptz, expires_at timestamptz, customer_id uuid, customer_ref text, name text,
        email text, phone text, document_type text, document text, items json, pix_id uuid, txid text,
        pix_location text, code text,
        pix_expires_at timestamptz, boleto json, card json, operation_provider text,
        operation_due_at timestamptz, operation_lease_until timestamptz, operation_capture boolean)
    ), inserted_keys AS (
      INSERT INTO idempotency_keys (seller_id, operation, key, body_hash, record_id, created_at)
      SELECT seller_id, '${CREATE_OPERATION}', key, decode(body_hash, 'base64'), id, created_at FROM input
      ORDER BY seller_id, key
      ON CONFLICT DO NOTHING
      RETURNING seller_id, record_id
    ), created AS MATERIALIZED (
      SELECT i.* FROM input i JOIN inserted_keys k ON k.seller_id = i.seller_id AND k.record_id = i.id
    ), inserted_transactions AS (
      INSERT INTO transactions (seller_id, id, method, status, version, amount, fee_amount, fee_type,
        fee_value, fee_fixed_part, fee_minimum, refunded_amount, installments, description, metadata,
        postback_url, external_ref, customer_id, payment_link_id, subscription_id, payment_secret, public_url,
        risk_status, risk_capture, expires_at,
        created_at, updated_at)
      SELECT seller_id, id, method, status, 1, amount, fee_amount, fee_type,
        fee_value, fee_fixed_part, fee_minimum, 0, installments, description, metadata, postback_url,
        external_ref, customer_record_id, payment_link_id, subscription_id, payment_secret, public_url,
        risk_status, risk_capture, expires_at,
        created_at, created_at
      FROM created RETURNING id
    ), inserted_customers AS (
      INSERT INTO transaction_customers (seller_id, transaction_id, id, external_ref, name, email, phone,
        document_type, document, created_at)
      SELECT seller_id, id, customer_id, customer_ref, name, email, phone, document_type, document, created_at
      FROM created
    ), inserted_items AS (
      INSERT INTO transaction_items (seller_id, transaction_id, position, id, title, amount, quantity,
        tangible, external_ref, created_at)
      SELECT c.seller_id, c.id, i.position, i.id, i.title, i.amount, i.quantity,
        i.tangible, i.external_ref, c.created_at
      FROM created c CROSS JOIN LATERAL json_to_recordset(c.items) AS i (
        position smallint, id uuid, title text, amount bigint, quantity integer, tangible boolean,
        external_ref text)
    ), inserted_pix_payments AS (
      INSERT INTO pix_payments (seller_id, transaction_id, id, txid, location, code, expires_at, created_at)
      SELECT seller_id, id, pix_id, txid, pix_location, code, pix_expires_at, created_at
      FROM created WHERE pix_id IS NOT NULL
    )${otherParts}, inserted_history AS (
      INSERT INTO transaction_history (seller_id, transaction_id, position, to_status, actor, at)
      SELECT seller_id, id, 1, status, 'SELLER', created_at FROM created
    ), updated_counts AS (${updateCountsSql('(SELECT *, 1 AS delta FROM created) AS count_deltas')}
    )
    SELECT id FROM inserted_transactions`,
});

const CREATE = createStatement(
  'create-transactions',
  `, inserted_boleto_payments AS (
      INSERT INTO boleto_payments (seller_id, transaction_id, id, our_number, barcode, digitable_line,
        due_date, location, instructions, expires_at, created_at)
      SELECT c.seller_id, c.id, b.id, b.our_number, b.barcode, b.digitable_line, b.due_date,
        b.location, b.instructions, b.expires_at, c.created_at
      FROM created c CROSS JOIN LATERAL json_to_record(c.boleto) AS b (
        id uuid, our_number text, barcode text, digitable_line text, due_date date, location text,
        instructions text, expires_at timestamptz)
      WHERE c.boleto IS NOT NULL
    ), inserted_registrations AS (
      INSERT INTO boleto_registrations (seller_id, transaction_id, bank_code, number, registration, stage,
        created_at, updated_at)
      SELECT c.seller_id, c.id, b.bank_code, b.bare_number, b.registration, 'TO_SHIP',
        c.created_at, c.created_at
      FROM created c CROSS JOIN LATERAL json_to_record(c.boleto) AS b (
        bank_code text, bare_number text, registration text)
      WHERE c.boleto IS NOT NULL AND b.registration IS NOT NULL
    ), inserted_card_payments AS (
      INSERT INTO card_payments (seller_id, transaction_id, id, brand, last_four, authorization_code, nsu,
        created_at)
      SELECT c.seller_id, c.id, k.id, k.brand, k.last_four, k.authorization_code, k.nsu, c.created_at
      FROM created c CROSS JOIN LATERAL json_to_record(c.card) AS k (
        id uuid, brand text, last_four text, authorization_code text, nsu text)
      WHERE c.method = 'CREDIT_CARD'
    ), inserted_operations AS (${INSERT_SUBMISSIONS}
    )`,
);

/**
 * For batches of Pix codes of our own, which are most. A table costs a statement as much as several
 * rows do, also if it inserts none.
 */
const CREATE_ISSUED_PIX = createStatement('create-issued-pix', '');

const FIND_CREATED: NamedStatement = {
  name: 'find-created-transactions',
  text: `
    SELECT k.record_id AS id
    FROM unnest($1::uuid[], $2::uuid[]) AS i (seller_id, key)
    JOIN idempotency_keys k
      ON k.seller_id = i.seller_id AND k.key = i.key AND k.operation = '${CREATE_OPERATION}'`,
};

/**
 * Creates transactions. Returns for each whether it was created; otherwise another request has used
 * its idempotency key. Safe to repeat: the key of a transaction that an earlier run has committed
 * refers to it.
 */
export async function createTransactions(
  query: RunStatement,
  creations: readonly Creation[],
): Promise<readonly boolean[]> {
  const statement = creations.every(isIssuedPix) ? CREATE_ISSUED_PIX : CREATE;
  const rows = await query<{ id: string }>(statement, [JSON.stringify(creations.map(toInputRow))]);
  const created = new Set(rows.map(({ id }) => id));
  const conflicting = creations.filter(({ transaction }) => !created.has(transaction.id));
  if (conflicting.length > 0) {
    const committed = await query<{ id: string }>(FIND_CREATED, [
      conflicting.map(({ transaction }) => transaction.sellerId),
      conflicting.map(({ idempotencyKey }) => idempotencyKey),
    ]);
    for (const { id } of committed) created.add(id);
  }
  return creations.map(({ transaction }) => created.has(transaction.id));
}

const isIssuedPix = ({ transaction, operation }: Creation): boolean =>
  transaction.method === 'PIX' && operation === undefined;

/**
 * Timestamps are text, since JSON.stringify takes three times as long for an object with a Date.
 */
function toInputRow({ transaction, idempotencyKey, bodyHash, operation }: Creation) {
  const { customer, pix, boleto, card, feeRule } = transaction;
  return {
    seller_id: transaction.sellerId,
    id: transaction.id,
    key: idempotencyKey,
    body_hash: bodyHash.toString('base64'),
    method: transaction.method,
    status: initialTransactionStatus(transaction),
    amount: transaction.amount,
    fee_amount: transaction.feeAmount,
    fee_type: feeRule?.type,
    fee_value: feeRule?.value,
    fee_fixed_part: feeRule?.fixedPart,
    fee_minimum: feeRule?.minimum,
    installments: transaction.installments,
    description: transaction.description,
    metadata: transaction.metadata,
    postback_url: transaction.postbackUrl,
    external_ref: transaction.externalRef ?? undefined,
    customer_record_id: transaction.customerId ?? undefined,
    payment_link_id: transaction.paymentLinkId ?? undefined,
    subscription_id: transaction.subscriptionId ?? undefined,
    payment_secret: transaction.paymentSecret,
    public_url: transaction.publicUrl,
    risk_status: transaction.riskStatus ?? undefined,
    risk_capture: transaction.riskCapture ?? undefined,
    created_at: toIso(transaction.createdAt),
    expires_at: toIso(transaction.expiresAt),
    customer_id: customer.id,
    customer_ref: customer.externalRef,
    name: customer.name,
    email: customer.email,
    phone: customer.phone,
    document_type: customer.documentType,
    document: customer.document,
    items: transaction.items.map((item, position) => ({
      position,
      id: item.id,
      title: item.title,
      amount: item.amount,
      quantity: item.quantity,
      tangible: item.tangible,
      external_ref: item.externalRef,
    })),
    pix_id: pix?.id,
    txid: pix?.txid,
    pix_location: pix?.location,
    code: pix?.code,
    pix_expires_at: toIso(pix?.expiresAt),
    boleto: boleto === null ? undefined : toBoletoInput(boleto),
    card: card === null ? undefined : toCardInput(card),
    operation_provider: operation?.provider,
    operation_due_at: toIso(operation?.dueAt),
    operation_lease_until: toIso(operation?.leaseUntil),
    operation_capture: operation?.capture,
  };
}

const toCardInput = ({ id, brand, lastFour, authorizationCode, nsu }: CardPayment) => ({
  id,
  brand,
  last_four: lastFour,
  authorization_code: authorizationCode ?? undefined,
  nsu: nsu ?? undefined,
});

function toBoletoInput(boleto: BoletoPayment) {
  return {
    id: boleto.id,
    our_number: boleto.ourNumber,
    barcode: boleto.barcode,
    digitable_line: boleto.digitableLine,
    due_date: boleto.dueDate,
    location: boleto.location,
    instructions: boleto.instructions,
    expires_at: toIso(boleto.expiresAt),
    registration: boleto.registration,
    bank_code: boleto.barcode.slice(0, 3),
    bare_number: unformatOurNumber(boleto.ourNumber),
  };
}
