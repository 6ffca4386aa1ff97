import { randomUUID } from 'node:crypto';

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { addAxe, expectNoLayoutProblems, go, visitDashboard } from '#test/support/browser-session.ts';
import { launchChromium } from '#test/support/chromium.ts';
import { TIMEOUT } from '#test/support/dashboard.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';

let gateway: TestGateway;
let browser: Browser;

beforeAll(async () => {
  gateway = await startTestGateway();
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  await gateway.stop();
});

/** Chromium's own authenticator in software, which verifies its user at once. */
async function addVirtualAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      automaticPresenceSimulation: true,
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  });
}

/** Adds a passkey in the settings, and gives it another name. */
async function addPasskey(page: Page): Promise<void> {
  await page.getByText('Nenhuma chave de acesso ainda.').waitFor();
  await page.getByRole('button', { name: 'Adicionar chave de acesso' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Nome (opcional)').fill('Celular da Bia');
  await dialog.getByRole('button', { name: 'Continuar' }).click();
  await page.getByRole('button', { name: 'Já salvei' }).click();
  await page.getByRole('button', { name: 'Renomear: Celular da Bia' }).click();
  await dialog.getByLabel('Nome').fill('Celular novo');
  await dialog.getByRole('button', { name: 'Salvar' }).click();
  await page.getByRole('button', { name: 'Excluir Celular novo' }).waitFor();
}

it('signs in and steps up with a passkey in the dashboard', TIMEOUT, async () => {
  const owner = { email: `${randomUUID()}@example.com`, password: 'a long enough password' };
  const user = { name: 'Bia', role: 'OWNER', ...owner };
  const token = await gateway.adminToken();
  await gateway.post(`/admin/sellers/${gateway.demo.seller.id}/users`, user, { token });
  const root = gateway.baseUrl.replace(/\/v1$/, '').replace('127.0.0.1', 'localhost');
  const context = { bypassCSP: true, viewport: { width: 360, height: 800 } };
  const { page, complaints } = await visitDashboard(browser, root, '/settings', owner, context);
  await page.getByRole('button', { name: 'Alterar senha' }).click();
  await page.getByText('Preencha este campo.').waitFor();
  await page.getByText('Use pelo menos 10 caracteres.').waitFor();
  await addVirtualAuthenticator(page);
  await addPasskey(page);
  await addAxe(page);
  await expectNoLayoutProblems(page, 'the settings with a passkey', { widths: [360] });

  const signOut = async () => {
    await page.getByRole('button', { name: 'Sua conta' }).click();
    await page.getByRole('menuitem', { name: 'Sair' }).click();
  };
  const usePasskey = page.getByRole('button', { name: 'Usar chave de acesso' });
  await signOut();
  await usePasskey.click();
  await page.getByRole('button', { name: 'Sua conta' }).waitFor();

  // As the second factor, after the password.
  await signOut();
  await page.getByLabel('E-mail').fill(owner.email);
  await page.getByLabel('Senha').fill(owner.password);
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
  await page.getByText('Use uma das suas chaves de acesso').waitFor();
  await usePasskey.click();
  await page.getByRole('button', { name: 'Sua conta' }).waitFor();

  await gateway.advance(5 * 60 + 1);
  await go(page, '/developers/keys');
  await page.getByRole('button', { name: 'Criar chave' }).first().click();
  await page.getByRole('dialog').getByLabel('Nome da chave').fill('servidor da loja');
  await page.getByRole('dialog').getByRole('button', { name: 'Criar', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirme sua identidade' });
  await dialog.waitFor();
  await addAxe(page);
  await expectNoLayoutProblems(page, 'the step-up', { widths: [360] });
  await dialog.getByRole('button', { name: 'Confirmar' }).click();
  await dialog.locator('input:focus[aria-invalid="true"]').waitFor();
  await dialog.getByText('Informe sua senha.').waitFor();
  await dialog.getByLabel('Senha').fill('another password');
  await dialog.getByRole('button', { name: 'Confirmar' }).click();
  await dialog.getByText('Senha incorreta.').waitFor();
  await dialog.getByRole('button', { name: 'Usar chave de acesso' }).click();
  await page.getByLabel('chave de API', { exact: true }).waitFor();

  // The owner of the team requests a reset of the second factor, which its user cancels.
  const team = await visitDashboard(browser, root, '/team', gateway.demo.seller);
  await team.page.getByRole('button', { name: 'Redefinir verificação em duas etapas: Bia' }).click();
  await team.page
    .getByRole('dialog')
    .getByRole('button', { name: 'Redefinir verificação em duas etapas' })
    .click();
  await team.page.getByText(/A verificação em duas etapas será removida (em|amanhã)/).waitFor();
  await page.reload();
  await page.getByText('Sua verificação em duas etapas será removida').waitFor();
  await page.getByRole('button', { name: 'Cancelar redefinição' }).click();
  await page.getByText('Sua verificação em duas etapas será removida').waitFor({ state: 'hidden' });
  await team.context.close();

  // Without a session, the browser that knows a passkey suggests it.
  await page.context().clearCookies();
  await page.evaluate(`localStorage.removeItem('vereda-session')`);
  await page.goto(`${root}/dashboard/`);
  await page.getByRole('button', { name: 'Sua conta' }).waitFor();
  // The browser logs the empty form, the request for the step-up and the wrong password.
  expect(complaints.filter((text) => !/40[013]|422/.test(text))).toEqual([]);
});
