import { audit, type Action } from '#audit/service.ts';
import type { Author, Caller } from '#platform/http/author.ts';
import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import { feeOn } from '#sellers/fees/service.ts';
import { inPortions, type Page } from '#platform/http/pages.ts';
import { once } from '#payments/idempotency/service.ts';
import { isUuid, newId } from '#platform/kit/ids.ts';
import { book } from '#accounting/ledger/service.ts';
import { maskAccount, maskCryptoAddress, maskDocument, maskPixKey } from '#platform/kit/masks.ts';
import type { PayoutDestination, PayoutProvider } from './payout-provider.ts';
import { withdrawalContext } from '#platform/crypto/encrypted-columns.ts';
import type { SecretBox } from '#platform/crypto/secrets.ts';
import type { SellerContext } from '#sellers/service.ts';
import { approvalsNeeded } from '#sellers/settings/service.ts';
import { writeEvent, type News } from '#webhooks/service.ts';
import type { CreationFailure } from './errors.ts';
import { withdrawalUpdated } from './events.ts';
import type { WithdrawalRequest } from './schema.ts';
import { decide, reservationEntry, type Happening } from './states.ts';
import { insertPayout, insertReport, wasApplied, type ReportRecord } from './store-payouts.ts';
import {
  countOfAllSellers,
  findApprovers,
  findOfAllSellers,
  findOwned,
  insertApproval,
  lockWithdrawal,
  type OperatorFilter,
} from './store-operator.ts';
import {
  countWithdrawals,
  findHistory,
  findWithdrawal,
  findWithdrawals,
  findWithdrawalsById,
  insertHistory,
  insertWithdrawal,
  updateWithdrawal,
  type Actor,
  type Step,
  type WithdrawalFilter,
} from './store.ts';
import { viewWithdrawal, type WithdrawalView } from './views.ts';
import {
  asRequested,
  type BankAccount,
  type OwnedWithdrawal,
  type Payee,
  type Withdrawal,
  type WithdrawalKey,
  type WithdrawalStatus,
} from './withdrawal.ts';

export { countDuePayouts as duePayouts, countUndecided as undecidedWithdrawals } from './store-payouts.ts';
export { sumReserved as reservedFor } from './store.ts';

export const CREATE_OPERATION = 'withdrawals.create';

/** How often a change is decided anew because another one came between. Each round, at least one of the rivals wins. */
const MAX_ROUNDS = 20;

export interface WithdrawalsDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly secrets: SecretBox;
  /** Who pays out, in the order of choice; nobody where none is set up. */
  readonly payouts: readonly PayoutProvider[];
  /** Told after a commit that wrote deliveries, so that the worker need not wait for its next look. */
  readonly onDeliveries: () => void;
}

export type CreateResult =
  | { readonly kind: 'created' | 'replayed'; readonly view: WithdrawalView }
  | { readonly kind: 'refused'; readonly failure: CreationFailure };

export type ChangeResult =
  | { readonly kind: 'applied' | 'repeated'; readonly withdrawal: Withdrawal }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'impossible'; readonly from: WithdrawalStatus; readonly to: WithdrawalStatus };

interface Cause {
  readonly actor: Actor;
  readonly report?: ReportRecord;
  /** Who answers for it; absent where it is no decision of a person. */
  readonly author?: Author;
}

export type WithdrawalsService = ReturnType<typeof createWithdrawalsService>;

