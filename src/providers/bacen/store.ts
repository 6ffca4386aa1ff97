import { sql } from 'kysely';

import type { Db } from '#platform/database/connect.ts';

/** A list at a provider that is read periodically. */
export interface ListKey {
  readonly provider: string;
  readonly list: 'pix' | 'returned';
}

/** Claims a list that is due and not being read. Returns the position it was read to. */
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
    /** A claim that ends later was written before a clock rollback and is ignored. */
    readonly maxClaimedUntil: Date;
    /** Position of a list that is read for the first time. */
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

/** Advances the position of a list, which is due again at `dueAt`. A position never moves back. */
export async function advanceList(
  db: Db,
  { provider, list }: ListKey,
  { readUntil, dueAt }: { readonly readUntil: Date; readonly dueAt: Date },
): Promise<void> {
  await db
    .updateTable('provider_positions')
    .set({ read_until: readUntil, claimed_until: dueAt })
    .where((eb) => eb.and({ provider, list }))
    .where('read_until', '<=', readUntil)
    .execute();
}
