import { recordAudit } from '#audit/service.ts';
import type { Violation } from '#platform/http/errors.ts';
import type { Db } from '#platform/database/connect.ts';
import type { Clock } from '#platform/kit/clock.ts';
import { hashCredential, newId } from '#platform/kit/ids.ts';
import { toLocale } from '#notifications/notifier.ts';
import type { Locale } from '#notifications/templates/template.ts';
import { notifyOfChange } from './credentials.ts';
import type { UsersDeps } from './deps.ts';
import { newLinkToken } from './link-token.ts';
import { loadPasswordEstimator, passwordViolations } from './password-policy.ts';
import { hashPassword } from './passwords.ts';
import { callerFor } from './profile.ts';
import { isUsable } from './sessions.ts';
import { revokeAllTokens } from './store-sessions.ts';
import {
  countResetsSince,
  deletePasswordResets,
  findPasswordReset,
  insertPasswordReset,
  insertResetRequest,
  takeResetRequest,
} from './store-links.ts';
import { findUser, findUserByEmail, lockUser, updateUser } from './store.ts';

const LINK_TTL_MS = 30 * 60_000;
/** Mails to one user within the life of a link. */
const MAX_LINKS = 3;

/**
 * Asks for a link that resets a password. The worker finds out whether the email has an account, so
 * that neither the response nor its time reveals it.
 */
export async function requestPasswordReset(
  { db, clock }: { readonly db: Db; readonly clock: Pick<Clock, 'now'> },
  email: string,
  locale: Locale,
): Promise<void> {
  const at = clock.now();
  const request = { id: newId(at.getTime()), email: email.toLowerCase(), locale, created_at: at };
  await insertResetRequest(db, request);
}

/**
 * Mails the link of the oldest request, if its email has an account. Returns whether there was one.
 */
export function processResetRequest(deps: UsersDeps): Promise<boolean> {
  const { db, clock, notifier } = deps;
  return db.transaction().execute(async (trx) => {
    const request = await takeResetRequest(trx);
    if (request === undefined) return false;
    const user = await findUserByEmail(trx, request.email);
    if (user === undefined || !notifier.canMail || !isUsable(deps, user)) return true;
    const at = clock.now();
    const since = new Date(at.getTime() - LINK_TTL_MS);
    if ((await countResetsSince(trx, user.id, since, MAX_LINKS)) === MAX_LINKS) return true;
    const { text, hash } = newLinkToken();
    const expiresAt = new Date(at.getTime() + LINK_TTL_MS);
    await insertPasswordReset(trx, {
      token_hash: hash,
      user_id: user.id,
      expires_at: expiresAt,
      created_at: at,
    });
    await notifier.writeMail(trx, {
      template: 'password-reset',
      params: {},
      sellerId: user.seller_id,
      to: user.email,
      at,
      locale: toLocale(request.locale),
      token: {
        text,
        expiresAt,
      },
    });
    return true;
  });
}

/**
 * Sets a new password with the token of a mailed link, and ends all sessions. Returns undefined for
 * a token that is unknown, expired or used. A password that is refused does not use it up.
 */
export async function resetPassword(
  deps: UsersDeps,
  { token, password }: { readonly token: string; readonly password: string },
  requestId: string,
): Promise<true | readonly Violation[] | undefined> {
  const { db, clock, userCache } = deps;
  const tokenHash = hashCredential(token);
  const found = await findPasswordReset(db, tokenHash, clock.now());
  const known = found && (await findUser(db, found.user_id));
  if (known === undefined || !isUsable(deps, known)) return undefined;
  await loadPasswordEstimator();
  const violations = passwordViolations('password', password, { ...known, sellerId: known.seller_id });
  if (violations.length > 0) return violations;
  const passwordHash = await hashPassword(password);
  const changed = await db.transaction().execute(async (trx) => {
    const user = await lockUser(trx, known.id);
    const isLive = (await findPasswordReset(trx, tokenHash, clock.now())) !== undefined;
    if (user === undefined || !isLive) return undefined;
    const at = clock.now();
    await deletePasswordResets(trx, user.id);
    await updateUser(trx, user.id, { password_hash: passwordHash }, at);
    await revokeAllTokens(trx, user.id, at);
    await notifyOfChange(deps, trx, user, 'password-changed');
    await recordAudit(trx, callerFor(user, requestId), {
      action: 'user.password-reset',
      recordType: 'user',
      recordId: user.id,
      sellerId: user.seller_id,
      before: null,
      after: null,
      at,
    });
    return true as const;
  });
  userCache.invalidate(new Set([known.id]));
  return changed;
}
