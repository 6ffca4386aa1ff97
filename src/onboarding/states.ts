/** The states of an application, and what leads from one to another. */
export const APPLICATION_STATUSES = [
  'DRAFT',
  'SUBMITTED',
  'QUESTION',
  'APPROVED',
  'REJECTED',
  'EXPIRED',
] as const;

export type ApplicationStatus = (typeof APPLICATION_STATUSES)[number];

export type ApplicationEvent = 'change' | 'submit' | 'ask' | 'approve' | 'reject' | 'expire';

type Transitions = Readonly<Partial<Record<ApplicationEvent, ApplicationStatus>>>;

/**
 * What the operator can decide at any time before the decision, however complete an application is.
 */
const DECISIONS = { ask: 'QUESTION', approve: 'APPROVED', reject: 'REJECTED' } as const;

const TRANSITIONS: Readonly<Record<ApplicationStatus, Transitions>> = {
  DRAFT: { ...DECISIONS, change: 'DRAFT', submit: 'SUBMITTED', expire: 'EXPIRED' },
  SUBMITTED: { ...DECISIONS, expire: 'EXPIRED' },
  QUESTION: { ...DECISIONS, change: 'QUESTION', submit: 'SUBMITTED', expire: 'EXPIRED' },
  APPROVED: {},
  REJECTED: {},
  EXPIRED: {},
};

/** The status after an event. Undefined if the status does not allow it. */
export const nextStatus = (
  status: ApplicationStatus,
  event: ApplicationEvent,
): ApplicationStatus | undefined => TRANSITIONS[status][event];
