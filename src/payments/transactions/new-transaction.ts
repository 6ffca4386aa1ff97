import { randomUUID } from 'node:crypto';

import { newId } from '#platform/kit/ids.ts';
import type { Fee } from '#sellers/fees/schedule.ts';
import type {
  BoletoPayment,
  CardPayment,
  Customer,
  Item,
  NewTransaction,
  PixPayment,
  RiskStatus,
} from './transaction.ts';

/** The part of a request that does not depend on the payment method. */
export interface TransactionRequest {
  readonly amount: number;
  readonly customer: Omit<Customer, 'id'>;
  readonly items: readonly Omit<Item, 'id'>[];
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly postbackUrl: string | null;
  readonly externalRef: string | null;
  readonly customerId: string | null;
  readonly paymentLinkId: string | null;
  /** The subscription that charges, and the id that it has chosen for the transaction. */
  readonly subscription?: { readonly id: string; readonly transactionId: string };
}

interface IssueRequest {
  readonly transactionId: string;
  readonly amountCents: number;
  readonly expiresAt: Date;
  readonly nowMs: number;
}

/** Issues Pix codes without a network call. */
export interface PixIssuer {
  issue(request: IssueRequest & { readonly merchantName: string }): PixPayment;
}

/** Issues the number, the barcode and the digitable line of a boleto. */
export interface BoletoIssuer {
  issue(request: IssueRequest): Promise<{
    readonly boleto: BoletoPayment;
    /** Until when banks accept the payment. */
    readonly payableUntil: Date;
  }>;
}

export interface NewTransactionInput {
  /** Of the new transaction, where the caller has chosen it. */
  readonly id?: string;
  /** Absent: no risk rule applied. */
  readonly risk?: { readonly status: RiskStatus; readonly capture: boolean | null };
  readonly seller: { readonly id: string; readonly name: string };
  readonly request: TransactionRequest;
  readonly feeAmount: number;
  readonly publicUrl: string;
  readonly nowMs: number;
}

export type ExpiringTransaction = NewTransaction & { readonly expiresAt: Date };

/** Without a local issuer the transaction gets its code later, from an external provider. */
export function buildPixTransaction(
  input: NewTransactionInput,
  expirationSeconds: number,
  issuer: PixIssuer | undefined,
): ExpiringTransaction {
  const base = baseTransaction(input);
  const issueRequest = toIssueRequest(base, expirationSeconds);
  const { expiresAt } = issueRequest;
  const pix = issuer?.issue({ ...issueRequest, merchantName: input.seller.name });
  return { ...base, method: 'PIX', pix: pix ?? null, expiresAt };
}

/** Without `expirationSeconds` it does not expire by the clock. */
export function buildPixWithoutCode(
  input: NewTransactionInput,
  expirationSeconds: number | null,
): NewTransaction {
  const base = baseTransaction(input);
  const expiresAt = expirationSeconds === null ? null : toIssueRequest(base, expirationSeconds).expiresAt;
  return { ...base, method: 'PIX', expiresAt };
}

/** A boleto carries a Pix code too. The first payment settles the transaction. */
export async function buildBoletoTransaction(
  input: NewTransactionInput,
  expirationSeconds: number,
  issuers: { readonly boleto: BoletoIssuer; readonly pix: PixIssuer | undefined },
): Promise<ExpiringTransaction> {
  const base = baseTransaction(input);
  const issueRequest = toIssueRequest(base, expirationSeconds);
  const { boleto, payableUntil: expiresAt } = await issuers.boleto.issue(issueRequest);
  const pix = issuers.pix?.issue({ ...issueRequest, expiresAt, merchantName: input.seller.name });
  return { ...base, method: 'BOLETO', pix: pix ?? null, boleto, expiresAt };
}

/** A boleto in review, or refused: its number is taken when it is approved. */
export const buildUnissuedBoleto = (
  input: NewTransactionInput,
  expirationSeconds: number,
): ExpiringTransaction => ({ ...buildPixTransaction(input, expirationSeconds, undefined), method: 'BOLETO' });

export function buildCardTransaction(
  input: NewTransactionInput & { readonly feeRule: Fee },
  card: Pick<CardPayment, 'brand' | 'lastFour'>,
  installments: number,
): NewTransaction {
  const { feeRule, nowMs } = input;
  return {
    ...baseTransaction(input),
    method: 'CREDIT_CARD',
    feeRule,
    installments,
    card: { id: newId(nowMs), ...card, authorizationCode: null, nsu: null, networkReference: null },
  };
}

/** The members that all methods share. */
function baseTransaction({
  seller,
  request,
  feeAmount,
  publicUrl,
  nowMs,
  id,
  risk,
}: NewTransactionInput): Omit<NewTransaction, 'method'> {
  return {
    sellerId: seller.id,
    id: id ?? newId(nowMs),
    amount: request.amount,
    feeAmount,
    feeRule: null,
    installments: null,
    description: request.description,
    metadata: request.metadata,
    postbackUrl: request.postbackUrl,
    externalRef: request.externalRef,
    customerId: request.customerId,
    paymentLinkId: request.paymentLinkId,
    subscriptionId: request.subscription?.id ?? null,
    riskStatus: risk?.status ?? null,
    riskCapture: risk?.capture ?? null,
    paymentSecret: randomUUID(),
    publicUrl,
    customer: { id: newId(nowMs), ...request.customer },
    items: request.items.map((item) => ({ id: newId(nowMs), ...item })),
    pix: null,
    boleto: null,
    card: null,
    expiresAt: null,
    createdAt: new Date(nowMs),
  };
}

function toIssueRequest(
  { id, amount, createdAt }: Omit<NewTransaction, 'method'>,
  expirationSeconds: number,
): IssueRequest {
  const nowMs = createdAt.getTime();
  const expiresAt = new Date(nowMs + expirationSeconds * 1000);
  return { transactionId: id, amountCents: amount, expiresAt, nowMs };
}
