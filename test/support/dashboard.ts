import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';

import type { ApiResponse } from '#test/support/client.ts';
import type { TestGateway } from '#test/support/gateway.ts';
import { visitDashboard, type Credentials, type Visit } from './browser-session.ts';

/** Timeout for a browser on a busy machine. */
export const TIMEOUT = { timeout: 180_000 };

export interface VisitOptions {
  readonly context?: Parameters<Browser['newContext']>[0];
  readonly user?: Credentials;
}

/** Opens the dashboard at a path and signs in, by default as the demo seller. */
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

/** Exports the first row, which is selected: as in the export of the whole list. */
export async function expectSelectionExported(page: Page, { text }: ApiResponse): Promise<void> {
  await page.getByRole('button', { name: 'Exportar CSV' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Exportar seleção (1)' }).click();
  const saved = await readFile(await (await download).path(), 'utf8');
  const [header, first] = text.replace('\uFEFF', '').split('\r\n');
  expect(saved).toBe(`\uFEFF${header}\r\n${first}\r\n`);
}

/** A new seller and its owner. */
export async function newShop(gateway: TestGateway) {
  const owner = { email: `${randomUUID()}@example.com`, password: 'a long enough password' };
  const token = await gateway.adminToken();
  const made = await gateway.post(
    '/admin/sellers',
    {
      name: 'Loja Nova',
      documentType: 'CNPJ',
      document: '11222333000181',
      ownerName: 'Dona Nova',
      ownerEmail: owner.email,
      ownerPassword: owner.password,
    },
    { token },
  );
  expect(made.status).toBe(201);
  const id = String(made.body.data.id);
  await gateway.patch(
    `/admin/sellers/${id}`,
    { requestsPerMinute: 1_000_000, autoApproveUpTo: 0 },
    { token },
  );
  return { id, owner };
}
