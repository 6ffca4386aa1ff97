import { recordAudit } from '#audit/service.ts';
import type { AuditActor } from '#platform/http/audit-actor.ts';
import type { Db } from '#platform/database/connect.ts';
import {
  DEFAULT_FEES,
  getFees,
  getFeesBySeller,
  replaceFees,
  setFees,
  type FeeSchedule,
} from '#sellers/fees/service.ts';
import { paginate, type Page } from '#platform/http/pagination.ts';
import { newId } from '#platform/kit/ids.ts';
import { createWallets } from '#accounting/ledger/service.ts';
import {
  countSellers,
  findSeller,
  findSellers,
  findSellersByIds,
  insertSeller,
  lockSeller,
  updateSeller,
  type Seller,
  type SellerFilter,
  type SellerUpdate,
} from './store.ts';
import { TtlCache } from '#platform/kit/ttl-cache.ts';
import { createUser, type NewUserFailure } from '#identity/users/service.ts';

export { SELLER_STATUSES, type Seller, type SellerFilter, type SellerUpdate } from './store.ts';

/** What a charge needs to know of its seller. */
export interface SellerContext {
  readonly seller: Seller;
  readonly fees: FeeSchedule;
}

export interface NewSeller {
  /** Chosen by the caller only where a second try must make the same seller. */
  readonly id?: string;
  readonly name: string;
  readonly documentType: 'CPF' | 'CNPJ';
  readonly document: string;
  readonly ownerName: string;
  readonly ownerEmail: string;
  readonly ownerPassword: string;
  readonly status: Seller['status'];
}

/** Limits of a new seller until the operator changes them. Delays in days, amounts in cents. */
const DEFAULT_LIMITS = {
  requestsPerMinute: 120,
  creationsPerMinute: 60,
  boletoDelayDays: 1,
  cardDelayDays: 30,
  autoApproveUpTo: 0,
  negativeBalanceUpTo: 0,
  chargebackFee: 0,
} as const;

/** Makes a seller with its fee plan, its empty wallet and its owner: all of them or nothing. */
export async function createSeller(
  db: Db,
  input: NewSeller,
  now: Date,
  author: AuditActor,
): Promise<{ ok: true; seller: Seller } | { ok: false; failure: NewUserFailure }> {
  const nowMs = now.getTime();
  const seller: Seller = {
    id: input.id ?? newId(nowMs),
    name: input.name,
    documentType: input.documentType,
    document: input.document,
    status: input.status,
    ...DEFAULT_LIMITS,
    createdAt: now,
    updatedAt: now,
  };
  const owner = {
    sellerId: seller.id,
    name: input.ownerName,
    email: input.ownerEmail,
    password: input.ownerPassword,
    role: 'OWNER' as const,
  };
  try {
    await db.transaction().execute(async (trx) => {
      await insertSeller(trx, seller);
      await setFees(trx, seller.id, DEFAULT_FEES, now);
      await createWallets(trx, seller.id, newId(nowMs), now);
      const created = await createUser(trx, owner, now);
      // Throwing is what undoes the transaction.
      if (!created.ok) throw new OwnerCreationError(created.failure);
      const { id: ownerId, name: ownerName, email: ownerEmail } = created.user;
      await recordAudit(trx, author, {
        action: 'seller.created',
        recordType: 'seller',
        recordId: seller.id,
        sellerId: seller.id,
        before: null,
        after: { ...auditFields(seller), ownerId, ownerName, ownerEmail },
        at: now,
      });
    });
  } catch (error) {
    if (error instanceof OwnerCreationError) return { ok: false, failure: error.failure };
    throw error;
  }
  return { ok: true, seller };
}

/** What the audit log keeps of a seller; it masks the document. */
function auditFields({ id: _id, createdAt: _createdAt, updatedAt: _updatedAt, ...members }: Seller) {
  return members;
}

class OwnerCreationError extends Error {
  readonly failure: NewUserFailure;
  constructor(failure: NewUserFailure) {
    super(failure);
    this.failure = failure;
  }
}

export type SellersService = ReturnType<typeof createSellersService>;

/** Sellers as other rooms ask for them: at every request, so what is read is kept for a moment. */
export function createSellersService(db: Db) {
  const contexts = new TtlCache(
    async (sellerIds: readonly string[]): Promise<ReadonlyMap<string, SellerContext>> => {
      const [sellers, plans] = await Promise.all([
        findSellersByIds(db, sellerIds),
        getFeesBySeller(db, sellerIds),
      ]);
      const contextsById = new Map<string, SellerContext>();
      for (const seller of sellers) {
        const fees = plans.get(seller.id);
        if (fees !== undefined) contextsById.set(seller.id, { seller, fees });
      }
      return contextsById;
    },
  );
  return {
    find: (sellerId: string): Promise<Seller | undefined> => findSeller(db, sellerId),

    async list(
      filter: SellerFilter,
      page: Page,
    ): Promise<{ readonly items: readonly Seller[]; readonly count: number }> {
      const [items, count] = await Promise.all([findSellers(db, filter, page), countSellers(db, filter)]);
      return { items, count };
    },

    /** Every seller that matches, newest first, read in portions as fast as they are taken. */
    iterate: (filter: SellerFilter): AsyncGenerator<Seller> =>
      paginate((page) => findSellers(db, filter, page)),

    getContext: (sellerId: string): Promise<SellerContext | undefined> => contexts.get(sellerId),

    async update(
      sellerId: string,
      changes: Partial<SellerUpdate>,
      now: Date,
      author: AuditActor,
    ): Promise<Seller | undefined> {
      const changed = await db.transaction().execute(async (trx) => {
        const before = await lockSeller(trx, sellerId);
        const after = await updateSeller(trx, sellerId, changes, now);
        if (before === undefined || after === undefined) return undefined;
        await recordAudit(trx, author, {
          action: 'seller.updated',
          recordType: 'seller',
          recordId: after.id,
          sellerId: after.id,
          before: auditFields(before),
          after: auditFields(after),
          at: now,
        });
        return after;
      });
      contexts.invalidate(sellerId);
      return changed;
    },

    /** The plan as it is in the database now. */
    async getFees(sellerId: string): Promise<FeeSchedule> {
      const fees = await getFees(db, sellerId);
      if (fees === undefined) throw new Error('a seller without a fee plan');
      return fees;
    },

    async replaceFees(sellerId: string, fees: FeeSchedule, now: Date, author: AuditActor): Promise<void> {
      await replaceFees(db, sellerId, fees, now, author);
      contexts.invalidate(sellerId);
    },
  };
}
