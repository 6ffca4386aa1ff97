const FIELD = 'input:not([readonly]):not([disabled]), textarea';

/** Where a keyboard would cover the rest of the screen. */
export const isTouchScreen = (): boolean => matchMedia('(pointer: coarse)').matches;

export function focusElement(element: HTMLElement): void {
  if (/^H[12]$/.test(element.tagName)) element.setAttribute('tabindex', '-1');
  element.focus();
}

/**
 * Ref of an element whose first field gets the focus when it appears. On a touch screen its heading
 * has the focus, since a keyboard would cover the rest.
 */
export function focusFirst(container: HTMLElement | null): void {
  const heading = container?.querySelector<HTMLElement>('h1, h2');
  const field = container?.querySelector<HTMLElement>(FIELD);
  heading?.setAttribute('tabindex', '-1');
  const first = isTouchScreen() ? (heading ?? field) : (field ?? heading);
  first?.focus();
}
