import type { Static } from 'typebox';

import { METHOD_LABELS } from '#accounting/ledger/labels-pt.ts';
import { reasonInPortuguese } from '#notifications/reasons-pt.ts';
import { labelFrom, type BrazilianColumn, type Column } from '#platform/http/csv-line.ts';
import { PIX_KEY_TYPE_LABELS, STATUS_LABELS } from './labels-pt.ts';
import type { WithdrawalSchema } from './schema.ts';

type WithdrawalView = Static<typeof WithdrawalSchema>;

type ColumnName = Exclude<keyof WithdrawalView, 'metadata' | 'bankAccount' | 'createdBy'>;

export const BRAZILIAN_COLUMNS: Readonly<Record<ColumnName, BrazilianColumn>> = {
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
  withdrawalType: { name: 'Tipo de saque', label: labelFrom({ MANUAL: 'Manual' }) },
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
