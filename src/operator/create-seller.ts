import { createWallets } from '#accounting/ledger/service.ts';
import { recordAudit } from '#audit/service.ts';
import { createUser, type NewUserFailure } from '#identity/users/service.ts';
import type { Db } from '#platform/database/connect.ts';
import { rollback, transactionWithRollback } from '#platform/database/transaction-with-rollback.ts';
import type { AuditActor } from '#platform/http/audit-actor.ts';
import { newId } from '#platform/kit/ids.ts';
import type { Seller } from '#sellers/seller.ts';
import { createSellerRecord, sellerAuditFields, type NewSeller } from '#sellers/service.ts';

export interface NewSellerWithOwner extends NewSeller {
  readonly ownerName: string;
  readonly ownerEmail: string;
  readonly ownerPassword: string;
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
  const { ownerName: name, ownerEmail: email, ownerPassword: password, demo } = input;
  return transactionWithRollback<CreateSellerResult>(db, async (trx) => {
    const seller = await createSellerRecord(trx, input, now);
    await createWallets(trx, seller.id, newId(now.getTime()), now);
    const user = { sellerId: seller.id, name, email, password, role: 'OWNER', demo } as const;
    const owner = await createUser(trx, user, now);
    if (!owner.ok) return rollback<CreateSellerResult>(owner);
    await recordAudit(trx, actor, {
      action: 'seller.created',
      recordType: 'seller',
      recordId: seller.id,
      sellerId: seller.id,
      before: null,
      after: {
        ...sellerAuditFields(seller),
        ownerId: owner.user.id,
        ownerName: owner.user.name,
        ownerEmail: owner.user.email,
      },
      at: now,
    });
    return { ok: true, seller };
  });
}
