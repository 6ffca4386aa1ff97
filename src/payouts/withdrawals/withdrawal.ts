import type { CryptoNetwork } from '#formats/crypto-address/address.ts';
import type { Origin } from '#accounting/ledger/service.ts';
import type { AuthorView } from '#platform/http/audit-actor.ts';
import type { PixKeyType } from '#formats/pix/pix-key.ts';
import type { HolderCheck } from './key-holder.ts';
import type { AccountType } from './payout-provider.ts';

export const WITHDRAWAL_METHODS = ['PIX', 'CRYPTO', 'TED'] as const;
export type WithdrawalMethod = (typeof WITHDRAWAL_METHODS)[number];

export const WITHDRAWAL_STATUSES = [
  'PENDING',
  'APPROVED',
  'REJECTED',
  'PROCESSING',
  'PAID',
  'FAILED',
] as const;
export type WithdrawalStatus = (typeof WITHDRAWAL_STATUSES)[number];

export interface WithdrawalKey {
  readonly sellerId: string;
  readonly id: string;
}

/** A bank account without its number. */
export interface BankAccount {
  /** Three digits. */
  readonly bankCode: string;
  readonly branch: string;
  readonly accountType: AccountType;
}

/** The part of a withdrawal that never changes after its creation. Amounts are in cents. */
export interface NewWithdrawal extends WithdrawalKey, HolderCheck {
  readonly method: WithdrawalMethod;
  /** The balance that pays. */
  readonly origin: Origin;
  /** Deducted from the seller's balance. */
  readonly amount: number;
  /** Kept by the operator. The payee receives the rest. */
  readonly feeAmount: number;
  /**
   * The seller's withdrawals of the 24 hours up to this one, itself included, without those that
   * were REJECTED or FAILED by then. Limits of approval apply to it.
   */
  readonly rollingAmount: number;
  /** Of a PIX withdrawal; null otherwise. */
  readonly pixKeyType: PixKeyType | null;
  /** Of a CRYPTO withdrawal; null otherwise. */
  readonly cryptoNetwork: CryptoNetwork | null;
  /** Of a TED withdrawal; null otherwise. */
  readonly bankAccount: BankAccount | null;
  /** The PIX key, wallet address or account number, masked. In full in `encryptedPayee`. */
  readonly maskedDestination: string;
  readonly encryptedPayee: string;
  readonly beneficiaryName: string | null;
  readonly beneficiaryDocumentType: 'CPF' | 'CNPJ' | null;
  readonly maskedBeneficiaryDocument: string | null;
  /** Keyed hashes of the complete destination and document, by which a withdrawal is looked up. */
  readonly payeeHashes: readonly string[];
  /** Whether no earlier withdrawal of the seller had this destination. */
  readonly isFirstUse: boolean;
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly createdBy: AuthorView;
  readonly createdAt: Date;
}

export interface Withdrawal extends NewWithdrawal {
  readonly status: WithdrawalStatus;
  /** Null unless the status is REJECTED or FAILED. */
  readonly rejectionReason: string | null;
  /** Incremented by each change. */
  readonly version: number;
  /** The operator's user; null for an automatic approval. */
  readonly approvedBy: string | null;
  /** How many approvals were needed; 0 for an automatic approval. Null before APPROVED. */
  readonly approvalsNeeded: number | null;
  /** The provider that pays it, from PROCESSING on. */
  readonly provider: string | null;
  readonly approvedAt: Date | null;
  readonly processedAt: Date | null;
  readonly paidAt: Date | null;
  readonly updatedAt: Date;
}

/** A withdrawal as the operator reads it. */
export interface OperatorWithdrawal extends Withdrawal {
  readonly sellerName: string;
  /** Oldest first. */
  readonly approvals: readonly Approval[];
}

/** The approval of one of the operator's users. */
export interface Approval {
  readonly userId: string;
  readonly at: Date;
}

export function toPendingWithdrawal(newWithdrawal: NewWithdrawal): Withdrawal {
  return {
    ...newWithdrawal,
    status: 'PENDING',
    rejectionReason: null,
    version: 1,
    approvedBy: null,
    approvalsNeeded: null,
    provider: null,
    approvedAt: null,
    processedAt: null,
    paidAt: null,
    updatedAt: newWithdrawal.createdAt,
  };
}
