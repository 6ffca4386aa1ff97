import type { Db } from '#database/connect.ts';
import { DEFAULT_FEES, feesOf, setFees, type FeeSchedule } from '#fees/service.ts';
import type { Page } from '#http/pages.ts';
import { newId } from '#ids.ts';
import { openWallets } from '#ledger/service.ts';
import {
  countSellers,
  findSeller,
  findSellers,
  insertSeller,
  updateSeller,
  type Seller,
  type SellerLimits,
} from './store.ts';
import { ShortCache } from '#short-cache.ts';
import { createUser, type NewUserFailure } from '#users/service.ts';

export { SELLER_STATUSES, type Seller, type SellerLimits } from './store.ts';

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
    });
  } catch (error) {
    if (error instanceof OwnerRefused) return { ok: false, failure: error.failure };
    throw error;
  }
  return { ok: true, seller };
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
  const contexts = new ShortCache(async (sellerId: string): Promise<SellerContext | undefined> => {
    const [seller, fees] = await Promise.all([findSeller(db, sellerId), feesOf(db, sellerId)]);
    return seller === undefined || fees === undefined ? undefined : { seller, fees };
  });
  return {
    find: (sellerId: string): Promise<Seller | undefined> => findSeller(db, sellerId),

    async list(page: Page): Promise<{ readonly found: readonly Seller[]; readonly count: number }> {
      const [found, count] = await Promise.all([findSellers(db, page), countSellers(db)]);
      return { found, count };
    },

    contextOf: (sellerId: string): Promise<SellerContext | undefined> => contexts.get(sellerId),

    async change(sellerId: string, limits: Partial<SellerLimits>, now: Date): Promise<Seller | undefined> {
      const changed = await updateSeller(db, sellerId, limits, now);
      contexts.forget(sellerId);
      return changed;
    },

    /** The plan as it is in the database now. */
    async feesOf(sellerId: string): Promise<FeeSchedule> {
      const fees = await feesOf(db, sellerId);
      if (fees === undefined) throw new Error('a seller without a fee plan');
      return fees;
    },

    async changeFees(sellerId: string, fees: FeeSchedule, now: Date): Promise<void> {
      await setFees(db, sellerId, fees, now);
      contexts.forget(sellerId);
    },
  };
}
