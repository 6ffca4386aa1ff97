import type { Fee } from '#sellers/fees/schedule.ts';

/** The transaction record. Amounts in cents. */

export const METHODS = ['PIX', 'BOLETO', 'CREDIT_CARD'] as const;
export type Method = (typeof METHODS)[number];

export const STATUSES = [
  'PENDING',
  'WAITING_PAYMENT',
  'PROCESSING',
  'AUTHORIZED',
  'PAID',
  'FAILED',
  'REFUSED',
  'REFUNDED',
  'CHARGEDBACK',
  'DISPUTE',
] as const;
export type Status = (typeof STATUSES)[number];

export const RISK_STATUSES = ['REVIEW', 'APPROVED', 'REFUSED'] as const;
export type RiskStatus = (typeof RISK_STATUSES)[number];

export interface TransactionKey {
  readonly sellerId: string;
  readonly id: string;
}

export interface Customer {
  readonly id: string;
  readonly externalRef: string | null;
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly documentType: 'CPF' | 'CNPJ';
  readonly document: string;
}

export interface Item {
  readonly id: string;
  readonly title: string;
  /** Unit price. */
  readonly amount: number;
  readonly quantity: number;
  readonly tangible: boolean;
  readonly externalRef: string | null;
}

export interface PixPayment {
  readonly id: string;
  /** The id at the provider: the transaction id without hyphens. */
  readonly txid: string;
  /** The URL in the code: `http(s)://host/pix/<txid>`. */
  readonly location: string;
  /** The BR Code to copy and paste. */
  readonly code: string;
  readonly expiresAt: Date;
}

/** How a Pix was paid. */
export interface PixReceipt {
  readonly endToEndId: string;
  /** Null if the provider does not report who paid. */
  readonly payer: PixPayer | null;
}

/** Who paid a Pix, as the provider reports it. */
export interface PixPayer {
  readonly name: string | null;
  /** CPF or CNPJ. */
  readonly document: string | null;
  /** The payer's bank. */
  readonly ispb: string | null;
}

export const BOLETO_REGISTRATION_STATUSES = ['PENDING', 'REGISTERED', 'REJECTED'] as const;
/** Whether the bank has registered a boleto. An unregistered boleto cannot be paid. */
export type BoletoRegistrationStatus = (typeof BOLETO_REGISTRATION_STATUSES)[number];

export interface BoletoPayment {
  readonly id: string;
  readonly ourNumber: string;
  /** 44 digits. */
  readonly barcode: string;
  /** 47 digits. */
  readonly digitableLine: string;
  /** The printed due date, `YYYY-MM-DD`. */
  readonly dueDate: string;
  /** The URL of the payer's page, and the prefix of the URLs of the PDF and the images. */
  readonly location: string;
  readonly instructions: string;
  readonly expiresAt: Date;
  /** Null if the bank requires no registration. */
  readonly registration: BoletoRegistrationStatus | null;
}

/** The only card data that is stored. */
export interface CardPayment {
  readonly id: string;
  readonly brand: string | null;
  readonly lastFour: string;
  /** Null until the issuer has authorized it. */
  readonly authorizationCode: string | null;
  /** The card network's, which later payments of a subscription name. */
  readonly networkReference: string | null;
  /** The acquirer's number of the payment (NSU). */
  readonly nsu: string | null;
}

/** A transaction at its creation. */
export interface NewTransaction {
  readonly sellerId: string;
  readonly id: string;
  readonly method: Method;
  readonly amount: number;
  readonly feeAmount: number;
  /**
   * The fee of the seller's plan at the creation, if a partial capture may still reduce the amount.
   */
  readonly feeRule: Fee | null;
  readonly installments: number | null;
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly postbackUrl: string | null;
  /** The seller's order number. */
  readonly externalRef: string | null;
  readonly customerId: string | null;
  readonly paymentLinkId: string | null;
  readonly subscriptionId: string | null;
  /** What the operator's risk rules have decided. Null: the charge was allowed. */
  readonly riskStatus: RiskStatus | null;
  /** Of a card in review: whether an approval captures it. */
  readonly riskCapture: boolean | null;
  /** Opens the public payment page, together with the id. */
  readonly paymentSecret: string;
  /** The gateway's public URL at the creation, so that a replay returns the same `paymentUrl`. */
  readonly publicUrl: string;
  readonly customer: Customer;
  readonly items: readonly Item[];
  /** How it can be paid. A boleto can also be paid with a Pix code. */
  readonly pix: PixPayment | null;
  readonly boleto: BoletoPayment | null;
  readonly card: CardPayment | null;
  /** When an unpaid transaction fails, or an authorization lapses. */
  readonly expiresAt: Date | null;
  readonly createdAt: Date;
}

/** PENDING: retained. RELEASED: available. HELD: in dispute. TAKEN: returned to the payer. */
export const RELEASE_STATUSES = ['PENDING', 'RELEASED', 'HELD', 'TAKEN'] as const;

/** Retained money of a payment: one release for each installment. */
export interface Release {
  readonly number: number;
  /** The remaining amount. */
  readonly amount: number;
  readonly status: (typeof RELEASE_STATUSES)[number];
  readonly dueAt: Date;
}

export interface Transaction extends NewTransaction {
  readonly status: Status;
  /** Why it is FAILED or REFUSED. */
  readonly statusReason: string | null;
  /** Incremented by each change. */
  readonly version: number;
  readonly refundedAmount: number;
  /** The sum of refunds whose provider has not reported the outcome. */
  readonly refundingAmount: number;
  readonly releases: readonly Release[];
  /** Null until a Pix is paid. */
  readonly pixReceipt: PixReceipt | null;
  readonly paidAt: Date | null;
  readonly updatedAt: Date;
}

/** A boleto that is not issued yet is PENDING: it is in review, or was refused. */
export function initialTransactionStatus({
  method,
  boleto,
}: Pick<NewTransaction, 'method' | 'boleto'>): 'PENDING' | 'WAITING_PAYMENT' {
  return method === 'BOLETO' && boleto !== null ? 'WAITING_PAYMENT' : 'PENDING';
}

/** A new transaction in its initial state. */
export function toInitialTransaction(newTransaction: NewTransaction): Transaction {
  const { boleto } = newTransaction;
  return {
    ...newTransaction,
    boleto: boleto?.registration ? { ...boleto, registration: 'PENDING' } : boleto,
    status: initialTransactionStatus(newTransaction),
    statusReason: null,
    version: 1,
    refundedAmount: 0,
    refundingAmount: 0,
    releases: [],
    pixReceipt: null,
    paidAt: null,
    updatedAt: newTransaction.createdAt,
  };
}
