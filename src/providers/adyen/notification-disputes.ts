import type { Dispute } from '#payments/disputes/dispute.ts';
import { additionalText, parseTime, type NotificationItem } from './notification.ts';
import {
  centsOf,
  findCreateOperation,
  NO_RECORD,
  saveUnmatched,
  wrongAmount,
  type NotificationDeps,
} from './notification-records.ts';

interface DisputeReport {
  /** The provider's id of the dispute; by default the id of the notification. */
  readonly reference?: string;
  /** The outcome that the notification reports. */
  readonly outcome?: 'RESOLVED' | 'REJECTED' | null;
}

/**
 * Returns the dispute that a notification is about and opens it if it is new. Adyen's id of the
 * dispute identifies it. Returns undefined if the notification cannot be applied.
 */
export async function findOrOpenDispute(
  deps: NotificationDeps,
  item: NotificationItem,
  { reference = item.pspReference, outcome = null }: DisputeReport = {},
): Promise<Dispute | undefined> {
  const { name, disputes } = deps;
  const operation = await findCreateOperation(deps, item);
  if (operation === undefined) {
    await saveUnmatched(deps, item, operation, NO_RECORD);
    return undefined;
  }
  const { sellerId, transactionId: id } = operation;
  const known = await disputes.findByProviderReference(sellerId, name, reference);
  if (known !== undefined) return known;
  const isOurs =
    operation.provider === name && operation.reference === (item.originalReference ?? operation.reference);
  if (!isOurs || centsOf(item) === null) {
    await saveUnmatched(deps, item, operation, isOurs ? wrongAmount(item) : NO_RECORD);
    return undefined;
  }
  const dispute = {
    reason: reasonOf(item),
    amount: item.amount.value,
    appealUntil: defenseDeadline(item),
  };
  const by = { provider: name, reference, appealUntil: dispute.appealUntil };
  const opened = await disputes.open({ sellerId, id }, { ...dispute, by });
  if (opened.kind === 'opened') return opened.dispute;
  // A concurrent notification may have opened it.
  const openedConcurrently = await disputes.findByProviderReference(sellerId, name, reference);
  if (openedConcurrently === undefined) {
    const waiting = {
      ...dispute,
      sellerId,
      transactionId: id,
      provider: name,
      providerReference: reference,
      outcome,
    };
    const detail = (await disputes.waitForRefund(waiting))
      ? 'the amount is refunded: the dispute opens if the refund fails and the status is PAID'
      : (`the dispute matches no paid transaction: ${opened.result.kind}` as const);
    await saveUnmatched(deps, item, operation, detail);
  }
  return openedConcurrently;
}

export async function handleDisputeWon(deps: NotificationDeps, item: NotificationItem): Promise<void> {
  const dispute = await findOrOpenDispute(deps, item, { outcome: 'RESOLVED' });
  if (dispute === undefined || dispute.status === 'RESOLVED') return;
  const result = await deps.disputes.resolveByProvider(dispute, 'RESOLVED');
  if (result.kind === 'resolved') return;
  // A second chargeback that was delivered first supersedes this outcome.
  const secondRound = await deps.disputes.findByProviderReference(
    dispute.sellerId,
    deps.name,
    secondRoundReference(item),
  );
  if (secondRound !== undefined) return;
  await saveUnmatched(deps, item, await findCreateOperation(deps, item), 'the dispute was already lost');
}

/** Handles a final loss. If the seller had won the dispute, this is its second round. */
export async function handleDisputeLost(deps: NotificationDeps, item: NotificationItem): Promise<void> {
  const firstRound = await findOrOpenDispute(deps, item, { outcome: 'REJECTED' });
  if (firstRound === undefined || firstRound.status === 'REJECTED') return;
  const dispute =
    firstRound.status === 'RESOLVED'
      ? await findOrOpenDispute(deps, item, { reference: secondRoundReference(item) })
      : firstRound;
  if (dispute !== undefined) await deps.disputes.resolveByProvider(dispute, 'REJECTED');
}

/** Rejects a dispute that the seller has not appealed. The issuer decides an appealed one. */
export async function handleDefensePeriodEnded(
  deps: NotificationDeps,
  item: NotificationItem,
): Promise<void> {
  const dispute = await findOrOpenDispute(deps, item, { outcome: 'REJECTED' });
  if (dispute?.status === 'OPEN')
    await deps.disputes.resolveByProvider(dispute, 'REJECTED', { from: ['OPEN'] });
}

/** Adyen uses one id for both rounds of a dispute. */
const secondRoundReference = ({ pspReference }: NotificationItem): string => `${pspReference} second`;

function reasonOf(item: NotificationItem): string {
  const reason = item.reason ?? additionalText(item, 'chargebackReasonCode') ?? '';
  return reason.trim().slice(0, 255) || 'chargeback';
}

/** Deadline for the seller's appeal; null if Adyen sends none or a malformed one. */
const defenseDeadline = (item: NotificationItem): Date | null =>
  parseTime(additionalText(item, 'defensePeriodEndsAt'));
