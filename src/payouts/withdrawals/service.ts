import { recordAudit, type Action } from '#audit/service.ts';
import type { AuditActor, Caller } from '#platform/http/audit-actor.ts';
import type { Clock } from '#platform/kit/clock.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import { calculateFee } from '#sellers/fees/schedule.ts';
import { paginate, type Page } from '#platform/http/pagination.ts';
import { runIdempotent } from '#payments/idempotency/service.ts';
import type { ProviderEventRecord } from '#payments/provider-events/provider-event.ts';
import { findProviderEvent, insertProviderEvent } from '#payments/provider-events/service.ts';
import { isUuid, newId } from '#platform/kit/ids.ts';
import { bookEntries } from '#accounting/ledger/service.ts';
import { maskAccount, maskCryptoAddress, maskDocument, maskPixKey } from '#platform/kit/masks.ts';
import type { PayoutDestination, PayoutProvider } from './payout-provider.ts';
import { withdrawalContext } from '#platform/crypto/encrypted-columns.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import type { SellerContext } from '#sellers/service.ts';
import { approvalsNeeded } from '#sellers/settings/service.ts';
import { publishEvent } from '#webhooks/outbox.ts';
import type { EventSnapshot } from '#webhooks/delivery.ts';
import type { CreationFailure } from './errors.ts';
import { withdrawalUpdated } from './events.ts';
import type { WithdrawalRequest } from './schema.ts';
import { decide, reservationEntry, type WithdrawalEvent } from './states.ts';
import { insertPayout } from './store-payouts.ts';
import {
  countWithdrawalsForOperator,
  findApprovers,
  findWithdrawalsForOperator,
  findWithdrawalForOperator,
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
  type StatusChange,
  type WithdrawalFilter,
} from './store.ts';
import { viewWithdrawal, type WithdrawalView } from './views.ts';
import {
  toPendingWithdrawal,
  type BankAccount,
  type OperatorWithdrawal,
  type Payee,
  type Withdrawal,
  type WithdrawalKey,
  type WithdrawalStatus,
} from './withdrawal.ts';

export { countDuePayouts, countPendingWithdrawals } from './store-payouts.ts';
export { sumReserved } from './store.ts';

export const CREATE_OPERATION = 'withdrawals.create';

/** How often a change is decided anew because another one came between. Each round, at least one of the rivals wins. */
const MAX_ATTEMPTS = 20;

export interface WithdrawalsDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly secrets: SecretBox;
  /** Who pays out, in the order of choice; nobody where none is set up. */
  readonly payoutProviders: readonly PayoutProvider[];
  /** Told after a commit that wrote deliveries, so that the worker need not wait for its next look. */
  readonly notifyWorker: () => void;
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
  readonly providerEvent?: ProviderEventRecord;
  /** Who answers for it; absent where it is no decision of a person. */
  readonly author?: AuditActor;
}

export type WithdrawalsService = ReturnType<typeof createWithdrawalsService>;

