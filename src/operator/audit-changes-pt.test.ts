import { expect, it } from 'vitest';

import { membersInPortuguese } from './audit-changes-pt.ts';

const entry = (recordType: string, action = 'seller.updated') => ({
  id: '01a22015-e1fe-4d02-88a0-406c35069739',
  at: new Date('2026-03-02T13:05:00.000Z'),
  actor: { kind: 'GATEWAY', id: null, name: null, role: null, keyPrefix: null } as const,
  action,
  recordType,
  recordId: null,
  sellerId: null,
  before: null,
  after: null,
  requestId: null,
});

it.each([
  ['withdrawal', { resolvedAt: '2026-03-02T13:05:00.000Z' }, 'Decidida em: 02/03/2026 10:05:00'],
  ['settlement-file', { day: '2026-03-02' }, 'Dia: 02/03/2026'],
  ['operation', { reason: 'permission_denied' }, 'Motivo: Sem permissão'],
  ['approval', { request: 'user.create' }, 'Solicitação: Adicionar um usuário'],
  ['settings', { twoPersonApprovalAbove: 1_000_000 }, 'Aprovação dupla acima de: R$ 10.000,00'],
  ['settings', { twoPersonApprovalAbove: null }, 'Aprovação dupla acima de: Desativada'],
  ['seller', { autoApproveUpTo: 0 }, 'Aprovação automática até: Desativada'],
  ['seller', { status: 'SUSPENDED', name: 'PAID' }, 'Situação: Suspensa; Nome: PAID'],
  ['withdrawal', { status: 'PENDING' }, 'Situação: A aprovar'],
  [
    'user',
    { browser: 'Chrome on Linux', role: 'SUPPORT' },
    'Navegador: Chrome no Linux; Perfil de acesso: Suporte',
  ],
  ['withdrawal', { method: 'CRYPTO' }, 'Forma de pagamento: Cripto'],
  ['provider', { method: 'PAYOUT' }, 'Forma de pagamento: Saques'],
  [
    'fees',
    { pixIn: { type: 'FIXED', value: 99 } },
    'Recebimento por Pix · tipo: Valor fixo; Recebimento por Pix · valor: R$ 0,99',
  ],
  [
    'fees',
    { creditCard: { type: 'PERCENTAGE', twoInstallments: 508, minimum: 50 } },
    'Recebimento por cartão · tipo: Percentual; Recebimento por cartão · em 2x: 5,08%; ' +
      'Recebimento por cartão · Tarifa mínima: R$ 0,50',
  ],
])('writes the members of a %s: %j', (recordType, members, text) => {
  expect(membersInPortuguese(entry(recordType), members)).toBe(text);
});

it('writes the status of an invoice in an entry of its subscription', () => {
  const retried = entry('subscription', 'subscription.invoice-retried');
  expect(membersInPortuguese(retried, { status: 'PENDING' })).toBe('Situação: Em aberto');
});
