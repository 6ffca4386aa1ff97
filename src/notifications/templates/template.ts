export type Locale = 'pt-BR' | 'en';

/** The members of each template: texts and numbers without a secret. Amounts are cents. */
export interface MailParams {
  invitation: { readonly inviter: string; readonly organization: string; readonly role: string };
  /** To an address that has an account already, which cannot join another team. */
  'invitation-refused': { readonly inviter: string; readonly organization: string };
  /** To the address of a sign-up. */
  'signup-confirmation': { readonly organization: string };
  /** The same where the address has an account already. */
  'signup-refused': { readonly organization: string };
  /** To operators. The message answers a question, or is empty. */
  'application-submitted': {
    readonly organization: string;
    readonly sellerId: string;
    readonly message: string;
  };
  'application-question': { readonly message: string };
  /** The message may be empty. */
  'application-approved': { readonly message: string };
  'application-rejected': { readonly message: string };
  'password-reset': Readonly<Record<string, never>>;
  'new-device': { readonly browser: string; readonly address: string; readonly at: string };
  'password-changed': { readonly at: string };
  'two-factor-enabled': { readonly at: string };
  'two-factor-disabled': { readonly at: string };
  'passkey-added': { readonly name: string; readonly at: string };
  'passkey-deleted': { readonly name: string; readonly at: string };
  /** `user` is the name of the user whose second factor is reset. */
  'second-factor-reset-requested': {
    readonly user: string;
    readonly author: string;
    readonly dueAt: string;
  };
  'second-factor-reset-canceled': { readonly user: string; readonly at: string };
  'second-factor-reset': { readonly user: string; readonly at: string };
  'api-key-created': {
    readonly name: string;
    readonly prefix: string;
    readonly author: string;
    readonly at: string;
  };
  'destination-added': { readonly destination: string; readonly author: string; readonly at: string };
  'daily-summary': { readonly date: string; readonly count: number; readonly amount: number };
  'dispute-opened': {
    readonly amount: number;
    readonly reason: string;
    readonly days: number;
    readonly dueAt: string;
  };
  'dispute-reminder': {
    readonly amount: number;
    readonly reason: string;
    readonly hours: number;
    readonly dueAt: string;
  };
  /** To a payer, from the seller. */
  receipt: {
    readonly seller: string;
    readonly amount: number;
    readonly method: string;
    readonly at: string;
  };
  /** To a payer, from the seller. */
  'boleto-reminder': {
    readonly seller: string;
    readonly amount: number;
    readonly dueDate: string;
    readonly line: string;
    readonly url: string;
  };
  /** To a payer, from the seller: of a subscription's cycle. */
  'payment-failed': DunningParams;
  'subscription-past-due': DunningParams;
  'subscription-canceled': DunningParams;
  /** To a payer, from the seller: how to manage a new subscription. */
  'subscription-created': SubscriptionParams & { readonly interval: string };
  /** To a payer, from the seller: the card cannot pay the cycle of `date`. */
  'card-required': SubscriptionParams & { readonly date: string; readonly problem: 'EXPIRES' | 'DELETED' };
  'webhook-disabled': { readonly url: string; readonly reason: string };
  'withdrawal-paid': { readonly amount: number; readonly destination: string };
  'withdrawal-rejected': { readonly amount: number; readonly destination: string; readonly reason: string };
}

interface SubscriptionParams {
  readonly seller: string;
  readonly amount: number;
  /** What the subscription is for; empty if that is unknown. */
  readonly description: string;
  /** Opens the payer's page of the subscription. */
  readonly payerToken: string;
}

interface DunningParams {
  readonly seller: string;
  readonly amount: number;
  /** What the subscription is for; empty if that is unknown. */
  readonly description: string;
  readonly method: string;
  readonly reason: string;
  /** The day of the next attempt; null: none is planned. */
  readonly nextDate: string | null;
  /** Opens the payer's page of the subscription. */
  readonly payerToken: string;
}

export type MailTemplate = keyof MailParams;

/** A mail as text, before it is laid out. */
export interface MailContent {
  /** Who writes, above the text: the seller where a payer reads it. Defaults to the product. */
  readonly sender?: string;
  /** Also the heading. */
  readonly subject: string;
  readonly paragraphs: readonly string[];
  readonly details?: readonly (readonly [label: string, value: string])[];
  /** Whether the recipient can unsubscribe from mails about the seller. */
  readonly isForPayer?: boolean;
  readonly action?: { readonly label: string; readonly url: string };
  readonly footer: string;
}

/** What the texts of one language are written with. */
export interface TemplateTools {
  readonly money: (cents: number) => string;
  readonly dateTime: (iso: string) => string;
  /** Of a date without a time, such as `2026-03-01`. */
  readonly date: (date: string) => string;
  /** Where the recipient unsubscribes from mails about a seller. */
  readonly unsubscribeUrl: string;
  /** The page on which the payer of a subscription manages it. */
  readonly payerPage: (payerToken: string) => string;
  /** The address of a page of the dashboard. */
  readonly page: (path: string) => string;
  /** The same with the one-time token of the mail. */
  readonly link: (path: string) => string;
}

/** The texts of one language. */
export type Templates = {
  readonly [T in MailTemplate]: (params: MailParams[T], tools: TemplateTools) => MailContent;
};
