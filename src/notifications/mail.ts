import { MIN_ID } from '#platform/kit/ids.ts';
import type { Locale, MailParams, MailTemplate } from './templates/template.ts';

/** The seller_id of mails of the operator. All mails have the same key. */
export const NO_SELLER = MIN_ID;

export const MAIL_STATUSES = ['PENDING', 'SENT', 'KEPT', 'FAILED'] as const;
export type MailStatus = (typeof MAIL_STATUSES)[number];

/** A mail to be written into the outbox. */
export type NewMail = {
  [Template in MailTemplate]: {
    readonly template: Template;
    readonly params: MailParams[Template];
    /** Null for the operator. */
    readonly sellerId: string | null;
    readonly to: string;
    readonly locale: Locale;
    readonly at: Date;
    /** The one-time token of the link, and when it expires. */
    readonly token?: { readonly text: string; readonly expiresAt: Date };
    /** The transaction that a payer's mail is about. */
    readonly recordId?: string;
  };
}[MailTemplate];

/** A mail as it is stored. */
export interface StoredMail {
  readonly sellerId: string;
  readonly id: string;
  readonly template: string;
  readonly locale: Locale;
  readonly recipient: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly encryptedToken: string | null;
  readonly status: MailStatus;
  readonly attempts: number;
  readonly dueAt: Date;
  readonly expiresAt: Date | null;
  readonly smtpCode: number | null;
  readonly error: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}
