import type { Dispute } from '#payments/disputes/dispute.ts';
import { isUuid } from '#platform/kit/ids.ts';
import type { CardAuthorizationResponse } from '#payments/operations/payment-provider.ts';
import type { ProviderOperation, OperationKind } from '#payments/operations/provider-operation.ts';
import type { ProviderContext } from '#providers/adapter.ts';
import { additionalText, eventTime, isSuccess, referenceOf, type NotificationItem } from './notification.ts';
import { authorizationEvent, refusalMessageByText } from './card-provider.ts';

const CURRENCY = 'BRL';

export interface NotificationDeps {
  /** The provider's name in our records. */
  readonly name: string;
  readonly merchantAccount: string;
  readonly context: ProviderContext;
}

/**
 * Takes one notification whose signature has been checked. Told again, or in another order than it happened, it comes to
 * the same: an order ends once, a dispute is known by Adyen's id of it. What fits nothing is kept for the operator, since
 * Adyen holds back all later notifications until this one is accepted.
 */
export function createNotificationHandler({ name, merchantAccount, context }: NotificationDeps) {
  const { clock, log, operations, disputes, providerEvents } = context;

  /** Keeps it for the operator to look at, among the providers' reports. */
  async function saveUnmatched(
    item: NotificationItem,
    operation: ProviderOperation | undefined,
    detail: string,
  ): Promise<void> {
    const claimed = {
      sellerId: operation?.sellerId ?? '',
      id: operation?.transactionId ?? referenceOf(item),
    };
    const { value, currency } = item.amount;
    const event = {
      provider: name,
      eventId: item.pspReference,
      kind: item.eventCode,
      amount: currency === CURRENCY ? value : null,
      occurredAt: eventTime(item, clock.now()),
    };
    await providerEvents.saveUnmatched(claimed, event, detail);
    log.warn(
      { provider: name, event: item.eventCode, pspReference: item.pspReference, detail },
      UNMATCHED_NOTIFICATION,
    );
  }

  /** The order by which the charge was placed, whichever of our references Adyen names. */
  async function findCreateOperation(item: NotificationItem): Promise<ProviderOperation | undefined> {
    const named = isUuid(referenceOf(item)) ? await operations.find(referenceOf(item)) : undefined;
    if (named === undefined || named.kind === 'CREATE') return named;
    return operations.find(named.transactionId);
  }

  /** What we ordered of a charge that we placed here: by Adyen's id of it, by ours, or as the only one it can be. */
  async function findOperation(
    item: NotificationItem,
    kinds: readonly OperationKind[],
  ): Promise<ProviderOperation | undefined> {
    const createOperation = await findCreateOperation(item);
    if (createOperation === undefined) return undefined;
    const { sellerId, transactionId } = createOperation;
    const candidates = (await operations.listByTransaction({ sellerId, id: transactionId })).filter(
      (order) => order.provider === name && kinds.includes(order.kind),
    );
    const known =
      candidates.find(({ reference }) => reference === item.pspReference) ??
      candidates.find(({ id }) => id === referenceOf(item));
    if (known !== undefined) return known;
    // The answer with Adyen's id of it may not be written yet.
    const open = candidates.filter(({ reference, state }) => reference === null && state === 'OPEN');
    return open.length === 1 ? open[0] : undefined;
  }

  async function handleAuthorisation(item: NotificationItem): Promise<void> {
    const operation = await findCreateOperation(item);
    if (operation === undefined) return saveUnmatched(item, operation, NO_RECORD);
    const reference = item.pspReference;
    let response: CardAuthorizationResponse;
    if (isSuccess(item)) {
      if (!hasAmount(item, operation.amount)) return saveUnmatched(item, operation, WRONG_AMOUNT);
      const event = authorizationEvent(
        { amountCents: operation.amount, capture: operation.capture },
        clock.now(),
      );
      response = { kind: 'decided', event, reference };
    } else {
      const reason = refusalMessageByText(item.reason ?? '');
      response = { kind: 'decided', event: { kind: 'FAILURE', reason }, reference };
    }
    const key = { sellerId: operation.sellerId, id: operation.transactionId };
    await operations.recordCard({ key, provider: name, response });
  }

  /** The last word on a capture, a refund, or the end of an authorization. */
  async function handleModification(
    item: NotificationItem,
    kinds: readonly OperationKind[],
    done: boolean,
    checkAmount = true,
  ): Promise<void> {
    const operation = await findOperation(item, kinds);
    if (operation === undefined) {
      const createOperation = await findCreateOperation(item);
      // What Adyen captures by itself needs no order of ours.
      if (done && createOperation?.capture === true && kinds.includes('CAPTURE')) return undefined;
      return saveUnmatched(item, createOperation, NO_OPERATION);
    }
    if (checkAmount && !hasAmount(item, operation.amount))
      return saveUnmatched(item, operation, WRONG_AMOUNT);
    const outcome = done
      ? ({ kind: 'done', reference: item.pspReference } as const)
      : ({ kind: 'refused', reason: 'the provider could not do it' } as const);
    if (await operations.complete(operation, outcome)) return;
    if (done || operation.state === 'REFUSED') return;
    // It was done before, and has come back now.
    if (operation.kind === 'REFUND') await operations.reverseRefund(operation);
    else if (operation.kind === 'CAPTURE') await saveUnmatched(item, operation, CAPTURE_FAILED_LATER);
  }

  /** Opens the dispute that a notification tells of, unless it is known. */
  async function findOrOpenDispute(
    item: NotificationItem,
    reference = item.pspReference,
  ): Promise<Dispute | undefined> {
    const operation = await findCreateOperation(item);
    if (operation === undefined) {
      await saveUnmatched(item, operation, NO_RECORD);
      return undefined;
    }
    const { sellerId, transactionId: id } = operation;
    const known = await disputes.findByProviderReference(sellerId, name, reference);
    if (known !== undefined) return known;
    const isOurs =
      operation.provider === name && operation.reference === (item.originalReference ?? operation.reference);
    if (!isOurs || item.amount.currency !== CURRENCY || item.amount.value <= 0) {
      await saveUnmatched(item, operation, isOurs ? WRONG_AMOUNT : NO_RECORD);
      return undefined;
    }
    const opened = await disputes.open(
      { sellerId, id },
      {
        reason: reasonOf(item),
        amount: item.amount.value,
        by: { provider: name, reference, appealUntil: defenseDeadline(item) },
      },
    );
    if (opened.kind === 'opened') return opened.dispute;
    // Somebody else may just have been told the same.
    const openedMeanwhile = await disputes.findByProviderReference(sellerId, name, reference);
    if (openedMeanwhile === undefined)
      await saveUnmatched(item, operation, `${DISPUTE_UNMATCHED}: ${opened.result.kind}`);
    return openedMeanwhile;
  }

  async function handleDisputeWon(item: NotificationItem): Promise<void> {
    const dispute = await findOrOpenDispute(item);
    if (dispute === undefined || dispute.status === 'RESOLVED') return;
    const result = await disputes.resolveByProvider(dispute, 'RESOLVED');
    // A second chargeback may have been told of first, and its word is the later one.
    const second = await disputes.findByProviderReference(dispute.sellerId, name, secondRoundReference(item));
    if (result.kind !== 'resolved' && second === undefined) {
      await saveUnmatched(item, await findCreateOperation(item), 'the dispute had been lost');
    }
  }

  /** Lost for good. Where the seller had won it, the payer's bank takes the money a second time. */
  async function handleDisputeLost(item: NotificationItem): Promise<void> {
    const first = await findOrOpenDispute(item);
    if (first === undefined || first.status === 'REJECTED') return;
    const dispute =
      first.status === 'RESOLVED' ? await findOrOpenDispute(item, secondRoundReference(item)) : first;
    if (dispute !== undefined) await disputes.resolveByProvider(dispute, 'REJECTED');
  }

  async function handleDefensePeriodEnded(item: NotificationItem): Promise<void> {
    const dispute = await findOrOpenDispute(item);
    // What the seller has appealed is decided by the payer's bank.
    if (dispute?.status === 'OPEN') await disputes.resolveByProvider(dispute, 'REJECTED', { from: ['OPEN'] });
  }

  return async (item: NotificationItem): Promise<void> => {
    if (item.merchantAccountCode !== merchantAccount) return saveUnmatched(item, undefined, OTHER_ACCOUNT);
    const success = isSuccess(item);
    switch (item.eventCode) {
      case 'AUTHORISATION':
        return handleAuthorisation(item);
      case 'CAPTURE':
        return handleModification(item, ['CAPTURE'], success);
      case 'CAPTURE_FAILED':
        return handleModification(item, ['CAPTURE'], false);
      case 'CANCELLATION':
      case 'TECHNICAL_CANCEL':
        return handleModification(item, ['VOID', 'CANCEL'], success, false);
      case 'REFUND':
        return handleModification(item, ['REFUND'], success);
      case 'REFUND_FAILED':
      case 'REFUNDED_REVERSED':
        return handleModification(item, ['REFUND'], false);
      case 'NOTIFICATION_OF_CHARGEBACK':
      case 'CHARGEBACK':
        await findOrOpenDispute(item);
        return undefined;
      case 'CHARGEBACK_REVERSED':
        return handleDisputeWon(item);
      case 'SECOND_CHARGEBACK':
      case 'PREARBITRATION_LOST':
        return handleDisputeLost(item);
      case 'DISPUTE_DEFENSE_PERIOD_ENDED':
        return handleDefensePeriodEnded(item);
      case 'CANCEL_OR_REFUND':
        // What came of money that was sent back.
        return success ? undefined : saveUnmatched(item, await findCreateOperation(item), NOT_REVERSED);
      default:
        log.info(
          { provider: name, event: item.eventCode },
          'a notification tells of nothing the gateway acts on',
        );
        return undefined;
    }
  };
}

