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
