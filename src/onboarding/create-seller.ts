import { createWallets } from '#accounting/ledger/service.ts';
import { recordAudit } from '#audit/service.ts';
import { createHashedUser, createUser, type NewUserFailure } from '#identity/users/creation.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { rollback, transactionWithRollback } from '#platform/database/transaction-with-rollback.ts';
import type { Locale } from '#notifications/templates/template.ts';
import type { AuditActor } from '#platform/http/audit-actor.ts';
import { newId } from '#platform/kit/ids.ts';
import type { Seller } from '#sellers/seller.ts';
import { createSellerRecord, sellerAuditFields, type NewSeller } from '#sellers/service.ts';

export interface NewSellerWithOwner extends NewSeller {
  readonly ownerName: string;
  readonly ownerEmail: string;
  /** Undefined to invite the owner, or with `ownerPasswordHash`. */
  readonly ownerPassword?: string | undefined;
  readonly ownerPasswordHash?: string;
  /** The language of the owner's mails. */
  readonly ownerLocale?: Locale;
  /** Invites the owner in the transaction. Returns the id that they will have. */
  readonly inviteOwner?: (trx: DatabaseTransaction, sellerId: string) => Promise<string>;
  /** Whether the owner is the sandbox's demo user. */
  readonly demo?: boolean | undefined;
}

export type CreateSellerResult =
  | { readonly ok: true; readonly seller: Seller }
  | { readonly ok: false; readonly failure: NewUserFailure };

/** Creates a seller with its fee schedule, its empty wallet and its owner in one transaction. */
export function createSeller(
  db: Db,
  input: NewSellerWithOwner,
  now: Date,
  actor: AuditActor,
): Promise<CreateSellerResult> {
  return transactionWithRollback<CreateSellerResult>(db, async (trx) => {
    const created = await createSellerWithOwner(trx, input, now, actor);
    return created.ok ? created : rollback(created);
  });
}

/** The same in a transaction of the caller, which rolls it back after a failure. */
export async function createSellerWithOwner(
  trx: DatabaseTransaction,
  input: NewSellerWithOwner,
  now: Date,
  actor: AuditActor,
): Promise<CreateSellerResult> {
  const seller = await createSellerRecord(trx, input, now);
  await createWallets(trx, seller.id, newId(now.getTime()), now);
  const ownerId = await createOwner(trx, { ...input, sellerId: seller.id, now });
  if (ownerId === 'EMAIL_TAKEN') return { ok: false, failure: ownerId };
  await recordAudit(trx, actor, {
    action: 'seller.created',
    recordType: 'seller',
    recordId: seller.id,
    sellerId: seller.id,
    before: null,
    after: {
      ...sellerAuditFields(seller),
      ownerId,
      ownerName: input.ownerName,
      ownerEmail: input.ownerEmail.toLowerCase(),
    },
    at: now,
  });
  return { ok: true, seller };
}

/** Creates the first user of a seller, or invites them. Returns the id of the user. */
async function createOwner(
  trx: DatabaseTransaction,
  {
    sellerId,
    now,
    ownerName: name,
    ownerEmail: email,
    ownerPassword: password,
    ...input
  }: NewSellerWithOwner & { readonly sellerId: string; readonly now: Date },
): Promise<string> {
  const user = { sellerId, name, email, role: 'OWNER', demo: input.demo } as const;
  if (input.ownerPasswordHash !== undefined) {
    const hashed = { ...user, passwordHash: input.ownerPasswordHash, locale: input.ownerLocale };
    const owner = await createHashedUser(trx, hashed, now);
    return owner.ok ? owner.user.id : owner.failure;
  }
  if (password === undefined) {
    if (input.inviteOwner === undefined) throw new Error('an owner needs a password or an invitation');
    return input.inviteOwner(trx, sellerId);
  }
  const owner = await createUser(trx, { ...user, password }, now);
  return owner.ok ? owner.user.id : owner.failure;
}
