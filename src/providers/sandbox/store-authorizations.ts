import { sql } from 'kysely';

import type { Db } from '#platform/database/connect.ts';

/**
 * Whether a bank would have ended an authorization by itself: its payer did not answer before the
 * first cycle.
 */
export async function hasExpired(db: Db, idRec: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM pix_authorizations a
    JOIN subscriptions s ON s.seller_id = a.seller_id AND s.id = a.subscription_id
    WHERE a.id_rec = ${idRec} AND a.id_rec IS NOT NULL AND a.status = 'CRIADA' AND s.status = 'EXPIRED'
    LIMIT 1`.execute(db);
  return rows.length > 0;
}
