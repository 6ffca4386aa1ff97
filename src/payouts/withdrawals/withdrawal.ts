import type { CryptoNetwork } from '#formats/crypto-address/address.ts';
import type { Origin } from '#accounting/ledger/service.ts';
import type { PixKeyType } from '#formats/pix/pix-key.ts';
import type { AccountType } from './payout-provider.ts';

/** A withdrawal as the rest of the code sees it. Amounts in cents. */

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

/** Where a bank account is, without its number. */
export interface BankAccount {
  /** Three digits. */
  readonly bankCode: string;
  readonly branch: string;
  readonly accountType: AccountType;
}

/** What a withdrawal is made of and what never changes after its creation. */
export interface NewWithdrawal extends WithdrawalKey {
  readonly method: WithdrawalMethod;
  /** Which balance pays. */
  readonly origin: Origin;
  /** Leaves the seller's balance. */
  readonly amount: number;
  /** Stays with the operator; the rest reaches the payee. */
  readonly feeAmount: number;
  /** Of a PIX withdrawal; null otherwise. */
  readonly pixKeyType: PixKeyType | null;
  /** Of a CRYPTO withdrawal; null otherwise. */
  readonly cryptoNetwork: CryptoNetwork | null;
  /** Of a TED withdrawal; null otherwise. */
  readonly bankAccount: BankAccount | null;
  /** The PIX key, wallet address or account number, masked. In clear it stands in `sealedPayee` alone. */
  readonly maskedDestination: string;
  readonly encryptedPayee: string;
  readonly beneficiaryName: string | null;
  readonly beneficiaryDocumentType: 'CPF' | 'CNPJ' | null;
  readonly maskedBeneficiaryDocument: string | null;
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly createdAt: Date;
}

export interface Withdrawal extends NewWithdrawal {
  readonly status: WithdrawalStatus;
  /** Why it is REJECTED or FAILED. */
  readonly rejectionReason: string | null;
  /** Raised by each change. */
  readonly version: number;
  /** The operator's user; null where nobody had to be asked. */
  readonly approvedBy: string | null;
  /** How many approvals it needed when it was APPROVED; 0 where nobody had to be asked. Null before that. */
  readonly approvalsNeeded: number | null;
  /** Who was given it to pay out. */
  readonly provider: string | null;
  readonly approvedAt: Date | null;
  readonly processedAt: Date | null;
  readonly paidAt: Date | null;
  readonly updatedAt: Date;
}

/** A withdrawal with whose it is, as the operator reads it. */
export interface OperatorWithdrawal extends Withdrawal {
  readonly sellerName: string;
  /** The first one first. */
  readonly approvals: readonly Approval[];
}

/** That an ADMIN has approved a withdrawal. */
export interface Approval {
  readonly userId: string;
  readonly at: Date;
}

/** Who is paid and where, in clear: what is sealed. */
export interface Payee {
  readonly destination: string;
  readonly beneficiaryDocument: string | null;
}

/** A new withdrawal waits for a decision; nothing has happened to it yet. */
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
