import { errorCode } from '#platform/kit/errors.ts';
import { toIso } from '#platform/kit/iso-time.ts';
import { idDaySql } from '#platform/database/id-days.ts';
import type { NamedStatement, RunStatement } from '#platform/database/statements.ts';
import type { ProviderEventRecord } from '#payments/provider-events/provider-event.ts';
import { BOOKING_CTES, ENTRY_COLUMNS, type ProvenEntry } from '#accounting/ledger/service.ts';
import { insertReceiptsSql } from '#notifications/receipts.ts';
import { INSERT_DELIVERIES, publishEventsSql } from '#webhooks/outbox.ts';
import type { Change } from './decisions.ts';
import { postbackTarget } from './events.ts';
import { updateCountsSql } from './store-counts.ts';
import type { Release, Transaction } from './transaction.ts';

export type Actor = 'SELLER' | 'PROVIDER' | 'WORKER' | 'OPERATOR';

/** A decided change and everything that is written with it. */
export interface ChangeRecord {
  /** The id of the change's webhook event and of its provider event. */
  readonly changeId: string;
  /** The transaction that the decision is based on. Its version guards the write. */
  readonly before: Transaction;
  readonly change: Change;
  readonly entries: readonly ProvenEntry[];
  readonly at: Date;
  readonly actor: Actor;
  readonly providerEvent: ProviderEventRecord | null;
  /** The type of the webhook event. */
  readonly type: string;
  /** The body of the webhook. */
  readonly payload: string;
  /** The `traceparent` of the span that decided the change. */
  readonly traceParent: string | null;
}

/**
 * The CTEs of `APPLY_CHANGES` that most changes have no rows for. Each table that a statement may
 * write costs time even if nothing is written.
 */
const RARE_PARTS = `
    inserted_outcomes AS (
      INSERT INTO subscription_outcomes AS o (seller_id, transaction_id, changed_at)
      SELECT seller_id, transaction_id, at FROM transitioned WHERE subscription_id IS NOT NULL
      ON CONFLICT (seller_id, transaction_id) 
        DO UPDATE SET changed_at = greatest(excluded.changed_at,
          (o.changed_at AT TIME ZONE 'UTC' + interval '1 millisecond') AT TIME ZONE 'UTC')
    ), updated_unpaid_totals AS (
      INSERT INTO unpaid_totals AS t (seller_id, day, method, transactions)
      SELECT seller_id, ${idDaySql('transaction_id')}, method, count(*) FROM transitioned
      WHERE to_status IN ('FAILED', 'REFUSED')
      GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
      ON CONFLICT (seller_id, day, method) DO UPDATE SET transactions = t.transactions + excluded.transactions
    ), upserted_releases AS (
      INSERT INTO releases AS r (seller_id, transaction_id, number, amount, status, due_at, created_at)
      SELECT c.seller_id, c.transaction_id, n.number, n.amount, n.status, n.due_at, c.at
      FROM applied c CROSS JOIN LATERAL json_to_recordset(c.releases) AS n (
        number smallint, amount bigint, status text, due_at timestamptz)
      ON CONFLICT (seller_id, transaction_id, number)
        DO UPDATE SET amount = excluded.amount, status = excluded.status
    ), updated_release_totals AS (
      INSERT INTO release_totals AS t (seller_id, day, origin, amount, releases)
      SELECT c.seller_id, (d.due_at AT TIME ZONE 'America/Sao_Paulo')::date,
        CASE c.method WHEN 'CREDIT_CARD' THEN 'CARD' ELSE c.method END, sum(d.amount), sum(d.releases)
      FROM applied c CROSS JOIN LATERAL json_to_recordset(c.release_deltas) AS d (
        due_at timestamptz, amount bigint, releases bigint)
      GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
      ON CONFLICT (seller_id, day, origin)
        DO UPDATE SET amount = t.amount + excluded.amount, releases = t.releases + excluded.releases
    ),
    `;

/**
 * Applies changes in one statement. A transaction that is no longer at the version of its decision
 * is not changed. For all others, status, history, provider event, ledger entries, webhook event,
 * deliveries and wallets change together.
 *
 * Transactions are locked in id order, so that two processes applying the same events cannot
 * deadlock. PostgreSQL updates a row once in a statement, so that of two changes of one transaction
 * only one is applied. Wallets come last, so that the row of a busy seller is locked as briefly as
 * possible.
 *
 * Divides by zero, which aborts the statement, when a wallet would fall below its floor or does not
 * exist, or when a provider event was applied to another transaction: the same payment must not
 * count twice.
 */