export function createWithdrawalsService({
  db,
  clock,
  secrets,
  payoutProviders,
  notifyWorker,
}: WithdrawalsDeps) {
  /**
   * Makes a withdrawal, once for its key. The amount is set aside in the same transaction, and the last thing in it, so that the
   * wallet of a busy seller is locked for the shortest time. Up to the seller's allowance, and never where two people must
   * approve, the approval is part of the transaction too; the answer is the withdrawal as it was before.
   */
  async function create(
    { seller, fees }: SellerContext,
    input: WithdrawalRequest,
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
      isResponse: isView,
    };
    let deliveries = 0;
    const result = await runIdempotent<WithdrawalView, CreationFailure>(db, request, async (trx) => {
      const { method } = input.destination;
      if (!payoutProviders.some(({ methods }) => methods.includes(method))) {
        return { kind: 'refused', failure: `${method}_UNAVAILABLE` };
      }
      const feeAmount = calculateFee(input.amount, fees.pixOut);
      if (feeAmount === undefined) return { kind: 'refused', failure: 'FEE_NOT_COVERED' };
      const withdrawal = newWithdrawal({ sellerId: seller.id, id: recordId }, input, feeAmount, now);
      await insertWithdrawal(trx, withdrawal);
      const history = { from: null, actor: 'SELLER', userId: null, reason: null } as const;
      await insertHistory(trx, withdrawal, history);
      if (input.amount <= seller.autoApproveUpTo && (await approvalsNeeded(trx, input.amount)) === 1) {
        const approval = { kind: 'APPROVAL', userId: null, approvalsNeeded: 0 } as const;
        const approved = await applyChange(trx, withdrawal, approval, { actor: 'GATEWAY' });
        if (approved.kind === 'applied') deliveries = approved.deliveries;
      }
      const { origin } = withdrawal;
      const entries = [reservationEntry(withdrawal)];
      const booking = { sellerId: seller.id, recordId, origin, entries, floor: 0, at: now };
      if (!(await bookEntries(trx, booking))) return { kind: 'refused', failure: 'INSUFFICIENT_BALANCE' };
      return { kind: 'done', response: viewWithdrawal(withdrawal) };
    });
    switch (result.kind) {
      case 'done':
        failPoint('withdrawals.committed');
        if (deliveries > 0) notifyWorker();
        return { kind: 'created', view: result.response };
      case 'replayed':
        return { kind: 'replayed', view: result.response };
      case 'reused':
        return { kind: 'refused', failure: 'KEY_REUSED' };
      case 'refused':
        return result;
    }
  }

  function newWithdrawal(
    key: WithdrawalKey,
    input: WithdrawalRequest,
    feeAmount: number,
    createdAt: Date,
  ): Withdrawal {
    const { destination, beneficiaryDocument } = input;
    const payee: Payee = {
      destination: plainDestination(destination),
      beneficiaryDocument: beneficiaryDocument?.number ?? null,
    };
    return toPendingWithdrawal({
      ...key,
      method: destination.method,
      origin: input.origin,
      amount: input.amount,
      feeAmount,
      pixKeyType: destination.method === 'PIX' ? destination.pixKeyType : null,
      cryptoNetwork: destination.method === 'CRYPTO' ? destination.network : null,
      bankAccount: destination.method === 'TED' ? toBankAccount(destination) : null,
      maskedDestination: maskDestination(destination),
      encryptedPayee: secrets.encrypt(JSON.stringify(payee), encryptionContext(key)),
      beneficiaryName: input.beneficiaryName,
      beneficiaryDocumentType: beneficiaryDocument?.type ?? null,
      maskedBeneficiaryDocument:
        beneficiaryDocument === null
          ? null
          : maskDocument(beneficiaryDocument.type, beneficiaryDocument.number),
      description: input.description,
      metadata: input.metadata,
      createdAt,
    });
  }

  /**
   * Applies what happened to a withdrawal. Reads, decides, and writes only if nothing came between; otherwise once more.
   * Of two that exclude each other (approve and reject) one wins, and the other one is told where the withdrawal stands.
   */
  async function applyEvent(key: WithdrawalKey, event: WithdrawalEvent, cause: Cause): Promise<ChangeResult> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const before = await findWithdrawal(db, key);
      if (before === undefined) return { kind: 'unknown' };
      const result = await db.transaction().execute((trx) => applyChange(trx, before, event, cause));
      if (result.kind === 'stale') continue;
      if (result.kind === 'applied') {
        failPoint('withdrawals.changed');
        if (result.deliveries > 0) notifyWorker();
        return { kind: 'applied', withdrawal: result.withdrawal };
      }
      const { providerEvent } = cause;
      if (providerEvent === undefined) return result;
      const known = await findProviderEvent(db, key.sellerId, providerEvent);
      if (known?.recordId === key.id && known.outcome === 'APPLIED')
        return { kind: 'repeated', withdrawal: before };
      // Nothing a provider tells is dropped: an operator must look at a payment of what had been given back.
      const detail = `${result.from} to ${result.to}`;
      await insertProviderEvent(db, key, providerEvent, {
        ...{ outcome: 'REJECTED', detail, receivedAt: clock.now() },
      });
      return result;
    }
    throw new Error('a withdrawal changed under every attempt to change it');
  }

  /** One decided change with all that is written beside it, in the caller's transaction; the wallet comes last. */
  async function applyChange(
    trx: DatabaseTransaction,
    before: Withdrawal,
    event: WithdrawalEvent,
    cause: Cause,
  ) {
    const at = clock.now();
    const decision = decide(before, event, at);
    if (decision.kind === 'impossible') return decision;
    const { after, entries } = decision;
    if (!(await updateWithdrawal(trx, before, after))) return { kind: 'stale' as const };
    const { actor, providerEvent, author } = cause;
    const userId = 'userId' in event ? event.userId : null;
    const reason = 'reason' in event ? event.reason : null;
    await insertHistory(trx, after, { from: before.status, actor, userId, reason });
    if (providerEvent !== undefined) {
      await insertProviderEvent(trx, after, providerEvent, {
        ...{ outcome: 'APPLIED', detail: null, receivedAt: at },
      });
    }
    if (author !== undefined) {
      const action = after.status === 'REJECTED' ? 'withdrawal.rejected' : 'withdrawal.approved';
      const members = { before: auditedMembers(before), after: auditedMembers(after), at };
      await recordWithdrawalAudit(trx, author, action, after, members);
    }
    if (event.kind === 'HAND_OVER') await insertPayout(trx, after, event.provider);
    const { sellerId, id: recordId, origin } = after;
    const { type, payload } = withdrawalUpdated(after);
    const webhookEvent = { sellerId, id: newId(at.getTime()), type, recordId, payload, at };
    const deliveries = await publishEvent(trx, { ...webhookEvent, eventType: 'WITHDRAWAL' });
    await bookEntries(trx, { sellerId, recordId, origin, entries, at });
    return { kind: 'applied' as const, withdrawal: after, deliveries };
  }

  /** One ADMIN's word is enough to reject, also where another one has approved already. */
  async function reject(id: string, author: Caller, reason: string): Promise<DecisionResult> {
    const current = isUuid(id) ? await findWithdrawalForOperator(db, id) : undefined;
    if (current === undefined) return { kind: 'unknown' };
    const event = { kind: 'REJECTION', userId: author.id, reason } as const;
    const result = await applyEvent(current, event, { actor: 'OPERATOR', author });
    if (!('withdrawal' in result)) return result;
    return { kind: 'applied', withdrawal: { ...current, ...result.withdrawal } };
  }

  /**
   * Records an ADMIN's approval and, where there are now as many as the settings of this moment ask for, approves. The
   * withdrawal is locked: of two ADMINs who approve at once the second one sees the first one's approval and completes it.
   */
  async function approve(id: string, author: Caller): Promise<DecisionResult | AlreadyApproved> {
    const current = isUuid(id) ? await findWithdrawalForOperator(db, id) : undefined;
    if (current === undefined) return { kind: 'unknown' };
    const userId = author.id;
    let deliveries = 0;
    const result = await db.transaction().execute(async (trx): Promise<DecisionResult | AlreadyApproved> => {
      const before = await lockWithdrawal(trx, current);
      if (before === undefined) return { kind: 'unknown' };
      if (before.status !== 'PENDING') return { kind: 'impossible', from: before.status, to: 'APPROVED' };
      const at = clock.now();
      const isFirst = await insertApproval(trx, before, { userId, at });
      const approvers = await findApprovers(trx, before);
      const needed = await approvalsNeeded(trx, before.amount);
      if (approvers.length >= needed) {
        const approval = { kind: 'APPROVAL', userId, approvalsNeeded: needed } as const;
        const approved = await applyChange(trx, before, approval, { actor: 'OPERATOR', author });
        if (approved.kind !== 'applied') throw new Error('a locked withdrawal changed under its lock');
        deliveries = approved.deliveries;
      } else if (isFirst) {
        const others = approvers.filter((approver) => approver !== userId);
        const approvals = { before: { approvals: others }, after: { approvals: approvers }, at };
        await recordWithdrawalAudit(trx, author, 'withdrawal.approval-recorded', before, approvals);
      } else {
        return { kind: 'approved-before' };
      }
      const withdrawal = await findWithdrawalForOperator(trx, before.id);
      return withdrawal === undefined ? { kind: 'unknown' } : { kind: 'applied', withdrawal };
    });
    if (result.kind === 'applied') failPoint('withdrawals.changed');
    if (deliveries > 0) notifyWorker();
    return result;
  }

  return {
    create,
    applyEvent,

    async find(key: WithdrawalKey): Promise<Withdrawal | undefined> {
      return isUuid(key.id) ? findWithdrawal(db, key) : undefined;
    },

    /** By its id alone, for the operator. */
    async findForOperator(id: string): Promise<OperatorWithdrawal | undefined> {
      return isUuid(id) ? findWithdrawalForOperator(db, id) : undefined;
    },

    /** Every status it has had, the first one first. */
    listHistory: (key: WithdrawalKey): Promise<readonly StatusChange[]> => findHistory(db, key),

    async list(sellerId: string, filter: WithdrawalFilter, page: Page) {
      const [items, count] = await Promise.all([
        findWithdrawals(db, sellerId, filter, page),
        countWithdrawals(db, sellerId, filter),
      ]);
      return { found: items, count };
    },

    search: (sellerId: string, filter: WithdrawalFilter, page: Page): Promise<readonly Withdrawal[]> =>
      findWithdrawals(db, sellerId, filter, page),

    /** Every withdrawal that matches, read in portions along the primary key; what is made meanwhile is not among them. */
    iterate: (sellerId: string, filter: WithdrawalFilter): AsyncGenerator<Withdrawal> =>
      paginate((page) => findWithdrawals(db, sellerId, filter, page)),

    iterateForOperator: (filter: OperatorFilter): AsyncGenerator<OperatorWithdrawal> =>
      paginate((page) => findWithdrawalsForOperator(db, filter, page)),

    async listForOperator(filter: OperatorFilter, page: Page) {
      const [items, count] = await Promise.all([
        findWithdrawalsForOperator(db, filter, page),
        countWithdrawalsForOperator(db, filter),
      ]);
      return { found: items, count };
    },

    /** What is true of these withdrawals now, as their seller is told; undefined where one of them is unknown. */
    async snapshotsOf(
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
    },

    approve,
    reject,

    /** Takes a provider's report: applied at most once, and kept where it could not be applied. */
    applyProviderEvent: (
      key: WithdrawalKey,
      event: WithdrawalEvent,
      report: ProviderEventRecord,
    ): Promise<ChangeResult> => applyEvent(key, event, { actor: 'PROVIDER', providerEvent: report }),

    /** In clear, for the provider that pays and for nobody else. */
    decryptPayee(withdrawal: Withdrawal): Payee {
      const payee: unknown = JSON.parse(
        secrets.decrypt(withdrawal.encryptedPayee, encryptionContext(withdrawal)),
      );
      if (!isPayee(payee)) throw new Error('a sealed payee has an unknown form');
      return payee;
    },
  };
}

