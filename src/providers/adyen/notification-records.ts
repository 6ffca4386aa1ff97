import type { EventDetail } from '#payments/provider-events/details.ts';
import { isUuid } from '#platform/kit/ids.ts';
import type { ProviderOperation } from '#payments/operations/provider-operation.ts';
import type { ProviderContext } from '#providers/adapter.ts';
import { eventTime, referenceOf, type NotificationItem } from './notification.ts';

const CURRENCY = 'BRL';

/** Details of notifications that cannot be applied, shown to the operator. */
export const NO_RECORD = 'no such record';
export const NOT_REQUESTED = 'not requested by this gateway';
export const wrongAmount = ({ amount: { value, currency } }: NotificationItem): EventDetail =>
  `other amount or currency: ${value} ${currency}`;

export interface NotificationDeps extends Pick<
  ProviderContext,
  'clock' | 'log' | 'operations' | 'disputes' | 'reversals' | 'providerEvents'
> {
  /** Name of the provider. */
  readonly name: string;
  readonly merchantAccount: string;
}

/** The amount in cents; null if it is in another currency, or no amount of money. */
export const centsOf = ({ amount: { value, currency } }: NotificationItem): number | null =>
  currency === CURRENCY && Number.isSafeInteger(value) && value > 0 ? value : null;

/** Finds the CREATE operation of the transaction that a notification refers to. */
export async function findCreateOperation(
  { operations }: NotificationDeps,
  item: NotificationItem,
): Promise<ProviderOperation | undefined> {
  const reference = referenceOf(item);
  const operation = isUuid(reference) ? await operations.find(reference) : undefined;
  if (operation === undefined || operation.kind === 'CREATE') return operation;
  return operations.find(operation.transactionId);
}

/** Stores a notification that cannot be applied as an unmatched event, for the operator. */
export async function saveUnmatched(
  { name, clock, log, providerEvents }: NotificationDeps,
  item: NotificationItem,
  operation: ProviderOperation | undefined,
  detail: EventDetail,
): Promise<void> {
  const { eventCode, pspReference } = item;
  const claimed = {
    sellerId: operation?.sellerId ?? '',
    id: operation?.transactionId ?? referenceOf(item),
  };
  const event = {
    provider: name,
    eventId: pspReference,
    kind: eventCode,
    amount: centsOf(item),
    occurredAt: eventTime(item, clock.now()),
  };
  await providerEvents.saveUnmatched(claimed, event, detail);
  log.warn({ provider: name, event: eventCode, pspReference, detail }, 'notification stored as unmatched');
}
