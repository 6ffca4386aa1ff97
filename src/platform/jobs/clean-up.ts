import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import { IDEMPOTENCY_LIFE_MS } from '#platform/http/idempotency.ts';
import { deleteEndedCards, deleteOldKeys, deleteOldRefreshTokens, deleteOldSessions } from './store.ts';

/** Rows of one statement. */
const PORTION = 1_000;

/** So long a charge with an expired card is told that the card has expired. After that its token is unknown. */
const CARD_GRACE_MS = 31 * 24 * 3_600_000;

/** Deletes what has outlived its use, a portion at a time, so that no lock is held for long. True where more is left. */
export function createCleanUp(db: Db, clock: Clock): () => Promise<boolean> {
  return async () => {
    const now = clock.nowMs();
    const keys = await deleteOldKeys(db, new Date(now - IDEMPOTENCY_LIFE_MS), PORTION);
    // A used refresh token stays until it would have expired, so that its second use is recognised.
    const tokens = await deleteOldRefreshTokens(db, new Date(now), PORTION);
    const sessions = await deleteOldSessions(db, new Date(now), PORTION);
    const cards = await deleteEndedCards(db, new Date(now - CARD_GRACE_MS), PORTION);
    return [keys, tokens, sessions, cards].includes(PORTION);
  };
}
