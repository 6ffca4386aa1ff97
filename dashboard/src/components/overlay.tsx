import { Drawer, Modal, type DrawerProps, type ModalProps } from '@mantine/core';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';

import { focusNearest, placeOf } from './focus-place.ts';
import { focusRow } from './focus-row.ts';
import { focusHeading } from './page-focus.ts';

/** What is open above the screen, the one on top last. */
const overlays: { readonly close: () => void }[] = [];

/** Lists, menus and other dialogs above an overlay handle Escape themselves. */
function isHandledInside(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  if (target.closest('[data-mantine-stop-propagation="true"], [role="menu"], [role="listbox"]') !== null)
    return true;
  if (target.matches('[aria-haspopup][aria-expanded="true"]')) return true;
  const dialog = target.closest('[role="dialog"]');
  return dialog !== null && dialog.closest('[data-overlay]') === null;
}

/** One listener for all, so that Escape closes the one on top alone. */
function onKeyDown(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || event.isComposing || isHandledInside(event.target)) return;
  overlays.at(-1)?.close();
}
if (typeof window !== 'undefined') window.addEventListener('keydown', onKeyDown, { capture: true });

/** Later than the browser moves the focus of a closed element. */
const RETURN_MS = 10;

/** How long a closed overlay, which is still shown, may take the focus back (WebKit). */
const CLOSING_MS = 1_000;

/** A dialog that opens this soon after another has closed follows it. */
const FOLLOWING_MS = 100;

let lastReturn: { readonly focus: () => void; readonly at: number } | undefined;

/** Controls that can have the focus. */
export const FOCUSABLE = 'input, textarea, select, button';
const dialogOf = (element: Element | null): HTMLElement | undefined =>
  element?.closest<HTMLElement>('[role="dialog"]') ?? undefined;

/** Returns false if the dialog is not shown. */
function focusDialog(dialog: HTMLElement | undefined): boolean {
  if (dialog?.isConnected !== true) return false;
  dialog.querySelector<HTMLElement>(`[data-autofocus], ${FOCUSABLE}`)?.focus();
  return true;
}
export const focusTopDialog = (): boolean =>
  focusDialog([...document.querySelectorAll<HTMLElement>('[data-overlay] [role="dialog"]')].at(-1));

/**
 * Moves the focus to where the overlay that is closing returned it. Returns false if one is open,
 * or none is closing.
 */
export function returnFocusAgain(): boolean {
  if (overlays.length > 0 || lastReturn === undefined) return false;
  if (performance.now() - lastReturn.at > CLOSING_MS) return false;
  lastReturn.focus();
  return true;
}

/**
 * Keeps the order of what is open, and returns the focus when it closes: to what opened it, to the
 * row of its record, to the panel below it, to what is nearest to what opened it, or to the heading
 * of the page. A dialog that follows another one returns it to what opened the first.
 */
function useOverlay({
  opened,
  onClose,
  row,
  returns,
}: {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly row?: string | undefined;
  readonly returns: boolean;
}): void {
  const latest = useRef({ onClose, row, returns });
  useEffect(() => {
    latest.current = { onClose, row: row ?? latest.current.row, returns };
  });
  // Before anything else looks where the focus is.
  useLayoutEffect(() => {
    if (!opened) return undefined;
    const overlay = { close: () => latest.current.onClose() };
    overlays.push(overlay);
    const opener = document.activeElement;
    const place = opener instanceof HTMLElement ? placeOf(opener) : undefined;
    const below = dialogOf(opener);
    const isSoon = lastReturn !== undefined && performance.now() - lastReturn.at < FOLLOWING_MS;
    // A control of the page has opened it by itself.
    const isFollowing = isSoon && (opener === document.body || opener?.closest('[data-overlay]') !== null);
    const before = isFollowing ? lastReturn?.focus : undefined;
    return () => {
      overlays.splice(overlays.indexOf(overlay), 1);
      const left = document.activeElement;
      if (!latest.current.returns) return;
      // A wrong field of the page has the focus already.
      if (left?.matches('[aria-invalid="true"]') === true && left.closest('[data-overlay]') === null) return;
      const focus = () => {
        // The heading has the focus of a page that opened together with its panel.
        if (opener instanceof HTMLElement && opener.isConnected && !opener.matches('body, h1')) {
          opener.focus({ preventScroll: true });
          // No further than needed, unlike the focus.
          opener.scrollIntoView({ block: 'nearest' });
          return;
        }
        if (before !== undefined) before();
        else if (latest.current.row === undefined || !focusRow(latest.current.row)) {
          if (focusDialog(below)) return;
          if (place === undefined || !focusNearest(place)) focusHeading();
        }
      };
      lastReturn = { focus, at: performance.now() };
      setTimeout(() => {
        const active = document.activeElement;
        // Somebody else has moved the focus.
        if (active !== null && active !== document.body && active !== left) return;
        focus();
      }, RETURN_MS);
    };
  }, [opened]);
}

interface Closing {
  /** `false`: Escape does not close it. */
  readonly closeOnEscape?: boolean;
  /** `false`: the caller moves the focus when it closes. */
  readonly returnFocus?: boolean;
}

const nothing = () => undefined;

/** A dialog in the middle of the screen. */
export function Dialog({
  closeOnEscape = true,
  returnFocus = true,
  ...props
}: Omit<ModalProps, 'closeOnEscape' | 'returnFocus'> & Closing) {
  const { t } = useTranslation();
  const onClose = closeOnEscape ? props.onClose : nothing;
  useOverlay({ opened: props.opened, onClose, returns: returnFocus });
  return (
    <Modal
      centered
      closeButtonProps={{ 'aria-label': t('common.close') }}
      {...props}
      closeOnEscape={false}
      returnFocus={false}
      data-overlay
    />
  );
}

/** A panel at the side, above the screen. */
export function Panel({
  row,
  returnFocus = true,
  ...props
}: Omit<DrawerProps, 'closeOnEscape' | 'returnFocus'> & {
  /** The id of the shown record, whose row has the focus afterwards. */
  readonly row?: string | undefined;
} & Pick<Closing, 'returnFocus'>) {
  const { t } = useTranslation();
  useOverlay({ opened: props.opened, onClose: props.onClose, row, returns: returnFocus });
  return (
    <Drawer
      position="right"
      size="lg"
      closeButtonProps={{ 'aria-label': t('common.close') }}
      {...props}
      closeOnEscape={false}
      returnFocus={false}
      data-overlay
    />
  );
}
