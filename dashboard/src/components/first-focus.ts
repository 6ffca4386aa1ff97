import { useEffect, useRef, type RefObject } from 'react';

const FIELD = 'input:not([readonly]):not([disabled]), textarea';

/**
 * Gives the focus to the first field of an element whenever `step` changes. On a touch screen its
 * heading has the focus, since a keyboard would cover the rest.
 */
export function useFirstFocus<T extends HTMLElement>(step: unknown): RefObject<T | null> {
  const container = useRef<T>(null);
  useEffect(() => {
    const heading = container.current?.querySelector<HTMLElement>('h1, h2');
    const field = container.current?.querySelector<HTMLElement>(FIELD);
    heading?.setAttribute('tabindex', '-1');
    const first = matchMedia('(pointer: coarse)').matches ? (heading ?? field) : (field ?? heading);
    first?.focus();
  }, [step]);
  return container;
}