export function createWithdrawalsService({ db, clock, secrets, payouts, onDeliveries }: WithdrawalsDeps) {
  /**
   * Makes a withdrawal, once for its key. The amount is set aside in the same transaction, and the last thing in it, so that the
   * wallet of a busy seller is locked for the shortest time. Up to the seller's allowance, and never where two people must
   * approve, the approval is part of the transaction too; the answer is the withdrawal as it was before.
   */
  async function create(
    { seller, fees }: SellerContext,
    wanted: WithdrawalRequest,
    idempotencyKey: string,
    bodyHash: Buffer,
  ): Promise<CreateResult> {
    const now = clock.now();
    const recordId = newId(now.getTime());
    const request = {
      sellerId: seller.id,
      operation: CREATE_OPERATION,
      key: idempotencyKey,
      bodyHash,
      recordId,
      now,
      isAnswer: isView,
    };
    let deliveries = 0;
    const result = await once<WithdrawalView, CreationFailure>(db, request, async (transaction) => {
      const { method } = wanted.destination;
      if (!payouts.some(({ methods }) => methods.includes(method))) {
        return { ok: false, failure: `${method}_UNAVAILABLE` };
      }
      const feeAmount = feeOn(wanted.amount, fees.pixOut);
      if (feeAmount === undefined) return { ok: false, failure: 'FEE_NOT_COVERED' };
      const made = newWithdrawal({ sellerId: seller.id, id: recordId }, wanted, feeAmount, now);
      await insertWithdrawal(transaction, made);
      const history = { from: null, actor: 'SELLER', userId: null, reason: null } as const;
      await insertHistory(transaction, made, history);
      if (
        wanted.amount <= seller.autoApproveUpTo &&
        (await approvalsNeeded(transaction, wanted.amount)) === 1
      ) {
        const approval = { kind: 'APPROVAL', userId: null, approvalsNeeded: 0 } as const;
        const approved = await change(transaction, made, approval, { actor: 'GATEWAY' });
        if (approved.kind === 'applied') deliveries = approved.deliveries;
      }
      const { origin } = made;
      const entries = [reservationEntry(made)];
      const booking = { sellerId: seller.id, recordId, origin, entries, floor: 0, at: now };
      if (!(await book(transaction, booking))) return { ok: false, failure: 'INSUFFICIENT_BALANCE' };
      return { ok: true, answer: viewWithdrawal(made) };
    });
    switch (result.kind) {
      case 'done':
        failPoint('withdrawals.committed');
        if (deliveries > 0) onDeliveries();
        return { kind: 'created', view: result.answer };
      case 'replayed':
        return { kind: 'replayed', view: result.answer };
      case 'reused':
        return { kind: 'refused', failure: 'KEY_REUSED' };
      case 'refused':
        return result;
    }
  }

  function newWithdrawal(
    key: WithdrawalKey,
    wanted: WithdrawalRequest,
    feeAmount: number,
    createdAt: Date,
  ): Withdrawal {
    const { destination, beneficiaryDocument } = wanted;
    const payee: Payee = {
      destination: numberOf(destination),
      beneficiaryDocument: beneficiaryDocument?.number ?? null,
    };
    return asRequested({
      ...key,
      method: destination.method,
      origin: wanted.origin,
      amount: wanted.amount,
      feeAmount,
      pixKeyType: destination.method === 'PIX' ? destination.pixKeyType : null,
      cryptoNetwork: destination.method === 'CRYPTO' ? destination.network : null,
      bankAccount: destination.method === 'TED' ? accountOf(destination) : null,
      destinationShown: shownOf(destination),
      sealedPayee: secrets.seal(JSON.stringify(payee), contextOf(key)),
      beneficiaryName: wanted.beneficiaryName,
      beneficiaryDocumentType: beneficiaryDocument?.type ?? null,
      beneficiaryDocumentShown:
        beneficiaryDocument === null
          ? null
          : maskDocument(beneficiaryDocument.type, beneficiaryDocument.number),
      description: wanted.description,
      metadata: wanted.metadata,
      createdAt,
    });
  }

  /**
   * Applies what happened to a withdrawal. Reads, decides, and writes only if nothing came between; otherwise once more.
   * Of two that exclude each other (approve and reject) one wins, and the other one is told where the withdrawal stands.
   */
  async function happen(key: WithdrawalKey, happening: Happening, cause: Cause): Promise<ChangeResult> {
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const before = await findWithdrawal(db, key);
      if (before === undefined) return { kind: 'unknown' };
      const result = await db
        .transaction()
        .execute((transaction) => change(transaction, before, happening, cause));
      if (result.kind === 'stale') continue;
      if (result.kind === 'applied') {
        failPoint('withdrawals.changed');
        if (result.deliveries > 0) onDeliveries();
        return { kind: 'applied', withdrawal: result.withdrawal };
      }
      const { report } = cause;
      if (report === undefined) return result;
      if (await wasApplied(db, key, report)) return { kind: 'repeated', withdrawal: before };
      // Nothing a provider tells is dropped: an operator must look at a payment of what had been given back.
      const detail = `${result.from} to ${result.to}`;
      await insertReport(db, key, report, { kind: 'REJECTED', detail, at: clock.now() });
      return result;
    }
    throw new Error('a withdrawal changed under every attempt to change it');
  }

  /** One decided change with all that is written beside it, in the caller's transaction; the wallet comes last. */
  async function change(transaction: Db, before: Withdrawal, happening: Happening, cause: Cause) {
    const at = clock.now();
    const decision = decide(before, happening, at);
    if (decision.kind === 'impossible') return decision;
    const { after, entries } = decision;
    if (!(await updateWithdrawal(transaction, before, after))) return { kind: 'stale' as const };
    const { actor, report, author } = cause;
    const userId = 'userId' in happening ? happening.userId : null;
    const reason = 'reason' in happening ? happening.reason : null;
    await insertHistory(transaction, after, { from: before.status, actor, userId, reason });
    if (report !== undefined) {
      await insertReport(transaction, after, report, { kind: 'APPLIED', detail: null, at });
    }
    if (author !== undefined) {
      const action = after.status === 'REJECTED' ? 'withdrawal.rejected' : 'withdrawal.approved';
      const members = { before: membersOf(before), after: membersOf(after), at };
      await told(transaction, author, action, after, members);
    }
    if (happening.kind === 'HAND_OVER') await insertPayout(transaction, after, happening.provider);
    const { sellerId, id: recordId, origin } = after;
    const { type, payload } = withdrawalUpdated(after);
    const event = { sellerId, id: newId(at.getTime()), type, recordId, payload, at };
    const deliveries = await writeEvent(transaction, { ...event, eventType: 'WITHDRAWAL' });
    await book(transaction, { sellerId, recordId, origin, entries, at });
    return { kind: 'applied' as const, withdrawal: after, deliveries };
  }

  /** One ADMIN's word is enough to reject, also where another one has approved already. */
  async function reject(id: string, author: Caller, reason: string): Promise<DecidedResult> {
    const found = isUuid(id) ? await findOwned(db, id) : undefined;
    if (found === undefined) return { kind: 'unknown' };
    const happening = { kind: 'REJECTION', userId: author.id, reason } as const;
    const result = await happen(found, happening, { actor: 'OPERATOR', author });
    if (!('withdrawal' in result)) return result;
    return { kind: 'applied', withdrawal: { ...found, ...result.withdrawal } };
  }

  /**
   * Records an ADMIN's approval and, where there are now as many as the settings of this moment ask for, approves. The
   * withdrawal is locked: of two ADMINs who approve at once the second one sees the first one's approval and completes it.
   */
  async function approve(id: string, author: Caller): Promise<DecidedResult | ApprovedBefore> {
    const found = isUuid(id) ? await findOwned(db, id) : undefined;
    if (found === undefined) return { kind: 'unknown' };
    const userId = author.id;
    let deliveries = 0;
    const result = await db.transaction().execute(async (within): Promise<DecidedResult | ApprovedBefore> => {
      const before = await lockWithdrawal(within, found);
      if (before === undefined) return { kind: 'unknown' };
      if (before.status !== 'PENDING') return { kind: 'impossible', from: before.status, to: 'APPROVED' };
      const at = clock.now();
      const isFirst = await insertApproval(within, before, { userId, at });
      const approvers = await findApprovers(within, before);
      const needed = await approvalsNeeded(within, before.amount);
      if (approvers.length >= needed) {
        const approval = { kind: 'APPROVAL', userId, approvalsNeeded: needed } as const;
        const approved = await change(within, before, approval, { actor: 'OPERATOR', author });
        if (approved.kind !== 'applied') throw new Error('a locked withdrawal changed under its lock');
        deliveries = approved.deliveries;
      } else if (isFirst) {
        const others = approvers.filter((approver) => approver !== userId);
        const approvals = { before: { approvals: others }, after: { approvals: approvers }, at };
        await told(within, author, 'withdrawal.approval-recorded', before, approvals);
      } else {
        return { kind: 'approved-before' };
      }
      const withdrawal = await findOwned(within, before.id);
      return withdrawal === undefined ? { kind: 'unknown' } : { kind: 'applied', withdrawal };
    });
    if (result.kind === 'applied') failPoint('withdrawals.changed');
    if (deliveries > 0) onDeliveries();
    return result;
  }

  return {
    create,
    happen,

    async find(key: WithdrawalKey): Promise<Withdrawal | undefined> {
      return isUuid(key.id) ? findWithdrawal(db, key) : undefined;
    },

    /** By its id alone, for the operator. */
    async findOfAnySeller(id: string): Promise<OwnedWithdrawal | undefined> {
      return isUuid(id) ? findOwned(db, id) : undefined;
    },

    /** Every status it has had, the first one first. */
    historyOf: (key: WithdrawalKey): Promise<readonly Step[]> => findHistory(db, key),

    async list(sellerId: string, filter: WithdrawalFilter, page: Page) {
      const [found, count] = await Promise.all([
        findWithdrawals(db, sellerId, filter, page),
        countWithdrawals(db, sellerId, filter),
      ]);
      return { found, count };
    },

    search: (sellerId: string, filter: WithdrawalFilter, page: Page): Promise<readonly Withdrawal[]> =>
      findWithdrawals(db, sellerId, filter, page),

    /** Every withdrawal that matches, read in portions along the primary key; what is made meanwhile is not among them. */
    all: (sellerId: string, filter: WithdrawalFilter): AsyncGenerator<Withdrawal> =>
      inPortions((page) => findWithdrawals(db, sellerId, filter, page)),

    allOfAllSellers: (filter: OperatorFilter): AsyncGenerator<OwnedWithdrawal> =>
      inPortions((page) => findOfAllSellers(db, filter, page)),

    async listOfAllSellers(filter: OperatorFilter, page: Page) {
      const [found, count] = await Promise.all([
        findOfAllSellers(db, filter, page),
        countOfAllSellers(db, filter),
      ]);
      return { found, count };
    },

    /** What is true of these withdrawals now, as their seller is told; undefined where one of them is unknown. */
    async newsOf(sellerId: string, ids: readonly string[]): Promise<readonly News[] | undefined> {
      const found = await findWithdrawalsById(db, sellerId, ids);
      if (found.length < ids.length) return undefined;
      return found.map((one) => ({ recordId: one.id, ...withdrawalUpdated(one), postback: null }));
    },

    approve,
    reject,

    /** Takes a provider's report: applied at most once, and kept where it could not be applied. */
    report: (key: WithdrawalKey, happening: Happening, report: ReportRecord): Promise<ChangeResult> =>
      happen(key, happening, { actor: 'PROVIDER', report }),

    /** In clear, for the provider that pays and for nobody else. */
    payeeOf(withdrawal: Withdrawal): Payee {
      const payee: unknown = JSON.parse(secrets.open(withdrawal.sealedPayee, contextOf(withdrawal)));
      if (!isPayee(payee)) throw new Error('a sealed payee has an unknown form');
      return payee;
    },
  };
}

