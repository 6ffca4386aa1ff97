import { countedPage } from '#platform/database/pagination.ts';
import { paginate, type Page } from '#platform/http/pagination.ts';
import { isReservationProven } from '#accounting/ledger/service.ts';
import { bindDeps } from '#platform/kit/bind.ts';
import { isUuid } from '#platform/kit/ids.ts';
import type { EventSnapshot } from '#webhooks/delivery.ts';
import { approve, reject } from './approval.ts';
import { applyEvent, applyProviderEvent } from './change.ts';
import { create } from './creation.ts';
import type { WithdrawalDeps } from './deps.ts';
import { withdrawalUpdated } from './events.ts';
import { decryptPayee } from './payee.ts';
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
  type OperatorFilter,
} from './store-operator.ts';
import type { OperatorWithdrawal, Withdrawal, WithdrawalKey } from './withdrawal.ts';

export { countDuePayouts, countPendingWithdrawals } from './store-payouts.ts';
export { sumReserved } from './store.ts';

export type WithdrawalsService = ReturnType<typeof createWithdrawalsService>;

export const createWithdrawalsService = (deps: WithdrawalDeps) =>
  bindDeps(deps, {
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
    decryptPayee: ({ secrets }, withdrawal: Withdrawal) => decryptPayee(secrets, withdrawal),
    /** All status changes, oldest first. */
    listHistory: ({ db }, key: WithdrawalKey) => findHistory(db, key),
    search: ({ db }, sellerId: string, filter: WithdrawalFilter, page: Page) =>
      findWithdrawals(db, sellerId, filter, page),
    /** All withdrawals that match, newest first, read chunk by chunk. */
    iterate: ({ db }, sellerId: string, filter: WithdrawalFilter) =>
      paginate((page) => findWithdrawals(db, sellerId, filter, page)),
    iterateForOperator: ({ db }, filter: OperatorFilter) =>
      paginate((page) => findWithdrawalsForOperator(db, filter, page)),
  });

async function find({ db }: WithdrawalDeps, key: WithdrawalKey): Promise<Withdrawal | undefined> {
  return isUuid(key.id) ? findWithdrawal(db, key) : undefined;
}

/** Finds a withdrawal of any seller by its id alone. */
async function findForOperator({ db }: WithdrawalDeps, id: string): Promise<OperatorWithdrawal | undefined> {
  return isUuid(id) ? findWithdrawalForOperator(db, id) : undefined;
}

/** A page of the withdrawals that match, newest first, and the number of all that match. */
function list({ db }: WithdrawalDeps, sellerId: string, filter: WithdrawalFilter, page: Page) {
  return countedPage(findWithdrawals(db, sellerId, filter, page), countWithdrawals(db, sellerId, filter));
}

function listForOperator({ db }: WithdrawalDeps, filter: OperatorFilter, page: Page) {
  return countedPage(findWithdrawalsForOperator(db, filter, page), countWithdrawalsForOperator(db, filter));
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
