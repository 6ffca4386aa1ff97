import type { Charge, NewCharge } from '../api/queries.ts';

/** Form state. Amounts are in cents; everything else is text as typed. */
export interface ChargeForm {
  method: NewCharge['method'];
  amount: number;
  /** A stored customer, in place of the payer's data; empty for none. */
  customerId: string;
  /** A saved card of the customer; empty for another card. */
  cardToken: string;
  description: string;
  name: string;
  email: string;
  phone: string;
  document: string;
  externalRef: string;
  /** Seconds as text; empty for the gateway's default. Of a Pix. */
  expiration: string;
  /** `2026-11-20`; empty for the gateway's default. Of a boleto. */
  dueDate: string;
  postbackUrl: string;
  tangible: boolean;
  installments: string;
  authorizeOnly: boolean;
  cardNumber: string;
  holder: string;
  expires: string;
  cvv: string;
}

export const EMPTY_FORM: ChargeForm = {
  method: 'PIX',
  amount: 0,
  customerId: '',
  cardToken: '',
  description: '',
  name: '',
  email: '',
  phone: '',
  document: '',
  externalRef: '',
  expiration: '',
  dueDate: '',
  postbackUrl: '',
  tangible: false,
  installments: '1',
  authorizeOnly: false,
  cardNumber: '',
  holder: '',
  expires: '',
  cvv: '',
};

const digits = (text: string): string => text.replaceAll(/\D/g, '');
/** Removes the punctuation of a CPF or CNPJ. A CNPJ may have letters. */
const bareDocument = (text: string): string => text.replaceAll(/[\s./-]/g, '').toUpperCase();

/** Longer documents are CNPJs. */
const CPF_DIGITS = 11;

type PayerFields = Pick<ChargeForm, 'name' | 'email' | 'phone' | 'document'>;

/** The payer in an API request. */
export function readPayer(form: PayerFields) {
  const document = bareDocument(form.document);
  return {
    name: form.name.trim(),
    email: form.email.trim(),
    phone: digits(form.phone),
    documentType: document.length > CPF_DIGITS ? ('CNPJ' as const) : ('CPF' as const),
    document,
  };
}

/** Converts the form to the API request. */
export function toTransactionRequest(form: ChargeForm, nowMs: number): NewCharge {
  const title = form.description.trim();
  return {
    amount: form.amount,
    method: form.method,
    description: title,
    ...(form.customerId === '' ? { customer: readPayer(form) } : { customerId: form.customerId }),
    items: [
      {
        title,
        amount: form.amount,
        quantity: 1,
        tangible: form.tangible,
      },
    ],
    ...(form.externalRef.trim() === '' ? {} : { externalRef: form.externalRef.trim() }),
    ...(form.postbackUrl.trim() === '' ? {} : { postbackUrl: form.postbackUrl.trim() }),
    ...(form.method === 'CREDIT_CARD' ? cardOf(form) : expiryOf(form, nowMs)),
  };
}

/**
 * The API takes the seconds until a boleto is due. The last minute of the day is left out, so that
 * a slow request does not reach the next day.
 */
function expiryOf({ method, expiration, dueDate }: ChargeForm, nowMs: number) {
  if (method === 'BOLETO') {
    const lastMinute = Date.parse(`${dueDate}T23:59:00-03:00`);
    return dueDate === '' ? {} : { expiration: Math.max(1, Math.floor((lastMinute - nowMs) / 1_000)) };
  }
  return expiration === '' ? {} : { expiration: Number(expiration) };
}

const cardOf = (form: ChargeForm) => ({
  installments: Number(form.installments),
  capture: !form.authorizeOnly,
  card: form.cardToken === '' ? typedCardOf(form) : { token: form.cardToken },
});

function typedCardOf(form: ChargeForm) {
  const [month = '', year = ''] = form.expires.split('/');
  return {
    number: digits(form.cardNumber),
    holderName: form.holder.trim(),
    expirationMonth: Number(digits(month)),
    expirationYear: Number(digits(year)),
    cvv: digits(form.cvv),
  };
}

/** Maps API field names to form fields, for validation messages. */
export const FIELD_OF: Readonly<Record<string, keyof ChargeForm>> = {
  amount: 'amount',
  description: 'description',
  'items.0.title': 'description',
  externalRef: 'externalRef',
  customerId: 'customerId',
  'card.token': 'cardToken',
  'customer.name': 'name',
  'customer.email': 'email',
  'customer.phone': 'phone',
  'customer.document': 'document',
  postbackUrl: 'postbackUrl',
  installments: 'installments',
  'card.number': 'cardNumber',
  'card.holderName': 'holder',
  'card.expirationMonth': 'expires',
  'card.expirationYear': 'expires',
  'card.cvv': 'cvv',
};

export const isCardApproved = ({ status }: Charge): boolean => status === 'PAID' || status === 'AUTHORIZED';

type ContactError = 'needName' | 'needEmail' | 'needPhone';
type FormError =
  | ContactError
  | 'needDescription'
  | 'needHolder'
  | 'needAmount'
  | 'needDocument'
  | 'needCard'
  | 'needExpiry'
  | 'needCvv';
export const MIN_CENTS = 100;

/** Fields with an error that are not shown: optional ones are among the options. */
export const REQUIRED = { required: true, withAsterisk: false } as const;

/** Formats month and year while typing: `1230` becomes `12/30`. */
export const formatExpiry = (typed: string): string => typed.replace(/^(\d{2})(\d{1,4})$/, '$1/$2');

export const isDocument = (typed: string): boolean =>
  /^(?:\d{11}|[0-9A-Z]{12}\d{2})$/.test(bareDocument(typed));

/** Validates a person, but for the document. */
export function validateContact(
  form: Omit<PayerFields, 'document'>,
): Partial<Record<'name' | 'email' | 'phone', ContactError>> {
  const errors: Partial<Record<'name' | 'email' | 'phone', ContactError>> = {};
  if (form.name.trim() === '') errors.name = 'needName';
  if (!/^[^\s@]+@(?:[^\s@.]+\.)+[^\s@.]+$/.test(form.email.trim())) errors.email = 'needEmail';
  if (!/^\d{10,13}$/.test(digits(form.phone))) errors.phone = 'needPhone';
  return errors;
}

/** Client-side validation. */
export function validate(form: ChargeForm): Partial<Record<keyof ChargeForm, FormError>> {
  const errors: Partial<Record<keyof ChargeForm, FormError>> = {};
  if (form.amount < MIN_CENTS) errors.amount = 'needAmount';
  if (form.description.trim() === '') errors.description = 'needDescription';
  if (form.customerId === '') {
    Object.assign(errors, validateContact(form));
    if (!isDocument(form.document)) errors.document = 'needDocument';
  }
  if (form.method !== 'CREDIT_CARD' || form.cardToken !== '') return errors;
  if (!/^\d{13,19}$/.test(digits(form.cardNumber))) errors.cardNumber = 'needCard';
  if (form.holder.trim() === '') errors.holder = 'needHolder';
  if (!/^(?:0[1-9]|1[0-2])\/(?:20)?\d{2}$/.test(form.expires.trim())) errors.expires = 'needExpiry';
  if (!/^\d{3,4}$/.test(digits(form.cvv))) errors.cvv = 'needCvv';
  return errors;
}
