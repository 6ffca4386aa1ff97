/** What Tab reaches. */
const REACHABLE = 'a[href], button, input, select, textarea, summary, [tabindex]';
/** What a place is looked for in. Beyond it is another page or dialog. */
const BOUNDARY = 'main, [role="dialog"], body';

const isReachable = (element: HTMLElement): boolean =>
  element.tabIndex >= 0 &&
  !element.matches(':disabled') &&
  element.closest('[inert], [aria-hidden="true"]') === null &&
  element.checkVisibility({ visibilityProperty: true });

const reachableIn = (part: HTMLElement): readonly HTMLElement[] =>
  [part, ...part.querySelectorAll<HTMLElement>(REACHABLE)].filter(
    (element) => element.matches(REACHABLE) && isReachable(element),
  );

const nameOf = (element: HTMLElement): string => {
  const label = element instanceof HTMLInputElement ? element.labels?.[0] : undefined;
  return element.getAttribute('aria-label') ?? (label ?? element).textContent.trim();
};

/** Where an element is in one of the elements that contain it. */
interface Step {
  readonly part: HTMLElement;
  /** Among the controls of the part. */
  readonly index: number;
  /** The child that contains the element, or is it. */
  readonly child: HTMLElement;
  readonly childIndex: number;
  readonly children: number;
}

/** Where an element was, from its parent outwards. */
export interface Place {
  readonly element: HTMLElement;
  readonly name: string;
  readonly steps: readonly Step[];
}

export function placeOf(element: HTMLElement): Place {
  const steps: Step[] = [];
  const boundary = element.closest(BOUNDARY);
  for (let child = element; child !== boundary && child.parentElement !== null;) {
    const part = child.parentElement;
    const childIndex = [...part.children].indexOf(child);
    const index = reachableIn(part).indexOf(element);
    steps.push({ part, index, child, childIndex, children: part.childElementCount });
    child = part;
  }
  return { element, name: nameOf(element), steps };
}

/** A part that was rendered anew where the removed one was. */
function replacementOf({ part, child, childIndex, children }: Step): HTMLElement | undefined {
  const now = part.children[childIndex];
  const isReplaced = now !== child && !child.isConnected && part.childElementCount === children;
  return isReplaced && now instanceof HTMLElement && now.localName === child.localName ? now : undefined;
}

/** The control with the same name, or the one before, or the first one. */
function nearestOf(controls: readonly HTMLElement[], index: number, name: string): HTMLElement | undefined {
  const [same] = controls
    .map((control, at) => ({ control, distance: Math.abs(at - index) }))
    .filter(({ control }) => nameOf(control) === name)
    .toSorted((a, b) => a.distance - b.distance);
  return same?.control ?? controls[Math.min(index, controls.length) - 1] ?? controls[0];
}

/** The whole page, whose heading has the focus instead. */
const isPage = (part: HTMLElement): boolean => part.matches(BOUNDARY) || part.querySelector('h1') !== null;

/**
 * Moves the focus to what is nearest to a place whose element is gone, in the smallest part that is
 * left. Returns false if nothing is left but the page.
 */
export function focusNearest({ element, name, steps }: Place): boolean {
  for (const [at, step] of steps.entries()) {
    const { part, child, index } = step;
    if (!part.isConnected) continue;
    const replacement = replacementOf(step);
    const inside = steps[at - 1]?.part === child ? steps[at - 1]?.index : 0;
    const found =
      (replacement && nearestOf(reachableIn(replacement), inside ?? 0, name)) ??
      (isPage(part)
        ? undefined
        : nearestOf(
            reachableIn(part).filter((one) => one !== element),
            index,
            name,
          ));
    if (found !== undefined) {
      found.focus();
      return true;
    }
    if (isPage(part)) return false;
  }
  return false;
}
