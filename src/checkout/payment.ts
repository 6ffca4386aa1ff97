import { createHash } from 'node:crypto';

import type { PaymentLink, PaymentLinksService } from '#payments/payment-links/service.ts';
import { linkStatus } from '#payments/payment-links/service.ts';
import type { CustomersService } from '#payments/customers/service.ts';
import { CREATION_ERRORS, PaymentLinkInactiveError } from '#payments/transactions/errors.ts';
import { toPayment, withoutCardData, type Payer } from '#payments/transactions/requests.ts';
import type { Transaction, TransactionsService } from '#payments/transactions/service.ts';
import type { CreateTransactionResult } from '#payments/transactions/transaction-creator.ts';
import { HttpError, ValidationError, type Violation } from '#platform/http/errors.ts';
import { hashBody, keyReusedError } from '#platform/http/idempotency.ts';
import { MAX_AMOUNT_CENTS } from '#platform/kit/money.ts';
import type { SellersService } from '#sellers/service.ts';
import { beginAttempt, endAttempt, WINDOW_SECONDS, type Attempt, type AttemptDeps } from './attempts.ts';
import { payFirstCycle, type FirstCycleDeps } from './first-cycle.ts';
import type { PaymentBody } from './schema.ts';
import { UNACCEPTED_CARD_STATUSES } from './store.ts';

export interface CheckoutDeps extends AttemptDeps, FirstCycleDeps {
  readonly paymentLinks: PaymentLinksService;
  readonly customers: CustomersService;
  readonly transactions: TransactionsService;
  readonly sellers: SellersService;
}

export interface PayRequest {
  readonly code: string;
  readonly body: PaymentBody;
  readonly idempotencyKey: string;
  /** Of the payer. */
  readonly address: string;
  readonly requestId: string;
}

export interface PayResult {
  readonly transaction: Transaction;
  readonly replayed: boolean;
}

/**
 * Creates a transaction for a payment of a link. A repeated request gets the first response, even
 * if the link has changed since.
 *
 * @throws HttpError for everything that prevents the payment.
 */
export async function payLink(deps: CheckoutDeps, request: PayRequest): Promise<PayResult> {
  const { code, body, address } = request;
  const link = await deps.paymentLinks.findByCode(code);
  if (link === undefined) throw new HttpError('payment_link_not_found');
  const { sellerId, id: linkId } = link;
  const idempotencyKey = keyOfLink(linkId, request.idempotencyKey);
  const bodyHash = hashBody(withoutCardData(body));
  const known = await deps.transactions.findReplay(sellerId, idempotencyKey, bodyHash);
  if (known !== undefined) return unwrap(known);
  const context = await deps.sellers.getContext(sellerId);
  const isOpen = linkStatus(link, deps.clock.now()) === 'ACTIVE' && context?.seller.status === 'ACTIVE';
  if (context === undefined || !isOpen) throw new PaymentLinkInactiveError();
  const amount = checkPayment(link, body);
  const { payer, customerId } = await payerOf(deps, link, body);
  const attempt = await allow(deps, { sellerId, linkId, address, isCard: body.method === 'CREDIT_CARD' });
  checkDocument(payer, body);
  // The body may have members that are not in the schema, and payers must not set the seller's
  // options.
  const card = body.card ? { ...body.card, ip: address, token: null, currency: null } : null;
  const options = { method: body.method, card, installments: body.installments ?? null };
  return recordOutcome(deps, attempt, async () => {
    const creation = {
      context,
      idempotencyKey,
      bodyHash,
      request: requestOf(link, payer, amount, customerId),
      payment: await toPayment(options, sellerId, () => Promise.resolve(undefined)),
      payerAddress: address,
    };
    const { subscription: schedule } = link;
    return schedule === null
      ? deps.createTransaction(creation)
      : payFirstCycle(deps, { link, schedule, creation, requestId: request.requestId });
  });
}

/** A payer's key cannot collide with keys of the seller, or of payers of other links. */
function keyOfLink(linkId: string, key: string): string {
  const hex = createHash('sha256').update(`${linkId} ${key}`).digest('hex');
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5');
}

