import { unformatOurNumber } from '#formats/boleto/agreement.ts';
import type { NamedStatement, RunStatement } from '#platform/database/statements.ts';
import type { IdempotencyKey } from '#payments/idempotency/store.ts';
import { upsertCountsSql } from './store-counts.ts';
import { INSERT_SUBMISSIONS, type PendingSubmission } from '#payments/operations/store.ts';
import { initialTransactionStatus, type BoletoPayment, type NewTransaction } from './transaction.ts';

export const CREATE_OPERATION = 'transactions.create';

export const creationKey = (sellerId: string, key: string): IdempotencyKey => ({
  sellerId,
  operation: CREATE_OPERATION,
  key,
});

export interface Creation {
  readonly transaction: NewTransaction;
  readonly idempotencyKey: string;
  /** SHA-256 of the body in canonical form. */
  readonly bodyHash: Buffer;
  /** Where it is to be placed with a provider of others: who is called first, and until when by this process. */
  readonly operation?: PendingSubmission;
}

export type CreationOutcome =
  | { readonly kind: 'created' }
  /** The key was used before, for this record and with this body. */
  | {
      readonly kind: 'repeated';
      readonly recordId: string;
      readonly bodyHash: Buffer;
      /** What was kept of the first answer, where it cannot be rendered from the record alone. */
      readonly answer: unknown;
      readonly createdAt: Date;
    };

/**
 * Writes charges, one statement for all: the idempotency key first, and whatever belongs to the charge only where the
 * key was new. Each part reads only what the part before it returned, so the statement needs no locks of its own and
 * does not depend on the order in which its parts run. A key that another transaction is just writing is waited for, and keys are
 * written in their order, so that two nodes that got the same keys wait for each other in one direction only.
 */
const CREATE: NamedStatement = {
  name: 'create-transactions',
  text: `
    WITH input AS MATERIALIZED (
      SELECT * FROM json_to_recordset($1::json) AS i (
        seller_id uuid, id uuid, key uuid, body_hash text, method text, status text, amount bigint, fee_amount bigint,
        fee_type text, fee_value bigint, installments smallint, description text, metadata json, postback_url text,
        created_at timestamptz, expires_at timestamptz, customer_id uuid, customer_ref text, name text, email text,
        phone text, document_type text, document text, items json, pix_id uuid, txid text, pix_location text,
        code text, pix_expires_at timestamptz, boleto json, card json,
        operation_provider text, operation_due_at timestamptz, operation_lease_until timestamptz,
        operation_capture boolean)
    ), keys AS (
      INSERT INTO idempotency_keys (seller_id, operation, key, body_hash, record_id, created_at)
      SELECT seller_id, '${CREATE_OPERATION}', key, decode(body_hash, 'base64'), id, created_at FROM input
      ORDER BY seller_id, key
      ON CONFLICT DO NOTHING
      RETURNING seller_id, record_id
    ), fresh AS MATERIALIZED (
      SELECT i.* FROM input i JOIN keys k ON k.seller_id = i.seller_id AND k.record_id = i.id
    ), created AS (
      INSERT INTO transactions (seller_id, id, method, status, version, amount, fee_amount, fee_type, fee_value,
        refunded_amount, installments, description, metadata, postback_url, expires_at, created_at, updated_at)
      SELECT seller_id, id, method, status, 1, amount, fee_amount, fee_type, fee_value,
        0, installments, description, metadata, postback_url, expires_at, created_at, created_at
      FROM fresh RETURNING id
    ), payers AS (
      INSERT INTO transaction_customers (seller_id, transaction_id, id, external_ref, name, email, phone, document_type, document, created_at)
      SELECT seller_id, id, customer_id, customer_ref, name, email, phone, document_type, document, created_at FROM fresh
    ), sold AS (
      INSERT INTO transaction_items (seller_id, transaction_id, position, id, title, amount, quantity, tangible, external_ref, created_at)
      SELECT f.seller_id, f.id, s.position, s.id, s.title, s.amount, s.quantity, s.tangible, s.external_ref, f.created_at
      FROM fresh f CROSS JOIN LATERAL json_to_recordset(f.items) AS s (
        position smallint, id uuid, title text, amount bigint, quantity integer, tangible boolean, external_ref text)
    ), pix AS (
      INSERT INTO pix_payments (seller_id, transaction_id, id, txid, location, code, expires_at, created_at)
      SELECT seller_id, id, pix_id, txid, pix_location, code, pix_expires_at, created_at
      FROM fresh WHERE pix_id IS NOT NULL
    ), boletos AS (
      INSERT INTO boleto_payments (seller_id, transaction_id, id, our_number, barcode, digitable_line, due_date,
        location, instructions, expires_at, created_at)
      SELECT f.seller_id, f.id, b.id, b.our_number, b.barcode, b.digitable_line, b.due_date,
        b.location, b.instructions, b.expires_at, f.created_at
      FROM fresh f CROSS JOIN LATERAL json_to_record(f.boleto) AS b (
        id uuid, our_number text, barcode text, digitable_line text, due_date date, location text, instructions text,
        expires_at timestamptz)
      WHERE f.method = 'BOLETO'
    ), registrations AS (
      INSERT INTO boleto_registrations (seller_id, transaction_id, bank_code, number, registration, stage, created_at, updated_at)
      SELECT f.seller_id, f.id, b.bank_code, b.bare_number, b.registration, 'TO_SHIP', f.created_at, f.created_at
      FROM fresh f CROSS JOIN LATERAL json_to_record(f.boleto) AS b (bank_code text, bare_number text, registration text)
      WHERE f.method = 'BOLETO' AND b.registration IS NOT NULL
    ), cards AS (
      INSERT INTO card_payments (seller_id, transaction_id, id, brand, last_four, created_at)
      SELECT f.seller_id, f.id, c.id, c.brand, c.last_four, f.created_at
      FROM fresh f CROSS JOIN LATERAL json_to_record(f.card) AS c (id uuid, brand text, last_four text)
      WHERE f.method = 'CREDIT_CARD'
    ), placed AS (${INSERT_SUBMISSIONS}
    ), history AS (
      INSERT INTO transaction_history (seller_id, transaction_id, position, to_status, actor, at)
      SELECT seller_id, id, 1, status, 'SELLER', created_at FROM fresh
    ), counted AS (${upsertCountsSql('(SELECT seller_id, method, status, 1 AS number FROM fresh) AS made')}
    )
    SELECT id FROM created`,
};

