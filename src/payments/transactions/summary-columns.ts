/** The columns of CSV exports. The operator's exports add the seller after the id. */
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
