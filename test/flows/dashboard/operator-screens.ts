import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** The queue is polled every eight seconds. */
export const SOON = { timeout: 20_000 };

/** Each screen with its title, by which the test recognizes it. */
export const SCREENS: readonly (readonly [path: string, title: string | RegExp])[] = [
  ['', 'Operação'],
  ['/withdrawals', 'Saques'],
  ['/withdrawals?status=ALL', 'Saques'],
  ['/risk-reviews', 'Análise de risco'],
  ['/risk', 'Regras de risco'],
  ['/risk?tab=lists', 'Regras de risco'],
  ['/fees', 'Tarifas padrão'],
  ['/disputes', 'Disputas'],
  ['/disputes?open=DISPUTE', 'Disputas'],
  ['/reversals', 'Devoluções'],
  ['/return-lines', 'Linhas de retorno'],
  ['/transactions', 'Cobranças'],
  ['/transactions?open=CHARGE', 'Cobranças'],
  ['/sellers', 'Lojas'],
  ['/sellers/new', 'Cadastrar loja'],
  ['/sellers/SELLER', 'Loja'],
  ['/sellers/SELLER?tab=limits', 'Loja'],
  ['/sellers/SELLER?tab=fees', 'Loja'],
  ['/sellers/SELLER?tab=users', 'Loja'],
  ['/sellers/SELLER?tab=keys', 'Loja'],
  ['/provider-events', 'Eventos de provedores'],
  ['/reconciliation', 'Conciliação'],
  ['/cnab', 'Arquivos CNAB'],
  ['/webhooks', 'Webhooks'],
  ['/ledger', 'Livro-razão'],
  ['/audit', 'Auditoria'],
  ['/system', 'Saúde do sistema'],
  ['/privacy', 'Dados pessoais'],
  ['/team', 'Equipe'],
  ['/mails', 'E-mails'],
  ['/mailbox', 'E-mails de teste'],
  ['/rules', 'Regras de aprovação'],
];

/** Presses Enter once the dialog has the focus. */
export async function confirm(page: Page, name: RegExp): Promise<void> {
  const dialog = page.getByRole('dialog', { name });
  await dialog.locator('[data-autofocus]:focus').waitFor();
  await page.keyboard.press('Enter');
}

/** Waits until the screen has loaded its data. */
export async function screenLoaded(page: Page, title: string | RegExp): Promise<void> {
  await page.getByRole('heading', { level: 1, name: title }).waitFor();
  await expect.poll(() => page.getByRole('status', { name: 'Carregando' }).count(), SOON).toBe(0);
}
