import { createRequire } from 'node:module';

import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';

/** The dashboard in a browser. */

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string | null;
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
  }[];
}

/** Navigates inside the dashboard, as its links do. */
export const go = (page: Page, path: string) =>
  page.evaluate(
    `history.pushState({}, '', ${JSON.stringify(`/dashboard${path}`)}); dispatchEvent(new PopStateEvent('popstate'))`,
  );

export interface AccessibilityOptions {
  /** A CSS selector; the whole document by default. */
  readonly part?: string;
  /**
   * `colors` checks a page in another color scheme, and `none` only whether it fits; `all` is the
   * default.
   */
  readonly rules?: keyof typeof RULES | 'none';
}

/** axe's rules of the category `cat.color` that are on by default. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

const RULES = {
  all: {},
  colors: { runOnly: { type: 'rule', values: COLOR_RULES } },
} as const;

/** Texts and choices of which a part cannot be seen, unless an ellipsis says so. */
const CUT = `[...document.querySelectorAll('body *')]
  .filter((element) => {
    if (element.matches('[aria-haspopup="listbox"]')) return element.scrollWidth > element.clientWidth + 1;
    if (![...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '')) return false;
    const { overflowX, textOverflow, clipPath, position } = getComputedStyle(element);
    const isHidden = !element.checkVisibility() || (position === 'absolute' && element.clientWidth < 2) || clipPath !== 'none';
    if (isHidden || element.matches('style, script, .band') || textOverflow === 'ellipsis') return false;
    const isClipped = overflowX !== 'visible' && !['auto', 'scroll'].includes(overflowX);
    return isClipped && element.scrollWidth > element.clientWidth + 1;
  })
  .map((element) => element.outerHTML.slice(0, 200))`;

const CONTROLS = 'a, button, input, select, textarea, summary, [role=menuitem], [role=option], [role=tab]';
const AROUND = 'label, .openable, .tile, .mantine-Input-wrapper';
/**
 * Controls that are too small for a finger. What contains a field or a link belongs to it. A link
 * inside of a text is as high as its line, and a week of a calendar as wide as the screen.
 */
const smallTargets = (part: string): string => `[...document.querySelectorAll('${CONTROLS}')]
  .filter((element) => innerWidth < 400 && element.closest('${part}'))
  .filter((element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
  .filter((element) => !element.closest('[inert]') && getComputedStyle(element).display !== 'inline')
  .map((element) => ({
    element,
    boxes: [element, element.closest('${AROUND}'), ...(element.labels ?? [])]
      .filter((one) => one !== null)
      .map((one) => one.getBoundingClientRect()),
  }))
  .filter(({ boxes: [own, ...others] }) => own.x >= 0 && own.width > 1 &&
    ![own, ...others].some(({ width, height }) => width >= 40 && height >= 43.5))
  .map(({ element, boxes: [{ width, height }] }) =>
    'small, ' + width + ' x ' + height + ': ' + element.outerHTML.slice(0, 200))`;

/**
 * Serious and critical accessibility violations of the page, and whether it overflows its viewport,
 * cuts texts off, or, on a phone, has small controls. The script `AXE` must have been added to the
 * page.
 */
export async function layoutProblems(
  page: Page,
  { part, rules = 'all' }: AccessibilityOptions = {},
): Promise<readonly string[]> {
  // `preload` is for rules that read style sheets; all of those are experimental and off.
  const context = part === undefined ? 'document' : JSON.stringify(part);
  const check = (options: object) =>
    page.evaluate<AxeResult>(`axe.run(${context}, ${JSON.stringify(options)})`);
  const { violations } =
    rules === 'none'
      ? { violations: [] }
      : await check({ resultTypes: ['violations'], preload: false, ...RULES[rules] });
  const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  const cut = await page.evaluate<readonly string[]>(CUT);
  const small = await page.evaluate<readonly string[]>(smallTargets(part ?? 'html'));
  return [
    ...violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) =>
        nodes
          // Mantine's menus have a focus placeholder beside their items, which this rule does not
          // know.
          .filter(({ html }) => id !== 'aria-required-children' || !html.includes('data-menu-dropdown'))
          .map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
      ),
    ...(overflow > 0 ? [`wider than the viewport by ${overflow} pixels`] : []),
    ...cut.map((html) => `cut off: ${html}`),
    ...small,
  ];
}

/**
 * Checks the page at two widths, each in another color scheme: colors do not depend on the width,
 * nor does the rest on the scheme. The next page is checked with them the other way round.
 */
export async function expectNoLayoutProblems(
  page: Page,
  name: string,
  { part, widths = [1280, 360] }: { readonly part?: string; readonly widths?: readonly number[] } = {},
): Promise<void> {
  const isDark = await page.evaluate<boolean>(`matchMedia('(prefers-color-scheme: dark)').matches`);
  const schemes: readonly ColorScheme[] = isDark ? ['dark', 'light'] : ['light', 'dark'];
  for (const [index, colorScheme] of schemes.entries()) {
    const width = widths[index] ?? widths[0] ?? 0;
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' });
    const rules = index < widths.length ? 'all' : 'colors';
    const options = { rules, ...(part === undefined ? {} : { part }) } as const;
    expect.soft(await layoutProblems(page, options), `${name}, ${colorScheme}, ${width}`).toEqual([]);
  }
}

type ColorScheme = 'light' | 'dark';

