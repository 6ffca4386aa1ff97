import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import { IDEMPOTENCY_KEY_TTL_MS } from '#platform/http/idempotency.ts';
import {
  deleteExpiredCards,
  deleteExpiredIdempotencyKeys,
  deleteExpiredRefreshTokens,
  deleteExpiredSessions,
} from './store.ts';

/** Rows of one statement. */
const CHUNK_SIZE = 1_000;

/** So long a charge with an expired card is told that the card has expired. After that its token is unknown. */
const CARD_GRACE_MS = 31 * 24 * 3_600_000;

/** Deletes what has outlived its use, a portion at a time, so that no lock is held for long. True where more is left. */
export function createCleanupJob(db: Db, clock: Clock): () => Promise<boolean> {
  return async () => {
    const now = clock.nowMs();
    const keys = await deleteExpiredIdempotencyKeys(db, new Date(now - IDEMPOTENCY_KEY_TTL_MS), CHUNK_SIZE);
    // A used refresh token stays until it would have expired, so that its second use is recognised.
    const tokens = await deleteExpiredRefreshTokens(db, new Date(now), CHUNK_SIZE);
    const sessions = await deleteExpiredSessions(db, new Date(now), CHUNK_SIZE);
    const cards = await deleteExpiredCards(db, new Date(now - CARD_GRACE_MS), CHUNK_SIZE);
    return [keys, tokens, sessions, cards].includes(CHUNK_SIZE);
  };
}