/** What is sealed of a destination: whoever knows it knows where the money goes. */
function plainDestination(destination: PayoutDestination): string {
  switch (destination.method) {
    case 'PIX':
      return destination.pixKey;
    case 'CRYPTO':
      return destination.address;
    case 'TED':
      return destination.account;
  }
}

function maskDestination(destination: PayoutDestination): string {
  switch (destination.method) {
    case 'PIX':
      return maskPixKey(destination.pixKeyType, destination.pixKey);
    case 'CRYPTO':
      return maskCryptoAddress(destination.address);
    case 'TED':
      return maskAccount(destination.account);
  }
}

const toBankAccount = ({ bankCode, branch, accountType }: BankAccount): BankAccount => ({
  bankCode,
  branch,
  accountType,
});

/** The same ADMIN has approved it before, and another one is needed. */
export interface AlreadyApproved {
  readonly kind: 'approved-before';
}

/** Writes down what an operator's user did to a withdrawal, in the transaction that did it. */
function recordWithdrawalAudit(
  trx: Db,
  author: AuditActor,
  action: Extract<Action, `withdrawal.${string}`>,
  { sellerId, id: recordId }: WithdrawalKey,
  members: Pick<Parameters<typeof recordAudit>[2], 'before' | 'after' | 'at'>,
): Promise<void> {
  return recordAudit(trx, author, { action, recordType: 'withdrawal', recordId, sellerId, ...members });
}

const auditedMembers = ({ status, rejectionReason }: Withdrawal) => ({ status, rejectionReason });

export type DecisionResult =
  | { readonly kind: 'applied'; readonly withdrawal: OperatorWithdrawal }
  | Exclude<ChangeResult, { readonly kind: 'applied' | 'repeated' }>;

const encryptionContext = ({ sellerId, id }: WithdrawalKey): string => withdrawalContext(sellerId, id);

function isView(stored: unknown): stored is WithdrawalView {
  return typeof stored === 'object' && stored !== null && 'id' in stored && 'netAmount' in stored;
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
