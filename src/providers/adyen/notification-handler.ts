import type { CardAuthorizationResponse } from '#payments/operations/payment-provider.ts';
import type { ProviderOperation, OperationKind } from '#payments/operations/provider-operation.ts';
import { isSuccess, referenceOf, type NotificationItem } from './notification.ts';
import { authorizationEvent, cardCodesOf, refusalMessageByText } from './card-provider.ts';
import {
  findOrOpenDispute,
  handleDefensePeriodEnded,
  handleDisputeLost,
  handleDisputeWon,
} from './notification-disputes.ts';
import {
  centsOf,
  findCreateOperation,
  NO_RECORD,
  NOT_REQUESTED,
  saveUnmatched,
  wrongAmount,
  type NotificationDeps,
} from './notification-records.ts';

/**
 * Handles a notification whose signature is verified. Repeated and reordered notifications have the
 * same result: an operation completes once, and disputes are identified by Adyen's id. A
 * notification that cannot be applied is stored for the operator, since Adyen delivers no later
 * ones until it is accepted.
 */
export async function handleNotification(deps: NotificationDeps, item: NotificationItem): Promise<void> {
  if (item.merchantAccountCode !== deps.merchantAccount) {
    return saveUnmatched(deps, item, undefined, 'sent for another merchant account');
  }
  const isDone = isSuccess(item);
  switch (item.eventCode) {
    case 'AUTHORISATION':
      return handleAuthorization(deps, item);
    case 'CAPTURE':
      return handleModification(deps, item, { kinds: ['CAPTURE'], isDone });
    case 'CAPTURE_FAILED':
      return handleModification(deps, item, { kinds: ['CAPTURE'], isDone: false });
    case 'CANCELLATION':
    case 'TECHNICAL_CANCEL':
      return handleModification(deps, item, { kinds: ['VOID', 'CANCEL'], isDone });
    case 'REFUND':
      return handleModification(deps, item, { kinds: ['REFUND'], isDone });
    case 'REFUND_FAILED':
    case 'REFUNDED_REVERSED':
      return handleModification(deps, item, { kinds: ['REFUND'], isDone: false });
    case 'CANCEL_OR_REFUND':
      return handleReversal(deps, item);
    case 'NOTIFICATION_OF_CHARGEBACK':
    case 'CHARGEBACK':
      await findOrOpenDispute(deps, item);
      return undefined;
    case 'CHARGEBACK_REVERSED':
      return handleDisputeWon(deps, item);
    case 'SECOND_CHARGEBACK':
    case 'PREARBITRATION_LOST':
      return handleDisputeLost(deps, item);
    case 'DISPUTE_DEFENSE_PERIOD_ENDED':
      return handleDefensePeriodEnded(deps, item);
    default:
      return handleUnknown(deps, item);
  }
}

/** Notifications that change nothing, or whose effect on money another notification reports. */
const INFORMATIONAL: ReadonlySet<string> = new Set([
  'INFORMATION_SUPPLIED',
  'ISSUER_COMMENTS',
  'ISSUER_RESPONSE_TIMEFRAME_EXPIRED',
  'MANUAL_REVIEW_ACCEPT',
  'NOTIFICATION_OF_FRAUD',
  'OFFER_CLOSED',
  'PENDING',
  'RECURRING_CONTRACT',
  'REPORT_AVAILABLE',
  'REQUEST_FOR_INFORMATION',
]);

async function handleUnknown(deps: NotificationDeps, item: NotificationItem): Promise<void> {
  const { eventCode } = item;
  if (INFORMATIONAL.has(eventCode)) {
    deps.log.info({ provider: deps.name, event: eventCode }, 'notification ignored');
    return;
  }
  await saveUnmatched(deps, item, await findCreateOperation(deps, item), 'unknown kind of notification');
}

