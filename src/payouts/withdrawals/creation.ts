import type { Members } from '#audit/members.ts';
import { bookEntries, lockAvailableBalance } from '#accounting/ledger/service.ts';
import { recordAudit } from '#audit/service.ts';
import type { DatabaseTransaction } from '#platform/database/connect.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import type { AuditActor } from '#platform/http/audit-actor.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import { newId } from '#platform/kit/ids.ts';
import { maskDocument } from '#platform/kit/masks.ts';
import { runIdempotent } from '#payments/idempotency/service.ts';
import { calculateFee } from '#sellers/fees/schedule.ts';
import type { SellerContext } from '#sellers/service.ts';
import { approvalsNeeded } from '#sellers/settings/service.ts';
import { applyChange } from './change.ts';
import type { WithdrawalDeps } from './deps.ts';
import type { CreationFailure } from './errors.ts';
import { checkHolder, UNKNOWN_HOLDER, type HolderCheck } from './key-holder.ts';
import { accountOf, decryptPayee, encryptPayee, hashPayee, maskDestination } from './payee.ts';
import type { WithdrawalRequest } from './schema.ts';
import { reservationEntry } from './states.ts';
import { findEarlier, findTrusted, insertHistory, insertWithdrawal, sumSince } from './store.ts';
import { viewWithdrawal, type WithdrawalView } from './views.ts';
import { toPendingWithdrawal, type Withdrawal, type WithdrawalKey } from './withdrawal.ts';

const DAY_MS = 86_400_000;
/** Different destinations may have the same mask, in practice a few at most. */
const MAX_TRUSTED_WITHDRAWALS = 100;

/** The operation of the idempotency keys. */
export const CREATE_OPERATION = 'withdrawals.create';

export interface CreateRequest {
  readonly context: SellerContext;
  readonly input: WithdrawalRequest;
  readonly idempotencyKey: string;
  readonly bodyHash: Buffer;
  readonly actor: AuditActor;
  /** Whether the user was verified recently, which a new destination requires. */
  readonly isVerified: boolean;
}

export type CreateResult =
  | { readonly kind: 'created' | 'replayed'; readonly view: WithdrawalView }
  | { readonly kind: 'refused'; readonly failure: CreationFailure };

/**
 * Creates a withdrawal and reserves its amount. It is approved in the same database transaction if
 * the seller's withdrawals of 24 hours are within its automatic approval limit and need one
 * approval, and the destination is trusted and not known to be another holder's. The response is
 * always the PENDING withdrawal.
 */
