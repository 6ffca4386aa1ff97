/** Expressions for pages of any engine. */

type Size = readonly [number, number];
export const PHONE: Size = [390, 844];
export const DESKTOP: Size = [1280, 900];

const CONTROLS =
  'a, button, input, select, textarea, summary, h1, ' +
  'tr[tabindex], [role=button], [role=menuitem], [role=option]';
const NAMED = `
  const text = (element) => element?.innerText?.trim() || element?.querySelector('img[alt]')?.alt || '';
  const textOf = (element) =>
    element.getAttribute('aria-label') ||
    (element.getAttribute('aria-labelledby') ?? '').split(' ')
      .map((id) => text(document.getElementById(id))).join(' ').trim() ||
    text(element.labels?.[0]) || text(element) || element.getAttribute('alt') ||
    element.title || element.placeholder || '';
  const nameOf = (element) => textOf(element).replaceAll(/\\s+/g, ' ');
  const isShown = (element) =>
    element.checkVisibility({ visibilityProperty: true }) &&
    !element.closest('[inert], [aria-hidden=true]');`;
/** Controls that a user can reach, with their accessible names and states. */
export const LIST = `(() => { ${NAMED}
  return [...document.querySelectorAll('${CONTROLS}')]
    .filter(isShown)
    .map((element) => ({ element, name: nameOf(element) }));
})()`;
/** How many stops of Tab `window.wanted` is away from the focus. Negative if it is before it. */
export const STOPS = `(() => { ${NAMED}
  const { wanted, document: { activeElement } } = window;
  const isBefore = (one, other) => (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) > 0;
  const isForward = isBefore(activeElement, wanted);
  const isBetween = (element) => isForward
    ? isBefore(activeElement, element) && !isBefore(wanted, element)
    : isBefore(element, activeElement) && !isBefore(element, wanted);
  const stops = [...(wanted.closest('[role=dialog]') ?? document).querySelectorAll('${CONTROLS}')].filter(
    (element) => element.tabIndex >= 0 && !element.disabled && isBetween(element) && isShown(element));
  return isForward ? stops.length : -stops.length;
})()`;
export const FOCUSED = `(() => { ${NAMED}
  const { activeElement } = document;
  return activeElement.matches('${CONTROLS}') && isShown(activeElement) ? nameOf(activeElement) : undefined;
})()`;
const isTyped = ':not([type=checkbox], [type=radio], [type=hidden], [type=file])';

/** WebDriver has no log of WebKit. */
export const COLLECT = `(window.complaints = []) && ((texts) => {
  for (const name of ['error', 'unhandledrejection', 'securitypolicyviolation'])
    addEventListener(name, (event) => texts.push(String(event.message ?? event.reason ?? event.blockedURI)));
  console.error = (...all) => texts.push(all.join(' '));
})(window.complaints)`;

/** Fields that iOS zooms into, controls without a name, and what is wider than the screen. */
export const PROBLEMS = `${LIST}.flatMap(({ element, name }) => {
    const size = parseFloat(getComputedStyle(element).fontSize);
    const isSmall = innerWidth < 768 && element.matches('input${isTyped}, textarea, select') && size < 16;
    return [...(name === '' ? [element.outerHTML] : []), ...(isSmall ? [name + ': ' + size + ' px'] : [])];
  }).concat(document.documentElement.scrollWidth > innerWidth ? ['scrolls sideways'] : [])`;
