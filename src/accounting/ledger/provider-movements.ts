import { sql, type RawBuilder } from 'kysely';

import type { Origin } from './entries.ts';

/** A half-open period, of all sellers. */
export interface MovementWindow {
  readonly from: Date;
  readonly before: Date;
  /**
   * The provider of each origin for movements that no provider reported, such as a card decided at
   * once.
   */
  readonly defaultProviders: Readonly<Partial<Record<Origin, string | undefined>>>;
}

/** SQL: the provider of a movement that has none. */
export const NO_PROVIDER = sql`'none'`;

/** SQL: the entries between the provider account and the others, one row for each booking. */
const bookings = (from: Date, before: Date) => sql`(
      SELECT seller_id, record_id, origin, booked_as AS cause, created_at AS at,
        CASE booked_as
          WHEN 'PAYMENT' THEN 'PAYMENT' WHEN 'REFUND' THEN 'REFUND' WHEN 'CHARGEBACK' THEN 'CHARGEBACK'
          WHEN 'DISPUTE_LOST' THEN 'CHARGEBACK' WHEN 'WITHDRAWAL_PAID' THEN 'WITHDRAWAL' ELSE 'OTHER'
        END AS type,
        sum(CASE WHEN debit = 'provider' THEN amount ELSE -amount END)::bigint AS net
      FROM ledger_entries
      CROSS JOIN LATERAL (
        SELECT CASE cause WHEN 'PAYMENT_FEE' THEN 'PAYMENT' ELSE cause END AS booked_as
      ) causes
      WHERE created_at >= ${from} AND created_at < ${before} AND (debit = 'provider' OR credit = 'provider')
      GROUP BY seller_id, record_id, origin, booked_as, created_at
    )`;

/** SQL: of a booking `b` with its withdrawal `w` and event `paid`. */
const providerOf = (defaultProviders: MovementWindow['defaultProviders']) =>
  sql`coalesce(w.provider, paid.provider, ${JSON.stringify(defaultProviders)}::json ->> b.origin,
    ${NO_PROVIDER})`;

/** SQL: of a booking `b` with its refund `r`. */
const AMOUNT = sql`CASE
        WHEN b.cause = 'REFUND' AND count(*) OVER (PARTITION BY b.seller_id, b.record_id, b.cause, b.at) > 1
        THEN r.amount WHEN b.type = 'PAYMENT' THEN b.net ELSE -b.net END`;

/**
 * A SELECT, to be part of a larger statement, of the money that came in from providers or went out
 * through them. One booking between the provider account and the others is one row.
 *
 * Columns: provider, type (PAYMENT, REFUND, CHARGEBACK, WITHDRAWAL, or OTHER for a cause that
 * settlement files do not know), seller_id, record_id, cause, at, amount (cents; in for a PAYMENT,
 * out for the others), reference (uuid: the refund's or else the record's id), provider_id (null if
 * the provider gave none) and names (text[]: all ids by which the provider may refer to it).
 *
 * A payment's net amount and fee are two entries and one movement, and so are the parts of a
 * refund. A transaction is paid or charged back once, and a withdrawal is paid once, so the joins
 * add no row. A transaction that was lost in several disputes has the names of all of them. Refunds
 * of one transaction in the same millisecond are one booking of several refunds, so each refund's
 * own amount is taken.
 */
