import { describe, expect, it } from 'vitest';

import type { Locale, MailParams, MailTemplate } from './templates/template.ts';
import { renderMail } from './render.ts';

const at = '2026-11-20T12:30:00.000Z';
const HOSTILE = 'Ana"><img src=x onerror=alert(1)>\r\n\u202EBcc: eve@example.com';

const UNPAID = {
  seller: HOSTILE,
  amount: 4990,
  description: HOSTILE,
  method: 'CREDIT_CARD',
  reason: 'insufficient funds',
  nextDate: '2026-11-22',
  payerToken: 'AaH7cBGiSzyNTl9qe4ydDp0sY3vLQqkXn5mB8tRfUeI',
};
const SUBSCRIBED = {
  seller: HOSTILE,
  amount: 123456,
  description: HOSTILE,
  payerToken: 'AaH7cBGi',
};

/** One mail of each template. Texts that people choose are hostile. */
const PARAMS: MailParams = {
  invitation: { inviter: HOSTILE, organization: HOSTILE, role: 'FINANCE' },
  'invitation-refused': { inviter: HOSTILE, organization: HOSTILE },
  'signup-confirmation': { organization: HOSTILE },
  'signup-refused': { organization: HOSTILE },
  'application-submitted': { organization: HOSTILE, sellerId: HOSTILE, message: HOSTILE },
  'application-question': { message: HOSTILE },
  'application-approved': { message: HOSTILE },
  'application-rejected': { message: HOSTILE },
  'password-reset': {},
  'new-device': { browser: 'Firefox on Linux', address: '203.0.*.*', at },
  'password-changed': { at },
  'two-factor-enabled': { at },
  'two-factor-disabled': { at },
  'passkey-added': { name: HOSTILE, at },
  'passkey-deleted': { name: HOSTILE, at },
  'second-factor-reset-requested': { user: HOSTILE, author: HOSTILE, dueAt: at },
  'second-factor-reset-canceled': { user: HOSTILE, at },
  'second-factor-reset': { user: HOSTILE, at },
  'api-key-created': { name: HOSTILE, prefix: 'sk_test_ab12', author: HOSTILE, at },
  'destination-added': { destination: HOSTILE, author: HOSTILE, at },
  'daily-summary': { date: '2026-11-19', count: 2, amount: 123_456 },
  'dispute-opened': { amount: 123_456, reason: 'product not received', days: 3, dueAt: at },
  'dispute-reminder': { amount: 123_456, reason: 'product not received', hours: 24, dueAt: at },
  receipt: { seller: HOSTILE, amount: 123_456, method: 'PIX', at },
  'boleto-reminder': {
    seller: HOSTILE,
    amount: 123456,
    dueDate: '2026-11-21',
    line: '23793.38128',
    url: 'https://pay.example.com/b/1',
  },
  'payment-failed': UNPAID,
  'subscription-past-due': { ...UNPAID, nextDate: null },
  'subscription-canceled': { ...UNPAID, description: '', nextDate: null },
  'subscription-created': { ...SUBSCRIBED, interval: 'MONTHLY' },
  'card-required': { ...SUBSCRIBED, date: '2026-12-20', problem: 'EXPIRES' },
  'webhook-disabled': {
    url: 'https://shop.example.com/hooks',
    reason: `Every attempt has failed for five days, since ${at}.`,
  },
  'withdrawal-paid': { amount: 123_456, destination: HOSTILE },
  'withdrawal-rejected': { amount: 123_456, destination: HOSTILE, reason: 'failed at the bank' },
};
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of the table above
const TEMPLATES = Object.keys(PARAMS) as MailTemplate[];
const LOCALES: readonly Locale[] = ['pt-BR', 'en'];

const TO_PAYERS: ReadonlySet<MailTemplate> = new Set([
  ...(['receipt', 'boleto-reminder', 'payment-failed'] as const),
  ...(['subscription-past-due', 'subscription-canceled'] as const),
  ...(['subscription-created', 'card-required'] as const),
]);

const render = (template: MailTemplate, locale: Locale, changes: object = {}) =>
  renderMail(
    {
      id: '01a1fb70-1a2b-4c3d-8e4f-5a6b7c8d9e0f',
      template,
      locale,
      params: { ...PARAMS[template], ...changes },
      token: 'tok',
    },
    'https://pay.example.com',
  );

