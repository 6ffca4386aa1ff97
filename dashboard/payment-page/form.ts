import { isCardNumber, isPast, parseExpiry } from './card.ts';
import { formatMoney, texts } from './texts.ts';

export type Method = 'PIX' | 'BOLETO' | 'CREDIT_CARD';
type FieldId = Exclude<keyof typeof texts.invalid, 'tooSmall' | 'tooLarge' | 'expired'>;

/** The body of the request that pays. */
export interface PaymentForm {
  readonly method: Method;
  readonly amount?: number;
  /** Of the customer whom the link is for. */
  readonly document?: string;
  readonly customer?: Readonly<Record<string, string>>;
  readonly card?: Readonly<Record<string, string | number>>;
  readonly installments?: number;
}

const FIELDS: Readonly<Record<string, FieldId>> = {
  amount: 'amount',
  'customer.name': 'name',
  'customer.document': 'document',
  'customer.documentType': 'document',
  document: 'document',
  'customer.email': 'email',
  'customer.phone': 'phone',
  'card.number': 'number',
  'card.expirationMonth': 'expiry',
  'card.expirationYear': 'expiry',
  'card.cvv': 'cvv',
  'card.holderName': 'holderName',
  installments: 'installments',
};

/** The field that a path of the API's errors is about. */
export const fieldOfPath = (path: string): FieldId | undefined => FIELDS[path];

type Errors = Partial<Record<FieldId, string>>;

/** Reads the form. What can be seen to be wrong is not sent. */
export function readForm(
  form: HTMLFormElement,
  limits: DOMStringMap,
  method: Method,
  amount: number,
): { readonly body: PaymentForm; readonly errors: Errors } {
  const data = new FormData(form);
  const value = valuesOf(data);
  const errors: Errors = {};
  if (data.has('amount')) checkAmount(amount, limits, errors);
  const isCard = method === 'CREDIT_CARD';
  const body: PaymentForm = {
    method,
    ...(data.has('amount') ? { amount } : {}),
    ...(data.has('name') ? { customer: readPayer(value, errors) } : {}),
    ...(!data.has('name') && method === 'BOLETO' ? { document: readDocument(value, errors) } : {}),
    ...(isCard ? { card: readCard(value, errors), installments: Number(value('installments') || '1') } : {}),
  };
  return { body, errors };
}

const valuesOf =
  (data: FormData) =>
  (name: string): string => {
    const entry = data.get(name);
    return typeof entry === 'string' ? entry.trim() : '';
  };

/** Reads the form of a card alone. */
export function readCardForm(form: HTMLFormElement): {
  readonly body: Readonly<Record<string, string | number>>;
  readonly errors: Errors;
} {
  const errors: Errors = {};
  return { body: readCard(valuesOf(new FormData(form)), errors), errors };
}

function checkAmount(amount: number, { min = '100', max }: DOMStringMap, errors: Errors): void {
  if (amount === 0) errors.amount = texts.invalid.amount;
  else if (amount < Number(min)) errors.amount = `${texts.invalid.tooSmall} ${formatMoney(Number(min))}.`;
  else if (max !== undefined && amount > Number(max))
    errors.amount = `${texts.invalid.tooLarge} ${formatMoney(Number(max))}.`;
}

function readDocument(value: (name: string) => string, errors: Errors): string {
  const document = value('document')
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, '');
  if (!/^(?:\d{11}|[0-9A-Z]{12}\d{2})$/.test(document)) errors.document = texts.invalid.document;
  return document;
}

function readPayer(value: (name: string) => string, errors: Errors): Readonly<Record<string, string>> {
  const document = readDocument(value, errors);
  const phone = value('phone').replaceAll(/\D/g, '');
  if (value('name') === '') errors.name = texts.invalid.name;
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value('email'))) errors.email = texts.invalid.email;
  if (!/^\d{10,13}$/.test(phone)) errors.phone = texts.invalid.phone;
  return {
    name: value('name'),
    email: value('email'),
    phone,
    documentType: document.length === 11 ? 'CPF' : 'CNPJ',
    document,
  };
}

function readCard(
  value: (name: string) => string,
  errors: Errors,
): Readonly<Record<string, string | number>> {
  const number = value('number').replaceAll(/\D/g, '');
  const expiry = parseExpiry(value('expiry'));
  if (!isCardNumber(number)) errors.number = texts.invalid.number;
  if (expiry === undefined) errors.expiry = texts.invalid.expiry;
  else if (isPast(expiry)) errors.expiry = texts.invalid.expired;
  if (!/^\d{3,4}$/.test(value('cvv'))) errors.cvv = texts.invalid.cvv;
  if (value('holderName') === '') errors.holderName = texts.invalid.holderName;
  return {
    number,
    holderName: value('holderName'),
    expirationMonth: expiry?.month ?? 0,
    expirationYear: expiry?.year ?? 0,
    cvv: value('cvv'),
  };
}
