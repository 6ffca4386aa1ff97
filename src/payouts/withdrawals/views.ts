import type { Static } from 'typebox';

import type { Column } from '#platform/http/csv.ts';
import { labelFrom, writeLocalTime, type BrazilianColumn } from '#platform/http/csv-line.ts';
import { calculateApprovalsNeeded, type Settings } from '#sellers/settings/service.ts';
import { BRAZILIAN_COLUMNS, CSV_COLUMNS } from './csv-columns.ts';
import { OPERATOR_STATUS_LABELS } from './labels-pt.ts';
import type { OperatorWithdrawalSchema, SearchResultSchema, WithdrawalSchema } from './schema.ts';
import type { OperatorWithdrawal, Withdrawal } from './withdrawal.ts';

/** The only type that the gateway creates; the API specification knows others. */
const WITHDRAWAL_TYPE = 'MANUAL';

export type WithdrawalView = Static<typeof WithdrawalSchema>;

/** A withdrawal as the API returns it, and as idempotency keys store it. */
export function viewWithdrawal(withdrawal: Withdrawal): WithdrawalView {
  const { method, bankAccount } = withdrawal;
  return {
    id: withdrawal.id,
    amount: withdrawal.amount,
    feeAmount: withdrawal.feeAmount,
    netAmount: withdrawal.amount - withdrawal.feeAmount,
    method: withdrawal.method,
    status: withdrawal.status,
    withdrawFrom: withdrawal.origin,
    pixKey: method === 'PIX' ? withdrawal.maskedDestination : null,
    pixKeyType: withdrawal.pixKeyType,
    cryptoNetwork: withdrawal.cryptoNetwork,
    cryptoWalletAddress: method === 'CRYPTO' ? withdrawal.maskedDestination : null,
    // Omitted unless the method is TED: stored responses of other methods do not have it.
    ...(bankAccount === null
      ? {}
      : { bankAccount: { ...bankAccount, account: withdrawal.maskedDestination } }),
    beneficiaryName: withdrawal.beneficiaryName,
    beneficiaryDocumentType: withdrawal.beneficiaryDocumentType,
    beneficiaryDocumentNumber: withdrawal.maskedBeneficiaryDocument,
    description: withdrawal.description,
    withdrawalType: WITHDRAWAL_TYPE,
    rejectionReason: withdrawal.rejectionReason,
    externalRef: null,
    metadata: withdrawal.metadata,
    approvedAt: timestamp(withdrawal.approvedAt),
    processedAt: timestamp(withdrawal.processedAt),
    paidAt: timestamp(withdrawal.paidAt),
    createdBy: withdrawal.createdBy,
    createdAt: withdrawal.createdAt.toISOString(),
    updatedAt: withdrawal.updatedAt.toISOString(),
  };
}

export type OperatorWithdrawalView = Static<typeof OperatorWithdrawalSchema>;

/** While a withdrawal is PENDING, the current settings determine how many approvals it needs. */
export function viewForOperator(withdrawal: OperatorWithdrawal, settings: Settings): OperatorWithdrawalView {
  const { sellerId, sellerName, approvedBy, approvals, approvalsNeeded, rollingAmount } = withdrawal;
  return {
    ...viewWithdrawal(withdrawal),
    sellerId,
    sellerName,
    rollingAmount,
    holderName: withdrawal.holderName,
    holderDocumentType: withdrawal.holderDocumentType,
    holderDocument: withdrawal.maskedHolderDocument,
    otherHolder: withdrawal.isOtherHolder,
    firstUse: withdrawal.isFirstUse,
    approvedBy,
    approvals: approvals.map(({ userId, at }) => ({ userId, at: at.toISOString() })),
    approvalsNeeded: approvalsNeeded ?? calculateApprovalsNeeded(settings, rollingAmount),
  };
}

export function viewSearchResult(withdrawal: Withdrawal): Static<typeof SearchResultSchema> {
  const view = viewWithdrawal(withdrawal);
  return {
    id: view.id,
    seller_id: withdrawal.sellerId,
    amount: view.amount,
    fee_amount: view.feeAmount,
    net_amount: view.netAmount,
    status: view.status,
    processed_at: view.processedAt,
    rejection_reason: view.rejectionReason,
    approved_by: withdrawal.approvedBy,
    withdrawal_type: view.withdrawalType,
    approved_at: view.approvedAt,
    pix_key: view.pixKey,
    pix_key_type: view.pixKeyType,
    external_ref: view.externalRef,
    method: view.method,
    acquirer_id: withdrawal.provider,
    created_at: view.createdAt,
    updated_at: view.updatedAt,
    metadata: view.metadata,
  };
}

const OPERATOR_BRAZILIAN_COLUMNS = {
  sellerId: { name: 'ID da loja' },
  sellerName: { name: 'Loja' },
  rollingAmount: { name: 'Saques em 24 horas, contando este', type: 'cents' },
  approvedBy: { name: 'ID de quem aprovou' },
  approvalsNeeded: { name: 'Aprovações necessárias' },
} as const satisfies Record<string, BrazilianColumn>;

/** `01a1fb60-… em 20/11/2026 09:00:00` for each approval. */
const approvalsInPortuguese = (json: string): string =>
  Array.from(
    json.matchAll(/"userId":"([^"]+)","at":"([^"]+)"/g),
    ([, userId = '', at = '']) => `${userId} em ${writeLocalTime(at)}`,
  ).join(', ');

/** The columns of the operator's CSV export. */
export const OPERATOR_CSV_COLUMNS: readonly Column<OperatorWithdrawalView>[] = [
  ...CSV_COLUMNS.map((column) =>
    column.name === 'status'
      ? { ...column, brazil: { ...BRAZILIAN_COLUMNS.status, label: labelFrom(OPERATOR_STATUS_LABELS) } }
      : column,
  ),
  ...(['sellerId', 'sellerName', 'rollingAmount', 'approvedBy', 'approvalsNeeded'] as const).map(
    (name): Column<OperatorWithdrawalView> => ({
      name,
      value: (view) => view[name],
      brazil: OPERATOR_BRAZILIAN_COLUMNS[name],
    }),
  ),
  {
    name: 'approvals',
    value: ({ approvals }) => JSON.stringify(approvals),
    brazil: { name: 'Aprovações', label: approvalsInPortuguese },
  },
];

const timestamp = (date: Date | null): string | null => date?.toISOString() ?? null;