const hasAmount = ({ amount: { value, currency } }: NotificationItem, amount: number): boolean =>
  currency === CURRENCY && value === amount;

const UNMATCHED_NOTIFICATION = 'a notification fits no record and was kept';
const NO_RECORD = 'no such record';
const NO_OPERATION = 'nobody ordered this here';
const WRONG_AMOUNT = 'of another amount or currency';
const OTHER_ACCOUNT = 'of another merchant account';
const CAPTURE_FAILED_LATER = 'captured before, and failed since';
const DISPUTE_UNMATCHED = 'a dispute that fits no paid charge';
const NOT_REVERSED = 'money that was to be sent back was not';

/** Adyen has one id for a dispute and its second round. */
const secondRoundReference = ({ pspReference }: NotificationItem): string => `${pspReference} second`;

function reasonOf(item: NotificationItem): string {
  const reason = item.reason ?? additionalText(item, 'chargebackReasonCode') ?? '';
  return reason.trim().slice(0, 255) || 'chargeback';
}

/** Until when it can be contested; null where Adyen does not say, or not in a form that can be read. */
function defenseDeadline(item: NotificationItem): Date | null {
  const ms = Date.parse(additionalText(item, 'defensePeriodEndsAt') ?? '');
  return Number.isNaN(ms) ? null : new Date(ms);
}
