import type { Static } from 'typebox';

import { METHOD_LABELS } from '#accounting/ledger/labels-pt.ts';
import { reasonInPortuguese } from '#notifications/reasons-pt.ts';
import type { Column } from '#platform/http/csv.ts';
import { labelFrom, writeLocalTime, type BrazilianColumn } from '#platform/http/csv-line.ts';
import { calculateApprovalsNeeded, type Settings } from '#sellers/settings/service.ts';
import { OPERATOR_STATUS_LABELS, PIX_KEY_TYPE_LABELS, STATUS_LABELS } from './labels-pt.ts';
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

type ColumnName = Exclude<keyof WithdrawalView, 'metadata' | 'bankAccount' | 'createdBy'>;

const BRAZILIAN_COLUMNS: Readonly<Record<ColumnName, BrazilianColumn>> = {
  id: { name: 'ID' },
  amount: { name: 'Valor', type: 'cents' },
  feeAmount: { name: 'Tarifa', type: 'cents' },
  netAmount: { name: 'Valor líquido', type: 'cents' },
  method: { name: 'Forma de saque', label: labelFrom(METHOD_LABELS) },
  status: { name: 'Situação', label: labelFrom(STATUS_LABELS) },
  withdrawFrom: { name: 'Origem do saldo', label: labelFrom(METHOD_LABELS) },
  pixKey: { name: 'Chave Pix' },
  pixKeyType: { name: 'Tipo de chave', label: labelFrom(PIX_KEY_TYPE_LABELS) },
  cryptoNetwork: { name: 'Rede' },
  cryptoWalletAddress: { name: 'Endereço da carteira' },
  beneficiaryName: { name: 'Favorecido' },
  beneficiaryDocumentType: { name: 'Tipo de documento do favorecido' },
  beneficiaryDocumentNumber: { name: 'Documento do favorecido' },
  description: { name: 'Descrição' },
  withdrawalType: { name: 'Tipo de saque', label: labelFrom({ [WITHDRAWAL_TYPE]: 'Manual' }) },
  rejectionReason: { name: 'Motivo', label: reasonInPortuguese },
  externalRef: { name: 'Referência' },
  approvedAt: { name: 'Aprovado em', type: 'time' },
  processedAt: { name: 'Enviado em', type: 'time' },
  paidAt: { name: 'Pago em', type: 'time' },
  createdAt: { name: 'Solicitado em', type: 'time' },
  updatedAt: { name: 'Atualizado em', type: 'time' },
};

const column = (name: ColumnName): Column<WithdrawalView> => ({
  name,
  value: (view) => view[name],
  brazil: BRAZILIAN_COLUMNS[name],
});

/** The columns of the CSV export: the fields of the list, with metadata as JSON. */
export const CSV_COLUMNS: readonly Column<WithdrawalView>[] = [
  ...(
    [
      'id',
      'amount',
      'feeAmount',
      'netAmount',
      'method',
      'status',
      'withdrawFrom',
      'pixKey',
      'pixKeyType',
      'cryptoNetwork',
      'cryptoWalletAddress',
      'beneficiaryName',
      'beneficiaryDocumentType',
      'beneficiaryDocumentNumber',
      'description',
      'withdrawalType',
      'rejectionReason',
      'externalRef',
    ] as const
  ).map(column),
  {
    name: 'metadata',
    value: ({ metadata }) => (metadata === null ? null : JSON.stringify(metadata)),
    brazil: { name: 'Dados adicionais' },
  },
  ...(['approvedAt', 'processedAt', 'paidAt', 'createdAt', 'updatedAt'] as const).map(column),
];

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
