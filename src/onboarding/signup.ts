import { recordAudit } from '#audit/service.ts';
import type { UsersService } from '#identity/users/service.ts';
import { newLinkToken } from '#identity/users/link-token.ts';
import type { Locale } from '#notifications/templates/template.ts';
import { toLocale, type Notifier } from '#notifications/notifier.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { rollback, transactionWithRollback } from '#platform/database/transaction-with-rollback.ts';
import { anonymousActor, type AuditActor } from '#platform/http/audit-actor.ts';
import { bindDeps } from '#platform/kit/bind.ts';
import type { Clock } from '#platform/kit/clock.ts';
import { hashCredential, newId } from '#platform/kit/ids.ts';
import type { Applicant } from './application.ts';
import { createSellerWithOwner } from './create-seller.ts';
import { insertApplication } from './store.ts';
import {
  deleteSignup,
  deleteSignupsExpiredBefore,
  insertSignup,
  lockUnmailed,
  setToken,
  takeSignup,
} from './store-signups.ts';

export { SIGNUP_MAILS_DUE } from './store-signups.ts';

const LINK_TTL_MS = 24 * 3_600_000;

interface SignupDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly users: Pick<UsersService, 'hash' | 'findByEmail'>;
  readonly notifier: Notifier;
  /** Whether a mailed link creates the seller. Otherwise, the sign-up does at once. */
  readonly confirmEmail: boolean;
}

export type SignupService = ReturnType<typeof createSignupService>;

/** How a seller without an account applies for one. */
export const createSignupService = (deps: SignupDeps) => bindDeps(deps, { signUp, confirm, mailNext });

interface Signup extends Applicant {
  readonly ownerPassword: string;
  readonly locale: Locale;
}

type HashedApplicant = Applicant & {
  readonly id: string;
  readonly passwordHash: string;
  readonly locale: Locale;
};

/**
 * Accepts a sign-up. Returns the id of the seller. The response does not reveal whether the email
 * has an account, and neither does its time: the worker looks it up, or else the password is hashed
 * first either way. An email notifies the owner of the address.
 */
async function signUp(deps: SignupDeps, signup: Signup, requestId: string): Promise<string> {
  const { ownerPassword, locale, ...applicant } = signup;
  const now = deps.clock.now();
  const id = newId(now.getTime());
  const ownerEmail = applicant.ownerEmail.toLowerCase();
  const { passwordHash } = await deps.users.hash({
    sellerId: id,
    name: applicant.ownerName,
    email: ownerEmail,
    role: 'OWNER',
    password: ownerPassword,
  });
  if (deps.confirmEmail) {
    const expiresAt = new Date(now.getTime() + LINK_TTL_MS);
    await insertSignup(deps.db, {
      id,
      name: applicant.name,
      document_type: applicant.documentType,
      document: applicant.document,
      owner_name: applicant.ownerName,
      owner_email: ownerEmail,
      password_hash: passwordHash,
      locale,
      token_hash: null,
      expires_at: expiresAt,
      created_at: now,
    });
    return id;
  }
  const hashed = { ...applicant, ownerEmail, id, passwordHash, locale };
  const { created } = await transactionWithRollback(deps.db, async (trx) => {
    const isCreated = await createApplicant(trx, hashed, now, anonymousActor(requestId));
    return isCreated ? { created: true } : rollback({ created: false });
  });
  if (!created) await deps.db.transaction().execute((trx) => mailRefusal(deps, trx, hashed, now));
  return id;
}

/**
 * Mails the link of the oldest sign-up, or notifies the owner of its email that there is an account
 * already. Returns whether there was one.
 */
function mailNext(deps: SignupDeps): Promise<boolean> {
  const { db, clock, users, notifier } = deps;
  return db.transaction().execute(async (trx) => {
    const signup = await lockUnmailed(trx);
    if (signup === undefined) return false;
    const { id, name, owner_email: to, expires_at: expiresAt } = signup;
    const at = clock.now();
    const locale = toLocale(signup.locale);
    if ((await users.findByEmail(to)) !== undefined) {
      await deleteSignup(trx, id);
      await mailRefusal(deps, trx, { name, ownerEmail: to, locale }, at);
      return true;
    }
    const { text, hash } = newLinkToken();
    await setToken(trx, id, hash);
    await notifier.writeMail(trx, {
      template: 'signup-confirmation',
      params: { organization: name },
      sellerId: null,
      to,
      locale,
      at,
      token: {
        text,
        expiresAt,
      },
    });
    return true;
  });
}

/** Creates the seller of a mailed link. Undefined for a link that is unknown, expired or used. */
async function confirm(
  { db, clock }: SignupDeps,
  token: string,
  requestId: string,
): Promise<{ readonly id: string; readonly ownerEmail: string } | 'EMAIL_TAKEN' | undefined> {
  const now = clock.now();
  const outcome = await transactionWithRollback<{
    readonly result: { readonly id: string; readonly ownerEmail: string } | 'EMAIL_TAKEN' | undefined;
  }>(db, async (trx) => {
    const row = await takeSignup(trx, hashCredential(token), now);
    if (row === undefined) return { result: undefined };
    const applicant: HashedApplicant = {
      id: row.id,
      name: row.name,
      document: row.document,
      ownerName: row.owner_name,
      ownerEmail: row.owner_email,
      passwordHash: row.password_hash,
      locale: toLocale(row.locale),
      documentType: row.document_type === 'CPF' ? 'CPF' : 'CNPJ',
    };
    const isCreated = await createApplicant(trx, applicant, now, anonymousActor(requestId));
    if (!isCreated) return rollback({ result: 'EMAIL_TAKEN' as const });
    return { result: { id: row.id, ownerEmail: row.owner_email } };
  });
  return outcome.result;
}

/** Deletes sign-ups that were not confirmed, at most `limit`. Returns how many. */
export const deleteExpiredSignups = (db: Db, now: Date, limit: number): Promise<number> =>
  deleteSignupsExpiredBefore(db, now, limit);

/** Creates a PENDING seller with its owner and its application. False if the email is taken. */
async function createApplicant(
  trx: DatabaseTransaction,
  { id, passwordHash, locale, ...applicant }: HashedApplicant,
  now: Date,
  actor: AuditActor,
): Promise<boolean> {
  const owner = { ownerPasswordHash: passwordHash, ownerLocale: locale };
  const seller = { ...applicant, ...owner, id, status: 'PENDING' } as const;
  if (!(await createSellerWithOwner(trx, seller, now, actor)).ok) return false;
  await insertApplication(trx, {
    ...applicant,
    sellerId: id,
    status: 'DRAFT',
    encryptedDetails: null,
    submittedAt: null,
    decidedAt: null,
    erasedAt: null,
    createdAt: now,
    updatedAt: now,
  });
  await recordAudit(trx, actor, {
    action: 'application.created',
    recordType: 'application',
    recordId: id,
    sellerId: id,
    before: null,
    after: { status: 'DRAFT' },
    at: now,
  });
  return true;
}

function mailRefusal(
  { notifier }: SignupDeps,
  trx: DatabaseTransaction,
  { name, ownerEmail, locale }: Pick<HashedApplicant, 'name' | 'ownerEmail' | 'locale'>,
  at: Date,
): Promise<void> {
  return notifier.writeMail(trx, {
    template: 'signup-refused',
    params: { organization: name },
    sellerId: null,
    to: ownerEmail,
    locale,
    at,
  });
}
