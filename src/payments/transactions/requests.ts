import type { Static } from 'typebox';

import { detectCardBrand } from '#formats/card/card-number.ts';
import { ValidationError } from '#platform/http/errors.ts';
import type { CardDetails, ThreeDSecure } from './card.ts';
import type { Payment } from './transaction-creator.ts';
import type { TransactionRequest } from './new-transaction.ts';
import type { CreateBody, CustomerBody } from './creation-schema.ts';

export const unknownToken = (): ValidationError =>
  new ValidationError([{ path: ['card', 'token'], rule: 'must be a token of POST /card-tokens' }]);

const DEFAULT_EXPIRATION_SECONDS = { PIX: 3_600, BOLETO: 3 * 24 * 3_600 } as const;

/**
 * Finds a saved card by its token. Returns undefined for an unknown token or one of another seller.
 */
export type FindCardToken = (
  sellerId: string,
  token: string,
) => Promise<Omit<CardDetails, 'cvv' | 'holderName'> | undefined>;

/** The payer of a request: given in its body, or a customer record. */
export type Payer = Static<typeof CustomerBody>;

/** Finds a customer record. Returns undefined for an unknown one or one of another seller. */
export type FindCustomer = (key: {
  readonly sellerId: string;
  readonly id: string;
}) => Promise<Payer | undefined>;

/** The part of a creation's body that does not depend on the payment method. */
export function toTransactionRequest(body: CreateBody, customer: Payer): TransactionRequest {
  return {
    amount: body.amount,
    customer: {
      name: customer.name,
      email: customer.email,
      phone: customer.phone,
      documentType: customer.documentType,
      document: customer.document,
      externalRef: customer.externalRef ?? null,
    },
    externalRef: body.externalRef ?? null,
    customerId: body.customerId?.toLowerCase() ?? null,
    paymentLinkId: null,
    items: body.items.map((item) => ({
      title: item.title,
      amount: item.amount,
      quantity: item.quantity,
      tangible: item.tangible,
      externalRef: item.externalRef ?? null,
    })),
    description: body.description ?? null,
    metadata: body.metadata ?? null,
    postbackUrl: body.postbackUrl ?? null,
  };
}

/** The members of a request that describe how the payer pays. */
export type PaymentBody = Pick<
  CreateBody,
  'method' | 'card' | 'global' | 'installments' | 'capture' | 'expiration'
>;

/**
 * The payment method and its data. The schema has validated that the members that the method
 * requires are present.
 */
export async function toPayment(
  body: PaymentBody,
  sellerId: string,
  findToken: FindCardToken,
): Promise<Payment> {
  const { method } = body;
  if (method !== 'CREDIT_CARD') {
    const expirationSeconds = body.expiration ?? DEFAULT_EXPIRATION_SECONDS[method];
    return { method, expirationSeconds, isInternational: body.global === true };
  }
  const card = await toCard(body, sellerId, findToken);
  return {
    method,
    card,
    brand: detectCardBrand(card.number),
    installments: body.installments ?? 1,
    capture: body.capture ?? true,
    context: { threeDS: toThreeDSecure(body), payerIp: body.card?.ip ?? null, recurring: null },
    isInternational: body.global === true || (body.card?.currency ?? 'BRL') !== 'BRL',
  };
}

function toThreeDSecure({ card }: PaymentBody): ThreeDSecure | null {
  const threeDS = card?.threeDS;
  if (threeDS === undefined || threeDS === null) return null;
  return {
    cavv: threeDS.cavv ?? null,
    xid: threeDS.xid ?? null,
    eci: threeDS.eci ?? null,
    version: threeDS.version ?? null,
    referenceId: threeDS.referenceId ?? null,
  };
}

async function toCard(body: PaymentBody, sellerId: string, findToken: FindCardToken): Promise<CardDetails> {
  const card = body.card ?? {};
  const holderName = card.holderName ?? '';
  const cvv = card.cvv ?? null;
  if (card.token !== undefined && card.token !== null) {
    const savedCard = await findToken(sellerId, card.token);
    if (savedCard === undefined) throw unknownToken();
    return { ...savedCard, holderName, cvv };
  }
  return {
    number: card.number ?? '',
    holderName,
    cvv,
    expirationMonth: card.expirationMonth ?? 0,
    expirationYear: fullYear(card.expirationYear ?? 0),
  };
}

/** Two digits mean 20YY. */
export function fullYear(year: number): number {
  return year < 100 ? 2000 + year : year;
}

/**
 * The part of a body that its hash covers. A hash of a card number and CVV among known members
 * could be reversed from the last four digits in minutes, so the hash excludes both.
 */
export function withoutCardData(body: { readonly card?: CreateBody['card'] }): unknown {
  const { card } = body;
  if (card === undefined || card === null) return body;
  return { ...body, card: { ...card, number: card.number?.slice(-4), cvv: undefined } };
}
