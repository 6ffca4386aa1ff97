import type { Dispute } from '#payments/disputes/service.ts';
import { isUuid } from '#platform/kit/ids.ts';
import type { CardAnswer } from '#payments/operations/payment-provider.ts';
import type { Order, OrderKind } from '#payments/operations/service.ts';
import type { ProviderDoors } from '#providers/adapter.ts';
import { additional, happenedAt, isSuccess, referenceOf, type Item } from './notification.ts';
import { authorized, reasonWords } from './card-provider.ts';

const CURRENCY = 'BRL';

export interface NotificationDeps {
  /** The provider's name in our records. */
  readonly name: string;
  readonly merchantAccount: string;
  readonly doors: ProviderDoors;
}

/**
 * Takes one notification whose signature has been checked. Told again, or in another order than it happened, it comes to
 * the same: an order ends once, a dispute is known by Adyen's id of it. What fits nothing is kept for the operator, since
 * Adyen holds back all later notifications until this one is accepted.
 */
export function createNotifications({ name, merchantAccount, doors }: NotificationDeps) {
  const { clock, log, transactions, placing, followUps, disputes } = doors;

  /** Keeps it for the operator to look at, among the providers' reports. */
  async function keep(item: Item, order: Order | undefined, detail: string): Promise<void> {
    const claimed = { sellerId: order?.sellerId ?? '', id: order?.transactionId ?? referenceOf(item) };
    const { value, currency } = item.amount;
    const report = {
      provider: name,
      reportId: item.pspReference,
      kind: item.eventCode,
      amount: currency === CURRENCY ? value : null,
      occurredAt: happenedAt(item, clock.now()),
    };
    await transactions.keepUnmatched(claimed, report, detail);
    log.warn({ provider: name, event: item.eventCode, pspReference: item.pspReference, detail }, UNFIT);
  }

  /** The order by which the charge was placed, whichever of our references Adyen names. */
  async function placementOf(item: Item): Promise<Order | undefined> {
    const named = isUuid(referenceOf(item)) ? await followUps.find(referenceOf(item)) : undefined;
    if (named === undefined || named.kind === 'PLACE') return named;
    return followUps.find(named.transactionId);
  }

  /** What we ordered of a charge that we placed here: by Adyen's id of it, by ours, or as the only one it can be. */
  async function followUpOf(item: Item, kinds: readonly OrderKind[]): Promise<Order | undefined> {
    const placed = await placementOf(item);
    if (placed === undefined) return undefined;
    const { sellerId, transactionId } = placed;
    const orders = (await followUps.ordersOf({ sellerId, id: transactionId })).filter(
      (order) => order.provider === name && kinds.includes(order.kind),
    );
    const known =
      orders.find(({ reference }) => reference === item.pspReference) ??
      orders.find(({ id }) => id === referenceOf(item));
    if (known !== undefined) return known;
    // The answer with Adyen's id of it may not be written yet.
    const open = orders.filter(({ reference, state }) => reference === null && state === 'OPEN');
    return open.length === 1 ? open[0] : undefined;
  }

  async function authorisation(item: Item): Promise<void> {
    const order = await placementOf(item);
    if (order === undefined) return keep(item, order, NO_RECORD);
    const reference = item.pspReference;
    let answer: CardAnswer;
    if (isSuccess(item)) {
      if (!isOf(item, order.amount)) return keep(item, order, WRONG_AMOUNT);
      const happening = authorized({ amountCents: order.amount, capture: order.capture }, clock.now());
      answer = { kind: 'decided', happening, reference };
    } else {
      const reason = reasonWords(item.reason ?? '');
      answer = { kind: 'decided', happening: { kind: 'FAILURE', reason }, reference };
    }
    await placing.recordCard({ sellerId: order.sellerId, id: order.transactionId }, name, answer);
  }

  /** The last word on a capture, a refund, or the end of an authorization. */
  async function modification(
    item: Item,
    kinds: readonly OrderKind[],
    done: boolean,
    checked = true,
  ): Promise<void> {
    const order = await followUpOf(item, kinds);
    if (order === undefined) {
      const placed = await placementOf(item);
      // What Adyen captures by itself needs no order of ours.
      if (done && placed?.capture === true && kinds.includes('CAPTURE')) return undefined;
      return keep(item, placed, NO_ORDER);
    }
    if (checked && !isOf(item, order.amount)) return keep(item, order, WRONG_AMOUNT);
    const outcome = done
      ? ({ kind: 'done', reference: item.pspReference } as const)
      : ({ kind: 'refused', reason: 'the provider could not do it' } as const);
    if (await followUps.end(order, outcome)) return;
    if (done || order.state === 'REFUSED') return;
    // It was done before, and has come back now.
    if (order.kind === 'REFUND') await followUps.reverse(order);
    else if (order.kind === 'CAPTURE') await keep(item, order, CAME_BACK);
  }

  /** Opens the dispute that a notification tells of, unless it is known. */
  async function disputed(item: Item, reference = item.pspReference): Promise<Dispute | undefined> {
    const order = await placementOf(item);
    if (order === undefined) {
      await keep(item, order, NO_RECORD);
      return undefined;
    }
    const { sellerId, transactionId: id } = order;
    const known = await disputes.ofProvider(sellerId, name, reference);
    if (known !== undefined) return known;
    const isOurs = order.provider === name && order.reference === (item.originalReference ?? order.reference);
    if (!isOurs || item.amount.currency !== CURRENCY || item.amount.value <= 0) {
      await keep(item, order, isOurs ? WRONG_AMOUNT : NO_RECORD);
      return undefined;
    }
    const opened = await disputes.open(
      { sellerId, id },
      {
        reason: reasonOf(item),
        amount: item.amount.value,
        by: { provider: name, reference, appealUntil: defenceEnds(item) },
      },
    );
    if (opened.kind === 'opened') return opened.dispute;
    // Somebody else may just have been told the same.
    const since = await disputes.ofProvider(sellerId, name, reference);
    if (since === undefined) await keep(item, order, `${DISPUTE_UNFIT}: ${opened.result.kind}`);
    return since;
  }

  async function won(item: Item): Promise<void> {
    const dispute = await disputed(item);
    if (dispute === undefined || dispute.status === 'RESOLVED') return;
    const result = await disputes.resolveByProvider(dispute, 'RESOLVED');
    // A second chargeback may have been told of first, and its word is the later one.
    const second = await disputes.ofProvider(dispute.sellerId, name, secondOf(item));
    if (result.kind !== 'resolved' && second === undefined) {
      await keep(item, await placementOf(item), 'the dispute had been lost');
    }
  }

  /** Lost for good. Where the seller had won it, the payer's bank takes the money a second time. */
  async function lost(item: Item): Promise<void> {
    const first = await disputed(item);
    if (first === undefined || first.status === 'REJECTED') return;
    const dispute = first.status === 'RESOLVED' ? await disputed(item, secondOf(item)) : first;
    if (dispute !== undefined) await disputes.resolveByProvider(dispute, 'REJECTED');
  }

  async function defenceOver(item: Item): Promise<void> {
    const dispute = await disputed(item);
    // What the seller has appealed is decided by the payer's bank.
    if (dispute?.status === 'OPEN') await disputes.resolveByProvider(dispute, 'REJECTED', ['OPEN']);
  }

  return async (item: Item): Promise<void> => {
    if (item.merchantAccountCode !== merchantAccount) return keep(item, undefined, OTHER_ACCOUNT);
    const success = isSuccess(item);
    switch (item.eventCode) {
      case 'AUTHORISATION':
        return authorisation(item);
      case 'CAPTURE':
        return modification(item, ['CAPTURE'], success);
      case 'CAPTURE_FAILED':
        return modification(item, ['CAPTURE'], false);
      case 'CANCELLATION':
      case 'TECHNICAL_CANCEL':
        return modification(item, ['VOID', 'REMOVE'], success, false);
      case 'REFUND':
        return modification(item, ['REFUND'], success);
      case 'REFUND_FAILED':
      case 'REFUNDED_REVERSED':
        return modification(item, ['REFUND'], false);
      case 'NOTIFICATION_OF_CHARGEBACK':
      case 'CHARGEBACK':
        await disputed(item);
        return undefined;
      case 'CHARGEBACK_REVERSED':
        return won(item);
      case 'SECOND_CHARGEBACK':
      case 'PREARBITRATION_LOST':
        return lost(item);
      case 'DISPUTE_DEFENSE_PERIOD_ENDED':
        return defenceOver(item);
      case 'CANCEL_OR_REFUND':
        // What came of money that was sent back.
        return success ? undefined : keep(item, await placementOf(item), NOT_SENT_BACK);
      default:
        log.info(
          { provider: name, event: item.eventCode },
          'a notification tells of nothing the gateway acts on',
        );
        return undefined;
    }
  };
}

const isOf = ({ amount: { value, currency } }: Item, amount: number): boolean =>
  currency === CURRENCY && value === amount;

const UNFIT = 'a notification fits no record and was kept';
const NO_RECORD = 'no such record';
const NO_ORDER = 'nobody ordered this here';
const WRONG_AMOUNT = 'of another amount or currency';
const OTHER_ACCOUNT = 'of another merchant account';
const CAME_BACK = 'captured before, and failed since';
const DISPUTE_UNFIT = 'a dispute that fits no paid charge';
const NOT_SENT_BACK = 'money that was to be sent back was not';

/** Adyen has one id for a dispute and its second round. */
const secondOf = ({ pspReference }: Item): string => `${pspReference} second`;

function reasonOf(item: Item): string {
  const reason = item.reason ?? additional(item, 'chargebackReasonCode') ?? '';
  return reason.trim().slice(0, 255) || 'chargeback';
}

/** Until when it can be contested; null where Adyen does not say, or not in a form that can be read. */
function defenceEnds(item: Item): Date | null {
  const ms = Date.parse(additional(item, 'defensePeriodEndsAt') ?? '');
  return Number.isNaN(ms) ? null : new Date(ms);
}
