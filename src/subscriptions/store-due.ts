import { sql } from 'kysely';

import type { Db } from '#platform/database/connect.ts';
import type { Opened } from './decisions.ts';
import { SUBSCRIPTION_COLUMNS } from './store.ts';
import type { Invoice, Subscription } from './subscription.ts';

/**
 * The next sellers, in order of their ids, with something planned, and whether it is due. One index
 * lookup for each, however many subscriptions it has.
 */
export async function findDueSellers(
  db: Db,
  { after, now, limit }: { readonly after: string; readonly now: Date; readonly limit: number },
): Promise<readonly { readonly sellerId: string; readonly isDue: boolean }[]> {
  const { rows } = await sql<{ sellerId: string; isDue: boolean }>`
    WITH RECURSIVE planned AS (
      (SELECT seller_id, due_at, 1 AS position FROM subscriptions
       WHERE due_at IS NOT NULL AND seller_id > ${after}::uuid ORDER BY seller_id, due_at LIMIT 1)
      UNION ALL
      SELECT s.seller_id, s.due_at, p.position + 1 FROM planned p CROSS JOIN LATERAL (
        SELECT seller_id, due_at FROM subscriptions
        WHERE due_at IS NOT NULL AND seller_id > p.seller_id ORDER BY seller_id, due_at LIMIT 1) s
      WHERE p.position < ${limit})
    SELECT seller_id AS "sellerId", due_at <= ${now} AS "isDue" FROM planned`.execute(db);
  return rows;
}

export interface DueLimits {
  readonly now: Date;
  /** Of one seller, including attempts that wait for their charge. */
  readonly perSeller: number;
  readonly total: number;
}

/**
 * Due subscriptions of sellers. A seller gets a limited number, so that its queue of charges stays
 * short and charges of other sellers do not wait.
 */
export async function findDueSubscriptions(
  db: Db,
  sellerIds: readonly string[],
  { now, perSeller, total }: DueLimits,
): Promise<readonly Subscription[]> {
  const { rows } = await sql<Subscription>`
    SELECT ${SUBSCRIPTION_COLUMNS}
    FROM unnest(${[...sellerIds]}::uuid[]) AS d (seller_id) CROSS JOIN LATERAL (
      SELECT * FROM subscriptions x
      WHERE x.seller_id = d.seller_id AND x.due_at IS NOT NULL AND x.due_at <= ${now}
      ORDER BY x.seller_id, x.due_at
      LIMIT greatest(0, ${perSeller}::integer - (SELECT count(*) FROM (
        SELECT FROM subscription_attempts a WHERE a.seller_id = d.seller_id AND a.state = 'DUE'
        LIMIT ${perSeller}) waiting))) s
    LIMIT ${total}`.execute(db);
  return rows;
}

/**
 * Writes opened cycles in one statement: the subscriptions at the version that was decided on, and
 * of those their invoices and attempts. Returns how many were opened; others have changed
 * meanwhile.
 */
export async function insertOpened(db: Db, opened: readonly Opened[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    WITH input AS MATERIALIZED (
      SELECT * FROM json_to_recordset(${JSON.stringify(opened.map(toInput))}::json) AS i (
        seller_id uuid, subscription_id uuid, version integer, next_cycle integer, charged_cycles integer,
        number integer, due_at timestamptz, invoice_id uuid, due_date date, amount bigint, status text,
        retries_left smallint, attempt_id uuid, kind text, at timestamptz)
      ORDER BY seller_id, subscription_id
    ), updated AS (
      UPDATE subscriptions s SET version = i.version, next_cycle = i.next_cycle,
        charged_cycles = i.charged_cycles, invoices = i.number, due_at = i.due_at, updated_at = i.at
      FROM input i
      WHERE s.seller_id = i.seller_id AND s.id = i.subscription_id AND s.version = i.version - 1
      RETURNING i.*
    ), inserted_invoices AS (
      INSERT INTO subscription_invoices (seller_id, subscription_id, number, id, due_date, amount, status,
        attempts, retries_left, created_at, updated_at)
      SELECT seller_id, subscription_id, number, invoice_id, due_date, amount, status, 1, retries_left, at, at
      FROM updated
    ), inserted_attempts AS (
      INSERT INTO subscription_attempts (seller_id, id, subscription_id, invoice_number, number, kind,
        transaction_id, charge_date, state, attempts, due_at, created_at, updated_at)
      SELECT seller_id, attempt_id, subscription_id, number, 1, kind, attempt_id, due_date, 'DUE', 0,
        at, at, at
      FROM updated
    )
    SELECT count(*) AS count FROM updated`.execute(db);
  return rows[0]?.count ?? 0;
}

const toInput = ({ subscription, invoice, attempt }: Opened) => ({
  seller_id: subscription.sellerId,
  subscription_id: subscription.id,
  version: subscription.version,
  next_cycle: subscription.nextCycle,
  charged_cycles: subscription.chargedCycles,
  number: invoice.number,
  due_at: subscription.dueAt?.toISOString(),
  invoice_id: invoice.id,
  due_date: invoice.dueDate,
  amount: invoice.amount,
  status: invoice.status,
  retries_left: invoice.retriesLeft,
  attempt_id: attempt.id,
  kind: attempt.kind,
  at: invoice.createdAt.toISOString(),
});

/** Invoices whose planned retry is due, the longest overdue first. */
export async function findDueRetries(
  db: Db,
  now: Date,
  limit: number,
): Promise<readonly Pick<Invoice, 'sellerId' | 'subscriptionId' | 'number'>[]> {
  const { rows } = await sql<Pick<Invoice, 'sellerId' | 'subscriptionId' | 'number'>>`
    SELECT seller_id AS "sellerId", subscription_id AS "subscriptionId", number FROM subscription_invoices
    WHERE retry_at <= ${now} AND retry_at IS NOT NULL ORDER BY retry_at LIMIT ${limit}`.execute(db);
  return rows;
}