/** What is sealed of a destination: whoever knows it knows where the money goes. */
function numberOf(destination: PayoutDestination): string {
  switch (destination.method) {
    case 'PIX':
      return destination.pixKey;
    case 'CRYPTO':
      return destination.address;
    case 'TED':
      return destination.account;
  }
}

function shownOf(destination: PayoutDestination): string {
  switch (destination.method) {
    case 'PIX':
      return maskPixKey(destination.pixKeyType, destination.pixKey);
    case 'CRYPTO':
      return maskCryptoAddress(destination.address);
    case 'TED':
      return maskAccount(destination.account);
  }
}

const accountOf = ({ bankCode, branch, accountType }: BankAccount): BankAccount => ({
  bankCode,
  branch,
  accountType,
});

/** The same ADMIN has approved it before, and another one is needed. */
export interface ApprovedBefore {
  readonly kind: 'approved-before';
}

/** Writes down what an operator's user did to a withdrawal, in the transaction that did it. */
function told(
  within: Db,
  author: Author,
  action: Extract<Action, `withdrawal.${string}`>,
  { sellerId, id: recordId }: WithdrawalKey,
  members: Pick<Parameters<typeof audit>[2], 'before' | 'after' | 'at'>,
): Promise<void> {
  return audit(within, author, { action, recordType: 'withdrawal', recordId, sellerId, ...members });
}

const membersOf = ({ status, rejectionReason }: Withdrawal) => ({ status, rejectionReason });

export type DecidedResult =
  | { readonly kind: 'applied'; readonly withdrawal: OwnedWithdrawal }
  | Exclude<ChangeResult, { readonly kind: 'applied' | 'repeated' }>;

const contextOf = ({ sellerId, id }: WithdrawalKey): string => withdrawalContext(sellerId, id);

function isView(kept: unknown): kept is WithdrawalView {
  return typeof kept === 'object' && kept !== null && 'id' in kept && 'netAmount' in kept;
}

function isPayee(value: unknown): value is Payee {
  return (
    typeof value === 'object' &&
    value !== null &&
    'destination' in value &&
    typeof value.destination === 'string' &&
    'beneficiaryDocument' in value &&
    (value.beneficiaryDocument === null || typeof value.beneficiaryDocument === 'string')
  );
}
