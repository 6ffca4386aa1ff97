import { call, type Payment } from './api.ts';
import { tellHost } from './embedding.ts';
import {
  clearErrors,
  clearErrorsOnInput,
  digitsOf,
  fieldErrors,
  format,
  prepareCardFields,
  showErrors,
  showProblem,
  submitButton,
} from './fields.ts';
import { readForm, type Method, type PaymentForm } from './form.ts';
import { find, findInput, findOptional, pageElement, showPage } from './page.ts';
import { startPayment } from './payment.ts';
import { refusalText } from './refusals.ts';
import { formatMoney, texts } from './texts.ts';

/** The page of a link: the form of the payer. */

/** Kept while the form is unchanged, so that a repeated request cannot pay twice. */
let attempt: { readonly body: string; readonly key: string } | undefined;

export function startLink(): void {
  const form = find('payment');
  if (!(form instanceof HTMLFormElement)) return;
  for (const radio of form.querySelectorAll<HTMLInputElement>('input[name=method]'))
    radio.addEventListener('change', showMethod);
  format('amount', (text) => (digitsOf(text) === '' ? '' : formatMoney(Number(digitsOf(text).slice(-11)))));
  format('document', formatDocument);
  format('phone', formatPhone);
  prepareCardFields();
  findOptional('amount')?.addEventListener('input', showInstallments);
  clearErrorsOnInput(form);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void submit(form);
  });
  showMethod();
  showInstallments();
  submitButton().disabled = false;
}

const METHODS: readonly Method[] = ['PIX', 'BOLETO', 'CREDIT_CARD'];

function chosenMethod(): Method {
  const value = document.querySelector<HTMLInputElement>('input[name=method]:checked')?.value;
  return METHODS.find((method) => method === value) ?? 'PIX';
}

/** Joins what was typed of the parts of a document with the marks between them. */
const join = (parts: readonly string[], marks: readonly string[]): string =>
  parts.reduce((all, part, index) => (part === '' ? all : all + (marks[index - 1] ?? '') + part));

function formatDocument(text: string): string {
  const plain = text
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, '')
    .slice(0, 14);
  const cut = (...ends: readonly number[]) =>
    ends.map((end, index) => plain.slice(ends[index - 1] ?? 0, end));
  return plain.length <= 11 && /^\d*$/.test(plain)
    ? join(cut(3, 6, 9, 11), ['.', '.', '-'])
    : join(cut(2, 5, 8, 12, 14), ['.', '.', '/', '-']);
}

function formatPhone(text: string): string {
  const digits = digitsOf(text);
  if (digits.length < 3 || digits.length > 11) return text;
  const split = digits.length === 11 ? 7 : 6;
  const rest = digits.length > split ? `${digits.slice(2, split)}-${digits.slice(split)}` : digits.slice(2);
  return `(${digits.slice(0, 2)}) ${rest}`;
}

function showMethod(): void {
  const method = chosenMethod();
  const card = findOptional('card');
  if (card !== null) card.hidden = method !== 'CREDIT_CARD';
  const boleto = findOptional('boleto');
  if (boleto !== null) boleto.hidden = method !== 'BOLETO';
  find('problem').textContent = '';
  showSubmit();
}

function showSubmit(): void {
  const method = chosenMethod();
  const amount = amountToPay();
  submitButton().textContent =
    method === 'CREDIT_CARD' && amount > 0
      ? `${texts.submit[method]} ${formatMoney(amount)}`
      : texts.submit[method];
}

/** Cents; 0 while none was typed. */
function amountToPay(): number {
  const { amount } = pageElement().dataset;
  return Number(amount ?? digitsOf(findInput('amount')?.value ?? ''));
}

/** `3x de R$ 33,30`, with the total. */
function showInstallments(): void {
  showSubmit();
  const select = findOptional('installments');
  if (!(select instanceof HTMLSelectElement)) return;
  const chosen = select.value;
  const amount = amountToPay();
  const max = Number(pageElement().dataset['installments']);
  const of = document.documentElement.lang === 'en' ? 'of' : 'de';
  const options = Array.from({ length: max }, (_, index) => {
    const count = index + 1;
    const each = `${count}x ${of} ${formatMoney(Math.round(amount / count))}`;
    return new Option(count === 1 ? each : `${each} (${formatMoney(amount)})`, String(count));
  });
  select.replaceChildren(...options);
  select.value = chosen === '' ? '1' : chosen;
}

async function submit(form: HTMLFormElement): Promise<void> {
  const { body, errors } = readForm(form, pageElement().dataset, chosenMethod(), amountToPay());
  clearErrors(form);
  if (showErrors(errors)) return;
  const button = submitButton();
  button.disabled = true;
  button.textContent = texts.sending;
  await send(body);
  // The page of the payment has another form, or none.
  if (button.isConnected) {
    button.disabled = false;
    showSubmit();
  }
}

async function send(payment: PaymentForm): Promise<void> {
  const body = JSON.stringify(payment);
  if (attempt?.body !== body) attempt = { body, key: crypto.randomUUID?.() ?? randomKey() };
  const response = await call<Payment>(`/v1/public/payment-links/${pageElement().dataset['code']}/payments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': attempt.key },
    body,
  });
  if (response === 'unreachable') {
    showProblem(texts.noConnection);
    return;
  }
  // A refused request keeps its key: an earlier one may have been accepted.
  if ('refusal' in response) {
    const isShown = showErrors(fieldErrors(response.refusal.fields));
    if (!isShown) showProblem(refusalText(response.refusal));
    return;
  }
  attempt = undefined;
  await showOutcome(response.data);
}

async function showOutcome(payment: Payment): Promise<void> {
  const { method, status, statusReason, paymentToken } = payment;
  if (method === 'CREDIT_CARD' && (status === 'FAILED' || status === 'REFUSED')) {
    tellHost({ type: 'vereda:failed', paymentToken, status });
    showDecline(statusReason ?? '');
    return;
  }
  const path = `/pay/t/${paymentToken}`;
  if (await showPage(path)) startPayment();
  else location.assign(path + location.search);
}

/** A decline is shown at the field that can mend it, else above the button. */
function showDecline(reason: string): void {
  const text = texts.declines[reason] ?? texts.declined;
  const fields: Readonly<Record<string, string>> = {
    'wrong security code': 'cvv',
    'expired card': 'expiry',
    'invalid expiry date': 'expiry',
  };
  const cvv = findInput('cvv');
  if (cvv !== null) cvv.value = '';
  const id = fields[reason] ?? 'number';
  showErrors({ [id]: text });
}

/** UUID of version 4, for browsers without `randomUUID`, as on plain HTTP. */
function randomKey(): string {
  const hex = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
}
