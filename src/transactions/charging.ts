import type { Clock } from '#clock.ts';
import { feeOn, type FeeSchedule } from '#fees/service.ts';
import type { SellerContext } from '#sellers/service.ts';
import type { CardDetails, CardProvider } from './cards.ts';
import {
  makeBoleto,
  makeCard,
  makePix,
  type BoletoIssuer,
  type ChargeRequest,
  type PixIssuer,
} from './making.ts';
import type { CreateResult, TransactionsService } from './service.ts';

/** The rails that are set up. An absent one makes its method unavailable. */
export interface Rails {
  readonly pix: PixIssuer | undefined;
  readonly boleto: BoletoIssuer | undefined;
  readonly card: CardProvider | undefined;
}

/** How the payer of a charge pays. */
export type Payment =
  | { readonly method: 'PIX' | 'BOLETO'; readonly expirationSeconds: number }
  | {
      readonly method: 'CREDIT_CARD';
      readonly card: CardDetails;
      readonly brand: string | null;
      readonly installments: number;
      readonly capture: boolean;
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

/** Makes charges of every method: the fee by the seller's plan now, the rail's own data, then the record. */
export function createCharging(transactions: TransactionsService, clock: Clock, rails: Rails): Charging {
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
    const { pix, boleto, card: cardRail } = rails;
    switch (payment.method) {
      case 'PIX':
        if (pix === undefined) return UNAVAILABLE;
        return transactions.create(makePix(maker, payment.expirationSeconds, pix), idempotencyKey, bodyHash);
      case 'BOLETO': {
        if (boleto === undefined || pix === undefined) return UNAVAILABLE;
        const made = await makeBoleto(maker, payment.expirationSeconds, boleto, pix);
        return transactions.create(made, idempotencyKey, bodyHash);
      }
      case 'CREDIT_CARD': {
        if (cardRail === undefined) return UNAVAILABLE;
        const { card, brand, installments, capture } = payment;
        const made = makeCard(maker, { brand, lastFour: card.number.slice(-4) }, installments, feeRule);
        const order = { sellerId: seller.id, amountCents: wanted.amount, card, capture };
        return transactions.createCard(made, order, cardRail, idempotencyKey, bodyHash);
      }
    }
  };
}

const UNAVAILABLE = { kind: 'refused', failure: 'METHOD_UNAVAILABLE' } as const;

function feeRuleOf(fees: FeeSchedule, payment: Payment) {
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