const applyChangesSql = (rareParts: string): string => `
    WITH input AS MATERIALIZED (
      SELECT * FROM json_to_recordset($1::json) AS i (
        change_id uuid, seller_id uuid, transaction_id uuid, version integer, method text,
        from_status text, to_status text, reason text, paid_at timestamptz, amount bigint, fee_amount bigint,
        refunded_amount bigint, refunding_amount bigint, expires_at timestamptz, at timestamptz, actor text,
        postback_url text, postback_endpoint text, provider text, provider_event_id text,
        provider_event_kind text, provider_event_amount bigint, payer json, occurred_at timestamptz,
        event_type text, payload text, trace_parent text, entries json, origin text, floor bigint,
        releases json,
        release_deltas json)
      ORDER BY seller_id, transaction_id
    ), applied AS (
      UPDATE transactions t
      SET status = i.to_status, status_reason = coalesce(i.reason, t.status_reason), version = t.version + 1,
        paid_at = coalesce(i.paid_at, t.paid_at), amount = coalesce(i.amount, t.amount),
        fee_amount = coalesce(i.fee_amount, t.fee_amount),
        refunded_amount = coalesce(i.refunded_amount, t.refunded_amount),
        refunding_amount = coalesce(i.refunding_amount, t.refunding_amount),
        expires_at = coalesce(i.expires_at, t.expires_at), updated_at = i.at
      FROM input i
      WHERE t.seller_id = i.seller_id AND t.id = i.transaction_id AND t.version = i.version
      RETURNING i.*, t.amount AS total_amount, t.subscription_id
    ), published AS MATERIALIZED (
      SELECT *, change_id AS event_id, event_type AS type, transaction_id AS record_id
      FROM applied WHERE from_status <> to_status OR refunded_amount IS NOT NULL
    ), transitioned AS NOT MATERIALIZED (
      SELECT * FROM published WHERE from_status <> to_status
    ), inserted_history AS (
      INSERT INTO transaction_history (seller_id, transaction_id, position, from_status, to_status, reason,
        actor, at)
      SELECT seller_id, transaction_id, version + 1, from_status, to_status, reason, actor, at
      FROM transitioned
    ), inserted_receipts AS (${insertReceiptsSql('transitioned')}
    ), count_deltas AS MATERIALIZED (
      SELECT seller_id, method, from_status AS status, -1 AS delta FROM transitioned
      UNION ALL SELECT seller_id, method, to_status, 1 FROM transitioned
    ), updated_counts AS (${updateCountsSql('count_deltas')}
    ), inserted_provider_events AS (
      INSERT INTO provider_events (seller_id, id, provider, provider_event_id, kind, record_id, amount,
        occurred_at, received_at, outcome, payer)
      SELECT seller_id, change_id, provider, provider_event_id, provider_event_kind, transaction_id,
        provider_event_amount, occurred_at, at, 'APPLIED', payer
      FROM applied WHERE provider_event_id IS NOT NULL
      ON CONFLICT DO NOTHING
      RETURNING record_id
    ), ${publishEventsSql('published', 'TRANSACTION')},
    postback_deliveries AS (${INSERT_DELIVERIES} (
        SELECT seller_id, event_id AS time_id, event_id, type AS event, record_id, NULL::uuid AS webhook_id,
          postback_endpoint AS endpoint, postback_url AS url, 'PENDING' AS status, at
        FROM published WHERE postback_url IS NOT NULL
      ) d
      RETURNING id
    ), ${rareParts}new_entries AS MATERIALIZED (
      SELECT c.seller_id, c.transaction_id AS record_id, c.at, c.change_id AS batch_key, e.*
      FROM applied c CROSS JOIN LATERAL json_to_recordset(c.entries) AS e (${ENTRY_COLUMNS})
    ), floors AS (
      SELECT seller_id, origin, max(floor) AS floor FROM applied WHERE floor IS NOT NULL
      GROUP BY seller_id, origin
    ), ${BOOKING_CTES}
    SELECT change_id,
      (SELECT count(*) FROM endpoint_deliveries) + (SELECT count(*) FROM postback_deliveries) AS deliveries,
      1 / (CASE WHEN (SELECT count(*) FROM wallet_deltas) = (SELECT count(*) FROM updated_wallets)
        AND (SELECT count(*) FROM applied WHERE provider_event_id IS NOT NULL)
          = (SELECT count(*) FROM inserted_provider_events)
        THEN 1 ELSE 0 END) AS assertion
    FROM applied`;