describe('renderMail', () => {
  it.each(TEMPLATES)(
    'writes %s as text and HTML in both languages, without the markup of names',
    (template) => {
      const [pt, en] = LOCALES.map((locale) => render(template, locale));
      expect(pt?.subject).not.toBe(en?.subject);
      for (const [index, mail] of [pt, en].entries()) {
        expect(mail?.subject).toMatch(/^\S.*\S$/);
        expect(`${mail?.sender} ${mail?.subject}`).not.toMatch(/[\r\n\u202E]/);
        expect(mail?.text).not.toMatch(/^Bcc|\r|\u202E/m);
        expect(mail?.html).toContain(`lang="${LOCALES[index]}"`);
        expect(mail?.html).toContain('prefers-color-scheme: dark');
        expect(mail?.html).not.toMatch(/<img|\{\{|undefined|\[object/);
        expect(mail?.text).not.toMatch(/\{\{|undefined|\[object|NaN/);
      }
    },
  );

  it.each([
    [0, 'em menos de 1 dia', 'within 1 day'],
    [1, 'em até 1 dia', 'within 1 day'],
    [3, 'em até 3 dias', 'within 3 days'],
  ])('writes a deadline in %i days', (days, pt, en) => {
    expect(render('dispute-opened', 'pt-BR', { days }).subject).toContain(pt);
    expect(render('dispute-opened', 'en', { days }).subject).toContain(en);
  });

  it('translates what the gateway wrote in English', () => {
    const texts = (['new-device', 'dispute-opened', 'webhook-disabled', 'withdrawal-rejected'] as const).map(
      (template) => render(template, 'pt-BR').text,
    );
    expect(texts[0]).toContain('Dispositivo: Firefox no Linux');
    expect(texts[1]).toContain('Motivo: Produto não recebido');
    expect(texts[2]).toContain('Motivo: Todas as tentativas falharam por cinco dias, desde 20/11/2026.');
    expect(texts[3]).toContain('Motivo: Falha no banco');
    expect(render('dispute-opened', 'en').text).toContain('Reason: Product not received');
    expect(render('dispute-opened', 'en', { reason: 'MED: ACCOUNT_TAKEOVER' }).text).toContain(
      'Reason: MED: account takeover',
    );
    expect(render('webhook-disabled', 'en').text).toContain('since November 20, 2026 at 9:30 AM.');
  });

  it('names the team of the operator once', () => {
    const team = { inviter: 'Ana', organization: 'Vereda' };
    expect(render('invitation', 'pt-BR', team).subject).toBe('Ana convidou você para a equipe da Vereda');
    expect(render('invitation', 'en', team).subject).toBe('Ana invited you to the Vereda team');
    expect(render('invitation-refused', 'en', team).subject).toBe('Invitation to the Vereda team');
  });

  it('links to the password reset in the mail about a changed password', () => {
    const url = 'https://pay.example.com/dashboard/forgot-password';
    for (const locale of LOCALES) expect(render('password-changed', locale).text).toContain(url);
  });

  it('removes URLs from names in mails to people without an account', () => {
    const inviter = 'Your account is locked. Open https://evil.example/login or WWW.evil.example';
    const { subject, text } = render('invitation', 'en', { inviter });
    expect(`${subject} ${text}`).not.toContain('evil.example');
    expect(subject).toContain('Your account is locked. Open … or …');
  });

  it('makes domains in these names unfit for links, but keeps them readable', () => {
    const { subject, html } = render('invitation', 'en', { inviter: 'Loja.com.br S.A., 1.234' });
    expect(subject).toContain('Loja.\u2060com.\u2060br S.A.,');
    expect(html).not.toContain('com.br');
  });

  it('keeps an amount and its currency on one line', () => {
    expect(render('withdrawal-paid', 'pt-BR').html).toContain('Saque de R$\u00A01.234,56 pago');
    expect(render('withdrawal-paid', 'pt-BR').text).toContain('Saque de R$ 1.234,56 pago');
  });

  it('names the seller to payers, and lets only them unsubscribe', () => {
    for (const template of TEMPLATES) {
      const { sender, unsubscribeUrl, html } = render(template, 'en');
      const isForPayer = TO_PAYERS.has(template);
      expect([template, html.includes(`<a href="${unsubscribeUrl}">`)]).toEqual([template, isForPayer]);
      expect([template, sender === 'Vereda', unsubscribeUrl === undefined]).toEqual([
        template,
        !isForPayer,
        !isForPayer,
      ]);
    }
  });
});
