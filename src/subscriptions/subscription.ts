import type { Interval } from '#formats/calendar/intervals.ts';
import type { LocalDate } from '#formats/calendar/local-date.ts';
import type { CustomerInput } from './payer.ts';

/** Amounts in cents. */

export const SUBSCRIPTION_METHODS = ['PIX_AUTOMATICO', 'CREDIT_CARD', 'BOLETO', 'PIX'] as const;
export type SubscriptionMethod = (typeof SUBSCRIPTION_METHODS)[number];

export { INTERVALS, type Interval } from '#formats/calendar/intervals.ts';

export const AMOUNT_TYPES = ['FIXED', 'VARIABLE'] as const;
export const RETRY_POLICIES = ['NONE', 'THREE_IN_SEVEN_DAYS'] as const;
export const ON_UNPAID = ['PAUSE', 'CANCEL', 'CONTINUE'] as const;

export const SUBSCRIPTION_STATUSES = [
  'PENDING',
  'ACTIVE',
  'PAST_DUE',
  'PAUSED',
  'CANCELLED',
  'COMPLETED',
  'REJECTED',
  'EXPIRED',
] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

export const INVOICE_STATUSES = ['SCHEDULED', 'PENDING', 'PAID', 'FAILED', 'CANCELLED'] as const;
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number];

/** Outcomes of the next attempt that the sandbox simulates. */
export const OUTCOMES = ['PAID', 'INSUFFICIENT_FUNDS', 'CARD_EXPIRED'] as const;
export type SimulatedOutcome = (typeof OUTCOMES)[number];

export interface SubscriptionKey {
  readonly sellerId: string;
  readonly id: string;
}

export interface Subscription extends SubscriptionKey {
  readonly method: SubscriptionMethod;
  readonly status: SubscriptionStatus;
  /** Incremented by each change. */
  readonly version: number;
  /** Of each cycle from the next one on. */
  readonly amount: number;
  readonly amountType: (typeof AMOUNT_TYPES)[number];
  /** The least limit that a payer may set for a VARIABLE authorization. */
  readonly minimumAmount: number | null;
  readonly interval: Interval;
  readonly startDate: LocalDate;
  /** Null: no end. */
  readonly cycles: number | null;
  readonly retryPolicy: (typeof RETRY_POLICIES)[number];
  readonly onUnpaid: (typeof ON_UNPAID)[number];
  readonly description: string | null;
  /** A record of the seller, read when a cycle is charged. */
  readonly customerId: string | null;
  /** The payer as given at the creation, without such a record. */
  readonly customer: CustomerInput | null;
  readonly cardTokenId: string | null;
  /** The card network's reference of the card's first payment. */
  readonly networkReference: string | null;
  readonly externalRef: string | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly postbackUrl: string | null;
  /** Opens the page of its payer. */
  readonly payerSecret: string;
  /** Intervals between `startDate` and the next cycle. */
  readonly nextCycle: number;
  /** Cycles that count against `cycles`. */
  readonly chargedCycles: number;
  /** The number of the newest invoice. */
  readonly invoices: number;
  /** When the worker has the next thing to do for it. */
  readonly dueAt: Date | null;
  /** The cycle for which the card was checked last; -1: none. */
  readonly cardCheckedCycle: number;
  readonly nextOutcome: SimulatedOutcome | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A subscription as it is read, with data of its other tables. */
export interface SubscriptionRecord extends Subscription {
  /** The dates of its SCHEDULED invoices, in order. */
  readonly scheduledDates: readonly LocalDate[];
  readonly authorization: AuthorizationSummary | null;
}

export const JOURNEYS = [1, 2, 3, 4] as const;
export type Journey = (typeof JOURNEYS)[number];

export const AUTHORIZATION_STATUSES = ['CRIADA', 'APROVADA', 'REJEITADA', 'EXPIRADA', 'CANCELADA'] as const;
export type AuthorizationStatus = (typeof AUTHORIZATION_STATUSES)[number];

interface AuthorizationSummary {
  /** Null until the bank has created it. */
  readonly idRec: string | null;
  readonly status: AuthorizationStatus;
  readonly journey: Journey;
  /** BR Code. Null for journey 1, and until the bank has created it. */
  readonly code: string | null;
}

/** The account at whose bank the payer is asked to authorize. */
export interface PayerAccount {
  /** Of the bank. */
  readonly ispb: string;
  readonly branch: string | null;
  readonly account: string;
}

/** What a seller chooses at the creation. */
export type SubscriptionInput = Pick<
  Subscription,
  | 'method'
  | 'amount'
  | 'amountType'
  | 'minimumAmount'
  | 'interval'
  | 'startDate'
  | 'cycles'
  | 'retryPolicy'
  | 'onUnpaid'
  | 'description'
  | 'customerId'
  | 'customer'
  | 'cardTokenId'
  | 'externalRef'
  | 'metadata'
  | 'postbackUrl'
> & { readonly journey: Journey | null; readonly payerAccount: PayerAccount | null };

export type SubscriptionChanges = Partial<
  Pick<Subscription, 'amount' | 'cardTokenId' | 'description' | 'metadata'>
>;

export interface Invoice {
  readonly sellerId: string;
  readonly subscriptionId: string;
  readonly number: number;
  readonly id: string;
  readonly dueDate: LocalDate;
  readonly amount: number;
  readonly status: InvoiceStatus;
  readonly attempts: number;
  /** Retries that the policy still allows. */
  readonly retriesLeft: number;
  readonly retryAt: Date | null;
  /** The day that the planned retry counts on. */
  readonly retryDate: LocalDate | null;
  /** The newest transaction. Null while none was created; an attempt reserves the id of its own. */
  readonly transactionId: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export type AttemptState = 'DUE' | 'SENT' | 'PAID' | 'FAILED' | 'CANCELING' | 'CANCELED';

export interface Attempt {
  readonly sellerId: string;
  readonly id: string;
  readonly subscriptionId: string;
  readonly invoiceNumber: number;
  readonly number: number;
  readonly kind: 'CHARGE' | 'RETRY' | 'IMMEDIATE' | 'DATED';
  readonly transactionId: string;
  readonly chargeDate: LocalDate;
  readonly state: AttemptState;
  readonly reason: string | null;
}
