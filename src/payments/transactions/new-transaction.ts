import { newId } from '#platform/kit/ids.ts';
import type {
  BoletoPayment,
  CardPayment,
  Customer,
  FeeRule,
  Item,
  NewTransaction,
  PixPayment,
} from './transaction.ts';

/** What a seller asks for, whatever the method. */
export interface TransactionRequest {
  readonly amount: number;
  readonly customer: Omit<Customer, 'id'>;
  readonly items: readonly Omit<Item, 'id'>[];
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly postbackUrl: string | null;
}

/** A rail that makes the code of a PIX charge; local, so that it needs no second commit. */
export interface PixIssuer {
  issue(request: {
    readonly transactionId: string;
    readonly amountCents: number;
    readonly merchantName: string;
    readonly expiresAt: Date;
    readonly nowMs: number;
  }): PixPayment;
}

/** A rail that makes a boleto: its number, barcode and line. */
export interface BoletoIssuer {
  issue(request: {
    readonly transactionId: string;
    readonly amountCents: number;
    readonly expiresAt: Date;
    readonly nowMs: number;
  }): Promise<{
    readonly boleto: BoletoPayment;
    /** Until when the bank takes the payment. */
    readonly payableUntil: Date;
  }>;
}

interface BuildInput {
  readonly seller: { readonly id: string; readonly name: string };
  readonly request: TransactionRequest;
  readonly feeAmount: number;
  readonly nowMs: number;
}

/** Without an issuer here the code comes later, from a provider. */
export function buildPixTransaction(
  { seller, request, feeAmount, nowMs }: BuildInput,
  expirationSeconds: number,
  issuer: PixIssuer | undefined,
): NewTransaction & { readonly expiresAt: Date } {
  const id = newId(nowMs);
  const expiresAt = new Date(nowMs + expirationSeconds * 1000);
  const pix = issuer?.issue({
    transactionId: id,
    amountCents: request.amount,
    merchantName: seller.name,
    expiresAt,
    nowMs,
  });
  return {
    ...baseTransaction(id, seller.id, request, nowMs),
    method: 'PIX',
    feeAmount,
    pix: pix ?? null,
    expiresAt,
  };
}

/** A boleto carries a PIX code too: whichever is paid first settles the charge. */
export async function buildBoletoTransaction(
  { seller, request, feeAmount, nowMs }: BuildInput,
  expirationSeconds: number,
  issuer: BoletoIssuer,
  pixIssuer: PixIssuer | undefined,
): Promise<NewTransaction & { readonly expiresAt: Date }> {
  const id = newId(nowMs);
  const expiresAt = new Date(nowMs + expirationSeconds * 1000);
  const issueRequest = { transactionId: id, amountCents: request.amount, expiresAt, nowMs };
  const { boleto, payableUntil } = await issuer.issue(issueRequest);
  const pix = pixIssuer?.issue({ ...issueRequest, expiresAt: payableUntil, merchantName: seller.name });
  return {
    ...baseTransaction(id, seller.id, request, nowMs),
    method: 'BOLETO',
    feeAmount,
    pix: pix ?? null,
    boleto,
    expiresAt: payableUntil,
  };
}

export function buildCardTransaction(
  { seller, request, feeAmount, nowMs }: BuildInput,
  card: Omit<CardPayment, 'id'>,
  installments: number,
  feeRule: FeeRule,
): NewTransaction {
  const made = baseTransaction(newId(nowMs), seller.id, request, nowMs);
  return {
    ...made,
    method: 'CREDIT_CARD',
    feeAmount,
    feeRule,
    installments,
    card: { id: newId(nowMs), ...card },
  };
}

function baseTransaction(
  id: string,
  sellerId: string,
  request: TransactionRequest,
  nowMs: number,
): NewTransaction {
  return {
    sellerId,
    id,
    method: 'PIX',
    amount: request.amount,
    feeAmount: 0,
    feeRule: null,
    installments: null,
    description: request.description,
    metadata: request.metadata,
    postbackUrl: request.postbackUrl,
    customer: { id: newId(nowMs), ...request.customer },
    items: request.items.map((item) => ({ id: newId(nowMs), ...item })),
    pix: null,
    boleto: null,
    card: null,
    expiresAt: null,
    createdAt: new Date(nowMs),
  };
}
