const FIELD = 'input:not([readonly]):not([disabled]), textarea';

/**
 * Ref of an element whose first field gets the focus when it appears. On a touch screen its heading
 * has the focus, since a keyboard would cover the rest.
 */
export function focusFirst(container: HTMLElement | null): void {
  const heading = container?.querySelector<HTMLElement>('h1, h2');
  const field = container?.querySelector<HTMLElement>(FIELD);
  heading?.setAttribute('tabindex', '-1');
  const first = matchMedia('(pointer: coarse)').matches ? (heading ?? field) : (field ?? heading);
  first?.focus();
}
