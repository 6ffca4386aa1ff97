import type { PaymentProviders } from '#payments/operations/payment-provider.ts';
import type { ProviderRouting } from '#payments/operations/routing.ts';
import type { ProviderOperations } from '#payments/operations/service.ts';
import type { Clock } from '#platform/kit/clock.ts';
import { newId } from '#platform/kit/ids.ts';
import { calculateFee, type Fee, type FeeSchedule } from '#sellers/fees/schedule.ts';
import type { SellerContext } from '#sellers/service.ts';
import type { CardContext, CardDetails } from './card.ts';
import type { CREATION_ERRORS } from './errors.ts';
import {
  buildBoletoTransaction,
  buildCardTransaction,
  buildPixTransaction,
  buildUnissuedBoleto,
  buildPixWithoutCode,
  type ExpiringTransaction,
  type NewTransactionInput,
  type TransactionRequest,
} from './new-transaction.ts';
import type { RiskAssessor, RiskCharge, RiskVerdict } from './risk-port.ts';
import type { CreateResult, TransactionsService } from './service.ts';
import type { NewTransaction } from './transaction.ts';

/** How the payer pays. */
export type Payment = (
  | { readonly method: 'PIX' | 'BOLETO'; readonly expirationSeconds: number }
  | PixWithoutCode
  | CardPaymentRequest
) & {
  /** In a currency other than BRL, which no provider of the gateway settles. */
  readonly isInternational?: boolean;
};

/** A Pix of an authorization: paid by the payer's bank, or with the code of the authorization. */
interface PixWithoutCode {
  readonly method: 'PIX';
  readonly withoutCode: true;
  /** Null: the bank decides until when it collects. */
  readonly expirationSeconds: number | null;
}

interface CardPaymentRequest {
  readonly method: 'CREDIT_CARD';
  readonly card: CardDetails;
  readonly brand: string | null;
  readonly installments: number;
  /** False: authorize only. */
  readonly capture: boolean;
  readonly context: CardContext;
}

export interface CreateTransactionRequest {
  readonly context: SellerContext;
  readonly request: TransactionRequest;
  readonly payment: Payment;
  readonly idempotencyKey: string;
  readonly bodyHash: Buffer;
  /** The IP address of the payment page's visitor. */
  readonly payerAddress?: string;
}

export type CreateTransactionResult =
  | CreateResult
  | { readonly kind: 'refused'; readonly failure: keyof typeof CREATION_ERRORS };

export interface TransactionCreatorDeps {
  readonly transactions: TransactionsService;
  readonly operations: ProviderOperations;
  readonly clock: Clock;
  readonly providers: PaymentProviders;
  readonly routing: ProviderRouting;
  readonly publicUrl: string;
  readonly risk: RiskAssessor;
}

export type TransactionCreator = ReturnType<typeof createTransactionCreator>;

/** Creates transactions of every payment method. */
export const createTransactionCreator =
  (deps: TransactionCreatorDeps) =>
  (creation: CreateTransactionRequest): Promise<CreateTransactionResult> =>
    createTransaction(deps, creation);

/**
 * Calculates the fee by the seller's current plan, builds the transaction, and creates it at its
 * provider.
 */
async function createTransaction(
  deps: TransactionCreatorDeps,
  creation: CreateTransactionRequest,
): Promise<CreateTransactionResult> {
  const { context, request, payment, idempotencyKey, bodyHash } = creation;
  if (payment.isInternational === true) return { kind: 'refused', failure: 'INTERNATIONAL' };
  const { seller, fees } = context;
  const feeRule = feeRuleOf(fees, payment);
  const feeAmount = calculateFee(request.amount, feeRule);
  if (feeAmount === undefined) {
    // The plan may have changed since the first request with this key, which must get its first
    // response again.
    const replayed = await deps.transactions.findReplay(seller.id, idempotencyKey, bodyHash);
    return replayed ?? { kind: 'refused', failure: 'FEE_NOT_COVERED' };
  }
  const { publicUrl, clock } = deps;
  const nowMs = clock.nowMs();
  const id = request.subscription?.transactionId ?? newId(nowMs);
  const input = { seller, request, feeAmount, publicUrl, nowMs, id };
  // The payer's bank pays by an authorization: there is no payer to test cards or to review.
  if ('withoutCode' in payment) {
    const transaction = buildPixWithoutCode(input, payment.expirationSeconds);
    return deps.transactions.create({ transaction, idempotencyKey, bodyHash });
  }
  if (!isAvailable(deps.providers, payment)) return UNAVAILABLE;
  if (await deps.routing.isPaused(payment.method)) {
    const replayed = await deps.transactions.findReplay(seller.id, idempotencyKey, bodyHash);
    return replayed ?? { kind: 'refused', failure: 'METHOD_PAUSED' };
  }
  const charge = toRiskCharge(creation, id, nowMs);
  const { verdict, settle } = await deps.risk.assess(charge);
  let isCreated = false;
  try {
    const assessed = { ...creation, payment };
    const result = await createAssessed(deps, assessed, { ...input, feeRule }, verdict);
    isCreated = result.kind === 'created';
    return result;
  } finally {
    await settle?.(isCreated);
  }
}

const isAvailable = ({ pix, boleto, card }: PaymentProviders, { method }: Payment): boolean =>
  ({ PIX: pix, BOLETO: boleto, CREDIT_CARD: card })[method] !== undefined;

