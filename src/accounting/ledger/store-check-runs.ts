import { sql } from 'kysely';

import type { Db } from '#platform/database/connect.ts';
import { newId } from '#platform/kit/ids.ts';

/** A recomputation of the ledger that has ended. */
export interface CompletedLedgerCheck {
  readonly finishedAt: Date;
  readonly discrepancies: number;
}

/**
 * Notes that a check begins, unless one has begun since `unlessSince` that ended, or may still: one that has no end and gave no
 * sign since `goneBefore` died with its process. Answers its id; undefined where none is needed.
 */
export async function startCheck(
  db: Db,
  now: Date,
  unlessStartedSince: Date,
  staleBefore: Date,
): Promise<string | undefined> {
  const id = newId(now.getTime());
  const { rows } = await sql<{ id: string }>`
    INSERT INTO ledger_checks (id, started_at) SELECT ${id}, ${now}
    WHERE NOT EXISTS (
      SELECT 1 FROM ledger_checks WHERE started_at > ${unlessStartedSince} AND (finished_at IS NOT NULL OR coalesce(seen_at, started_at) > ${staleBefore}))
    RETURNING id`.execute(db);
  return rows[0]?.id;
}

/** The check goes on. */
export async function updateCheckHeartbeat(db: Db, id: string, now: Date): Promise<void> {
  await db.updateTable('ledger_checks').set({ seen_at: now }).where('id', '=', id).execute();
}

export async function finishCheck(
  db: Db,
  id: string,
  result: { readonly finishedAt: Date; readonly entries: number; readonly discrepancies: number },
  deleteBefore: Date,
): Promise<void> {
  await db
    .updateTable('ledger_checks')
    .set({
      finished_at: result.finishedAt,
      entries: result.entries,
      discrepancies: result.discrepancies,
    })
    .where('id', '=', id)
    .execute();
  await db.deleteFrom('ledger_checks').where('started_at', '<', deleteBefore).execute();
}

/** The check that ended last. */
export async function findLastCheck(db: Db): Promise<CompletedLedgerCheck | undefined> {
  const { rows } = await sql<CompletedLedgerCheck>`
    SELECT finished_at AS "finishedAt", discrepancies FROM ledger_checks WHERE finished_at IS NOT NULL
    ORDER BY finished_at DESC LIMIT 1`.execute(db);
  return rows[0];
}
