import type { MailTemplate } from './templates/template.ts';

/** Concern the security of an account. They are always mailed. */
const SECURITY_KINDS = [
  'new-device',
  'password-changed',
  'two-factor-enabled',
  'two-factor-disabled',
  'passkey-added',
  'passkey-deleted',
  'second-factor-reset-requested',
  'second-factor-reset-canceled',
  'second-factor-reset',
  'api-key-created',
  'destination-added',
] as const satisfies readonly MailTemplate[];

/** Concern the application of a seller. They are always mailed. */
const APPLICATION_KINDS = [
  /** To operators: a new application, or an answer to a question. */
  'application-submitted',
  'application-question',
  'application-approved',
  'application-rejected',
] as const satisfies readonly MailTemplate[];

export const ALWAYS_MAILED = [...SECURITY_KINDS, ...APPLICATION_KINDS] as const;

/** A user chooses which of these are mailed. */
export const CHOSEN_KINDS = [
  'daily-summary',
  'dispute-opened',
  'dispute-reminder',
  'webhook-disabled',
  'withdrawal-paid',
  'withdrawal-rejected',
] as const satisfies readonly MailTemplate[];

export const NOTIFICATION_KINDS = [...ALWAYS_MAILED, ...CHOSEN_KINDS] as const;

export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];
export type ChosenKind = (typeof CHOSEN_KINDS)[number];

/** Mailed to users who have chosen nothing. */
export const DEFAULT_CHOICES: readonly ChosenKind[] = [
  'dispute-opened',
  'dispute-reminder',
  'webhook-disabled',
  'withdrawal-rejected',
];
