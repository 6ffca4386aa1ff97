import { sql } from 'kysely';

import type { Db } from '#platform/database/connect.ts';

/** A list of a provider's that is read again and again. */
export interface ListKey {
  readonly provider: string;
  readonly list: 'pix' | 'returned';
}

/** Takes the reading of a list where it is due and nobody else reads it; answers how far it has been read. */
export async function claimList(
  db: Db,
  { provider, list }: ListKey,
  {
    now,
    until,
    maxClaimedUntil,
    firstFrom,
  }: {
    readonly now: Date;
    readonly until: Date;
    /** Nobody puts a reading off for longer: a claim beyond it was written by a clock that has been set back. */
    readonly maxClaimedUntil: Date;
    readonly firstFrom: Date;
  },
): Promise<Date | undefined> {
  const { rows } = await sql<{ readUntil: Date }>`
    INSERT INTO provider_positions AS p (provider, list, read_until, claimed_until)
    VALUES (${provider}, ${list}, ${firstFrom}, ${until})
    ON CONFLICT (provider, list) DO UPDATE SET claimed_until = excluded.claimed_until
    WHERE p.claimed_until <= ${now} OR p.claimed_until > ${maxClaimedUntil}
    RETURNING read_until AS "readUntil"`.execute(db);
  return rows[0]?.readUntil;
}

/** All until then has been read, and nobody need look again before `dueAt`. A position never goes back. */
export async function advanceList(
  db: Db,
  { provider, list }: ListKey,
  { readUntil, dueAt }: { readonly readUntil: Date; readonly dueAt: Date },
): Promise<void> {
  await db
    .updateTable('provider_positions')
    .set({ read_until: readUntil, claimed_until: dueAt })
    .where('provider', '=', provider)
    .where('list', '=', list)
    .where('read_until', '<=', readUntil)
    .execute();
}
