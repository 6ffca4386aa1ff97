import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

type Role = Parameters<Page['getByRole']>[0];

/** Stops on the way to a control, on the longest screen. */
const MAX_STOPS = 80;
/** What has the focus, if it is outside of the window or covered. Toasts go by themselves. */
export const COVERED = `(() => {
  const { activeElement } = document;
  if (activeElement === null || activeElement === document.body) return undefined;
  const { x, y, width, height } = activeElement.getBoundingClientRect();
  // Hidden inputs of chips and segments have no size.
  if (width < 4 || height < 4 || activeElement.matches('main, [role=region]')) return undefined;
  const top = document.elementFromPoint(x + Math.min(width, 80) / 2, y + Math.min(height, 40) / 2);
  const isSeen = top !== null && (activeElement.contains(top) || top.contains(activeElement) ||
    activeElement.parentElement.contains(top) || top.closest('.mantine-Notifications-root') !== null);
  return isSeen ? undefined
    : activeElement.outerHTML.slice(0, 200) + ' is covered by ' + top?.outerHTML.slice(0, 200);
})()`;

/** A user without a mouse. */
export interface Keyboard {
  /** Waits until a control has the focus, without pressing a key. */
  readonly expectFocus: (role: Role, name: string | RegExp) => Promise<void>;
  /** Presses Tab until a control has the focus. Each stop on the way must be visible. */
  readonly tabTo: (role: Role, name: string | RegExp) => Promise<void>;
  readonly press: (...keys: readonly string[]) => Promise<void>;
  readonly type: (text: string) => Promise<void>;
  /** Finds a screen with Ctrl+K. */
  readonly open: (screen: string, heading: string) => Promise<void>;
}

export function keyboardOf(page: Page): Keyboard {
  const focused = (role: Role, name: string | RegExp): Locator =>
    page.locator(':focus').and(page.getByRole(role, { name, exact: typeof name === 'string' }));
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const expectFocus = async (role: Role, name: string | RegExp) => {
    await focused(role, name)
      .waitFor({ timeout: 20_000 })
      .catch(async () => {
        const found = await page.evaluate<string>('document.activeElement?.outerHTML.slice(0, 300)');
        throw new Error(`${role} ${String(name)} should have the focus, which is at ${found}`);
      });
  };
  const type = (text: string) => page.keyboard.type(text);
  return {
    expectFocus,
    press,
    type,
    tabTo: async (role, name) => {
      await page
        .getByRole(role, { name, exact: typeof name === 'string' })
        .first()
        .waitFor();
      for (let stop = 0; stop < MAX_STOPS; stop += 1) {
        await press('Tab');
        await expect.poll(() => page.evaluate(COVERED), { interval: 10 }).toBeUndefined();
        if ((await focused(role, name).count()) > 0) return;
      }
      throw new Error(`Tab does not reach ${role} ${String(name)}`);
    },
    open: async (screen, heading) => {
      await press('Control+k');
      await page
        .locator(':focus')
        .and(page.getByPlaceholder(/ID (?:ou tela|or screen)/))
        .waitFor();
      await type(screen);
      await page.getByRole('option', { name: screen }).first().waitFor();
      await press('ArrowDown', 'Enter');
      await expectFocus('heading', heading);
    },
  };
}