const FIND_KEYS: NamedStatement = {
  name: 'find-idempotency-keys',
  text: `
    SELECT k.seller_id, k.key, k.body_hash, k.record_id, k.response, k.created_at
    FROM unnest($1::uuid[], $2::uuid[]) AS w (seller_id, key)
    JOIN idempotency_keys k ON k.seller_id = w.seller_id AND k.key = w.key AND k.operation = '${CREATE_OPERATION}'`,
};

interface KeyRow {
  seller_id: string;
  key: string;
  body_hash: Buffer;
  record_id: string;
  response: unknown;
  created_at: Date;
}

/** Safe to repeat: a second run finds the keys of the first and answers the same. */
export async function createTransactions(
  query: RunStatement,
  creations: readonly Creation[],
): Promise<readonly CreationOutcome[]> {
  const rows = await query<{ id: string }>(CREATE, [JSON.stringify(creations.map(toInput))]);
  const created = new Set(rows.map((row) => row.id));
  const repeated = creations.filter((creation) => !created.has(creation.transaction.id));
  const known = repeated.length === 0 ? undefined : await findKeys(query, repeated);
  return creations.map((creation) => {
    if (created.has(creation.transaction.id)) return { kind: 'created' };
    const key = known?.get(`${creation.transaction.sellerId} ${creation.idempotencyKey}`);
    if (key === undefined) throw new Error('an idempotency key was refused and is not there');
    // Our own record: the first run was committed although its answer was lost.
    if (key.record_id === creation.transaction.id) return { kind: 'created' };
    return {
      kind: 'repeated',
      recordId: key.record_id,
      bodyHash: key.body_hash,
      answer: key.response,
      createdAt: key.created_at,
    };
  });
}

async function findKeys(
  query: RunStatement,
  creations: readonly Creation[],
): Promise<ReadonlyMap<string, KeyRow>> {
  const rows = await query<KeyRow>(FIND_KEYS, [
    creations.map((creation) => creation.transaction.sellerId),
    creations.map((creation) => creation.idempotencyKey),
  ]);
  return new Map(rows.map((row) => [`${row.seller_id} ${row.key}`, row]));
}

/** Times as text: with a Date among its members JSON.stringify takes three times as long for the whole. */
function toInput({ transaction, idempotencyKey, bodyHash, operation }: Creation) {
  const { customer, pix, boleto, card, feeRule } = transaction;
  return {
    seller_id: transaction.sellerId,
    id: transaction.id,
    key: idempotencyKey,
    body_hash: bodyHash.toString('base64'),
    method: transaction.method,
    status: initialTransactionStatus(transaction.method),
    amount: transaction.amount,
    fee_amount: transaction.feeAmount,
    fee_type: feeRule?.type,
    fee_value: feeRule?.value,
    installments: transaction.installments,
    description: transaction.description,
    metadata: transaction.metadata,
    postback_url: transaction.postbackUrl,
    created_at: transaction.createdAt.toISOString(),
    expires_at: transaction.expiresAt?.toISOString(),
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
    pix_expires_at: pix?.expiresAt.toISOString(),
    boleto: boleto === null ? undefined : boletoInput(boleto),
    card: card === null ? undefined : { id: card.id, brand: card.brand, last_four: card.lastFour },
    operation_provider: operation?.provider,
    operation_due_at: operation?.dueAt?.toISOString(),
    operation_lease_until: operation?.leaseUntil?.toISOString(),
    operation_capture: operation?.capture,
  };
}

function boletoInput(boleto: BoletoPayment) {
  return {
    id: boleto.id,
    our_number: boleto.ourNumber,
    barcode: boleto.barcode,
    digitable_line: boleto.digitableLine,
    due_date: boleto.dueDate,
    location: boleto.location,
    instructions: boleto.instructions,
    expires_at: boleto.expiresAt.toISOString(),
    registration: boleto.registration,
    bank_code: boleto.barcode.slice(0, 3),
    bare_number: unformatOurNumber(boleto.ourNumber),
  };
}
