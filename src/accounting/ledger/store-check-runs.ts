import { sql } from 'kysely';

import type { Db } from '#platform/database/connect.ts';
import { newId } from '#platform/kit/ids.ts';

export interface CompletedLedgerCheck {
  readonly finishedAt: Date;
  readonly discrepancies: number;
}

/**
 * Records that a check starts and returns its id. Returns undefined when another check has started
 * since `unlessStartedAfter` and has finished or may still be running. A check without an end and
 * without a heartbeat since `staleBefore` died with its process.
 */
export async function startCheck(
  db: Db,
  now: Date,
  { unlessStartedAfter, staleBefore }: { readonly unlessStartedAfter: Date; readonly staleBefore: Date },
): Promise<string | undefined> {
  const id = newId(now.getTime());
  const { rows } = await sql<{ id: string }>`
    INSERT INTO ledger_checks (id, started_at) SELECT ${id}, ${now}
    WHERE NOT EXISTS (
      SELECT 1 FROM ledger_checks WHERE started_at > ${unlessStartedAfter}
        AND (finished_at IS NOT NULL OR coalesce(seen_at, started_at) > ${staleBefore}))
    RETURNING id`.execute(db);
  return rows[0]?.id;
}

export async function updateCheckHeartbeat(db: Db, id: string, now: Date): Promise<void> {
  await db.updateTable('ledger_checks').set({ seen_at: now }).where('id', '=', id).execute();
}

/** Records the result of a check and deletes checks that started before `deleteBefore`. */
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

/** Returns the check that finished last. */
export async function findLastLedgerCheck(db: Db): Promise<CompletedLedgerCheck | undefined> {
  const { rows } = await sql<CompletedLedgerCheck>`
    SELECT finished_at AS "finishedAt", discrepancies FROM ledger_checks WHERE finished_at IS NOT NULL
    ORDER BY finished_at DESC LIMIT 1`.execute(db);
  return rows[0];
}