export async function create(deps: WithdrawalDeps, request: CreateRequest): Promise<CreateResult> {
  const { db, clock, notifyWorker, creations } = deps;
  // The provider is called before the database transaction begins.
  const holder = await checkHolder(deps, request.context.seller, request.input);
  const now = clock.now();
  const recordId = newId(now.getTime());
  const sellerId = request.context.seller.id;
  let deliveries = 0;
  const result = await creations.runExclusive(sellerId, () =>
    runIdempotent<WithdrawalView, CreationFailure>(
      db,
      {
        sellerId,
        operation: CREATE_OPERATION,
        key: request.idempotencyKey,
        bodyHash: request.bodyHash,
        recordId,
        now,
        isResponse: isView,
      },
      async (trx) => {
        const created = await createInTransaction(deps, trx, request, { id: recordId, now, holder });
        if (created.kind === 'refused') return created;
        deliveries = created.deliveries;
        return { kind: 'done', response: viewWithdrawal(created.withdrawal) };
      },
    ),
  );
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

interface Creation {
  readonly id: string;
  readonly now: Date;
  /** Undefined if the provider should know it and did not respond. */
  readonly holder: HolderCheck | undefined;
}

type CreateOutcome =
  | { readonly kind: 'created'; readonly withdrawal: Withdrawal; readonly deliveries: number }
  | { readonly kind: 'refused'; readonly failure: CreationFailure };

async function createInTransaction(
  deps: WithdrawalDeps,
  trx: DatabaseTransaction,
  { context: { seller, fees }, input, actor, isVerified }: CreateRequest,
  { id, now, holder }: Creation,
): Promise<CreateOutcome> {
  const { method } = input.destination;
  if (!deps.payoutProviders.some(({ methods }) => methods.includes(method)))
    return { kind: 'refused', failure: `${method}_UNAVAILABLE` };
  const feeAmount = calculateFee(input.amount, fees.pixOut);
  if (feeAmount === undefined) return { kind: 'refused', failure: 'FEE_NOT_COVERED' };
  // The locks serialize the withdrawals of a seller, so that each counts those before it.
  if ((await lockAvailableBalance(trx, seller.id)) < input.amount) {
    return { kind: 'refused', failure: 'INSUFFICIENT_BALANCE' };
  }
  const earlier = await sumSince(trx, seller.id, new Date(now.getTime() - DAY_MS));
  const rollingAmount = earlier + input.amount;
  const key = { sellerId: seller.id, id };
  const decided = { feeAmount, rollingAmount, createdBy: actor, createdAt: now };
  const isFirstUse = !(await isDestinationUsed(deps, trx, newWithdrawal(deps, key, input, decided)));
  if (isFirstUse && !isVerified) return { kind: 'refused', failure: 'STEP_UP_REQUIRED' };
  const withdrawal = { ...newWithdrawal(deps, key, input, decided), ...holder, isFirstUse };
  await insertWithdrawal(trx, withdrawal);
  await recordCreation(trx, actor, withdrawal);
  await insertHistory(trx, withdrawal, { from: null, actor: 'SELLER', userId: null, reason: null });
  if (isFirstUse) await notifyOfDestination(deps, trx, withdrawal, actor);
  let deliveries = 0;
  if (
    rollingAmount <= seller.autoApproveUpTo &&
    holder !== undefined &&
    holder.isOtherHolder !== true &&
    (await approvalsNeeded(trx, rollingAmount)) === 1 &&
    (await isTrusted(deps, trx, withdrawal))
  ) {
    const event = { kind: 'APPROVAL', userId: null, approvalsNeeded: 0 } as const;
    const approved = await applyChange(deps, trx, withdrawal, { event, actor: 'GATEWAY' });
    if (approved.kind === 'applied') deliveries = approved.deliveries;
  }
  const { origin } = withdrawal;
  const entries = [reservationEntry(withdrawal)];
  const booking = { sellerId: seller.id, recordId: id, origin, entries, floor: 0, at: now };
  if (!(await bookEntries(trx, deps.secrets, booking)))
    return { kind: 'refused', failure: 'INSUFFICIENT_BALANCE' };
  return { kind: 'created', withdrawal, deliveries };
}

/** Whether an earlier withdrawal of the seller has the same destination. */
async function isDestinationUsed(
  { secrets }: WithdrawalDeps,
  trx: DatabaseTransaction,
  withdrawal: Withdrawal,
): Promise<boolean> {
  return hasDestination(secrets, withdrawal, await findEarlier(trx, withdrawal, MAX_TRUSTED_WITHDRAWALS));
}

const hasDestination = (
  secrets: SecretBox,
  withdrawal: Withdrawal,
  earlier: readonly Withdrawal[],
): boolean => {
  const { destination } = decryptPayee(secrets, withdrawal);
  return earlier.some((one) => decryptPayee(secrets, one).destination === destination);
};

/** Notifies the seller's team of a destination that no withdrawal had before. */
async function notifyOfDestination(
  { notifier }: WithdrawalDeps,
  trx: DatabaseTransaction,
  withdrawal: Withdrawal,
  actor: AuditActor,
): Promise<void> {
  const { sellerId, maskedDestination, createdAt: at } = withdrawal;
  await notifier.notifySeller(
    trx,
    { sellerId, permission: 'withdrawals:create' },
    {
      kind: 'destination-added',
      params: { destination: maskedDestination, author: actor.name ?? '', at: at.toISOString() },
      at,
    },
  );
}

/** The destination stays out of the log: it is personal data. */
function recordCreation(trx: DatabaseTransaction, actor: AuditActor, created: Withdrawal): Promise<void> {
  const { id, sellerId, method, origin, amount, createdAt: at } = created;
  const target = { recordType: 'withdrawal', recordId: id, sellerId } as const;
  const after: Members = { method, origin, amount };
  return recordAudit(trx, actor, { action: 'withdrawal.created', ...target, before: null, after, at });
}

/**
 * Whether a withdrawal of the seller to the same destination was PAID, or approved by a person and
 * not rejected.
 */
async function isTrusted(
  { secrets }: WithdrawalDeps,
  trx: DatabaseTransaction,
  withdrawal: Withdrawal,
): Promise<boolean> {
  return hasDestination(secrets, withdrawal, await findTrusted(trx, withdrawal, MAX_TRUSTED_WITHDRAWALS));
}

function newWithdrawal(
  { secrets }: WithdrawalDeps,
  key: WithdrawalKey,
  input: WithdrawalRequest,
  decided: Pick<Withdrawal, 'feeAmount' | 'rollingAmount' | 'createdBy' | 'createdAt'>,
): Withdrawal {
  const { destination, beneficiaryDocument: document } = input;
  const { method } = destination;
  const payee = { destination: accountOf(destination), beneficiaryDocument: document?.number ?? null };
  return toPendingWithdrawal({
    ...key,
    method,
    origin: input.origin,
    amount: input.amount,
    ...decided,
    pixKeyType: method === 'PIX' ? destination.pixKeyType : null,
    cryptoNetwork: method === 'CRYPTO' ? destination.network : null,
    bankAccount:
      method === 'TED'
        ? {
            bankCode: destination.bankCode,
            branch: destination.branch,
            accountType: destination.accountType,
          }
        : null,
    maskedDestination: maskDestination(destination),
    encryptedPayee: encryptPayee(secrets, key, payee),
    beneficiaryName: input.beneficiaryName,
    beneficiaryDocumentType: document?.type ?? null,
    maskedBeneficiaryDocument: document === null ? null : maskDocument(document.type, document.number),
    payeeHashes: hashPayee(secrets, payee),
    ...UNKNOWN_HOLDER,
    isFirstUse: true,
    description: input.description,
    metadata: input.metadata,
  });
}

function isView(stored: unknown): stored is WithdrawalView {
  return typeof stored === 'object' && stored !== null && 'id' in stored && 'netAmount' in stored;
}
