import type { Clock } from '#platform/kit/clock.ts';
import { calculateFee, type FeeSchedule } from '#sellers/fees/schedule.ts';
import type { SellerContext } from '#sellers/service.ts';
import type { CardContext, CardDetails } from './card.ts';
import {
  buildBoletoTransaction,
  buildCardTransaction,
  buildPixTransaction,
  type TransactionRequest,
} from './new-transaction.ts';
import type { ProviderOperations } from '#payments/operations/service.ts';
import type { PaymentProviders } from '#payments/operations/payment-provider.ts';
import type { CreateResult, TransactionsService } from './service.ts';
import type { NewTransaction } from './transaction.ts';

/** How the payer of a charge pays. */
export type Payment =
  | { readonly method: 'PIX' | 'BOLETO'; readonly expirationSeconds: number }
  | {
      readonly method: 'CREDIT_CARD';
      readonly card: CardDetails;
      readonly brand: string | null;
      readonly installments: number;
      readonly capture: boolean;
      readonly context: CardContext;
    };

export interface CreateTransactionRequest {
  readonly context: SellerContext;
  readonly request: TransactionRequest;
  readonly payment: Payment;
  readonly idempotencyKey: string;
  readonly bodyHash: Buffer;
}

export type CreateTransactionResult =
  | CreateResult
  | { readonly kind: 'refused'; readonly failure: 'FEE_NOT_COVERED' | 'METHOD_UNAVAILABLE' };

export type TransactionCreator = (request: CreateTransactionRequest) => Promise<CreateTransactionResult>;

export interface TransactionCreatorDeps {
  readonly transactions: TransactionsService;
  readonly operations: ProviderOperations;
  readonly clock: Clock;
  /** An absent rail makes its method unavailable. */
  readonly providers: PaymentProviders;
}

/** Makes charges of every method: the fee by the seller's plan now, the rail's own data, then the record. */
export function createTransactionCreator({
  transactions,
  operations,
  clock,
  providers,
}: TransactionCreatorDeps): TransactionCreator {
  const { pix, boleto, card: cardProvider } = providers;
  const pixIssuer = pix !== undefined && 'issue' in pix ? pix : undefined;
  const pixProviders = pix === undefined || 'issue' in pix ? undefined : pix;

  return async ({ context, request, payment, idempotencyKey, bodyHash }) => {
    const { seller, fees } = context;
    const feeRule = feeRuleOf(fees, payment);
    const feeAmount = calculateFee(request.amount, feeRule);
    if (feeAmount === undefined) {
      // The plan may have changed since the first request with this key, which must still get its first answer.
      const replayed = await transactions.findReplay(seller.id, idempotencyKey, bodyHash);
      return replayed ?? { kind: 'refused', failure: 'FEE_NOT_COVERED' };
    }
    const input = { seller, request, feeAmount, nowMs: clock.nowMs() };
    /** With its code at once, or from a provider. */
    const createPayable = (newTransaction: NewTransaction & { readonly expiresAt: Date }) =>
      pixProviders === undefined
        ? transactions.create({ transaction: newTransaction, idempotencyKey, bodyHash })
        : operations.submitPix({ transaction: newTransaction, idempotencyKey, bodyHash });
    switch (payment.method) {
      case 'PIX':
        if (pix === undefined) return UNAVAILABLE;
        return createPayable(buildPixTransaction(input, payment.expirationSeconds, pixIssuer));
      case 'BOLETO':
        if (boleto === undefined) return UNAVAILABLE;
        return createPayable(
          await buildBoletoTransaction(input, payment.expirationSeconds, boleto, pixIssuer),
        );
      case 'CREDIT_CARD': {
        if (cardProvider === undefined) return UNAVAILABLE;
        const { card, brand, installments, capture } = payment;
        const made = buildCardTransaction(
          input,
          { brand, lastFour: card.number.slice(-4) },
          installments,
          feeRule,
        );
        const authorization = { sellerId: seller.id, amountCents: request.amount, card, capture };
        if ('authorize' in cardProvider) {
          return transactions.createCard(
            { transaction: made, idempotencyKey, bodyHash },
            authorization,
            cardProvider,
          );
        }
        const payer = made.customer;
        const externalAuthorization = {
          ...authorization,
          ...payment.context,
          installments,
          payer,
          sellerName: seller.name,
        };
        return operations.submitCard({
          transaction: made,
          authorization: externalAuthorization,
          idempotencyKey,
          bodyHash,
        });
      }
    }
  };
}

const UNAVAILABLE = { kind: 'refused', failure: 'METHOD_UNAVAILABLE' } as const;

/** The fee rule of the plan for a way to pay. */
export function feeRuleOf(
  fees: FeeSchedule,
  payment:
    | { readonly method: 'PIX' | 'BOLETO' }
    | { readonly method: 'CREDIT_CARD'; readonly installments: number },
) {
  switch (payment.method) {
    case 'PIX':
      return fees.pixIn;
    case 'BOLETO':
      return fees.boleto;
    case 'CREDIT_CARD': {
      const value = fees.creditCard.values[payment.installments - 1];
      if (value === undefined) throw new Error('a fee plan has no value for this number of instalments');
      return { type: fees.creditCard.type, value };
    }
  }
}
