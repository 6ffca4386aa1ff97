import { MIN_CENTS } from '../charges/new-charge.ts';
import type { NewSubscription } from './queries.ts';

/** Form state. The amount is in cents, 0 if it is empty; everything else is text as typed. */
export interface SubscriptionForm {
  customerId: string | null;
  description: string;
  amount: number;
  method: NewSubscription['method'];
  interval: NewSubscription['interval'];
  /** `YYYY-MM-DD`. */
  startDate: string | null;
  cardTokenId: string | null;
  /** Empty for no end. */
  cycles: string;
  onUnpaid: 'CONTINUE' | 'PAUSE' | 'CANCEL';
  externalRef: string;
}

export const EMPTY_SUBSCRIPTION: SubscriptionForm = {
  customerId: null,
  description: '',
  amount: 0,
  method: 'PIX_AUTOMATICO',
  interval: 'MONTHLY',
  startDate: null,
  cardTokenId: null,
  cycles: '',
  onUnpaid: 'CONTINUE',
  externalRef: '',
};

/** The payer's bank announces a Pix Automático charge to the payer two days before it. */
export const LEAD_DAYS: Readonly<Record<SubscriptionForm['method'], number>> = {
  PIX_AUTOMATICO: 2,
  CREDIT_CARD: 0,
  BOLETO: 0,
  PIX: 0,
};

/** Converts the form to the API request. */
export const toNewSubscription = (form: SubscriptionForm): NewSubscription => ({
  customerId: form.customerId,
  description: form.description.trim(),
  amount: form.amount,
  method: form.method,
  interval: form.interval,
  startDate: form.startDate ?? '',
  cardTokenId: form.method === 'CREDIT_CARD' ? form.cardTokenId : null,
  cycles: form.cycles === '' ? null : Number(form.cycles),
  onUnpaid: form.onUnpaid,
  externalRef: form.externalRef.trim() === '' ? null : form.externalRef.trim(),
});

type Fault =
  | 'create.needAmount'
  | 'subscriptions.needCustomer'
  | 'subscriptions.needDescription'
  | 'subscriptions.needDate'
  | 'subscriptions.needCard';

export function validateSubscription(form: SubscriptionForm): Partial<Record<keyof SubscriptionForm, Fault>> {
  const faults: Partial<Record<keyof SubscriptionForm, Fault>> = {};
  if (form.customerId === null) faults.customerId = 'subscriptions.needCustomer';
  if (form.description.trim() === '') faults.description = 'subscriptions.needDescription';
  if (form.amount < MIN_CENTS) faults.amount = 'create.needAmount';
  if (form.startDate === null) faults.startDate = 'subscriptions.needDate';
  if (form.method === 'CREDIT_CARD' && form.cardTokenId === null)
    faults.cardTokenId = 'subscriptions.needCard';
  return faults;
}
