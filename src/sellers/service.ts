import { recordAudit } from '#audit/service.ts';
import type { AuditActor } from '#platform/http/audit-actor.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
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

export { SELLER_STATUSES, type Seller, type SellerFilter, type SellerUpdate } from './store.ts';

/** What a charge needs to know of its seller. */
export interface SellerContext {
  readonly seller: Seller;
  readonly fees: FeeSchedule;
}

export interface NewSeller {
  /** Set by callers that retry and must create the same seller each time. */
  readonly id?: string;
  readonly name: string;
  readonly documentType: 'CPF' | 'CNPJ';
  readonly document: string;
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

/** Creates a seller with the default limits and fee schedule. The caller creates its owner and its wallet. */
export async function createSellerRecord(
  trx: DatabaseTransaction,
  { id, name, documentType, document, status }: NewSeller,
  now: Date,
): Promise<Seller> {
  const seller: Seller = {
    id: id ?? newId(now.getTime()),
    name,
    documentType,
    document,
    status,
    ...DEFAULT_LIMITS,
    createdAt: now,
    updatedAt: now,
  };
  await insertSeller(trx, seller);
  await setFees(trx, seller.id, DEFAULT_FEES, now);
  return seller;
}

/** The fields of a seller that the audit log records. `recordAudit` masks the document. */
export function sellerAuditFields({
  id: _id,
  createdAt: _createdAt,
  updatedAt: _updatedAt,
  ...fields
}: Seller) {
  return fields;
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
          before: sellerAuditFields(before),
          after: sellerAuditFields(after),
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