export function providerMovements({ from, before, defaultProviders }: MovementWindow): RawBuilder<unknown> {
  return sql`
    SELECT
      ${providerOf(defaultProviders)} AS provider,
      b.type, b.seller_id, b.record_id, b.cause, b.at,
      ${AMOUNT} AS amount,
      coalesce(r.id, b.record_id) AS reference,
      CASE b.cause WHEN 'PAYMENT' THEN paid.provider_event_id WHEN 'CHARGEBACK' THEN back.provider_event_id
        WHEN 'WITHDRAWAL_PAID' THEN coalesce(p.provider_reference, paid.provider_event_id) END AS provider_id,
      array_remove(d.ids || ARRAY[coalesce(r.id, b.record_id)::text, p.provider_reference,
        CASE WHEN b.cause IN ('PAYMENT', 'WITHDRAWAL_PAID') THEN paid.provider_event_id END,
        CASE WHEN b.cause = 'CHARGEBACK' THEN back.provider_event_id END], NULL) AS names
    FROM ${bookings(from, before)} b
    LEFT JOIN provider_events paid ON paid.seller_id = b.seller_id AND paid.record_id = b.record_id
      AND paid.kind IN ('PAYMENT', 'CAPTURE') AND paid.outcome = 'APPLIED'
    LEFT JOIN provider_events back ON b.cause = 'CHARGEBACK' AND back.seller_id = b.seller_id
      AND back.record_id = b.record_id AND back.kind = 'CHARGEBACK' AND back.outcome = 'APPLIED'
    LEFT JOIN refunds r ON b.cause = 'REFUND' AND r.seller_id = b.seller_id AND r.transaction_id = b.record_id
      AND coalesce(r.booked_at, r.created_at) = b.at
    LEFT JOIN LATERAL (
      SELECT array_agg(id::text) AS ids FROM disputes l WHERE b.cause = 'DISPUTE_LOST'
        AND l.seller_id = b.seller_id AND l.transaction_id = b.record_id AND l.status = 'REJECTED'
      GROUP BY l.seller_id
    ) d ON true
    LEFT JOIN withdrawals w ON b.cause = 'WITHDRAWAL_PAID' AND w.seller_id = b.seller_id
      AND w.id = b.record_id
    LEFT JOIN payouts p ON b.cause = 'WITHDRAWAL_PAID' AND p.seller_id = b.seller_id
      AND p.withdrawal_id = b.record_id`;
}

/**
 * A SELECT of the same movements without what only names them. Columns: provider, type, origin, at
 * and amount. OFFSET 0 makes PostgreSQL look up each record in an index. It would read all
 * provider events instead.
 */
export function movementAmounts({ from, before, defaultProviders }: MovementWindow): RawBuilder<unknown> {
  return sql`
    SELECT ${providerOf(defaultProviders)} AS provider, b.type, b.origin, b.at, ${AMOUNT} AS amount
    FROM ${bookings(from, before)} b
    LEFT JOIN LATERAL (
      SELECT provider FROM provider_events e WHERE e.seller_id = b.seller_id AND e.record_id = b.record_id
        AND e.kind IN ('PAYMENT', 'CAPTURE') AND e.outcome = 'APPLIED' OFFSET 0
    ) paid ON true
    LEFT JOIN LATERAL (
      SELECT amount FROM refunds f WHERE b.cause = 'REFUND' AND f.seller_id = b.seller_id
        AND f.transaction_id = b.record_id AND coalesce(f.booked_at, f.created_at) = b.at OFFSET 0
    ) r ON true
    LEFT JOIN LATERAL (
      SELECT provider FROM withdrawals x WHERE b.cause = 'WITHDRAWAL_PAID' AND x.seller_id = b.seller_id
        AND x.id = b.record_id OFFSET 0
    ) w ON true`;
}

/**
 * A SELECT of provider events that the ledger did not book: money for a transaction that had ended,
 * or an event that contradicts its record. Columns: provider, provider_event_id, outcome,
 * seller_id, record_id.
 */
export function unbookedProviderEvents({ from, before }: MovementWindow): RawBuilder<unknown> {
  return sql`
    SELECT DISTINCT ON (provider, provider_event_id)
      provider, provider_event_id, outcome, seller_id, record_id
    FROM provider_events
    WHERE outcome <> 'APPLIED' AND received_at >= ${from} AND received_at < ${before}
    ORDER BY provider, provider_event_id, received_at`;
}