async function handleAuthorization(deps: NotificationDeps, item: NotificationItem): Promise<void> {
  const { name, clock, operations } = deps;
  const operation = await findCreateOperation(deps, item);
  if (operation === undefined) return saveUnmatched(deps, item, operation, NO_RECORD);
  const { amount: amountCents, capture } = operation;
  if (isSuccess(item) && !hasAmount(item, amountCents)) {
    return saveUnmatched(deps, item, operation, wrongAmount(item));
  }
  const response: CardAuthorizationResponse = {
    kind: 'decided',
    event: isSuccess(item)
      ? authorizationEvent({ amountCents, capture }, clock.now())
      : { kind: 'FAILURE', reason: refusalMessageByText(item.reason ?? '') },
    reference: item.pspReference,
    codes: cardCodesOf(item.additionalData),
  };
  const key = { sellerId: operation.sellerId, id: operation.transactionId };
  const { status, paidAt } = await operations.recordCard({ key, provider: name, response });
  if (response.event.kind !== 'FAILURE' || (paidAt === null && status !== 'AUTHORIZED')) return;
  // Another provider may have authorized it after this one refused it.
  const current = await operations.find(operation.id);
  if (current?.provider !== name) return;
  await saveUnmatched(deps, item, operation, `refused, but the transaction is ${status}`);
}

interface ModificationResult {
  /** Kinds of operations that the notification can complete. */
  readonly kinds: readonly OperationKind[];
  readonly isDone: boolean;
}

/** Handles the final result of a capture, a refund or a cancellation. */
async function handleModification(
  deps: NotificationDeps,
  item: NotificationItem,
  { kinds, isDone }: ModificationResult,
): Promise<void> {
  const { operations } = deps;
  const operation = await findOperation(deps, item, kinds);
  if (operation === undefined) {
    const createOperation = await findCreateOperation(deps, item);
    // A capture that Adyen makes by itself has no operation.
    if (isDone && createOperation?.capture === true && kinds.includes('CAPTURE')) {
      if (hasAmount(item, createOperation.amount)) return;
      return saveUnmatched(deps, item, createOperation, wrongAmount(item));
    }
    return saveUnmatched(deps, item, createOperation, NOT_REQUESTED);
  }
  const hasNoAmount = operation.kind === 'VOID' || operation.kind === 'CANCEL';
  if (!hasNoAmount && !hasAmount(item, operation.amount)) {
    return saveUnmatched(deps, item, operation, wrongAmount(item));
  }
  const outcome = isDone
    ? ({ kind: 'done', reference: item.pspReference } as const)
    : ({ kind: 'refused', reason: 'the provider did not complete the operation' } as const);
  if (await operations.complete(operation, outcome)) return;
  // The operation is final: the notification repeats its result or contradicts it.
  const state = (await operations.find(operation.id))?.state ?? operation.state;
  if (state === (isDone ? 'DONE' : 'REFUSED')) return;
  if (isDone) return saveUnmatched(deps, item, operation, 'done, but reported as failed before');
  if (operation.kind === 'REFUND') await operations.reverseRefund(operation);
  else if (operation.kind === 'CAPTURE') {
    await saveUnmatched(deps, item, operation, 'captured, but failed later');
  }
}

/** Finds an operation by Adyen's id, by our id, or as the only open one without Adyen's id. */
async function findOperation(
  deps: NotificationDeps,
  item: NotificationItem,
  kinds: readonly OperationKind[],
): Promise<ProviderOperation | undefined> {
  const createOperation = await findCreateOperation(deps, item);
  if (createOperation === undefined) return undefined;
  const { sellerId, transactionId } = createOperation;
  const all = await deps.operations.listByTransaction({ sellerId, id: transactionId });
  const candidates = all.filter(({ provider, kind }) => provider === deps.name && kinds.includes(kind));
  const known =
    candidates.find(({ reference }) => reference === item.pspReference) ??
    candidates.find(({ id }) => id === referenceOf(item));
  if (known !== undefined) return known;
  // The response with Adyen's id may not be recorded yet.
  const open = candidates.filter(({ reference, state }) => reference === null && state === 'OPEN');
  return open.length === 1 ? open[0] : undefined;
}

/** Handles the result of a reversal, whose reference is our id of it. */
async function handleReversal(deps: NotificationDeps, item: NotificationItem): Promise<void> {
  const { name, reversals } = deps;
  if (isSuccess(item)) {
    const reversal = await reversals.find(referenceOf(item));
    const isOurs = reversal?.provider === name && reversal.eventId === item.originalReference;
    if (isOurs) return;
  }
  const detail = isSuccess(item) ? NOT_REQUESTED : 'the reversal of the payment failed';
  await saveUnmatched(deps, item, await findCreateOperation(deps, item), detail);
}

const hasAmount = (item: NotificationItem, amount: number): boolean => centsOf(item) === amount;
