import { useEffect, useRef, type RefObject } from 'react';

/** A ref of the element that gets the focus when its screen opens, unless it is not wanted. */
export function useInitialFocus<Element extends HTMLElement>(isWanted = true): RefObject<Element | null> {
  const ref = useRef<Element>(null);
  useEffect(() => {
    if (isWanted) ref.current?.focus();
  }, [isWanted]);
  return ref;
}
