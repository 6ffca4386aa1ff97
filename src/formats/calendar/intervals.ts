/** The time between two charges of a subscription. */
export const INTERVALS = ['WEEKLY', 'MONTHLY', 'QUARTERLY', 'SEMIANNUAL', 'YEARLY'] as const;
export type Interval = (typeof INTERVALS)[number];