const APPLY_CHANGES: NamedStatement = {
  name: 'apply-transaction-changes',
  text: applyChangesSql(RARE_PARTS),
};

/** Without the parts that `needsRareParts` asks for. A payment by Pix costs a tenth less. */
const APPLY_PLAIN_CHANGES: NamedStatement = {
  name: 'apply-plain-transaction-changes',
  text: applyChangesSql(''),
};

/** Whether `RARE_PARTS` write anything for a change. */
const needsRareParts = ({ before, change }: ChangeRecord): boolean =>
  before.subscriptionId !== null ||
  change.releases !== undefined ||
  change.to === 'FAILED' ||
  change.to === 'REFUSED';

const DIVISION_BY_ZERO = '22012';

/** Whether `APPLY_CHANGES` was aborted because of a wallet or of a provider event. */
export function isRejectedChange(error: unknown): boolean {
  return errorCode(error) === DIVISION_BY_ZERO;
}

export interface ApplyOutcome {
  /** Whether the transaction was still at the version of the decision. */
  readonly applied: boolean;
  /** Whether the statement inserted deliveries. */
  readonly hasDeliveries: boolean;
}

const FIND_COMMITTED_CHANGES: NamedStatement = {
  name: 'find-committed-changes',
  text: `
    SELECT e.id FROM unnest($1::uuid[], $2::uuid[]) AS k (seller_id, id)
    JOIN events e ON e.seller_id = k.seller_id AND e.id = k.id`,
};

/**
 * Applies changes. Safe to repeat: the webhook event of a change shows that an earlier run
 * committed it and only the response was lost.
 */
export async function applyChanges(
  query: RunStatement,
  records: readonly ChangeRecord[],
): Promise<readonly ApplyOutcome[]> {
  const statement = records.some(needsRareParts) ? APPLY_CHANGES : APPLY_PLAIN_CHANGES;
  const rows = await query<{ change_id: string; deliveries: number }>(statement, [
    JSON.stringify(records.map(toInputRow)),
  ]);
  const applied = new Set(rows.map((row) => row.change_id));
  const unapplied = records.filter(({ changeId }) => !applied.has(changeId));
  if (unapplied.length > 0) {
    const committed = await query<{ id: string }>(FIND_COMMITTED_CHANGES, [
      unapplied.map(({ before }) => before.sellerId),
      unapplied.map(({ changeId }) => changeId),
    ]);
    for (const { id } of committed) applied.add(id);
  }
  const hasDeliveries = (rows[0]?.deliveries ?? 0) > 0;
  return records.map(({ changeId }) => ({ applied: applied.has(changeId), hasDeliveries }));
}

/**
 * Timestamps are text, since JSON.stringify takes three times as long for an object with a Date.
 */
function toInputRow({
  changeId,
  before,
  change,
  entries,
  at,
  actor,
  providerEvent,
  type,
  payload,
  traceParent,
}: ChangeRecord) {
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
    paid_at: toIso(change.paidAt),
    amount: change.amount,
    fee_amount: change.feeAmount,
    refunded_amount: change.refundedAmount,
    refunding_amount: change.refundingAmount,
    expires_at: toIso(change.expiresAt),
    at: toIso(at),
    actor,
    postback_url: postback?.url,
    postback_endpoint: postback?.endpoint,
    provider: providerEvent?.provider,
    provider_event_id: providerEvent?.eventId,
    provider_event_kind: providerEvent?.kind,
    provider_event_amount: providerEvent?.amount,
    payer: providerEvent?.payer ?? undefined,
    occurred_at: toIso(providerEvent?.occurredAt),
    event_type: type,
    payload,
    trace_parent: traceParent ?? undefined,
    entries,
    origin: change.entries[0]?.origin,
    floor: change.floor,
    releases: change.releases?.map(({ number, amount, status, dueAt }) => ({
      number,
      amount,
      status,
      due_at: toIso(dueAt),
    })),
    release_deltas: change.releases && releaseDeltas(before, change.releases),
  };
}

/** What a change adds to the pending releases, by due time. The amounts are cents. */
function releaseDeltas({ releases }: Transaction, changed: readonly Release[]) {
  const before = new Map(releases.map((release) => [release.number, release]));
  return changed.flatMap((after) => [
    ...pendingRelease(before.get(after.number), -1),
    ...pendingRelease(after, 1),
  ]);
}

const pendingRelease = (release: Release | undefined, sign: 1 | -1) =>
  release?.status === 'PENDING' && release.amount > 0
    ? [{ due_at: toIso(release.dueAt), amount: sign * release.amount, releases: sign }]
    : [];
