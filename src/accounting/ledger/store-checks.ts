import { sql } from 'kysely';

import type { Db } from '#platform/database/connect.ts';
import { newId } from '#platform/kit/ids.ts';

/** A recomputation of the ledger that has ended. */
export interface KeptCheck {
  readonly finishedAt: Date;
  readonly discrepancies: number;
}

/**
 * Notes that a check begins, unless one has begun since `unlessSince` that ended, or may still: one that has no end and gave no
 * sign since `goneBefore` died with its process. Answers its id; undefined where none is needed.
 */
export async function beginCheck(
  db: Db,
  now: Date,
  unlessSince: Date,
  goneBefore: Date,
): Promise<string | undefined> {
  const id = newId(now.getTime());
  const { rows } = await sql<{ id: string }>`
    INSERT INTO ledger_checks (id, started_at) SELECT ${id}, ${now}
    WHERE NOT EXISTS (
      SELECT 1 FROM ledger_checks WHERE started_at > ${unlessSince} AND (finished_at IS NOT NULL OR coalesce(seen_at, started_at) > ${goneBefore}))
    RETURNING id`.execute(db);
  return rows[0]?.id;
}

/** The check goes on. */
export async function touchCheck(db: Db, id: string, now: Date): Promise<void> {
  await db.updateTable('ledger_checks').set({ seen_at: now }).where('id', '=', id).execute();
}

export async function endCheck(
  db: Db,
  id: string,
  found: { readonly finishedAt: Date; readonly entries: number; readonly discrepancies: number },
  keptSince: Date,
): Promise<void> {
  await db
    .updateTable('ledger_checks')
    .set({
      finished_at: found.finishedAt,
      entries: found.entries,
      discrepancies: found.discrepancies,
    })
    .where('id', '=', id)
    .execute();
  await db.deleteFrom('ledger_checks').where('started_at', '<', keptSince).execute();
}

/** The check that ended last. */
export async function findLastCheck(db: Db): Promise<KeptCheck | undefined> {
  const { rows } = await sql<KeptCheck>`
    SELECT finished_at AS "finishedAt", discrepancies FROM ledger_checks WHERE finished_at IS NOT NULL
    ORDER BY finished_at DESC LIMIT 1`.execute(db);
  return rows[0];
}
