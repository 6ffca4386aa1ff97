/** A charge as the rest of the code sees it. Amounts in cents. */

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
  /** Price of one. */
  readonly amount: number;
  readonly quantity: number;
  readonly tangible: boolean;
  readonly externalRef: string | null;
}

export interface PixPayment {
  readonly id: string;
  /** The charge's id at the provider: the transaction id without hyphens. */
  readonly txid: string;
  /** The address that the code names: `http(s)://host/pix/<txid>`. */
  readonly location: string;
  /** The BR Code to copy and paste. */
  readonly code: string;
  readonly expiresAt: Date;
}

export const BOLETO_REGISTRATION_STATUSES = ['PENDING', 'REGISTERED', 'REJECTED'] as const;
/** Whether the bank has registered a boleto, without which nobody can pay it. */
export type BoletoRegistrationStatus = (typeof BOLETO_REGISTRATION_STATUSES)[number];

export interface BoletoPayment {
  readonly id: string;
  readonly ourNumber: string;
  /** 44 digits. */
  readonly barcode: string;
  /** 47 digits. */
  readonly digitableLine: string;
  /** The due date printed, `YYYY-MM-DD`. */
  readonly dueDate: string;
  /** The payer's page; the PDF and the pictures lie beside it. */
  readonly location: string;
  readonly instructions: string;
  readonly expiresAt: Date;
  /** Null where it need not be registered. */
  readonly registration: BoletoRegistrationStatus | null;
}

/** What may be kept of a card. */
export interface CardPayment {
  readonly id: string;
  readonly brand: string | null;
  readonly lastFour: string;
}

/** The rule a fee was computed by, kept where the amount may still become smaller. */
export interface FeeRule {
  readonly type: 'FIXED' | 'PERCENTAGE';
  readonly value: number;
}

/** What a charge is made of and what does not change after its creation. */
export interface NewTransaction {
  readonly sellerId: string;
  readonly id: string;
  readonly method: Method;
  readonly amount: number;
  readonly feeAmount: number;
  readonly feeRule: FeeRule | null;
  readonly installments: number | null;
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly postbackUrl: string | null;
  readonly customer: Customer;
  readonly items: readonly Item[];
  /** How it can be paid; a boleto can be paid by its line and by its PIX code. */
  readonly pix: PixPayment | null;
  readonly boleto: BoletoPayment | null;
  readonly card: CardPayment | null;
  /** When it fails if nobody pays it, or when an authorization lapses. */
  readonly expiresAt: Date | null;
  readonly createdAt: Date;
}

/** Money of a payment that is retained until a day; one for each instalment. */
export interface Release {
  readonly number: number;
  /** What is left of it. */
  readonly amount: number;
  /** PENDING waits, RELEASED is available, HELD lies with a dispute, TAKEN went back to the payer. */
  readonly status: 'PENDING' | 'RELEASED' | 'HELD' | 'TAKEN';
  readonly dueAt: Date;
}

export interface Transaction extends NewTransaction {
  readonly status: Status;
  /** Why it is FAILED or REFUSED, in a few words. */
  readonly statusReason: string | null;
  /** Raised by each change. */
  readonly version: number;
  readonly refundedAmount: number;
  /** What a provider is returning and has not said yes to. */
  readonly refundingAmount: number;
  readonly releases: readonly Release[];
  readonly paidAt: Date | null;
  readonly updatedAt: Date;
}

/** A boleto waits at the bank, everything else with us. */
export function initialTransactionStatus(method: Method): 'PENDING' | 'WAITING_PAYMENT' {
  return method === 'BOLETO' ? 'WAITING_PAYMENT' : 'PENDING';
}

/** A charge as it was made: nothing has happened to it yet. */
export function toInitialTransaction(newTransaction: NewTransaction): Transaction {
  const { boleto } = newTransaction;
  return {
    ...newTransaction,
    boleto: boleto?.registration ? { ...boleto, registration: 'PENDING' } : boleto,
    status: initialTransactionStatus(newTransaction.method),
    statusReason: null,
    version: 1,
    refundedAmount: 0,
    refundingAmount: 0,
    releases: [],
    paidAt: null,
    updatedAt: newTransaction.createdAt,
  };
}
