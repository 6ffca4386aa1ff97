import { queryClient } from '../api/queries.ts';
import { focusNearest, placeOf, type Place } from './focus-place.ts';
import { focusRow } from './focus-row.ts';
import { FOCUSABLE, focusTopDialog, returnFocusAgain } from './overlay.tsx';
import { focusHeading } from './page-focus.ts';

/**
 * Where the focus is, on all screens:
 *
 * - A page that opens: its first field, or its heading (`usePageFocus`). The first page of a visit
 *   leaves it at its start if it has no field.
 * - A dialog or panel that opens: its first field, or its close button. When it closes: what opened
 *   it, or the row of its record, or the panel below it, or what is nearest to what opened it, or
 *   the heading of the page (`overlay.tsx`).
 * - A form that is refused, by the browser or by the gateway: the first wrong field.
 * - A control that was disabled while a request ran: the same control.
 * - A control or row that is moved in its list: the same one.
 * - A control or row that is removed, or is disabled for good: its row in the new list, or the
 *   panel that it was in, or what is nearest in the part of the page that is left
 *   (`focus-place.ts`), or the heading of the dialog or page.
 *
 * This file has the last four.
 */

const WRONG = '[aria-invalid="true"]';
/** A dialog that closes, and a page that opens, move the focus first. */
const SETTLED_MS = 200;
const MAX_FRAMES = 30;

/** The form that was submitted and has not been changed since. */
let submitted: HTMLFormElement | undefined;
let last: HTMLElement | undefined;
let place: Place | undefined;
/** The panel beside a list that had the focus. */
let panel: HTMLElement | null | undefined;

const isLost = (): boolean => document.activeElement?.matches('body, :disabled') ?? true;
const isBusy = (): boolean => queryClient.isMutating() + queryClient.isFetching() > 0;

/** Opens the section of an accordion that contains the field. */
function reveal(field: HTMLElement): void {
  const name = field.closest('[role="region"]')?.getAttribute('aria-labelledby') ?? '';
  const control = document.getElementById(name);
  if (control?.getAttribute('aria-expanded') === 'false') control.click();
}

/** A section that opens, or a dialog that closes, takes a few frames. */
function focusWhenShown(field: HTMLElement, frames = MAX_FRAMES): void {
  field.focus();
  if (document.activeElement === field || frames === 0) return;
  requestAnimationFrame(() => focusWhenShown(field, frames - 1));
}

function focusFirstWrong(): void {
  const wrong = submitted?.querySelector<HTMLElement>(WRONG);
  if (wrong === null || wrong === undefined) return;
  submitted = undefined;
  reveal(wrong);
  // A group of choices cannot have the focus, its first choice can.
  const field = wrong.matches(FOCUSABLE) ? wrong : wrong.querySelector<HTMLElement>(FOCUSABLE);
  if (field !== null) focusWhenShown(field);
}

/** What had the focus has been removed, or disabled, and nothing else has had it since. */
function recover(lost: HTMLElement): void {
  if (!isLost() || last !== lost) return;
  if (lost.isConnected) {
    if (!lost.matches(':disabled')) return;
    // A request may disable it.
    if (isBusy() || lost.matches('[data-loading]')) {
      setTimeout(recover, SETTLED_MS, lost);
      return;
    }
  }
  const row = lost.dataset['row'];
  last = undefined;
  if (row !== undefined && focusRow(row)) return;
  if (panel?.isConnected === true) {
    panel.focus();
    return;
  }
  // A dialog that closes returns the focus itself.
  const isInDialog = place?.steps.at(-1)?.part.matches('[role="dialog"]') === true;
  if (isInDialog && returnFocusAgain()) return;
  if (place !== undefined && focusNearest(place)) return;
  if (returnFocusAgain()) return;
  if (!focusTopDialog()) focusHeading();
}

function onChange(changes: readonly MutationRecord[]): void {
  const hasChanged = changes.some(
    ({ attributeName, target }) => target === last && attributeName !== 'aria-invalid',
  );
  // A request has ended, or a list has a new order.
  const isBack =
    hasChanged ||
    changes.some(({ addedNodes }) => [...addedNodes].some((node) => node.contains(last ?? null)));
  if (isBack && last?.isConnected === true && isLost()) last.focus({ preventScroll: true });
  if (submitted !== undefined) focusFirstWrong();
  if (last !== undefined && (!last.isConnected || hasChanged)) setTimeout(recover, SETTLED_MS, last);
}

export function keepFocus(): void {
  // Captured, because the form of a dialog stops the event.
  addEventListener(
    'submit',
    ({ target }) => {
      submitted = target instanceof HTMLFormElement ? target : undefined;
      // Fields that were wrong before do not change.
      setTimeout(focusFirstWrong);
    },
    true,
  );
  // Before the field changes: its error may go at once, and the focus must not go to the next one.
  addEventListener(
    'input',
    () => {
      submitted = undefined;
    },
    { capture: true },
  );
  addEventListener('focusin', ({ target }) => {
    last = target instanceof HTMLElement ? target : undefined;
    place = last && placeOf(last);
    panel = last?.closest<HTMLElement>('.beside');
  });
  const attributeFilter = ['disabled', 'data-loading', 'aria-invalid'];
  new MutationObserver(onChange).observe(document, { subtree: true, childList: true, attributeFilter });
}
