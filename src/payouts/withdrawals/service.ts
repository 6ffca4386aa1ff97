import { countedPage } from '#platform/database/pagination.ts';
import { countShownBy, paginate, type ListCount, type Page } from '#platform/http/pagination.ts';
import { isReservationProven } from '#accounting/ledger/service.ts';
import { bindDeps } from '#platform/kit/bind.ts';
import { KeyedMutex } from '#platform/database/keyed-mutex.ts';
import { isUuid } from '#platform/kit/ids.ts';
import { parseSearch } from '#payments/transactions/lookup.ts';
import { searchHashes } from '#payments/search/service.ts';
import type { EventSnapshot } from '#webhooks/delivery.ts';
import { approve, reject } from './approval.ts';
import { applyEvent, applyProviderEvent } from './change.ts';
import { create } from './creation.ts';
import type { WithdrawalDeps } from './deps.ts';
import { withdrawalUpdated } from './events.ts';
import { decryptPayee, payeesFrom, toDestination } from './payee.ts';
import type { KnownPayee } from './schema.ts';
import { lookUp } from './store-lookup.ts';
import {
  countWithdrawals,
  findHistory,
  findWithdrawal,
  findWithdrawals,
  findWithdrawalsById,
  type WithdrawalFilter,
} from './store.ts';
import {
  countWithdrawalsForOperator,
  findWithdrawalForOperator,
  findWithdrawalsForOperator,
  sumPendingWithdrawals,
  type OperatorFilter,
} from './store-operator.ts';
import type { OperatorWithdrawal, Withdrawal, WithdrawalKey } from './withdrawal.ts';

export {
  countDuePayouts,
  countPendingWithdrawals,
  findUnsettledWithdrawal,
  findUnsettledWithdrawals,
} from './store-payouts.ts';
export { sumReserved } from './store.ts';
export { WITHDRAWAL_SOURCE } from './store-search.ts';

export type WithdrawalsService = ReturnType<typeof createWithdrawalsService>;

export const createWithdrawalsService = (deps: Omit<WithdrawalDeps, 'creations'>) =>
  bindDeps(withCreations(deps), {
    create,
    applyEvent,
    applyProviderEvent,
    approve,
    reject,
    find,
    findForOperator,
    list,
    listForOperator,
    snapshotsOf,
    isReservationProven: (deps, withdrawal: Withdrawal) =>
      isReservationProven(deps, withdrawal, deps.clock.now()),
    findDestination,
    decryptPayee: ({ secrets }, withdrawal: Withdrawal) => decryptPayee(secrets, withdrawal),
    /** All status changes, oldest first. */
    listHistory: ({ db }, key: WithdrawalKey) => findHistory(db, key),
    lookUpText,
    search: ({ heavy }, sellerId: string, filter: WithdrawalFilter, page: Page) =>
      findWithdrawals(heavy, sellerId, filter, page),
    /** All withdrawals that match, newest first, read chunk by chunk. */
    iterate: ({ heavy }, sellerId: string, filter: WithdrawalFilter) =>
      paginate((page) => findWithdrawals(heavy, sellerId, filter, page)),
    iterateForOperator: ({ heavy }, filter: OperatorFilter) =>
      paginate((page) => findWithdrawalsForOperator(heavy, filter, page)),
  });

const withCreations = (deps: Omit<WithdrawalDeps, 'creations'>): WithdrawalDeps => ({
  ...deps,
  creations: new KeyedMutex(),
});

async function find({ db }: WithdrawalDeps, key: WithdrawalKey): Promise<Withdrawal | undefined> {
  return isUuid(key.id) ? findWithdrawal(db, key) : undefined;
}

/** The destination of an earlier withdrawal and its beneficiary, to be paid again. */
async function findDestination(deps: WithdrawalDeps, key: WithdrawalKey): Promise<KnownPayee | undefined> {
  const withdrawal = await find(deps, key);
  if (withdrawal === undefined) return undefined;
  const { destination, beneficiaryDocument } = decryptPayee(deps.secrets, withdrawal);
  const { beneficiaryName, beneficiaryDocumentType: type } = withdrawal;
  return {
    destination: toDestination(withdrawal, destination),
    beneficiaryName,
    beneficiaryDocument:
      type === null || beneficiaryDocument === null ? null : { type, number: beneficiaryDocument },
  };
}

/** Finds a withdrawal of any seller by its id alone. */
async function findForOperator({ db }: WithdrawalDeps, id: string): Promise<OperatorWithdrawal | undefined> {
  return isUuid(id) ? findWithdrawalForOperator(db, id) : undefined;
}

/**
 * Finds withdrawals by id, amount, payee or description, newest first. Returns undefined if the
 * query takes too long.
 */
function lookUpText(
  { heavy, secrets }: WithdrawalDeps,
  sellerId: string,
  text: string,
): Promise<readonly Withdrawal[] | undefined> {
  const query = parseSearch(text);
  const payeeHashes = payeesFrom(text, query.document).flatMap((payee) => searchHashes(secrets, payee));
  return lookUp(heavy, sellerId, { ...query, payeeHashes });
}

/** A page of the withdrawals that match, newest first, and the number of all that match. */
async function list(
  { db, heavy }: WithdrawalDeps,
  sellerId: string,
  filter: WithdrawalFilter,
  page: Page,
): Promise<{ readonly items: readonly Withdrawal[]; readonly count: ListCount }> {
  if (filter.metadataKey === undefined)
    return countedPage(findWithdrawals(db, sellerId, filter, page), countWithdrawals(db, sellerId, filter));
  const items = await findWithdrawals(heavy, sellerId, filter, page);
  // Counting is as expensive, so the page is used if it shows how many there are.
  const count = countShownBy(page, items.length) ?? (await countWithdrawals(heavy, sellerId, filter));
  return { items, count };
}

/** A page of the withdrawals of all sellers, and the sum of all that match if they are the PENDING ones. */
async function listForOperator({ db }: WithdrawalDeps, filter: OperatorFilter, page: Page) {
  const [listed, totalAmount] = await Promise.all([
    countedPage(findWithdrawalsForOperator(db, filter, page), countWithdrawalsForOperator(db, filter)),
    sumPendingWithdrawals(db, filter),
  ]);
  return { ...listed, totalAmount };
}

/** The current webhook events of withdrawals. Undefined if one of the ids is unknown. */
async function snapshotsOf(
  { db }: WithdrawalDeps,
  sellerId: string,
  ids: readonly string[],
): Promise<readonly EventSnapshot[] | undefined> {
  const withdrawals = await findWithdrawalsById(db, sellerId, ids);
  if (withdrawals.length < ids.length) return undefined;
  return withdrawals.map((withdrawal) => ({
    recordId: withdrawal.id,
    ...withdrawalUpdated(withdrawal),
    postback: null,
  }));
}
