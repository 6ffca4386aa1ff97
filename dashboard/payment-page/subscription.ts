import { call } from './api.ts';
import {
  clearErrors,
  clearErrorsOnInput,
  fieldErrors,
  prepareCardFields,
  showErrors,
  showProblem,
  submitButton,
} from './fields.ts';
import { readCardForm } from './form.ts';
import { announce, enableCopying, find, findOptional, pageElement, showPage } from './page.ts';
import { refusalText } from './refusals.ts';
import { texts } from './texts.ts';

/** The page of a subscription's payer: another card, and the end. */

export function startSubscription(): void {
  enableCopying();
  startCard();
  startCancellation();
}

const pathOf = (action: string): string =>
  `/v1/public/subscriptions/${pageElement().dataset['token']}/${action}`;

/** Shows the current page, and announces what was done. */
async function reload(done: string): Promise<void> {
  if (!(await showPage(location.pathname))) location.reload();
  startSubscription();
  announce(done);
}

function startCard(): void {
  const form = findOptional('payment');
  if (!(form instanceof HTMLFormElement)) return;
  find('card').hidden = false;
  prepareCardFields();
  clearErrorsOnInput(form);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void saveCard(form);
  });
  submitButton().disabled = false;
}

async function saveCard(form: HTMLFormElement): Promise<void> {
  const { body, errors } = readCardForm(form);
  clearErrors(form);
  if (showErrors(errors)) return;
  const button = submitButton();
  const label = button.textContent;
  button.disabled = true;
  button.textContent = texts.sending;
  const response = await call(pathOf('card'), {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (typeof response === 'object' && 'data' in response) return reload(texts.cardSaved);
  button.disabled = false;
  button.textContent = label;
  if (response === 'unreachable') showProblem(texts.noConnection);
  else if (!showErrors(fieldErrors(response.refusal.fields.map(ofCard))))
    showProblem(refusalText(response.refusal, texts.changeProblem));
}

/** The form of a link names the members of a card by a longer path. */
const ofCard = <Problem extends { readonly path: string }>(problem: Problem): Problem => ({
  ...problem,
  path: `card.${problem.path}`,
});

/** A second button confirms. */
function startCancellation(): void {
  const button = findOptional('cancel');
  if (!(button instanceof HTMLButtonElement)) return;
  const confirmation = find('confirmation');
  const show = (isAsked: boolean): void => {
    button.hidden = isAsked;
    confirmation.hidden = !isAsked;
    find(isAsked ? 'cancel-title' : 'cancel').focus();
  };
  button.hidden = false;
  button.addEventListener('click', () => show(true));
  find('keep').addEventListener('click', () => show(false));
  const confirm = find('confirm-cancel');
  if (confirm instanceof HTMLButtonElement) confirm.addEventListener('click', () => void cancel(confirm));
}

async function cancel(button: HTMLButtonElement): Promise<void> {
  button.disabled = true;
  const response = await call(pathOf('cancel'), { method: 'POST' });
  // One that has ended meanwhile is shown as it is.
  if (typeof response === 'object' && ('data' in response || response.refusal.code === 'invalid_transition'))
    return reload(texts.canceled);
  button.disabled = false;
  find('cancel-problem').textContent =
    response === 'unreachable' ? texts.noConnection : refusalText(response.refusal, texts.changeProblem);
}
