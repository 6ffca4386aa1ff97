import type { NamedStatement, RunStatement } from '#platform/database/statements.ts';
import type { ProviderEventRecord } from '#payments/provider-events/provider-event.ts';
import { BOOKING_CTES, ENTRY_COLUMNS, toEntryRow } from '#accounting/ledger/service.ts';
import { INSERT_DELIVERIES, publishEventsSql } from '#webhooks/outbox.ts';
import type { Change } from './decisions.ts';
import { postbackTarget } from './events.ts';
import { upsertCountsSql } from './store-counts.ts';
import type { Transaction } from './transaction.ts';

export type Actor = 'SELLER' | 'PROVIDER' | 'WORKER' | 'OPERATOR';

/** A decided change with all that is written beside it. */
export interface ChangeRecord {
  readonly changeId: string;
  /** The charge as it was when the change was decided; its version guards the write. */
  readonly before: Transaction;
  readonly change: Change;
  readonly at: Date;
  readonly actor: Actor;
  readonly providerEvent: ProviderEventRecord | null;
  readonly eventType: string;
  /** The body of the webhook, as it will be sent. */
  readonly payload: string;
}

/**
 * Applies changes, one statement for all. A charge that is no longer at the version of the decision stays as it is,
 * and nothing that belongs to its change is written. Otherwise status, history, report, ledger entries, event,
 * deliveries and wallet change together.
 *
 * Charges are locked in the order of their ids, so that two nodes that are told the same cannot meet crosswise.
 * Two changes of one charge in the same call: PostgreSQL updates a row once, so one of them is written.
 * Wallets come last and are summed first: two rows for one wallet would apply only one of them, and the row of a busy
 * seller is locked for the shortest time. The division fails the whole statement if a wallet did not take its change
 * (a balance would have gone below the floor, or there is no such wallet) or if a report was told before of another
 * charge: the same money cannot come twice.
 */
const APPLY: NamedStatement = {
  name: 'apply-transaction-changes',
  text: `
    WITH input AS MATERIALIZED (
      SELECT * FROM json_to_recordset($1::json) AS i (
        change_id uuid, seller_id uuid, transaction_id uuid, version integer, method text, from_status text, to_status text,
        reason text, paid_at timestamptz, amount bigint, fee_amount bigint, refunded_amount bigint, refunding_amount bigint,
        expires_at timestamptz, at timestamptz, actor text, postback_url text, postback_endpoint text,
        provider text, provider_event_id text, report_kind text, report_amount bigint, occurred_at timestamptz,
        event_type text, payload text, entries json, origin text, floor bigint, releases json)
      ORDER BY seller_id, transaction_id
    ), changed AS (
      UPDATE transactions t
      SET status = i.to_status, status_reason = coalesce(i.reason, t.status_reason), version = t.version + 1,
        paid_at = coalesce(i.paid_at, t.paid_at), amount = coalesce(i.amount, t.amount),
        fee_amount = coalesce(i.fee_amount, t.fee_amount),
        refunded_amount = coalesce(i.refunded_amount, t.refunded_amount),
        refunding_amount = coalesce(i.refunding_amount, t.refunding_amount),
        expires_at = coalesce(i.expires_at, t.expires_at), updated_at = i.at
      FROM input i
      WHERE t.seller_id = i.seller_id AND t.id = i.transaction_id AND t.version = i.version
      RETURNING i.*
    ), moved AS MATERIALIZED (
      SELECT * FROM changed WHERE from_status <> to_status
    ), history AS (
      INSERT INTO transaction_history (seller_id, transaction_id, position, from_status, to_status, reason, actor, at)
      SELECT seller_id, transaction_id, version + 1, from_status, to_status, reason, actor, at FROM moved
    ), steps AS MATERIALIZED (
      SELECT seller_id, method, from_status AS status, -1 AS number FROM moved
      UNION ALL SELECT seller_id, method, to_status, 1 FROM moved
    ), counted AS (${upsertCountsSql('steps')}
    ), reports AS (
      INSERT INTO provider_events (seller_id, id, provider, provider_event_id, kind, record_id, amount, occurred_at, received_at, outcome)
      SELECT seller_id, change_id, provider, provider_event_id, report_kind, transaction_id, report_amount, occurred_at, at, 'APPLIED'
      FROM changed WHERE provider_event_id IS NOT NULL
      ON CONFLICT DO NOTHING
      RETURNING record_id
    ), ${publishEventsSql('(SELECT *, change_id AS event_id, event_type AS type, transaction_id AS record_id FROM moved)', 'TRANSACTION')},
    postback_deliveries AS (${INSERT_DELIVERIES} (
        SELECT seller_id, change_id AS time_id, change_id AS event_id, transaction_id AS record_id,
          NULL::uuid AS webhook_id, postback_endpoint AS endpoint, postback_url AS url, 'PENDING' AS status, at
        FROM moved WHERE postback_url IS NOT NULL
      ) d
      RETURNING id
    ), retained AS (
      INSERT INTO releases AS r (seller_id, transaction_id, number, amount, status, due_at, created_at)
      SELECT c.seller_id, c.transaction_id, n.number, n.amount, n.status, n.due_at, c.at
      FROM changed c CROSS JOIN LATERAL json_to_recordset(c.releases) AS n (
        number smallint, amount bigint, status text, due_at timestamptz)
      ON CONFLICT (seller_id, transaction_id, number) DO UPDATE SET amount = excluded.amount, status = excluded.status
    ), new_entries AS MATERIALIZED (
      SELECT c.seller_id, c.transaction_id AS record_id, c.at, c.change_id AS batch_key, e.*
      FROM changed c CROSS JOIN LATERAL json_to_recordset(c.entries) AS e (${ENTRY_COLUMNS})
    ), floors AS (
      SELECT seller_id, origin, max(floor) AS floor FROM changed WHERE floor IS NOT NULL GROUP BY seller_id, origin
    ), ${BOOKING_CTES}
    SELECT change_id, (SELECT count(*) FROM endpoint_deliveries) + (SELECT count(*) FROM postback_deliveries) AS deliveries,
      1 / (CASE WHEN (SELECT count(*) FROM wallet_deltas) = (SELECT count(*) FROM updated_wallets)
        AND (SELECT count(*) FROM changed WHERE provider_event_id IS NOT NULL) = (SELECT count(*) FROM reports)
        THEN 1 ELSE 0 END) AS booked
    FROM changed`,
};

