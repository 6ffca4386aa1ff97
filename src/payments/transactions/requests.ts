import { detectCardBrand } from '#formats/card/card-number.ts';
import { HttpError } from '#platform/http/errors.ts';
import type { CardDetails, ThreeDSecure } from './card.ts';
import type { Payment } from './transaction-creator.ts';
import type { TransactionRequest } from './new-transaction.ts';
import type { CreateBody } from './schema.ts';

export const UNKNOWN_TOKEN: readonly string[] = ['card.token must be a token of POST /card-tokens'];

const DEFAULT_EXPIRATION_SECONDS = { PIX: 3_600, BOLETO: 3 * 24 * 3_600 } as const;

/** Reads a kept card back by its token; undefined for a token that is not the seller's. */
export type FindCardToken = (
  sellerId: string,
  token: string,
) => Promise<Omit<CardDetails, 'cvv' | 'holderName'> | undefined>;

/** What of a creation's body is the same for every method. */
export function toTransactionRequest(body: CreateBody): TransactionRequest {
  const { customer } = body;
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

/** How it is to be paid. Validation has made sure that what the method needs is there. */
export async function toPayment(
  body: CreateBody,
  sellerId: string,
  findToken: FindCardToken,
): Promise<Payment> {
  const { method } = body;
  if (method !== 'CREDIT_CARD') {
    return { method, expirationSeconds: body.expiration ?? DEFAULT_EXPIRATION_SECONDS[method] };
  }
  const card = await toCard(body, sellerId, findToken);
  return {
    method,
    card,
    brand: detectCardBrand(card.number),
    installments: body.installments ?? 1,
    capture: body.capture ?? true,
    context: { threeDS: toThreeDSecure(body), payerIp: body.card?.ip ?? null },
  };
}

function toThreeDSecure({ card }: CreateBody): ThreeDSecure | null {
  const sent = card?.threeDS;
  if (sent === undefined || sent === null) return null;
  return {
    cavv: sent.cavv ?? null,
    xid: sent.xid ?? null,
    eci: sent.eci ?? null,
    version: sent.version ?? null,
    referenceId: sent.referenceId ?? null,
  };
}

async function toCard(body: CreateBody, sellerId: string, findToken: FindCardToken): Promise<CardDetails> {
  const sent = body.card ?? {};
  const holderName = sent.holderName ?? '';
  const cvv = sent.cvv ?? null;
  if (sent.token !== undefined && sent.token !== null) {
    const storedCard = await findToken(sellerId, sent.token);
    if (storedCard === undefined) throw new HttpError(400, UNKNOWN_TOKEN);
    return { ...storedCard, holderName, cvv };
  }
  return {
    number: sent.number ?? '',
    holderName,
    cvv,
    expirationMonth: sent.expirationMonth ?? 0,
    expirationYear: fullYear(sent.expirationYear ?? 0),
  };
}

/** Two digits mean 20YY. */
export function fullYear(year: number): number {
  return year < 100 ? 2000 + year : year;
}

/**
 * What of a body its hash is made of. A hash of a card number and cvv among known members could be guessed from its
 * last four digits in minutes, so these two do not go into it.
 */
export function withoutCardData(body: CreateBody): unknown {
  const { card } = body;
  if (card === undefined || card === null) return body;
  return { ...body, card: { ...card, number: card.number?.slice(-4), cvv: undefined } };
}
