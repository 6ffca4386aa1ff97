import { sql } from 'kysely';

import type { Db } from '#platform/database/connect.ts';
import type { ChainEntry } from './store-chain.ts';
import type { EntrySums } from './store-entry-differences.ts';

/** How far the entries of a seller are proven. */
export interface CheckMark {
  readonly sums: readonly EntrySums[];
  readonly chain?: ChainEntry | undefined;
}

export interface SellerMark {
  readonly sellerId: string;
  /** Undefined if none of its entries is proven. */
  readonly mark: CheckMark | undefined;
  readonly isBehind: boolean;
}

/** Returns the marks of sellers with an id after `after`, ordered by id. */
export async function findMarks(db: Db, after: string, limit: number): Promise<readonly SellerMark[]> {
  const { rows } = await sql<{ sellerId: string; mark: CheckMark | null; isBehind: boolean }>`
    SELECT w.seller_id AS "sellerId", m.mark, w.entries <> coalesce(m.entries, 0) AS "isBehind"
    FROM (
      SELECT seller_id, sum(entries) AS entries FROM wallets WHERE seller_id > ${after}
      GROUP BY seller_id ORDER BY seller_id LIMIT ${limit}
    ) w LEFT JOIN ledger_check_marks m ON m.seller_id = w.seller_id
    ORDER BY w.seller_id`.execute(db);
  return rows.map(({ mark, ...row }) => ({ ...row, mark: mark ?? undefined }));
}

export async function saveMark(db: Db, sellerId: string, mark: CheckMark): Promise<void> {
  const entries = mark.sums.reduce((total, sums) => total + sums.entries, 0);
  await sql`
    INSERT INTO ledger_check_marks (seller_id, entries, mark)
    VALUES (${sellerId}, ${entries}, ${JSON.stringify(mark)}::json)
    ON CONFLICT (seller_id) DO UPDATE SET entries = excluded.entries, mark = excluded.mark`.execute(db);
}

export async function deleteMark(db: Db, sellerId: string): Promise<void> {
  await sql`DELETE FROM ledger_check_marks WHERE seller_id = ${sellerId}`.execute(db);
}