/** Returns the amount to pay, in cents. */
function checkPayment(link: PaymentLink, body: PaymentBody): number {
  const violations: Violation[] = [];
  const { methods, maxInstallments } = link;
  const [min, max] =
    link.amount === null
      ? [link.minAmount ?? 100, link.maxAmount ?? MAX_AMOUNT_CENTS]
      : [link.amount, link.amount];
  const amount = body.amount ?? link.amount;
  if (!methods.includes(body.method))
    violations.push({
      path: ['method'],
      rule: `must be one of the following values: ${methods.join(', ')}`,
      code: 'invalid_option',
    });
  if (amount === null)
    violations.push({ path: ['amount'], rule: 'must be an integer number', code: 'required' });
  else if (amount < min)
    violations.push({ path: ['amount'], rule: `must not be less than ${min}`, code: 'too_small' });
  else if (amount > max)
    violations.push({ path: ['amount'], rule: `must not be greater than ${max}`, code: 'too_large' });
  const isPayerGiven = body.customer !== undefined && body.customer !== null;
  if (link.customerId === null && !isPayerGiven)
    violations.push({ path: ['customer'], rule: 'must be an object', code: 'required' });
  const isDocumentGiven = body.document !== undefined && body.document !== null;
  if (body.method === 'BOLETO' && link.customerId !== null && !isPayerGiven && !isDocumentGiven)
    violations.push({ path: ['document'], rule: 'must be a string', code: 'required' });
  if ((body.installments ?? 1) > maxInstallments)
    violations.push({
      path: ['installments'],
      rule: `must not be greater than ${maxInstallments}`,
      code: 'too_large',
    });
  if (violations.length > 0 || amount === null) throw new ValidationError(violations);
  return amount;
}

interface LinkPayer {
  readonly payer: Payer;
  /**
   * The customer that the link is for; null if it was deleted meanwhile, or if another payer starts
   * a subscription, who also pays its later cycles.
   */
  readonly customerId: string | null;
}

/** The payer of the body, or the customer that the link is for. */
async function payerOf(
  { customers }: CheckoutDeps,
  { sellerId, customerId, subscription }: PaymentLink,
  { customer }: PaymentBody,
): Promise<LinkPayer> {
  const record = customerId === null ? undefined : await customers.find({ sellerId, id: customerId });
  const payer = customer ?? record;
  if (payer === undefined)
    throw new ValidationError([{ path: ['customer'], rule: 'must be an object', code: 'required' }]);
  const isOther = subscription !== null && payer.document.toUpperCase() !== record?.document;
  return { payer, customerId: isOther ? null : (record?.id ?? null) };
}

/**
 * A boleto shows the document of its payer, which the link alone must not reveal. A wrong one
 * counts as an unpaid attempt, so that it cannot be guessed.
 */
function checkDocument(payer: Payer, { method, customer, document }: PaymentBody): void {
  const isStored = customer === undefined || customer === null;
  if (method === 'BOLETO' && isStored && document?.toUpperCase() !== payer.document)
    throw new ValidationError([{ path: ['document'], rule: 'must be the document of the customer' }]);
}

async function allow(deps: CheckoutDeps, request: Parameters<typeof beginAttempt>[1]): Promise<Attempt> {
  const result = await beginAttempt(deps, request);
  if (result.kind === 'allowed') return result.attempt;
  const code = result.kind === 'too-many-unpaid' ? 'too_many_unpaid_payments' : 'too_many_declined_cards';
  throw new HttpError(code, { headers: { 'retry-after': String(WINDOW_SECONDS) } });
}

async function recordOutcome(
  deps: CheckoutDeps,
  attempt: Attempt,
  create: () => Promise<CreateTransactionResult>,
): Promise<PayResult> {
  try {
    const paid = unwrap(await create());
    const { id: transactionId, status, method } = paid.transaction;
    // Of a card that is not decided yet, the counts read the outcome.
    const declined = method === 'CREDIT_CARD' && UNACCEPTED_CARD_STATUSES.includes(status);
    await endAttempt(deps, attempt, { transactionId, declined });
    return paid;
  } catch (error) {
    if (error instanceof HttpError) await endAttempt(deps, attempt, null);
    throw error;
  }
}

function unwrap(result: CreateTransactionResult): PayResult {
  if (result.kind === 'refused') throw new HttpError(CREATION_ERRORS[result.failure]);
  if (result.kind === 'reused') throw keyReusedError();
  return { transaction: result.transaction, replayed: result.kind === 'replayed' };
}

function requestOf(link: PaymentLink, payer: Payer, amount: number, customerId: string | null) {
  const { title } = link;
  return {
    amount,
    customer: {
      name: payer.name,
      email: payer.email,
      phone: payer.phone,
      documentType: payer.documentType,
      document: payer.document,
      externalRef: payer.externalRef ?? null,
    },
    items: [{ title, amount, quantity: 1, tangible: false, externalRef: null }],
    description: title,
    metadata: link.metadata,
    postbackUrl: link.postbackUrl,
    externalRef: link.externalRef,
    customerId,
    paymentLinkId: link.id,
  };
}
