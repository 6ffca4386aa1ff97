/** Members of audit log entries that hold cents, whatever record they belong to. */
export const AMOUNT_MEMBERS = [
  'amount',
  'feeAmount',
  'netAmount',
  'autoApproveUpTo',
  'negativeBalanceUpTo',
  'chargebackFee',
  'twoPersonApprovalAbove',
  'moneyIn',
  'moneyOut',
  'fees',
] as const;
