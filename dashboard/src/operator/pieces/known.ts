/** What the API's filters know, in the order it is offered. */
export const SELLER_STATUSES = ['PENDING', 'ACTIVE', 'SUSPENDED', 'CLOSED'] as const;
export const RETURN_STATUSES = ['MANUAL', 'PENDING', 'SENT'] as const;
export const REPORT_OUTCOMES = [
  'APPLIED',
  'LATE',
  'DUPLICATE',
  'WRONG_AMOUNT',
  'REJECTED',
  'UNMATCHED',
] as const;
export const DIFFERENCE_KINDS = [
  'MISSING_IN_LEDGER',
  'MISSING_IN_FILE',
  'AMOUNT_DIFFERS',
  'DAY_DIFFERS',
  'DUPLICATE_LINE',
] as const;
export const SELLER_ROLES = ['OWNER', 'FINANCE', 'DEVELOPER', 'VIEWER'] as const;
