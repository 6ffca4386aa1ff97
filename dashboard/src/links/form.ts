import type { Interval } from '../../../src/formats/calendar/intervals.ts';
import { METHODS } from '../i18n/statuses.ts';
import { MIN_CENTS } from '../charges/new-charge.ts';
import type { LinkChanges, NewLink } from './queries.ts';

type Method = (typeof METHODS)[number];

/** Form state. Amounts are in cents, 0 if they are empty; everything else is text as typed. */
export interface LinkForm {
  title: string;
  amount: number;
  isOpen: boolean;
  minAmount: number;
  maxAmount: number;
  description: string;
  methods: Method[];
  maxInstallments: string;
  /** Empty: a payment starts no subscription. */
  interval: '' | Interval;
  /** Empty for no end. */
  cycles: string;
  /** Empty for no limit. */
  maxPayments: string;
  /** `YYYY-MM-DD`. */
  expiresAt: string | null;
  customerId: string | null;
  externalRef: string;
  successUrl: string;
}

export const EMPTY_LINK: LinkForm = {
  title: '',
  amount: 0,
  isOpen: false,
  minAmount: 0,
  maxAmount: 0,
  description: '',
  methods: [...METHODS],
  maxInstallments: '12',
  interval: '',
  cycles: '',
  maxPayments: '',
  expiresAt: null,
  customerId: null,
  externalRef: '',
  successUrl: '',
};

const text = (typed: string): string | null => (typed.trim() === '' ? null : typed.trim());
const cents = (value: number): number | null => (value === 0 ? null : value);
const count = (typed: string): number | null => (typed === '' ? null : Number(typed));

/** Converts the form to the API request. */
export const toNewLink = (form: LinkForm): NewLink => ({
  title: form.title.trim(),
  description: text(form.description),
  ...(form.isOpen
    ? { minAmount: cents(form.minAmount), maxAmount: cents(form.maxAmount) }
    : { amount: form.amount }),
  methods: form.methods,
  ...(form.interval === ''
    ? { maxInstallments: Number(form.maxInstallments) }
    : { subscription: { interval: form.interval, cycles: count(form.cycles) } }),
  maxPayments: count(form.maxPayments),
  expiresAt: form.expiresAt,
  customerId: form.customerId,
  externalRef: text(form.externalRef),
  successUrl: text(form.successUrl),
});

export type LinkEdit = Pick<LinkForm, 'title' | 'description' | 'maxPayments' | 'expiresAt'>;

/** Leaves the expiry out unless it was changed: the API may know its exact time. */
export const toLinkChanges = (form: LinkEdit, savedDay: string | null): LinkChanges => ({
  title: form.title.trim(),
  description: text(form.description),
  maxPayments: count(form.maxPayments),
  ...(form.expiresAt === savedDay ? {} : { expiresAt: form.expiresAt }),
});

type LinkFault = 'create.needAmount' | 'links.needTitle' | 'links.needMethod' | 'links.needOrder';

export function validateLink(form: LinkForm): Partial<Record<keyof LinkForm, LinkFault>> {
  const faults: Partial<Record<keyof LinkForm, LinkFault>> = {};
  if (form.title.trim() === '') faults.title = 'links.needTitle';
  if (form.methods.length === 0) faults.methods = 'links.needMethod';
  if (!form.isOpen && form.amount < MIN_CENTS) faults.amount = 'create.needAmount';
  if (!form.isOpen) return faults;
  if (form.minAmount !== 0 && form.minAmount < MIN_CENTS) faults.minAmount = 'create.needAmount';
  if (form.maxAmount !== 0 && form.maxAmount < Math.max(MIN_CENTS, form.minAmount))
    faults.maxAmount = form.minAmount === 0 ? 'create.needAmount' : 'links.needOrder';
  return faults;
}
