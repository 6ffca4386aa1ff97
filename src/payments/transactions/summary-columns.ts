/** The columns of a CSV of charges; the operator's say whose each is, behind the id. */
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
