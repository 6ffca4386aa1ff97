import type { Locale } from '#notifications/templates/template.ts';
import { recordAudit, type ChangeOrigin } from '#audit/service.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { inTransaction } from '#platform/database/in-transaction.ts';
import type { AuditActor } from '#platform/http/audit-actor.ts';
import { forbidden } from '#platform/http/errors.ts';
import { newId } from '#platform/kit/ids.ts';
import type { Role } from '#platform/kit/permissions.ts';
import { auditFields, auditTarget } from './audit.ts';
import type { UsersDeps } from './deps.ts';
import { mayInvite } from './invitations.ts';
import { hashPassword, verifyPassword } from './passwords.ts';
import { profileOf, type Profile } from './profile.ts';
import { findUserByEmail, hasOperatorUser, insertUser, lockUser, type User } from './store.ts';

export interface NewUser {
  /** Null for a user of the operator. */
  readonly sellerId: string | null;
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly role: Role;
  /** Created by the start of the sandbox: cannot sign in outside it. */
  readonly demo?: boolean | undefined;
}

export type NewUserFailure = 'EMAIL_TAKEN';

/** A new user whose password is hashed already. */
export type HashedUser = Omit<NewUser, 'password'> & {
  readonly passwordHash: string;
  /** The language of mails. Portuguese by default. */
  readonly locale?: Locale | undefined;
};

type CreateUserResult =
  | { readonly ok: true; readonly user: Profile }
  | { readonly ok: false; readonly failure: NewUserFailure };

/** Creates a user as part of a larger change, which the caller records in the audit log. */
export async function createUser(
  trx: DatabaseTransaction,
  input: NewUser,
  now: Date,
): Promise<CreateUserResult> {
  return saveUser(trx, await buildNewUser(input, now, null));
}

/** The same with a password that is hashed already. */
export function createHashedUser(
  trx: DatabaseTransaction,
  input: HashedUser,
  now: Date,
): Promise<CreateUserResult> {
  return saveUser(trx, buildUser(input, now, null));
}

/** Creates the operator's first user. Returns false if the operator has one. */
export async function createFirstOperator(
  db: Db,
  { email, password, demo }: Pick<NewUser, 'email' | 'password' | 'demo'>,
  now: Date,
  actor: AuditActor,
): Promise<boolean> {
  if (await hasOperatorUser(db)) return false;
  const input = { sellerId: null, name: 'Admin', role: 'ADMIN', email, password, demo } as const;
  return (await createAuditedUser(db, input, { actor, at: now })).ok;
}

/**
 * Returns why the settings of the first operator have no effect, or that nobody can sign in for the
 * lack of them; undefined if all is well.
 */
export async function findFirstOperatorProblem(
  db: Db,
  settings: Pick<NewUser, 'email' | 'password'> | undefined,
): Promise<'missing' | 'other-user' | 'other-password' | undefined> {
  if (settings === undefined) return (await hasOperatorUser(db)) ? undefined : 'missing';
  const user = await findUserByEmail(db, settings.email.toLowerCase());
  if (user === undefined || user.seller_id !== null) return 'other-user';
  return (await verifyPassword(user.password_hash, settings.password)) ? undefined : 'other-password';
}

/** Creates a user of a seller or of the operator. */
export function create(
  { db, clock }: UsersDeps,
  input: NewUser,
  actor: AuditActor,
): Promise<CreateUserResult> {
  return createAuditedUser(db, input, { actor, at: clock.now() });
}

export async function hash(_deps: UsersDeps, { password, ...user }: NewUser): Promise<HashedUser> {
  return { ...user, passwordHash: await hashPassword(password) };
}

export function createHashed(
  { db, clock }: UsersDeps,
  input: HashedUser,
  actor: AuditActor,
): Promise<CreateUserResult> {
  return insertAuditedUser(db, buildUser(input, clock.now(), creatorOf(actor)), actor);
}

/** Hashes the password before the transaction begins, which keeps the transaction short. */
async function createAuditedUser(
  db: Db,
  input: NewUser,
  { actor, at }: ChangeOrigin,
): Promise<CreateUserResult> {
  return insertAuditedUser(db, await buildNewUser(input, at, creatorOf(actor)), actor);
}

/** The user of the operator who makes another one. */
const creatorOf = ({ kind, id }: AuditActor): string | null => (kind === 'OPERATOR_USER' ? id : null);

function insertAuditedUser(db: Db, user: User, actor: AuditActor): Promise<CreateUserResult> {
  return inTransaction(db, async (trx) => {
    if (!(await isStillEntitled(trx, actor))) throw forbidden();
    const created = await saveUser(trx, user);
    if (!created.ok) return created;
    const at = user.created_at;
    const change = { action: 'user.created', before: null, after: auditFields(user), at } as const;
    await recordAudit(trx, actor, { ...change, ...auditTarget(user) });
    return created;
  });
}

/**
 * Locks the user who creates another one. Returns false if they were deleted since the request was
 * authenticated, or may no longer do it.
 */
async function isStillEntitled(trx: DatabaseTransaction, { kind, id }: AuditActor): Promise<boolean> {
  if (id === null || (kind !== 'SELLER_USER' && kind !== 'OPERATOR_USER')) return true;
  const creator = await lockUser(trx, id);
  return creator !== undefined && mayInvite(creator);
}

async function buildNewUser(
  { password, ...input }: NewUser,
  now: Date,
  createdBy: string | null,
): Promise<User> {
  return buildUser({ ...input, passwordHash: await hashPassword(password) }, now, createdBy);
}

function buildUser(input: HashedUser, now: Date, createdBy: string | null): User {
  return {
    id: newId(now.getTime()),
    seller_id: input.sellerId,
    name: input.name,
    email: input.email.toLowerCase(),
    role: input.role,
    password_hash: input.passwordHash,
    token_generation: 0,
    locale: input.locale ?? 'pt-BR',
    demo: input.demo ?? false,
    created_by: createdBy,
    second_factor_reset_due_at: null,
    created_at: now,
    updated_at: now,
  };
}

async function saveUser(trx: DatabaseTransaction, user: User): Promise<CreateUserResult> {
  const inserted = await insertUser(trx, user);
  return inserted ? { ok: true, user: profileOf(user) } : { ok: false, failure: 'EMAIL_TAKEN' };
}