const toRiskCharge = (
  { context: { seller }, request, payment, payerAddress, idempotencyKey }: CreateTransactionRequest,
  id: string,
  nowMs: number,
): RiskCharge => ({
  sellerId: seller.id,
  id,
  requestId: idempotencyKey,
  method: payment.method,
  amount: request.amount,
  document: request.customer.document,
  email: request.customer.email,
  cardNumber: payment.method === 'CREDIT_CARD' ? payment.card.number : null,
  address: payerAddress ?? (payment.method === 'CREDIT_CARD' ? payment.context.payerIp : null),
  paymentLinkId: request.paymentLinkId,
  createdAt: new Date(nowMs),
});

type AssessedInput = NewTransactionInput & { readonly feeRule: Fee };
type IssuedPayment = Exclude<Payment, PixWithoutCode>;
type AssessedRequest = CreateTransactionRequest & { readonly payment: IssuedPayment };

/** A refused charge, and a Pix or boleto in review, reaches no provider. */
async function createAssessed(
  deps: TransactionCreatorDeps,
  creation: AssessedRequest,
  input: AssessedInput,
  verdict: RiskVerdict,
): Promise<CreateTransactionResult> {
  const { payment, idempotencyKey, bodyHash } = creation;
  if (verdict.action === 'ALLOW') return createAtProvider(deps, creation, input);
  if (verdict.action === 'REVIEW' && payment.method === 'CREDIT_CARD') {
    const risk = { status: 'REVIEW', capture: payment.capture } as const;
    return createCardPayment(deps, creation, { ...input, risk }, { ...payment, capture: false });
  }
  const isRefused = verdict.action === 'REFUSE';
  const risk = { status: isRefused ? 'REFUSED' : 'REVIEW', capture: null } as const;
  const transaction = buildUnissued({ ...input, risk }, payment);
  const event = isRefused ? ({ kind: 'REFUSAL', reason: verdict.reason } as const) : null;
  const decision = { event, actor: 'WORKER' } as const;
  return deps.transactions.createDecided({ transaction, idempotencyKey, bodyHash }, decision);
}

function buildUnissued(input: AssessedInput, payment: IssuedPayment): NewTransaction {
  switch (payment.method) {
    case 'PIX':
      return buildPixTransaction(input, payment.expirationSeconds, undefined);
    case 'BOLETO':
      return buildUnissuedBoleto(input, payment.expirationSeconds);
    case 'CREDIT_CARD':
      return buildCardTransaction(input, cardOf(payment), payment.installments);
  }
}

const cardOf = ({ brand, card }: CardPaymentRequest) => ({ brand, lastFour: card.number.slice(-4) });

async function createAtProvider(
  deps: TransactionCreatorDeps,
  creation: AssessedRequest,
  input: AssessedInput,
): Promise<CreateTransactionResult> {
  const { payment } = creation;
  const { pix, boleto } = deps.providers;
  const pixIssuer = pix !== undefined && 'issue' in pix ? pix : undefined;
  switch (payment.method) {
    case 'PIX':
      return submit(deps, creation, buildPixTransaction(input, payment.expirationSeconds, pixIssuer));
    case 'BOLETO': {
      if (boleto === undefined) return UNAVAILABLE;
      const issuers = { boleto, pix: pixIssuer };
      return submit(deps, creation, await buildBoletoTransaction(input, payment.expirationSeconds, issuers));
    }
    case 'CREDIT_CARD':
      return createCardPayment(deps, creation, input, payment);
  }
}

const UNAVAILABLE = { kind: 'refused', failure: 'METHOD_UNAVAILABLE' } as const;

/**
 * Creates the transaction with its Pix code, or at an external provider that issues the code. While
 * those are paused, a boleto has none.
 */
async function submit(
  { transactions, operations, providers: { pix }, routing }: TransactionCreatorDeps,
  { idempotencyKey, bodyHash }: CreateTransactionRequest,
  transaction: ExpiringTransaction,
): Promise<CreateResult> {
  const creation = { transaction, idempotencyKey, bodyHash };
  if (pix === undefined || 'issue' in pix) return transactions.create(creation);
  if (transaction.method === 'BOLETO' && (await routing.isPaused('PIX')))
    return transactions.create(creation);
  return operations.submitPix(creation);
}

async function createCardPayment(
  { transactions, operations, providers }: TransactionCreatorDeps,
  { idempotencyKey, bodyHash }: CreateTransactionRequest,
  input: AssessedInput,
  payment: CardPaymentRequest,
): Promise<CreateTransactionResult> {
  if (providers.card === undefined) return UNAVAILABLE;
  const { card, installments, capture, context } = payment;
  const { seller, request } = input;
  const transaction = buildCardTransaction(input, cardOf(payment), installments);
  const creation = { transaction, idempotencyKey, bodyHash };
  const authorization = { sellerId: seller.id, amountCents: request.amount, card, capture };
  if ('authorize' in providers.card) return transactions.createCard(creation, authorization, providers.card);
  const { customer: payer } = transaction;
  return operations.submitCard({
    ...creation,
    authorization: { ...authorization, ...context, installments, payer, sellerName: seller.name },
  });
}

/** The fee of the plan for a payment. */
export function feeRuleOf(
  fees: FeeSchedule,
  payment:
    | { readonly method: 'PIX' | 'BOLETO' }
    | { readonly method: 'CREDIT_CARD'; readonly installments: number },
): Fee {
  switch (payment.method) {
    case 'PIX':
      return fees.pixIn;
    case 'BOLETO':
      return fees.boleto;
    case 'CREDIT_CARD': {
      const value = fees.creditCard.values[payment.installments - 1];
      if (value === undefined)
        throw new Error(`the fee plan has no fee for ${payment.installments} installments`);
      const { values: _, ...rule } = fees.creditCard;
      return { ...rule, value };
    }
  }
}
