import type { CardTokensService } from '#payments/card-tokens/service.ts';
import type { PaymentLink } from '#payments/payment-links/service.ts';
import { PaymentLinkInactiveError } from '#payments/transactions/errors.ts';
import type {
  CreateTransactionRequest,
  CreateTransactionResult,
  Payment,
  TransactionCreator,
} from '#payments/transactions/transaction-creator.ts';
import { payerActor } from '#platform/http/audit-actor.ts';
import type { SubscriptionsService } from '#subscriptions/service.ts';

export interface FirstCycleDeps {
  readonly subscriptions: SubscriptionsService;
  readonly cardTokens: CardTokensService;
  readonly createTransaction: TransactionCreator;
}

export interface FirstCycle {
  readonly link: PaymentLink;
  readonly schedule: NonNullable<PaymentLink['subscription']>;
  readonly creation: CreateTransactionRequest;
  readonly requestId: string;
}

/**
 * Creates the payment that starts a subscription. The subscription is committed first, PENDING
 * until the payment is made. One whose payment was not created, or was created by an earlier
 * request, is ended.
 */
export async function payFirstCycle(
  deps: FirstCycleDeps,
  { link, schedule, creation, requestId }: FirstCycle,
): Promise<CreateTransactionResult> {
  const { subscriptions, createTransaction } = deps;
  const { request, payment } = creation;
  const { sellerId } = link;
  const { customerId } = request;
  const actor = payerActor(requestId);
  const cardTokenId = await saveCard(deps, { sellerId, customerId }, payment);
  const { id, transactionId } = await subscriptions.beginByPayment(
    sellerId,
    {
      method: payment.method,
      amount: request.amount,
      ...schedule,
      description: link.title,
      externalRef: link.externalRef,
      metadata: link.metadata,
      postbackUrl: link.postbackUrl,
      customerId,
      cardTokenId,
      customer: customerId === null ? request.customer : null,
    },
    actor,
  );
  const discard = async (): Promise<void> => {
    await subscriptions.discard({ sellerId, id });
    if (cardTokenId !== null) await deps.cardTokens.delete({ sellerId, id: cardTokenId }, actor);
  };
  try {
    const result = await createTransaction({
      ...creation,
      payment: toFirstPayment(payment),
      request: { ...request, subscription: { id, transactionId } },
    });
    if (result.kind !== 'created') await discard();
    // A card that was declined pays no cycle.
    else if (cardTokenId !== null && result.transaction.status === 'FAILED')
      await deps.cardTokens.delete({ sellerId, id: cardTokenId }, actor);
    return result;
  } catch (error) {
    // Another payment has completed the link. After any other error, the payment may exist.
    if (error instanceof PaymentLinkInactiveError) await discard();
    throw error;
  }
}

/** The card network learns that later payments follow. */
const toFirstPayment = (payment: Payment): Payment =>
  payment.method === 'CREDIT_CARD'
    ? {
        ...payment,
        context: { ...payment.context, recurring: { isPayerPresent: true, networkReference: null } },
      }
    : payment;

/** Saves the card that later cycles are charged to. */
async function saveCard(
  { cardTokens }: FirstCycleDeps,
  { sellerId, customerId }: Pick<PaymentLink, 'sellerId' | 'customerId'>,
  payment: Payment,
): Promise<string | null> {
  if (payment.method !== 'CREDIT_CARD') return null;
  const { number, expirationMonth, expirationYear } = payment.card;
  const card = { number, expirationMonth, expirationYear, customerId, savedByPayer: true };
  return (await cardTokens.create(sellerId, card)).id;
}
