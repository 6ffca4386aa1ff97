import i18next from 'i18next';
import { beforeAll, expect, it } from 'vitest';

import { pt as sellerPt } from '../../i18n/pt.ts';
import { fieldLabel } from '../components/labels.ts';
import { pt } from '../i18n/pt.ts';
import { changes, formatValue } from './changes.ts';

beforeAll(() =>
  i18next.init({
    lng: 'pt-BR',
    resources: { 'pt-BR': { translation: { ...sellerPt, operator: pt } } },
    interpolation: { escapeValue: false },
  }),
);

it.each([
  ['withdrawal', 'resolvedAt', '2026-03-02T13:05:00.000Z', '02/03/2026 10:05'],
  ['settlement-file', 'day', '2026-03-02', '02/03/2026'],
  ['operation', 'reason', 'permission_denied', 'Sem permissão'],
  ['operation', 'reason', 'email_taken', 'E-mail já em uso'],
  ['user', 'reason', 'wrong_password', 'Senha incorreta'],
  ['cnab-return-line', 'decision', 'DISMISSED', 'Descartada'],
  ['approval', 'request', 'user.create', 'Adicionar um usuário'],
  ['settings', 'twoPersonApprovalAbove', 1_000_000, 'R$ 10.000,00'],
  ['settings', 'twoPersonApprovalAbove', null, 'Desativada'],
  ['seller', 'autoApproveUpTo', 0, 'Desativada'],
  ['seller', 'chargebackFee', 0, 'R$ 0,00'],
  ['seller', 'status', 'SUSPENDED', 'Suspensa'],
  ['application', 'status', 'SUBMITTED', 'Em análise'],
  ['subscription', 'status', 'PAST_DUE', 'Em atraso'],
  ['invoice', 'status', 'PENDING', 'Em aberto'],
  ['payment-link', 'status', 'INACTIVE', 'Desativado'],
  ['user', 'browser', 'Chrome on Linux', 'Chrome no Linux'],
  ['withdrawal', 'method', 'CRYPTO', 'Cripto'],
  ['withdrawal', 'origin', 'CARD', 'Cartão'],
])('renders a %s with %s %s as %s', (recordType, member, value, text) => {
  expect(formatValue(recordType, member, value).replaceAll('\u00A0', ' ')).toBe(text);
});

it('renders fees in their units, with the number of installments', () => {
  const creditCard = { type: 'PERCENTAGE', singleInstallment: 399, twoInstallments: 508 };
  const rows = changes(
    { pixIn: { type: 'PERCENTAGE', value: 99 }, creditCard },
    { pixIn: { type: 'FIXED', value: 99 }, creditCard: { ...creditCard, twoInstallments: 500 } },
  );
  const texts = rows.map(({ member, was, is }) => [
    member.split('.').map(fieldLabel).join(' · '),
    ...[was, is].map((value) => formatValue('fees', member, value).replaceAll('\u00A0', ' ')),
  ]);
  expect(texts).toEqual([
    ['Recebimento por Pix · tipo', 'Percentual', 'Valor fixo'],
    ['Recebimento por Pix · valor', '0,99%', 'R$ 0,99'],
    ['Recebimento por cartão · em 2x', '5,08%', '5,00%'],
  ]);
});
