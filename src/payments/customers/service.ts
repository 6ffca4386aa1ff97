import { recordAudit } from '#audit/service.ts';
import { deleteCardTokensOf } from '#payments/card-tokens/service.ts';
import { parseSearch } from '#payments/transactions/lookup.ts';
import { countedPage } from '#platform/database/pagination.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import type { AuditActor } from '#platform/http/audit-actor.ts';
import { paginate, type Page } from '#platform/http/pagination.ts';
import { bindDeps } from '#platform/kit/bind.ts';
import type { Clock } from '#platform/kit/clock.ts';
import { errorCode } from '#platform/kit/errors.ts';
import { isUuid, newId } from '#platform/kit/ids.ts';
import {
  countCustomers,
  deleteCustomer,
  findCustomer,
  findCustomers,
  findOtherWithDocument,
  insertCustomer,
  lockCustomer,
  lookUpCustomers,
  updateCustomer,
  type CustomerFilter,
} from './store.ts';
import type { CustomerInput, CustomerKey, CustomerRecord } from './customer.ts';

export { CUSTOMER_SOURCE } from './store-search.ts';

export interface CustomersDeps {
  readonly db: Db;
  /** For searches. */
  readonly heavy: Db;
  readonly clock: Clock;
  /** What else ends with a customer, in the transaction that deletes it. */
  readonly beforeDelete: (
    trx: DatabaseTransaction,
    customer: CustomerRecord,
    actor: AuditActor,
    at: Date,
  ) => Promise<void>;
  readonly notifyWorker: () => void;
}

export type CustomersService = ReturnType<typeof createCustomersService>;

export const createCustomersService = (deps: CustomersDeps) =>
  bindDeps(deps, { create, find, list, iterate, lookUp, update, delete: remove });

export type SaveResult =
  | { readonly kind: 'saved'; readonly customer: CustomerRecord }
  /** Another customer has this document. */
  | { readonly kind: 'exists'; readonly id: string };

async function create(
  { db, clock }: CustomersDeps,
  sellerId: string,
  input: CustomerInput,
  actor: AuditActor,
): Promise<SaveResult> {
  const at = clock.now();
  const customer = { ...input, sellerId, id: newId(at.getTime()), createdAt: at, updatedAt: at };
  return db.transaction().execute(async (trx) => {
    const existing = await insertCustomer(trx, customer);
    if (existing !== undefined) return { kind: 'exists', id: existing };
    await audit(trx, actor, { action: 'customer.created', customer, at });
    return { kind: 'saved', customer };
  });
}

async function find({ db }: CustomersDeps, key: CustomerKey): Promise<CustomerRecord | undefined> {
  return isUuid(key.id) ? findCustomer(db, key) : undefined;
}

/** Whether the seller has this customer, for transactions that create records of it. */
export const customerExists = async (trx: DatabaseTransaction, key: CustomerKey): Promise<boolean> =>
  isUuid(key.id) && (await findCustomer(trx, key)) !== undefined;

const list = ({ db }: CustomersDeps, sellerId: string, filter: CustomerFilter, page: Page) =>
  countedPage(findCustomers(db, sellerId, filter, page), countCustomers(db, sellerId, filter));

/** All customers that match, newest first, read chunk by chunk. */
const iterate = ({ heavy }: CustomersDeps, sellerId: string, filter: CustomerFilter) =>
  paginate((page) => findCustomers(heavy, sellerId, filter, page));

/**
 * Finds customers by id, document, or a part of name, email or reference; at most 20. Returns
 * undefined if that takes too long.
 */
async function lookUp(
  deps: CustomersDeps,
  sellerId: string,
  searched: string,
): Promise<readonly CustomerRecord[] | undefined> {
  const { id, text, document } = parseSearch(searched);
  if (id === undefined) return lookUpCustomers(deps.heavy, sellerId, { text, document });
  const found = await find(deps, { sellerId, id });
  return found === undefined ? [] : [found];
}

/** Changes the given members. Returns undefined if there is no such customer. */
async function update(
  { db, clock }: CustomersDeps,
  key: CustomerKey,
  changes: Partial<CustomerInput>,
  actor: AuditActor,
): Promise<SaveResult | undefined> {
  if (!isUuid(key.id)) return undefined;
  const at = clock.now();
  const change = async (trx: DatabaseTransaction): Promise<SaveResult | undefined> => {
    const before = await lockCustomer(trx, key);
    if (before === undefined) return undefined;
    const customer = { ...before, ...changes, updatedAt: at };
    const other = await findOtherWithDocument(trx, customer);
    if (other !== undefined) return { kind: 'exists', id: other };
    await updateCustomer(trx, customer);
    await audit(trx, actor, { action: 'customer.updated', customer, changed: Object.keys(changes), at });
    return { kind: 'saved', customer };
  };
  try {
    return await db.transaction().execute(change);
  } catch (error) {
    // A concurrent change has taken the document; the second attempt finds its customer.
    if (!isUniqueViolation(error)) throw error;
    return db.transaction().execute(change);
  }
}

const UNIQUE_VIOLATION = '23505';

const isUniqueViolation = (error: unknown): boolean => errorCode(error) === UNIQUE_VIOLATION;

/**
 * Deletes a customer with its saved cards, after what else ends with it. Its transactions keep what
 * the law asks for. Returns false if there is no such customer.
 */
async function remove(
  { db, clock, beforeDelete, notifyWorker }: CustomersDeps,
  key: CustomerKey,
  actor: AuditActor,
): Promise<boolean> {
  if (!isUuid(key.id)) return false;
  const at = clock.now();
  const isDeleted = await db.transaction().execute(async (trx) => {
    const customer = await lockCustomer(trx, key);
    if (customer === undefined) return false;
    await beforeDelete(trx, customer, actor, at);
    await deleteCardTokensOf(trx, customer);
    await deleteCustomer(trx, customer);
    await audit(trx, actor, { action: 'customer.deleted', customer, at });
    return true;
  });
  if (isDeleted) notifyWorker();
  return isDeleted;
}

interface CustomerAudit {
  readonly action: 'customer.created' | 'customer.updated' | 'customer.deleted';
  readonly customer: CustomerRecord;
  /** The names of the changed members. */
  readonly changed?: readonly string[];
  readonly at: Date;
}

/** Personal data stays out of the log, which is never erased. */
function audit(
  trx: DatabaseTransaction,
  actor: AuditActor,
  { action, customer: { sellerId, id, documentType }, changed, at }: CustomerAudit,
): Promise<void> {
  const members = { documentType };
  return recordAudit(trx, actor, {
    action,
    recordType: 'customer',
    recordId: id,
    sellerId,
    at,
    before: action === 'customer.created' ? null : changed === undefined ? members : { changed: [] },
    after: action === 'customer.deleted' ? null : changed === undefined ? members : { changed },
  });
}
