import { newId } from '#platform/kit/ids.ts';
import type {
  BoletoCharge,
  CardCharge,
  Customer,
  FeeRule,
  Item,
  NewTransaction,
  PixCharge,
} from './transaction.ts';

/** What a seller asks for, whatever the method. */
export interface ChargeRequest {
  readonly amount: number;
  readonly customer: Omit<Customer, 'id'>;
  readonly items: readonly Omit<Item, 'id'>[];
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly postbackUrl: string | null;
}

/** A rail that makes the code of a PIX charge; local, so that it needs no second commit. */
export interface PixIssuer {
  issue(charge: {
    readonly transactionId: string;
    readonly amountCents: number;
    readonly merchantName: string;
    readonly expiresAt: Date;
    readonly nowMs: number;
  }): PixCharge;
}

/** A rail that makes a boleto: its number, barcode and line. */
export interface BoletoIssuer {
  issue(charge: {
    readonly transactionId: string;
    readonly amountCents: number;
    readonly expiresAt: Date;
    readonly nowMs: number;
  }): Promise<{
    readonly boleto: BoletoCharge;
    /** Until when the bank takes the payment. */
    readonly payableUntil: Date;
  }>;
}

interface Maker {
  readonly seller: { readonly id: string; readonly name: string };
  readonly wanted: ChargeRequest;
  readonly feeAmount: number;
  readonly nowMs: number;
}

/** Without an issuer here the code comes later, from a provider. */
export function makePix(
  { seller, wanted, feeAmount, nowMs }: Maker,
  expirationSeconds: number,
  issuer: PixIssuer | undefined,
): NewTransaction & { readonly expiresAt: Date } {
  const id = newId(nowMs);
  const expiresAt = new Date(nowMs + expirationSeconds * 1000);
  const pix = issuer?.issue({
    transactionId: id,
    amountCents: wanted.amount,
    merchantName: seller.name,
    expiresAt,
    nowMs,
  });
  return { ...base(id, seller.id, wanted, nowMs), method: 'PIX', feeAmount, pix: pix ?? null, expiresAt };
}

/** A boleto carries a PIX code too: whichever is paid first settles the charge. */
export async function makeBoleto(
  { seller, wanted, feeAmount, nowMs }: Maker,
  expirationSeconds: number,
  issuer: BoletoIssuer,
  pixIssuer: PixIssuer | undefined,
): Promise<NewTransaction & { readonly expiresAt: Date }> {
  const id = newId(nowMs);
  const expiresAt = new Date(nowMs + expirationSeconds * 1000);
  const charge = { transactionId: id, amountCents: wanted.amount, expiresAt, nowMs };
  const { boleto, payableUntil } = await issuer.issue(charge);
  const pix = pixIssuer?.issue({ ...charge, expiresAt: payableUntil, merchantName: seller.name });
  return {
    ...base(id, seller.id, wanted, nowMs),
    method: 'BOLETO',
    feeAmount,
    pix: pix ?? null,
    boleto,
    expiresAt: payableUntil,
  };
}

export function makeCard(
  { seller, wanted, feeAmount, nowMs }: Maker,
  card: Omit<CardCharge, 'id'>,
  installments: number,
  feeRule: FeeRule,
): NewTransaction {
  const made = base(newId(nowMs), seller.id, wanted, nowMs);
  return {
    ...made,
    method: 'CREDIT_CARD',
    feeAmount,
    feeRule,
    installments,
    card: { id: newId(nowMs), ...card },
  };
}

function base(id: string, sellerId: string, wanted: ChargeRequest, nowMs: number): NewTransaction {
  return {
    sellerId,
    id,
    method: 'PIX',
    amount: wanted.amount,
    feeAmount: 0,
    feeRule: null,
    installments: null,
    description: wanted.description,
    metadata: wanted.metadata,
    postbackUrl: wanted.postbackUrl,
    customer: { id: newId(nowMs), ...wanted.customer },
    items: wanted.items.map((item) => ({ id: newId(nowMs), ...item })),
    pix: null,
    boleto: null,
    card: null,
    expiresAt: null,
    createdAt: new Date(nowMs),
  };
}
