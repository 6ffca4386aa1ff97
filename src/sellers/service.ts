import { recordAudit, type ChangeOrigin } from '#audit/service.ts';
import { countedPage } from '#platform/database/pagination.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { inTransaction } from '#platform/database/in-transaction.ts';
import type { RecordCaches } from '#platform/database/record-caches.ts';
import type { RunStatement } from '#platform/database/statements.ts';
import { paginate, type Page } from '#platform/http/pagination.ts';
import { bindDeps } from '#platform/kit/bind.ts';
import { newId } from '#platform/kit/ids.ts';
import type { RecordCache } from '#platform/kit/record-cache.ts';
import type { FeeSchedule } from './fees/schedule.ts';
import { viewFees } from './fees/schema.ts';
import { findFees, findFeesBySeller, lockFees, saveFees } from './fees/store.ts';
import { defaultFees } from './settings/service.ts';
import type { Seller, SellerFilter, SellerLimits } from './seller.ts';
import {
  countSellers,
  findSeller,
  findSellers,
  findSellersByIds,
  insertSeller,
  lockSeller,
  replaceSellerByPlaceholder,
  updateSeller,
} from './store.ts';

export { lockSeller } from './store.ts';

/** A seller with its fee schedule: what creating a transaction or a withdrawal needs. */
export interface SellerContext {
  readonly seller: Seller;
  readonly fees: FeeSchedule;
}

export interface NewSeller {
  /** Set by callers that retry and must create the same seller each time. */
  readonly id?: string;
  readonly name: string;
  readonly documentType: Seller['documentType'];
  readonly document: string;
  readonly status: Seller['status'];
}

interface SellersDeps {
  readonly db: Db;
  /** For exports. */
  readonly heavy: Db;
  readonly contextCache: RecordCache<string, SellerContext>;
}

/** Limits of a new seller until the operator changes them. */
const DEFAULT_LIMITS: SellerLimits = {
  requestsPerMinute: 120,
  creationsPerMinute: 60,
  boletoDelayDays: 1,
  cardDelayDays: 30,
  autoApproveUpTo: 0,
  negativeBalanceUpTo: 0,
  chargebackFee: 0,
};

export type SellersService = ReturnType<typeof createSellersService>;

/** Contexts are needed by every request, so they are cached until they change. */
export function createSellersService(db: Db, caches: RecordCaches, heavy = db) {
  const contextCache = caches.create<SellerContext>({
    name: 'sellers',
    tables: [
      { table: 'sellers', idColumn: 'id' },
      { table: 'fee_schedules', idColumn: 'seller_id' },
    ],
    load: loadContexts,
    idsOf: ({ seller }) => [seller.id],
  });
  const deps: SellersDeps = { db, heavy, contextCache };
  return bindDeps(deps, { find, list, iterate, getContext, update, withTransaction, getFees, replaceFees });
}

/**
 * Inserts a seller with the default limits and fee schedule. The caller adds its owner and its
 * wallet.
 */
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
    activatedAt: null,
    createdAt: now,
    updatedAt: now,
  };
  await insertSeller(trx, seller);
  await saveFees(trx, seller.id, await defaultFees(trx), now);
  return seller;
}

/** Closes a seller that was never active, and replaces its name and document by placeholders. */
export const eraseSeller = (trx: DatabaseTransaction, id: string, at: Date): Promise<void> =>
  replaceSellerByPlaceholder(trx, id, at);

/** The fields of a seller that the audit log records. `recordAudit` masks the document. */
export function sellerAuditFields({
  id: _id,
  activatedAt: _activatedAt,
  createdAt: _createdAt,
  updatedAt: _updatedAt,
  ...fields
}: Seller) {
  return fields;
}

function find({ db }: SellersDeps, sellerId: string): Promise<Seller | undefined> {
  return findSeller(db, sellerId);
}

/** A page of the sellers that match, newest first, and the number of all that match. */
function list({ db }: SellersDeps, filter: SellerFilter, page: Page) {
  return countedPage(findSellers(db, filter, page), countSellers(db, filter));
}

/** All sellers that match, newest first, read chunk by chunk. */
function iterate({ heavy }: SellersDeps, filter: SellerFilter): AsyncGenerator<Seller> {
  return paginate((page) => findSellers(heavy, filter, page));
}

/** A change by another process may be unknown for less than a second. */
function getContext({ contextCache }: SellersDeps, sellerId: string): Promise<SellerContext | undefined> {
  return contextCache.get(sellerId);
}

/** The changes in a transaction of the caller. */
const withTransaction = (deps: SellersDeps, trx: DatabaseTransaction) =>
  bindDeps({ ...deps, db: trx }, { update, replaceFees });

/** Changes status and limits. Returns undefined if there is no such seller. */
async function update(
  { db, contextCache }: SellersDeps,
  sellerId: string,
  changes: Partial<SellerLimits & Pick<Seller, 'status'>>,
  { actor, at }: ChangeOrigin,
): Promise<Seller | undefined> {
  const updated = await inTransaction(db, async (trx) => {
    const before = await lockSeller(trx, sellerId);
    if (before === undefined) return undefined;
    const isActivated = changes.status === 'ACTIVE' && before.status !== 'ACTIVE';
    const activatedAt = isActivated ? at : before.activatedAt;
    const after = await updateSeller(trx, sellerId, { ...changes, activatedAt }, at);
    await recordAudit(trx, actor, {
      action: 'seller.updated',
      recordType: 'seller',
      recordId: sellerId,
      sellerId,
      before: sellerAuditFields(before),
      after: sellerAuditFields(after),
      at,
    });
    return after;
  });
  contextCache.invalidate(new Set([sellerId]));
  return updated;
}

/** Reads the fee schedule from the database. Throws if the seller does not exist. */
async function getFees({ db }: SellersDeps, sellerId: string): Promise<FeeSchedule> {
  const fees = await findFees(db, sellerId);
  if (fees === undefined) throw new Error('the seller has no fee schedule');
  return fees;
}

/** Replaces the fee schedule. Existing transactions keep the fee that they were created with. */
async function replaceFees(
  { db, contextCache }: SellersDeps,
  sellerId: string,
  fees: FeeSchedule,
  { actor, at }: ChangeOrigin,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const before = await lockFees(trx, sellerId);
    await saveFees(trx, sellerId, fees, at);
    await recordAudit(trx, actor, {
      action: 'fees.replaced',
      recordType: 'fees',
      recordId: sellerId,
      sellerId,
      before: before === undefined ? null : { ...viewFees(before) },
      after: { ...viewFees(fees) },
      at,
    });
  });
  contextCache.invalidate(new Set([sellerId]));
}

async function loadContexts(
  query: RunStatement,
  sellerIds: readonly string[],
): Promise<ReadonlyMap<string, SellerContext>> {
  const sellers = await findSellersByIds(query, sellerIds);
  const feesBySeller = await findFeesBySeller(query, sellerIds);
  const contexts = new Map<string, SellerContext>();
  for (const seller of sellers) {
    const fees = feesBySeller.get(seller.id);
    if (fees !== undefined) contexts.set(seller.id, { seller, fees });
  }
  return contexts;
}
