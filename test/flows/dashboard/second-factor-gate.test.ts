import { randomBytes } from 'node:crypto';

import { Secret, TOTP } from 'otpauth';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { launchChromium } from '#test/support/chromium.ts';
import { addAxe, expectNoLayoutProblems, visitDashboard } from '#test/support/browser-session.ts';
import { TIMEOUT } from '#test/support/dashboard.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';

const ADMIN = { email: 'operator@example.com', password: 'a long enough password' };

let gateway: TestGateway;
let root: string;
let browser: Browser;

beforeAll(async () => {
  gateway = await startTestGateway({
    environment: {
      MODE: 'production',
      PUBLIC_URL: 'https://pay.example.com',
      JWT_SECRET: 'a secret of forty characters for tests!!',
      ENCRYPTION_KEY: randomBytes(32).toString('hex'),
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
    },
  });
  root = gateway.baseUrl.replace(/\/v1$/, '');
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  await gateway.stop();
});

/** Sets up the second factor, with a wrong password and a wrong code on the way. */
async function setUp(page: Page): Promise<readonly string[]> {
  await page.getByRole('button', { name: 'Ativar' }).click();
  const dialog = page.getByRole('dialog', { name: 'Aplicativo autenticador' });
  await dialog.getByLabel('Senha').fill('another password');
  await dialog.getByRole('button', { name: 'Continuar' }).click();
  await dialog.getByText('Senha incorreta.').waitFor();
  await dialog.getByLabel('Senha').fill(ADMIN.password);
  await dialog.getByRole('button', { name: 'Continuar' }).click();

  await dialog.getByRole('img', { name: 'QR Code para o aplicativo autenticador' }).waitFor();
  await expectNoLayoutProblems(page, 'the QR code');
  const secret = await dialog.getByLabel('Chave do autenticador', { exact: true }).last().innerText();
  const totp = new TOTP({ secret: Secret.fromBase32(secret.trim()) });
  const code = totp.generate();
  await dialog.getByLabel('Código', { exact: true }).fill(code === '000000' ? '000001' : '000000');
  await dialog.getByRole('button', { name: 'Confirmar' }).click();
  await dialog.getByText('Código incorreto.').waitFor();
  await dialog.getByLabel('Código', { exact: true }).fill(totp.generate());
  await dialog.getByRole('button', { name: 'Confirmar' }).click();

  const shown = page.getByRole('dialog', { name: 'Copie e guarde os códigos de recuperação' });
  await shown.waitFor();
  await expectNoLayoutProblems(page, 'the recovery codes');
  const label = 'códigos de recuperação';
  const codes = await shown.getByLabel(label, { exact: true }).innerText();
  await shown.getByRole('button', { name: 'Já salvei' }).click();
  return codes.trim().split(/\s+/);
}

describe('an operator without a second factor, outside the sandbox', TIMEOUT, () => {
  it('sees only the setup, and the back office after it', async () => {
    const requested = new Set<string>();
    let recoveryCodes: readonly string[] = [];
    const context = { bypassCSP: true, viewport: { width: 1280, height: 800 } };
    const visited = await visitDashboard(browser, root, '/operator', ADMIN, context, async (page) => {
      await page.getByRole('heading', { name: 'Configure a verificação em duas etapas' }).waitFor();
      page.on('request', (request) => requested.add(new URL(request.url()).pathname));
      const next = page.getByRole('main').getByRole('button', { name: 'Continuar' });
      expect(await next.isDisabled()).toBe(true);
      expect(await page.getByRole('navigation').count()).toBe(0);
      await addAxe(page);
      await expectNoLayoutProblems(page, 'the setup');
      recoveryCodes = await setUp(page);
      await page.getByText('Ativado', { exact: true }).waitFor();
      // The operator continues once the recovery codes are saved.
      expect([...requested].filter((path) => path.startsWith('/v1/admin'))).toEqual([]);
      await next.click();
    });
    const { page, complaints } = visited;
    await page.getByRole('heading', { level: 1, name: 'Operação' }).waitFor();
    expect(recoveryCodes.length).toBeGreaterThan(1);
    // The browser logs the responses to the wrong password and the wrong code.
    expect(complaints.filter((text) => !text.includes('422'))).toEqual([]);

    // The next sign-in requires a code and no setup.
    await visited.context.close();
    const again = await visitDashboard(browser, root, '/operator', ADMIN, {}, async (other) => {
      await other.getByLabel('Código').fill(recoveryCodes[0] ?? '');
      await other.getByRole('button', { name: 'Confirmar' }).click();
    });
    await again.page.getByRole('heading', { level: 1, name: 'Operação' }).waitFor();
    await again.context.close();
  });
});
