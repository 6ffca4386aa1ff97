import { audit } from '#audit/service.ts';
import type { Author } from '#platform/http/author.ts';
import type { Db } from '#platform/database/connect.ts';
import {
  DEFAULT_FEES,
  feesOf,
  feesOfSellers,
  replaceFees,
  setFees,
  type FeeSchedule,
} from '#sellers/fees/service.ts';
import { inPortions, type Page } from '#platform/http/pages.ts';
import { newId } from '#platform/kit/ids.ts';
import { openWallets } from '#accounting/ledger/service.ts';
import {
  countSellers,
  findSeller,
  findSellers,
  findSellersOf,
  insertSeller,
  lockSeller,
  updateSeller,
  type Seller,
  type SellerFilter,
  type SellerLimits,
} from './store.ts';
import { ShortCache } from '#platform/kit/short-cache.ts';
import { createUser, type NewUserFailure } from '#identity/users/service.ts';

export { SELLER_STATUSES, type Seller, type SellerFilter, type SellerLimits } from './store.ts';

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
  wanted: NewSeller,
  now: Date,
  author: Author,
): Promise<{ ok: true; seller: Seller } | { ok: false; failure: NewUserFailure }> {
  const nowMs = now.getTime();
  const seller: Seller = {
    id: wanted.id ?? newId(nowMs),
    name: wanted.name,
    documentType: wanted.documentType,
    document: wanted.document,
    status: wanted.status,
    ...DEFAULT_LIMITS,
    createdAt: now,
    updatedAt: now,
  };
  const owner = {
    sellerId: seller.id,
    name: wanted.ownerName,
    email: wanted.ownerEmail,
    password: wanted.ownerPassword,
    role: 'OWNER' as const,
  };
  try {
    await db.transaction().execute(async (transaction) => {
      await insertSeller(transaction, seller);
      await setFees(transaction, seller.id, DEFAULT_FEES, now);
      await openWallets(transaction, seller.id, newId(nowMs), now);
      const created = await createUser(transaction, owner, now);
      // Throwing is what undoes the transaction.
      if (!created.ok) throw new OwnerRefused(created.failure);
      const { id: ownerId, name: ownerName, email: ownerEmail } = created.user;
      await audit(transaction, author, {
        action: 'seller.created',
        recordType: 'seller',
        recordId: seller.id,
        sellerId: seller.id,
        before: null,
        after: { ...membersOf(seller), ownerId, ownerName, ownerEmail },
        at: now,
      });
    });
  } catch (error) {
    if (error instanceof OwnerRefused) return { ok: false, failure: error.failure };
    throw error;
  }
  return { ok: true, seller };
}

/** What the audit log keeps of a seller; it masks the document. */
function membersOf({ id: _id, createdAt: _createdAt, updatedAt: _updatedAt, ...members }: Seller) {
  return members;
}

class OwnerRefused extends Error {
  readonly failure: NewUserFailure;
  constructor(failure: NewUserFailure) {
    super(failure);
    this.failure = failure;
  }
}

export type SellersService = ReturnType<typeof createSellersService>;

/** Sellers as other rooms ask for them: at every request, so what is read is kept for a moment. */
export function createSellersService(db: Db) {
  const contexts = new ShortCache(
    async (sellerIds: readonly string[]): Promise<ReadonlyMap<string, SellerContext>> => {
      const [found, plans] = await Promise.all([findSellersOf(db, sellerIds), feesOfSellers(db, sellerIds)]);
      const kept = new Map<string, SellerContext>();
      for (const seller of found) {
        const fees = plans.get(seller.id);
        if (fees !== undefined) kept.set(seller.id, { seller, fees });
      }
      return kept;
    },
  );
  return {
    find: (sellerId: string): Promise<Seller | undefined> => findSeller(db, sellerId),

    async list(
      filter: SellerFilter,
      page: Page,
    ): Promise<{ readonly found: readonly Seller[]; readonly count: number }> {
      const [found, count] = await Promise.all([findSellers(db, filter, page), countSellers(db, filter)]);
      return { found, count };
    },

    /** Every seller that matches, newest first, read in portions as fast as they are taken. */
    all: (filter: SellerFilter): AsyncGenerator<Seller> =>
      inPortions((page) => findSellers(db, filter, page)),

    contextOf: (sellerId: string): Promise<SellerContext | undefined> => contexts.get(sellerId),

    async change(
      sellerId: string,
      limits: Partial<SellerLimits>,
      now: Date,
      author: Author,
    ): Promise<Seller | undefined> {
      const changed = await db.transaction().execute(async (within) => {
        const before = await lockSeller(within, sellerId);
        const after = await updateSeller(within, sellerId, limits, now);
        if (before === undefined || after === undefined) return undefined;
        await audit(within, author, {
          action: 'seller.updated',
          recordType: 'seller',
          recordId: after.id,
          sellerId: after.id,
          before: membersOf(before),
          after: membersOf(after),
          at: now,
        });
        return after;
      });
      contexts.forget(sellerId);
      return changed;
    },

    /** The plan as it is in the database now. */
    async feesOf(sellerId: string): Promise<FeeSchedule> {
      const fees = await feesOf(db, sellerId);
      if (fees === undefined) throw new Error('a seller without a fee plan');
      return fees;
    },

    async changeFees(sellerId: string, fees: FeeSchedule, now: Date, author: Author): Promise<void> {
      await replaceFees(db, sellerId, fees, now, author);
      contexts.forget(sellerId);
    },
  };
}
