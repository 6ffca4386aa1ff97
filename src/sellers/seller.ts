export const SELLER_STATUSES = ['PENDING', 'ACTIVE', 'SUSPENDED', 'CLOSED'] as const;
export type SellerStatus = (typeof SELLER_STATUSES)[number];

/** What the operator sets for each seller. Amounts are in cents. */
export interface SellerLimits {
  readonly requestsPerMinute: number;
  readonly creationsPerMinute: number;
  /** Business days until a paid boleto is available. */
  readonly boletoDelayDays: number;
  /** Days until the first installment is available, and from each installment to the next. */
  readonly cardDelayDays: number;
  /** Withdrawals up to this amount are approved automatically. */
  readonly autoApproveUpTo: number;
  /** How far refunds may take the available balance below zero. */
  readonly negativeBalanceUpTo: number;
  /** Debited from the seller for each chargeback. */
  readonly chargebackFee: number;
}

export interface Seller extends SellerLimits {
  readonly id: string;
  readonly name: string;
  readonly documentType: 'CPF' | 'CNPJ';
  readonly document: string;
  readonly status: SellerStatus;
  /** When it became ACTIVE last; null if it has had its status since its creation. */
  readonly activatedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface SellerFilter {
  readonly status?: SellerStatus | undefined;
  /** Part of the name, case-insensitive, or of the document, with or without punctuation. */
  readonly search?: string | undefined;
}
