import { sql } from 'kysely';

import type { Db } from '#database/connect.ts';

export async function deleteOldKeys(db: Db, before: Date, portion: number): Promise<number> {
  const result = await sql`
    DELETE FROM idempotency_keys WHERE (seller_id, operation, key) IN (
      SELECT seller_id, operation, key FROM idempotency_keys WHERE created_at < ${before}
      ORDER BY created_at LIMIT ${portion})`.execute(db);
  return Number(result.numAffectedRows ?? 0);
}

export async function deleteOldRefreshTokens(db: Db, before: Date, portion: number): Promise<number> {
  const result = await sql`
    DELETE FROM refresh_tokens WHERE token_hash IN (
      SELECT token_hash FROM refresh_tokens WHERE expires_at < ${before} LIMIT ${portion})`.execute(db);
  return Number(result.numAffectedRows ?? 0);
}

/** A session that has expired can be gone on with by nobody; its tokens end with it. */
export async function deleteOldSessions(db: Db, before: Date, portion: number): Promise<number> {
  const result = await sql`
    DELETE FROM sessions WHERE id IN (
      SELECT id FROM sessions WHERE expires_at < ${before} LIMIT ${portion})`.execute(db);
  return Number(result.numAffectedRows ?? 0);
}