/** What PostgreSQL says of that division. */
const DIVISION_BY_ZERO = '22012';

/** Whether a change was refused as a whole, by its wallet or because its report was told before. */
export function isRejectedChange(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === DIVISION_BY_ZERO;
}

export interface ApplyOutcome {
  /** Whether the charge was still at the version the change was decided on. */
  readonly applied: boolean;
  /** Whether anything must be delivered now. */
  readonly hasDeliveries: boolean;
}

const FIND_COMMITTED_CHANGES: NamedStatement = {
  name: 'find-told-changes',
  text: `
    SELECT e.id FROM unnest($1::uuid[], $2::uuid[]) AS w (seller_id, id)
    JOIN events e ON e.seller_id = w.seller_id AND e.id = w.id`,
};

/**
 * Safe to repeat. Where a change was not applied, its own event tells whether an earlier run of the same call
 * committed it and only the answer was lost.
 */
export async function applyChanges(
  query: RunStatement,
  records: readonly ChangeRecord[],
): Promise<readonly ApplyOutcome[]> {
  const rows = await query<{ change_id: string; deliveries: number }>(APPLY, [
    JSON.stringify(records.map(toInput)),
  ]);
  const applied = new Set(rows.map((row) => row.change_id));
  const missed = records.filter((record) => !applied.has(record.changeId));
  if (missed.length > 0) {
    const committed = await query<{ id: string }>(FIND_COMMITTED_CHANGES, [
      missed.map((record) => record.before.sellerId),
      missed.map((record) => record.changeId),
    ]);
    for (const row of committed) applied.add(row.id);
  }
  const hasDeliveries = (rows[0]?.deliveries ?? 0) > 0;
  return records.map((record) => ({ applied: applied.has(record.changeId), hasDeliveries }));
}

/** Times as text: with a Date among its members JSON.stringify takes three times as long for the whole. */
function toInput({ changeId, before, change, at, actor, providerEvent, eventType, payload }: ChangeRecord) {
  const postback = postbackTarget(before);
  return {
    change_id: changeId,
    seller_id: before.sellerId,
    transaction_id: before.id,
    version: before.version,
    method: before.method,
    from_status: before.status,
    to_status: change.to,
    reason: change.reason,
    paid_at: change.paidAt?.toISOString(),
    amount: change.amount,
    fee_amount: change.feeAmount,
    refunded_amount: change.refundedAmount,
    refunding_amount: change.refundingAmount,
    expires_at: change.expiresAt?.toISOString(),
    at: at.toISOString(),
    actor,
    postback_url: postback?.url,
    postback_endpoint: postback?.endpoint,
    provider: providerEvent?.provider,
    provider_event_id: providerEvent?.eventId,
    report_kind: providerEvent?.kind,
    report_amount: providerEvent?.amount,
    occurred_at: providerEvent?.occurredAt.toISOString(),
    event_type: eventType,
    payload,
    entries: change.entries.map(toEntryRow),
    origin: change.entries[0]?.origin,
    floor: change.floor,
    releases: (change.releases ?? []).map(({ number, amount, status, dueAt }) => ({
      number,
      amount,
      status,
      due_at: dueAt.toISOString(),
    })),
  };
}
