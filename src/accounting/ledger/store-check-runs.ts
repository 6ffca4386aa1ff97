import { sql } from 'kysely';

import type { Db } from '#platform/database/connect.ts';
import { newId } from '#platform/kit/ids.ts';
import type { CheckState } from './check.ts';
import type { Checked } from './check-steps.ts';

/**
 * FULL: on demand, the whole ledger. ROUTINE: the whole ledger, step by step. NEW: the entries
 * since the last NEW check of their seller.
 */
export type CheckKind = 'FULL' | 'ROUTINE' | 'NEW';

/** A check in progress, and who runs it. */
export interface CheckRun {
  readonly id: string;
  readonly holder: string;
}

/** A check without a heartbeat for this long has ended with its process. */
const STALE = sql`seen_at < clock_timestamp() - interval '15 seconds'`;

export interface CheckStart {
  readonly kind: CheckKind;
  readonly holder: string;
  readonly now: Date;
  /** A check that has started since then and was not interrupted keeps this one from starting. */
  readonly unlessStartedAfter?: Date;
  /** The rows that it has to check. */
  readonly totalRows: number;
}

/** Records that a check starts. Returns undefined if one of its kind runs or ran recently. */
export async function startCheck(db: Db, start: CheckStart): Promise<CheckRun | undefined> {
  const { kind, holder, now, unlessStartedAfter, totalRows } = start;
  await sql`
    UPDATE ledger_checks SET interrupted = true, finished_at = ${now}
    WHERE kind = ${kind} AND finished_at IS NULL AND ${STALE}`.execute(db);
  const { rows } = await sql<{ id: string }>`
    INSERT INTO ledger_checks (id, kind, holder, started_at, seen_at, total_rows)
    SELECT ${newId(now.getTime())}::uuid, ${kind}, ${holder}::uuid, ${now}::timestamptz, clock_timestamp(),
      ${totalRows}::bigint
    WHERE NOT EXISTS (
      SELECT 1 FROM ledger_checks
      WHERE kind = ${kind} AND started_at > ${unlessStartedAfter ?? null} AND NOT interrupted)
    ON CONFLICT (kind) WHERE finished_at IS NULL DO NOTHING RETURNING id`.execute(db);
  return rows[0] && { id: rows[0].id, holder };
}

/** Takes over a check whose process has ended, or that this holder has left. */
export async function resumeCheck(
  db: Db,
  kind: CheckKind,
  holder: string,
): Promise<(CheckRun & { readonly state: CheckState }) | undefined> {
  const { rows } = await sql<{ id: string; checked: Checked; cursor: CheckState['cursor'] | null }>`
    UPDATE ledger_checks SET holder = ${holder}, seen_at = clock_timestamp()
    WHERE kind = ${kind} AND finished_at IS NULL AND checked IS NOT NULL AND (holder = ${holder} OR ${STALE})
    RETURNING id, checked, cursor`.execute(db);
  const [row] = rows;
  return row && { id: row.id, holder, state: { checked: row.checked, cursor: row.cursor ?? undefined } };
}

const isHeld = ({ id, holder }: CheckRun) => sql`id = ${id} AND holder = ${holder} AND finished_at IS NULL`;

export interface SavedCheck {
  /** False if another process has ended the check or taken it over. */
  readonly isHeld: boolean;
  /** Whether it has found more discrepancies since it was saved before. */
  readonly hasFound: boolean;
}

/** Records what a check has done. */
export async function saveCheck(db: Db, run: CheckRun, { checked, cursor }: CheckState): Promise<SavedCheck> {
  const [found, now] = [checked.discrepancies.length, new Date()];
  const { rows } = await sql<{ hasFound: boolean }>`
    UPDATE ledger_checks SET seen_at = clock_timestamp(), checked = ${JSON.stringify(checked)}::json,
      cursor = ${cursor === undefined ? null : JSON.stringify(cursor)}::json, discrepancies = ${found},
      found_at = CASE WHEN discrepancies < ${found} THEN ${now}::timestamptz ELSE found_at END
    WHERE ${isHeld(run)} RETURNING coalesce(found_at = ${now}, false) AS "hasFound"`.execute(db);
  return { isHeld: rows.length > 0, hasFound: rows[0]?.hasFound === true };
}

export async function updateCheckHeartbeat(db: Db, run: CheckRun): Promise<void> {
  await sql`UPDATE ledger_checks SET seen_at = clock_timestamp() WHERE ${isHeld(run)}`.execute(db);
}

/** Records the end of a check, and deletes checks that started long ago. */
export async function finishCheck(db: Db, run: CheckRun, now: Date): Promise<void> {
  await sql`UPDATE ledger_checks SET finished_at = ${now} WHERE ${isHeld(run)}`.execute(db);
  const ago = (days: number): Date => new Date(now.getTime() - days * 86_400_000);
  await sql`
    DELETE FROM ledger_checks
    WHERE finished_at IS NOT NULL AND started_at < 
      CASE kind WHEN 'NEW' THEN ${ago(1)}::timestamptz ELSE ${ago(90)} END
  `.execute(db);
}

export async function interruptCheck(db: Db, run: CheckRun, now: Date): Promise<void> {
  await sql`
    UPDATE ledger_checks SET interrupted = true, finished_at = ${now} WHERE ${isHeld(run)}`.execute(db);
}

export interface CheckRow {
  readonly id: string;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
  readonly interrupted: boolean;
  readonly totalRows: number;
  readonly checked: Checked | null;
}

/** Returns the check of a kind that started last. */
export async function findLatestCheck(db: Db, kind: CheckKind): Promise<CheckRow | undefined> {
  return findCheck(db, sql`kind = ${kind}`);
}

export async function findCheckById(db: Db, id: string): Promise<CheckRow | undefined> {
  return findCheck(db, sql`id = ${id}`);
}

async function findCheck(db: Db, condition: ReturnType<typeof sql>): Promise<CheckRow | undefined> {
  const { rows } = await sql<CheckRow>`
    SELECT id, started_at AS "startedAt", finished_at AS "finishedAt",
      interrupted OR (finished_at IS NULL AND ${STALE}) AS interrupted, total_rows AS "totalRows", checked
    FROM ledger_checks WHERE ${condition} ORDER BY id DESC LIMIT 1`.execute(db);
  return rows[0];
}

export interface LedgerCheckSummary {
  /** Of the last complete check. */
  readonly finishedAt: Date | null;
  /** That it found, or that any check has found since it started. */
  readonly discrepancies: number;
}

export async function findCheckSummary(db: Db): Promise<LedgerCheckSummary> {
  const { rows } = await sql<LedgerCheckSummary>`
    WITH last AS (
      SELECT started_at, finished_at, discrepancies FROM ledger_checks
      WHERE kind <> 'NEW' AND finished_at IS NOT NULL AND NOT interrupted
      ORDER BY finished_at DESC LIMIT 1
    )
    SELECT (SELECT finished_at FROM last) AS "finishedAt",
      greatest((SELECT discrepancies FROM last), max(discrepancies), 0) AS discrepancies
    FROM ledger_checks
    WHERE found_at >= coalesce((SELECT started_at FROM last), '-infinity')`.execute(db);
  return rows[0] ?? { finishedAt: null, discrepancies: 0 };
}
