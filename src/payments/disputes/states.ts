export const DISPUTE_STATUSES = ['OPEN', 'UNDER_REVIEW', 'REJECTED', 'RESOLVED'] as const;
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number];

/** RESOLVED is in the seller's favor; REJECTED returns the money to the payer. */
const TRANSITIONS: Readonly<Record<DisputeStatus, readonly DisputeStatus[]>> = {
  OPEN: ['UNDER_REVIEW', 'REJECTED', 'RESOLVED'],
  UNDER_REVIEW: ['RESOLVED', 'REJECTED'],
  REJECTED: [],
  RESOLVED: [],
};

export function canTransition(from: DisputeStatus, to: DisputeStatus): boolean {
  return TRANSITIONS[from].includes(to);
}

/** How long the seller can appeal, unless the provider sets another deadline. */
export const APPEAL_WINDOW_MS = 7 * 24 * 3_600_000;
