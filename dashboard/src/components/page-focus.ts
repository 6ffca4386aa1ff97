import { useEffect, useRef, type RefObject } from 'react';

import { focusElement, isTouchScreen } from './first-focus.ts';

/** Moves the focus to the heading of the page, where reading begins. */
export function focusHeading(): void {
  const heading = document.querySelector<HTMLElement>('main h1');
  if (heading !== null) focusElement(heading);
}

/**
 * The first page of a visit leaves the focus at its start, where the link to the content is. After
 * the sign-in it is not the first: the field that had the focus is gone.
 */
let isFirst = true;
export function endFirstPage(): void {
  isFirst = false;
}

/**
 * A ref of the heading of a page. When the page opens, the field marked with `data-autofocus` has
 * the focus, or else the heading.
 */
export function usePageFocus(): RefObject<HTMLHeadingElement | null> {
  const ref = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const heading = ref.current;
    const field = heading?.closest('main')?.querySelector<HTMLElement>('[data-autofocus]') ?? undefined;
    const target = isTouchScreen() || field === undefined ? heading : field;
    if (target !== null && (!isFirst || field !== undefined)) focusElement(target);
    endFirstPage();
  }, []);
  return ref;
}
