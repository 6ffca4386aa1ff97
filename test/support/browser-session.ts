import { createRequire } from 'node:module';

import type { Browser, BrowserContext, Page } from 'playwright-core';

/** The dashboard in a browser, as somebody uses it. */

export const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

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

/** Goes elsewhere inside the dashboard, as its links do. */
export const go = (page: Page, path: string) =>
  page.evaluate(
    `history.pushState({}, '', ${JSON.stringify(`/dashboard${path}`)}); dispatchEvent(new PopStateEvent('popstate'))`,
  );

/** What axe finds serious or critical on the page as it is. */
export async function grave(page: Page): Promise<readonly string[]> {
  const { violations } = await page.evaluate<AxeResult>('axe.run({ resultTypes: ["violations"] })');
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`));
}

export interface Visit {
  readonly context: BrowserContext;
  readonly page: Page;
  /** What the browser complained of: errors of scripts, and what the Content-Security-Policy stopped. */
  readonly complaints: string[];
  /** Addresses that were asked for and lie elsewhere. */
  readonly elsewhere: string[];
}

/** Signs in at an address of the dashboard; afterwards its screen is there. */
export async function visitDashboard(
  browser: Browser,
  root: string,
  path: string,
  { email, password }: Credentials,
  options: Parameters<Browser['newContext']>[0] = {},
  afterPassword: (page: Page) => Promise<void> = async () => undefined,
): Promise<Visit> {
  const context = await browser.newContext({ locale: 'pt-BR', reducedMotion: 'reduce', ...options });
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
  await page.goto(`${root}/dashboard${path}`);
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Senha').fill(password);
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
  await afterPassword(page);
  await page.getByRole('button', { name: 'Sua conta' }).waitFor();
  return { context, page, complaints, elsewhere };
}
