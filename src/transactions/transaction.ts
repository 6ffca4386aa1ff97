/** A charge as the rest of the code sees it. Amounts in cents. */

export const METHODS = ['PIX', 'BOLETO', 'CREDIT_CARD'] as const;
export type Method = (typeof METHODS)[number];

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

export interface PixCharge {
  readonly id: string;
  /** The charge's id at the provider: the transaction id without hyphens. */
  readonly txid: string;
  /** The address that the code names: `http(s)://host/pix/<txid>`. */
  readonly location: string;
  /** The BR Code to copy and paste. */
  readonly code: string;
  readonly expiresAt: Date;
}

/** What a charge is made of and what never changes after its creation. */
export interface NewTransaction {
  readonly sellerId: string;
  readonly id: string;
  readonly method: Method;
  readonly amount: number;
  readonly feeAmount: number;
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly postbackUrl: string | null;
  readonly customer: Customer;
  readonly items: readonly Item[];
  readonly pix: PixCharge;
  readonly createdAt: Date;
}

export interface Transaction extends Omit<NewTransaction, 'pix'> {
  readonly pix: PixCharge | null;
  readonly status: Status;
  /** Why it is FAILED or REFUSED, in a few words. */
  readonly statusReason: string | null;
  /** Raised by each change. */
  readonly version: number;
  readonly refundedAmount: number;
  readonly paidAt: Date | null;
  readonly updatedAt: Date;
}

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

/** A new PIX charge waits; nothing has happened to it yet. */
export function asCreated(
  made: Omit<NewTransaction, 'pix'> & { readonly pix: PixCharge | null },
): Transaction {
  return {
    ...made,
    status: 'PENDING',
    statusReason: null,
    version: 1,
    refundedAmount: 0,
    paidAt: null,
    updatedAt: made.createdAt,
  };
}