/**
 * Adds axe to the page, and ends transitions so that it sees final colors. The page needs
 * `bypassCSP`.
 */
export async function addAxe(page: Page): Promise<void> {
  if (await page.evaluate<boolean>(`'axe' in window`)) return;
  await page.addScriptTag({ path: AXE });
  await page.addStyleTag({
    content: '*, ::before, ::after { transition: none !important; animation: none !important }',
  });
}

/**
 * The role, name and states of each element in the accessibility tree, such as `textbox Valor,
 * required, invalid: Informe um valor`.
 */
async function spokenOn(page: Page): Promise<readonly string[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  await session.detach();
  return nodes
    .filter(({ ignored }) => !ignored)
    .map(({ role, name, description, properties = [] }) => {
      const is = (state: string) =>
        properties.some((one) => one.name === state && String(one.value.value) === 'true');
      const invalid = is('invalid') ? `, invalid: ${String(description?.value)}` : '';
      return `${String(role?.value)} ${String(name?.value)}${is('required') ? ', required' : ''}${invalid}`;
    })
    .map((text) => text.replaceAll(/\s/g, ' '));
}

/** Waits until the accessibility tree of the page contains these roles, names and states. */
export async function expectSpoken(page: Page, texts: readonly string[]): Promise<void> {
  const all = expect.arrayContaining([...texts]);
  await expect.poll(() => spokenOn(page), { timeout: 10_000 }).toEqual(all);
}

export interface Visit {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Script errors and violations of the Content-Security-Policy. */
  readonly complaints: string[];
  /** Requested URLs of other origins. */
  readonly elsewhere: string[];
  /**
   * Instead of `context.close()`: leaves the page to the next visit, which needs neither to compile
   * the dashboard nor, for the same user, to sign in. Not after a sign-out or a change of the
   * clock.
   */
  readonly leave: () => Promise<void>;
}

type ContextOptions = NonNullable<Parameters<Browser['newContext']>[0]>;

interface Left {
  readonly visit: Omit<Visit, 'leave'>;
  readonly email: string;
  readonly signedInAt: number;
}

/** Some actions require a sign-in of the last five minutes. A test has the rest of them. */
const MAX_SESSION_MS = 60_000;

/** Pages that tests have left. A failed test leaves none. */
const left = new WeakMap<Browser, Map<string, Left>>();

/** Opens a path of the dashboard, signed in, and waits for its screen. */
export async function visitDashboard(
  browser: Browser,
  root: string,
  path: string,
  user: Credentials,
  { viewport = { width: 1280, height: 720 }, ...options }: ContextOptions = {},
  afterPassword?: (page: Page) => Promise<void>,
): Promise<Visit> {
  const pages = left.get(browser) ?? new Map<string, Left>();
  left.set(browser, pages);
  const key = JSON.stringify([root, options]);
  const last = pages.get(key);
  pages.delete(key);
  const visit = last?.visit ?? (await newVisit(browser, root, { viewport, ...options }));
  const { page, complaints, elsewhere } = visit;
  if (last !== undefined) {
    if (viewport !== null) await page.setViewportSize(viewport);
    const isOld = performance.now() - last.signedInAt > MAX_SESSION_MS;
    if (isOld || last.email !== user.email || afterPassword !== undefined) await forgetSession(page, root);
    complaints.length = 0;
    elsewhere.length = 0;
  }
  await page.goto(`${root}/dashboard${path}`);
  const account = page.getByRole('button', { name: 'Sua conta' });
  const enter = page.getByRole('button', { name: 'Entrar', exact: true });
  await account.or(enter).waitFor();
  // A session that was left may have ended since.
  let signedInAt = last?.signedInAt ?? 0;
  if (await enter.isVisible()) {
    signedInAt = performance.now();
    if (last !== undefined) complaints.length = 0;
    await page.getByLabel('E-mail').fill(user.email);
    await page.getByLabel('Senha').fill(user.password);
    await enter.click();
    await afterPassword?.(page);
    await account.waitFor();
  }
  const leave = async () => {
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.emulateMedia({ colorScheme: 'light' });
    await page.evaluate(FORGET_CHOICES);
    await page.goto('about:blank');
    pages.set(key, { visit, email: user.email, signedInAt });
  };
  return { ...visit, leave };
}

/** Keeps the mark of a session in the browser. */
const FORGET_CHOICES = `sessionStorage.clear();
  for (const name of Object.keys(localStorage)) if (name !== 'vereda-session') localStorage.removeItem(name)`;

async function forgetSession(page: Page, root: string): Promise<void> {
  await page.context().clearCookies();
  await page.goto(`${root}/v1/health`);
  await page.evaluate('localStorage.clear()');
}

/** A script that sets whether the user of the browser saves data. */
export const savesData = (saveData: boolean): string =>
  `Object.defineProperty(navigator, 'connection', { value: { saveData: ${saveData} }, configurable: true })`;

async function newVisit(
  browser: Browser,
  root: string,
  options: ContextOptions,
): Promise<Omit<Visit, 'leave'>> {
  const context = await browser.newContext({ locale: 'pt-BR', reducedMotion: 'reduce', ...options });
  // Preloading all screens takes half a second of processor time in each context.
  await context.addInitScript(savesData(true));
  const page = await context.newPage();
  const complaints: string[] = [];
  const elsewhere: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin !== root && !['data:', 'blob:'].includes(url.protocol)) elsewhere.push(url.href);
  });
  return { context, page, complaints, elsewhere };
}
