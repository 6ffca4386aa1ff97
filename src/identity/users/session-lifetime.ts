import type { User } from './store.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** A refresh token is valid for this long, unless its session ends before. */
export const REFRESH_TOKEN_TTL_SECONDS = 7 * 24 * 3_600;

/** A session ends this long after the sign-in, however often it is refreshed. */
const MAX_AGE_MS = { seller: 30 * DAY_MS, operator: DAY_MS / 2 } as const;

/** A session of the operator cannot be refreshed after this time without a request. */
const MAX_IDLE_MS = 30 * MINUTE_MS;

/** The use of a session is written at most this often. */
const USE_WRITE_INTERVAL_MS = MINUTE_MS;

type Owner = Pick<User, 'seller_id'>;

const isOperator = ({ seller_id: sellerId }: Owner): boolean => sellerId === null;

/** When a session that began at `createdAt` ends, whatever happens. */
export const sessionEnd = (user: Owner, createdAt: Date): Date =>
  new Date(createdAt.getTime() + MAX_AGE_MS[isOperator(user) ? 'operator' : 'seller']);

/** When a refresh token expires that is issued now. */
export function refreshTokenEnd(user: Owner, createdAt: Date, now: Date): Date {
  const tokenEndMs = now.getTime() + REFRESH_TOKEN_TTL_SECONDS * 1_000;
  return new Date(Math.min(tokenEndMs, sessionEnd(user, createdAt).getTime()));
}

/** Whether the session was not used for so long that it cannot be refreshed. */
export const isIdle = (user: Owner, lastUsedAt: Date, now: Date): boolean =>
  isOperator(user) && now.getTime() - lastUsedAt.getTime() > MAX_IDLE_MS;

/** Whether a request must write that it uses the session. A session that is idle stays so. */
export const isUseDue = (user: Owner, lastUsedAt: Date, now: Date): boolean =>
  isOperator(user) &&
  now.getTime() - lastUsedAt.getTime() >= USE_WRITE_INTERVAL_MS &&
  !isIdle(user, lastUsedAt, now);
