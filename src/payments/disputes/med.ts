/**
 * MED, the Central Bank's mechanism by which a payer claims a Pix back. A recovery of values
 * (recuperação de valores, MED 2.0) is a state machine of its own beside the dispute, which holds
 * the money. Everything here is pure.
 */

export const MED_TYPES = [
  'SCAM',
  'ACCOUNT_TAKEOVER',
  'COERCION',
  'FRAUDULENT_ACCESS',
  'OTHER',
  'UNKNOWN',
] as const;
type MedType = (typeof MED_TYPES)[number];

export const MED_STATUSES = [
  'CREATED',
  'TRACKED',
  'AWAITING_ANALYSIS',
  'ANALYSED',
  'REFUNDING',
  'COMPLETED',
  'CANCELLED',
] as const;
export type MedStatus = (typeof MED_STATUSES)[number];

export interface Med {
  /** The provider's id of the recovery. */
  readonly recoveryId: string;
  readonly type: MedType;
  readonly status: MedStatus;
  readonly analysisDueAt: Date;
  readonly refundDueAt: Date;
  /** Whether the payer's bank asks to watch the account of the receiver. */
  readonly monitorAccount: boolean;
  /** What the analysis accepted, in cents; 0 if it denied the claim. Null before. */
  readonly acceptedAmount: number | null;
}

/**
 * A provider may skip states, or report them in another order. The money of the dispute is held in
 * the first four and has moved in the others.
 */
const TRANSITIONS: Readonly<Record<MedStatus, readonly MedStatus[]>> = {
  CREATED: ['TRACKED', 'AWAITING_ANALYSIS', 'ANALYSED', 'REFUNDING', 'CANCELLED'],
  TRACKED: ['AWAITING_ANALYSIS', 'ANALYSED', 'REFUNDING', 'CANCELLED'],
  AWAITING_ANALYSIS: ['ANALYSED', 'REFUNDING', 'CANCELLED'],
  ANALYSED: ['REFUNDING', 'COMPLETED', 'CANCELLED'],
  REFUNDING: ['COMPLETED'],
  COMPLETED: [],
  CANCELLED: [],
};

/** A denied claim has nothing to refund, and an accepted one is refunded before it is complete. */
export function canMove({ status, acceptedAmount }: Med, to: MedStatus): boolean {
  if (!TRANSITIONS[status].includes(to)) return false;
  if (status !== 'ANALYSED' || to === 'CANCELLED') return true;
  return (to === 'COMPLETED') === (acceptedAmount === 0);
}

/** The state that follows if nothing unusual happens. Undefined at the end. */
export function nextStatus(med: Med): MedStatus | undefined {
  if (med.status === 'ANALYSED' && med.acceptedAmount === 0) return 'COMPLETED';
  return TRANSITIONS[med.status][0];
}

const DAY_MS = 86_400_000;
/** BCB Resolution 1/2020: the analysis within seven days, the refund within 96 hours after it. */
const ANALYSIS_MS = 7 * DAY_MS;
const REFUND_MS = 4 * DAY_MS;

export type NewMed = Pick<Med, 'recoveryId' | 'type' | 'monitorAccount'> & {
  readonly status?: MedStatus | undefined;
  /** If the recovery is reported after its analysis. */
  readonly acceptedAmount?: number | undefined;
};

export function createMed(
  { recoveryId, type, monitorAccount, status, acceptedAmount }: NewMed,
  now: Date,
): Med {
  const analysisDueAt = new Date(now.getTime() + ANALYSIS_MS);
  const refundDueAt = new Date(analysisDueAt.getTime() + REFUND_MS);
  const known = { recoveryId, type, monitorAccount, analysisDueAt, refundDueAt };
  const med = { ...known, status: status ?? 'CREATED', acceptedAmount: null };
  return acceptedAmount === undefined ? med : analyze(med, acceptedAmount, now);
}

/** The recovery after the analysis. */
export const analyze = (med: Med, acceptedAmount: number, now: Date): Med => ({
  ...med,
  status: 'ANALYSED',
  acceptedAmount,
  refundDueAt: acceptedAmount === 0 ? med.refundDueAt : new Date(now.getTime() + REFUND_MS),
});

/**
 * The recovery after its dispute has ended. A lost one is refunded by the provider; one that the
 * seller won has nothing to refund.
 */
export function settle(
  med: Med,
  {
    lostAmount,
    isCancelled = false,
  }: { readonly lostAmount: number; readonly isCancelled?: boolean | undefined },
  now: Date,
): Med {
  if (isCancelled) return { ...med, status: 'CANCELLED' };
  const analyzed = med.acceptedAmount === lostAmount ? med : analyze(med, lostAmount, now);
  return { ...analyzed, status: lostAmount === 0 ? 'COMPLETED' : 'REFUNDING' };
}
