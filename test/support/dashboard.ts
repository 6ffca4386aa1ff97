import type { Browser, Page } from 'playwright-core';

import type { TestGateway } from '#test/support/gateway.ts';
import { visitDashboard, type Credentials, type Visit } from './browser-session.ts';

/** A browser on a busy machine. */
export const PATIENCE = { timeout: 180_000 };

export interface VisitOptions {
  readonly context?: Parameters<Browser['newContext']>[0];
  readonly user?: Credentials;
}

/** Somebody opens the dashboard at an address and signs in; the demo's seller by default. */
export const visit = async (
  browser: Browser,
  { demo, baseUrl }: TestGateway,
  path: string,
  { context, user = demo.seller }: VisitOptions = {},
): Promise<Visit> => visitDashboard(browser, baseUrl.replace(/\/v1$/, ''), path, user, context);

export async function fillCharge(page: Page): Promise<void> {
  await page.getByLabel('Valor').fill('12345');
  await page.getByLabel('Descrição').fill('Caneca azul');
  await page.getByLabel('Nome completo').fill('Ana Souza');
  await page.getByLabel('CPF ou CNPJ').fill('529.982.247-25');
  await page.getByLabel('E-mail').fill('ana@example.com');
  await page.getByLabel('Celular com DDD').fill('(11) 98765-4321');
}

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string | null;
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
  }[];
}

/** What keeps people out of the screen, or a part of it, as it is now, and what does not fit into it. `AXE` must have been added to the page. */
export async function faultsOf(page: Page, part?: string): Promise<readonly string[]> {
  const { violations } = await page.evaluate<AxeResult>(
    `axe.run(${part === undefined ? 'document' : JSON.stringify(part)}, { resultTypes: ["violations"] })`,
  );
  const wide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  return [
    ...violations
      // Mantine's menus hold a place for the focus beside their items, which this rule does not know.
      .map(({ nodes, ...violation }) => ({
        ...violation,
        nodes: nodes.filter(
          ({ html }) => violation.id !== 'aria-required-children' || !html.includes('data-menu-dropdown'),
        ),
      }))
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
      ),
    ...(wide > 0 ? [`wider than the screen by ${wide} pixels`] : []),
  ];
}
