import type { Clock } from '#platform/kit/clock.ts';
import { feeOn, type FeeSchedule } from '#sellers/fees/service.ts';
import type { SellerContext } from '#sellers/service.ts';
import type { CardContext, CardDetails } from './card.ts';
import { makeBoleto, makeCard, makePix, type ChargeRequest } from './new-transaction.ts';
import type { Placing } from '#payments/operations/submission.ts';
import type { Rails } from '#payments/operations/payment-provider.ts';
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

export interface Charge {
  readonly context: SellerContext;
  readonly wanted: ChargeRequest;
  readonly payment: Payment;
  readonly idempotencyKey: string;
  readonly bodyHash: Buffer;
}

export type ChargeResult =
  | CreateResult
  | { readonly kind: 'refused'; readonly failure: 'FEE_NOT_COVERED' | 'METHOD_UNAVAILABLE' };

export type Charging = (charge: Charge) => Promise<ChargeResult>;

export interface ChargingDeps {
  readonly transactions: TransactionsService;
  readonly placing: Placing;
  readonly clock: Clock;
  /** An absent rail makes its method unavailable. */
  readonly rails: Rails;
}

/** Makes charges of every method: the fee by the seller's plan now, the rail's own data, then the record. */
export function createCharging({ transactions, placing, clock, rails }: ChargingDeps): Charging {
  const { pix, boleto, card: cardRail } = rails;
  const pixIssuer = pix !== undefined && 'issue' in pix ? pix : undefined;
  const pixRails = pix === undefined || 'issue' in pix ? undefined : pix;

  return async ({ context, wanted, payment, idempotencyKey, bodyHash }) => {
    const { seller, fees } = context;
    const feeRule = feeRuleOf(fees, payment);
    const feeAmount = feeOn(wanted.amount, feeRule);
    if (feeAmount === undefined) {
      // The plan may have changed since the first request with this key, which must still get its first answer.
      const replayed = await transactions.replayOf(seller.id, idempotencyKey, bodyHash);
      return replayed ?? { kind: 'refused', failure: 'FEE_NOT_COVERED' };
    }
    const maker = { seller, wanted, feeAmount, nowMs: clock.nowMs() };
    /** With its code at once, or from a provider. */
    const withCode = (made: NewTransaction & { readonly expiresAt: Date }) =>
      pixRails === undefined
        ? transactions.create(made, idempotencyKey, bodyHash)
        : placing.pix(made, made.expiresAt, pixRails, idempotencyKey, bodyHash);
    switch (payment.method) {
      case 'PIX':
        if (pix === undefined) return UNAVAILABLE;
        return withCode(makePix(maker, payment.expirationSeconds, pixIssuer));
      case 'BOLETO':
        if (boleto === undefined) return UNAVAILABLE;
        return withCode(await makeBoleto(maker, payment.expirationSeconds, boleto, pixIssuer));
      case 'CREDIT_CARD': {
        if (cardRail === undefined) return UNAVAILABLE;
        const { card, brand, installments, capture } = payment;
        const made = makeCard(maker, { brand, lastFour: card.number.slice(-4) }, installments, feeRule);
        const order = { sellerId: seller.id, amountCents: wanted.amount, card, capture };
        if ('authorize' in cardRail) {
          return transactions.createCard(made, order, cardRail, idempotencyKey, bodyHash);
        }
        const payer = made.customer;
        const placement = { ...order, ...payment.context, installments, payer, sellerName: seller.name };
        return placing.card(made, placement, cardRail, idempotencyKey, bodyHash);
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
