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

/** The columns of a seller's exports. */
export const LISTED_COLUMNS = [
  ...SUMMARY_COLUMNS,
  'customerName',
  'description',
  'externalRef',
  'refundedAmount',
] as const;

/**
 * The names of the columns in a file for Brazil, and how a value is written if not as in the API.
 */
export const BRAZILIAN_COLUMNS: Readonly<
  Record<(typeof LISTED_COLUMNS)[number], { readonly name: string; readonly type?: 'cents' | 'time' }>
> = {
  id: { name: 'ID' },
  amount: { name: 'Valor', type: 'cents' },
  netAmount: { name: 'Valor líquido', type: 'cents' },
  feeAmount: { name: 'Tarifa', type: 'cents' },
  method: { name: 'Forma de pagamento' },
  status: { name: 'Situação' },
  installments: { name: 'Parcelas' },
  paidAt: { name: 'Paga em', type: 'time' },
  createdAt: { name: 'Criada em', type: 'time' },
  customerName: { name: 'Pagador' },
  description: { name: 'Descrição' },
  externalRef: { name: 'Número do pedido' },
  refundedAmount: { name: 'Reembolsado', type: 'cents' },
};
