import { expiryViolations } from '#payments/card-tokens/schema.ts';
import { fullYear } from '#payments/transactions/requests.ts';
import { paymentUrlOf } from '#payments/transactions/payment-token.ts';
import { HttpError, ValidationError } from '#platform/http/errors.ts';
import { payerActor } from '#platform/http/audit-actor.ts';
import { invalidTransition } from '#subscriptions/errors.ts';
import type { ChangeResult } from '#subscriptions/service.ts';
import { hasEnded } from '#subscriptions/states.ts';
import type { InvoiceStatus, SubscriptionRecord } from '#subscriptions/subscription.ts';
import { viewInvoice } from '#subscriptions/views.ts';
import { beginAttempt, WINDOW_SECONDS } from './attempts.ts';
import type { CheckoutDeps } from './payment.ts';
import type { PayerCardBody } from './subscription-schema.ts';

export interface PayerSubscriptionDeps extends CheckoutDeps {
  readonly publicUrl: string;
}

/** Invoices that the payer sees: a year of months. */
const SHOWN_INVOICES = 12;

/** What its payer sees of a subscription. */
export interface PayerSubscription {
  readonly subscription: SubscriptionRecord;
  readonly card: PayerCard | null;
  /** Newest first. */
  readonly invoices: readonly PayerInvoice[];
}

export interface PayerCard {
  readonly brand: string | null;
  readonly lastFour: string;
  readonly expirationMonth: number;
  readonly expirationYear: number;
}

export interface PayerInvoice {
  readonly number: number;
  readonly dueDate: string;
  readonly amount: number;
  readonly status: InvoiceStatus;
  /** Where a boleto or a Pix is paid; null if nothing is to be paid there. */
  readonly paymentUrl: string | null;
}

/** @throws HttpError 404 for an unknown token. */
export async function requireSubscription(
  { subscriptions }: Pick<PayerSubscriptionDeps, 'subscriptions'>,
  token: string,
): Promise<SubscriptionRecord> {
  const subscription = await subscriptions.findByPayerToken(token);
  if (subscription === undefined) throw new HttpError('subscription_not_found');
  return subscription;
}

export async function findPayerSubscription(
  deps: PayerSubscriptionDeps,
  subscription: SubscriptionRecord,
): Promise<PayerSubscription> {
  const { sellerId, cardTokenId } = subscription;
  const [card, { items }] = await Promise.all([
    cardTokenId === null ? undefined : deps.cardTokens.describe(sellerId, cardTokenId),
    deps.subscriptions.listInvoices(subscription, { take: SHOWN_INVOICES, skip: 0, after: undefined }),
  ]);
  const shown = items.slice(0, SHOWN_INVOICES);
  const invoices = await Promise.all(
    shown.map(async ({ invoice, attempts }): Promise<PayerInvoice> => {
      const { number, dueDate, amount, status, transactionId } = viewInvoice(
        invoice,
        attempts,
        deps.clock.now(),
      );
      const isPayable = status === 'PENDING' && transactionId !== null;
      const paymentUrl = isPayable ? await paymentUrlOfPayer(deps, subscription, transactionId) : null;
      return { number, dueDate, amount, status, paymentUrl };
    }),
  );
  return { subscription, card: card ?? null, invoices };
}

/** Of a charge that the payer pays by hand. */
async function paymentUrlOfPayer(
  { transactions, publicUrl }: PayerSubscriptionDeps,
  { sellerId, method }: SubscriptionRecord,
  id: string,
): Promise<string | null> {
  if (method !== 'BOLETO' && method !== 'PIX') return null;
  const transaction = await transactions.find({ sellerId, id });
  return transaction === undefined ? null : paymentUrlOf(transaction, publicUrl);
}

export interface PayerRequest {
  readonly token: string;
  /** Of the payer. */
  readonly address: string;
  readonly requestId: string;
}

/**
 * Replaces the card of a subscription, and has an unpaid invoice charged at once.
 *
 * @throws HttpError for everything that prevents it.
 */
export async function changeCard(
  deps: PayerSubscriptionDeps,
  { token, address, requestId }: PayerRequest,
  { number, expirationMonth, expirationYear }: PayerCardBody,
): Promise<SubscriptionRecord> {
  const subscription = await requireSubscription(deps, token);
  const { sellerId, id, method, status, customerId } = subscription;
  if (method !== 'CREDIT_CARD')
    throw new ValidationError([{ path: ['number'], rule: `must not be sent with method ${method}` }]);
  if (hasEnded(status)) throw invalidTransition(status, 'ACTIVE');
  const card = { number, expirationMonth, expirationYear: fullYear(expirationYear) };
  const violations = expiryViolations(card, deps.clock.now());
  if (violations.length > 0) throw new ValidationError(violations);
  // Each counts as a declined card, so that the page cannot be used to test cards.
  const attempt = await beginAttempt(deps, { sellerId, linkId: id, address, isCard: true });
  if (attempt.kind !== 'allowed')
    throw new HttpError('too_many_declined_cards', { headers: { 'retry-after': String(WINDOW_SECONDS) } });
  const saved = { ...card, customerId, savedByPayer: true };
  const { id: cardTokenId } = await deps.cardTokens.create(sellerId, saved);
  return unwrap(await deps.subscriptions.changeCardOfPayer(subscription, cardTokenId, payerActor(requestId)));
}

/** @throws HttpError if it has ended. */
export async function cancelSubscription(
  deps: PayerSubscriptionDeps,
  { token, requestId }: PayerRequest,
): Promise<SubscriptionRecord> {
  const subscription = await requireSubscription(deps, token);
  return unwrap(await deps.subscriptions.cancel(subscription, payerActor(requestId)));
}

function unwrap(result: ChangeResult): SubscriptionRecord {
  if (result.kind === 'changed') return result.subscription;
  if (result.kind === 'impossible') throw invalidTransition(result.from, result.to);
  throw new HttpError('subscription_not_found');
}
