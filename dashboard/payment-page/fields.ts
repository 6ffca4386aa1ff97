import type { FieldProblem } from './api.ts';
import { brandOf, formatExpiry, formatNumber } from './card.ts';
import { fieldOfPath } from './form.ts';
import { find, findInput, findOptional } from './page.ts';
import { texts } from './texts.ts';

/** The fields of the form of a page, and the errors that are shown at them. */

export const digitsOf = (text: string): string => text.replaceAll(/\D/g, '');
export const submitButton = (): HTMLButtonElement =>
  find('payment').querySelector<HTMLButtonElement>('button[type=submit]')!;

/** Spaces the card's number, shows its brand, and limits what is typed. */
export function prepareCardFields(): void {
  format('number', (text) => formatNumber(digitsOf(text).slice(0, 19)));
  format('expiry', formatExpiry);
  format('cvv', (text) => digitsOf(text).slice(0, 4));
  const number = findInput('number');
  number?.addEventListener('input', () => (find('brand').textContent = brandOf(digitsOf(number.value))));
}

export function clearErrorsOnInput(form: HTMLFormElement): void {
  form.addEventListener('input', ({ target }) => {
    if (target instanceof HTMLElement) showFieldError(target.id, '');
  });
}

/** Before a form is sent again. */
export function clearErrors(form: HTMLFormElement): void {
  showProblem('');
  for (const element of form.querySelectorAll('.error'))
    showFieldError(element.id.replace(/-error$/, ''), '');
}

/** Formats a field as it is typed. Text before the end is left alone, so that the cursor stays. */
export function format(id: string, formatted: (text: string) => string): void {
  const input = findInput(id);
  input?.addEventListener('input', (event) => {
    const isDeleting = event instanceof InputEvent && event.inputType.startsWith('delete');
    const isAtEnd = input.selectionStart === input.value.length;
    if (id === 'amount' || (isAtEnd && !isDeleting)) input.value = formatted(input.value);
  });
  input?.addEventListener('change', () => (input.value = formatted(input.value)));
}

export function fieldErrors(problems: readonly FieldProblem[]): Readonly<Record<string, string>> {
  const errors: Record<string, string> = {};
  for (const { path } of problems) {
    const id = fieldOfPath(path);
    if (id !== undefined && findOptional(id) !== null) errors[id] = texts.invalid[id];
  }
  return errors;
}

/** Shows the errors at their fields and goes to the first. Returns false if there are none. */
export function showErrors(errors: Readonly<Record<string, string>>): boolean {
  for (const [id, text] of Object.entries(errors)) showFieldError(id, text);
  const first = find('payment').querySelector<HTMLElement>('[aria-invalid=true]');
  first?.focus();
  return first !== null;
}

function showFieldError(id: string, text: string): void {
  const error = findOptional(`${id}-error`);
  if (error === null) return;
  error.textContent = text;
  if (text === '') find(id).removeAttribute('aria-invalid');
  else find(id).setAttribute('aria-invalid', 'true');
}

export function showProblem(text: string): void {
  find('problem').textContent = text;
}
