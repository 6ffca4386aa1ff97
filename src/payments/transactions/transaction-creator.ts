import type { PaymentProviders } from '#payments/operations/payment-provider.ts';
import type { ProviderOperations } from '#payments/operations/service.ts';
import type { Clock } from '#platform/kit/clock.ts';
import { calculateFee, type Fee, type FeeSchedule } from '#sellers/fees/schedule.ts';
import type { SellerContext } from '#sellers/service.ts';
import type { CardContext, CardDetails } from './card.ts';
import type { CREATION_ERRORS } from './errors.ts';
import {
  buildBoletoTransaction,
  buildCardTransaction,
  buildPixTransaction,
  buildPixWithoutCode,
  type ExpiringTransaction,
  type NewTransactionInput,
  type TransactionRequest,
} from './new-transaction.ts';
import type { CreateResult, TransactionsService } from './service.ts';

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
}

export type CreateTransactionResult =
  | CreateResult
  | { readonly kind: 'refused'; readonly failure: keyof typeof CREATION_ERRORS };

export interface TransactionCreatorDeps {
  readonly transactions: TransactionsService;
  readonly operations: ProviderOperations;
  readonly clock: Clock;
  readonly providers: PaymentProviders;
  readonly publicUrl: string;
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
  const { publicUrl } = deps;
  const input = { seller, request, feeAmount, publicUrl, nowMs: deps.clock.nowMs() };
  const { pix, boleto } = deps.providers;
  const pixIssuer = pix !== undefined && 'issue' in pix ? pix : undefined;
  switch (payment.method) {
    case 'PIX':
      if ('withoutCode' in payment) {
        const transaction = buildPixWithoutCode(input, payment.expirationSeconds);
        return deps.transactions.create({ transaction, idempotencyKey, bodyHash });
      }
      if (pix === undefined) return UNAVAILABLE;
      return submit(deps, creation, buildPixTransaction(input, payment.expirationSeconds, pixIssuer));
    case 'BOLETO': {
      if (boleto === undefined) return UNAVAILABLE;
      const issuers = { boleto, pix: pixIssuer };
      return submit(deps, creation, await buildBoletoTransaction(input, payment.expirationSeconds, issuers));
    }
    case 'CREDIT_CARD':
      return createCardPayment(deps, creation, { ...input, feeRule }, payment);
  }
}

const UNAVAILABLE = { kind: 'refused', failure: 'METHOD_UNAVAILABLE' } as const;

/** Creates the transaction with its Pix code, or at an external provider that issues the code. */
function submit(
  { transactions, operations, providers: { pix } }: TransactionCreatorDeps,
  { idempotencyKey, bodyHash }: CreateTransactionRequest,
  transaction: ExpiringTransaction,
): Promise<CreateResult> {
  const creation = { transaction, idempotencyKey, bodyHash };
  return pix === undefined || 'issue' in pix ? transactions.create(creation) : operations.submitPix(creation);
}

async function createCardPayment(
  { transactions, operations, providers }: TransactionCreatorDeps,
  { idempotencyKey, bodyHash }: CreateTransactionRequest,
  input: NewTransactionInput & { readonly feeRule: Fee },
  { card, brand, installments, capture, context }: CardPaymentRequest,
): Promise<CreateTransactionResult> {
  if (providers.card === undefined) return UNAVAILABLE;
  const { seller, request } = input;
  const transaction = buildCardTransaction(input, { brand, lastFour: card.number.slice(-4) }, installments);
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
      return { type: fees.creditCard.type, value };
    }
  }
}
