import { METHOD_LABELS } from '#accounting/ledger/labels-pt.ts';
import { labelFrom, type BrazilianColumn, type Cell, type Column } from '#platform/http/csv-line.ts';
import { STATUS_LABELS } from './labels-pt.ts';

/** The columns of all CSV exports. The operator's add the seller after the id. */
export const SUMMARY_COLUMNS = [
  'id',
  'amount',
  'netAmount',
  'feeAmount',
  'method',
  'status',
  'installments',
  'paidAt',
  'createdAt',
] as const;

const LISTED_COLUMNS = [
  ...SUMMARY_COLUMNS,
  'customerName',
  'description',
  'externalRef',
  'refundedAmount',
] as const;

type ColumnName = (typeof LISTED_COLUMNS)[number] | 'sellerId' | 'sellerName';

export const BRAZILIAN_COLUMNS: Readonly<Record<ColumnName, BrazilianColumn>> = {
  id: { name: 'ID' },
  amount: { name: 'Valor', type: 'cents' },
  netAmount: { name: 'Valor líquido', type: 'cents' },
  feeAmount: { name: 'Tarifa', type: 'cents' },
  method: { name: 'Forma de pagamento', label: labelFrom(METHOD_LABELS) },
  status: { name: 'Situação', label: labelFrom(STATUS_LABELS) },
  installments: { name: 'Parcelas' },
  paidAt: { name: 'Paga em', type: 'time' },
  createdAt: { name: 'Criada em', type: 'time' },
  customerName: { name: 'Pagador' },
  description: { name: 'Descrição' },
  externalRef: { name: 'Número do pedido' },
  refundedAmount: { name: 'Reembolsado', type: 'cents' },
  sellerId: { name: 'ID da loja' },
  sellerName: { name: 'Loja' },
};

/** The CSV of a seller's list. */
export const LISTED_CSV: readonly Column<Readonly<Record<(typeof LISTED_COLUMNS)[number], Cell>>>[] =
  LISTED_COLUMNS.map((name) => ({ name, value: (listed) => listed[name], brazil: BRAZILIAN_COLUMNS[name] }));
