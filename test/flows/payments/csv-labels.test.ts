import { afterAll, beforeAll, expect, it } from 'vitest';

import { ALLOWED_ACCOUNT_PAIRS, ENTRY_CAUSES, ORIGINS } from '#accounting/ledger/entries.ts';
import {
  ACCOUNT_LABELS,
  CAUSE_LABELS,
  METHOD_LABELS,
  RECORD_TYPE_LABELS,
} from '#accounting/ledger/labels-pt.ts';
import { DIFFERENCE_KINDS } from '#accounting/reconciliation/difference-kinds.ts';
import {
  DIFFERENCE_KIND_LABELS,
  OUTCOME_LABELS,
  SETTLEMENT_TYPE_LABELS,
} from '#accounting/reconciliation/labels-pt.ts';
import { SETTLEMENT_TYPES } from '#accounting/reconciliation/settlement-file.ts';
import { ACTIONS } from '#audit/actions.ts';
import { ACTION_LABELS, ACTOR_LABELS, RECORD_TYPE_LABELS as AUDITED_TYPE_LABELS } from '#audit/labels-pt.ts';
import { PIX_KEY_TYPES } from '#formats/pix/pix-key.ts';
import { APPLICATION_STATUSES } from '#onboarding/states.ts';
import { STATUS_LABELS as APPLICATION_LABELS } from '#onboarding/labels-pt.ts';
import { PROVIDER_EVENT_OUTCOMES } from '#payments/provider-events/provider-event.ts';
import { STATUS_LABELS } from '#payments/transactions/labels-pt.ts';
import { METHODS, STATUSES } from '#payments/transactions/transaction.ts';
import {
  OPERATOR_STATUS_LABELS,
  PIX_KEY_TYPE_LABELS,
  STATUS_LABELS as WITHDRAWAL_STATUS_LABELS,
} from '#payouts/withdrawals/labels-pt.ts';
import { WITHDRAWAL_METHODS, WITHDRAWAL_STATUSES } from '#payouts/withdrawals/withdrawal.ts';
import { AUDIT_ACTOR_KINDS } from '#platform/http/audit-actor.ts';
import { ROLE_LABELS } from '#platform/kit/labels-pt.ts';
import { OPERATOR_ROLES, SELLER_ROLES } from '#platform/kit/permissions.ts';
import { STATUS_LABELS as SELLER_STATUS_LABELS } from '#sellers/labels-pt.ts';
import { SELLER_STATUSES } from '#sellers/seller.ts';
import { SUBSCRIPTION_METHODS } from '#subscriptions/subscription.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { isRecord } from '#platform/kit/records.ts';
import { fetchOpenApi } from '#test/support/openapi-documents.ts';
import { operatorOf, type Operator } from '#test/support/operator.ts';
import { newSeller, withdrawalThatIs, type TestSeller } from '#test/support/withdrawals.ts';

const ACCOUNTS = new Set(Object.values(ALLOWED_ACCOUNT_PAIRS).flat(2));

it.each([
  ['statuses of charges', STATUSES, STATUS_LABELS],
  ['statuses of withdrawals', WITHDRAWAL_STATUSES, WITHDRAWAL_STATUS_LABELS],
  ['methods', [...METHODS, ...ORIGINS, ...WITHDRAWAL_METHODS, ...SUBSCRIPTION_METHODS], METHOD_LABELS],
  ['causes', ENTRY_CAUSES, CAUSE_LABELS],
  ['balances', [...ACCOUNTS], ACCOUNT_LABELS],
  ['types of records', ['TRANSACTION', 'WITHDRAWAL'], RECORD_TYPE_LABELS],
  ['types of Pix keys', PIX_KEY_TYPES, PIX_KEY_TYPE_LABELS],
  ['statuses of withdrawals for operators', WITHDRAWAL_STATUSES, OPERATOR_STATUS_LABELS],
  ['statuses of sellers', SELLER_STATUSES, SELLER_STATUS_LABELS],
  ['statuses of applications', APPLICATION_STATUSES, APPLICATION_LABELS],
  ['differences', DIFFERENCE_KINDS, DIFFERENCE_KIND_LABELS],
  ['types of settlement lines', SETTLEMENT_TYPES, SETTLEMENT_TYPE_LABELS],
  ['outcomes of provider events', PROVIDER_EVENT_OUTCOMES, OUTCOME_LABELS],
  ['actions', ACTIONS, ACTION_LABELS],
  ['groups of actions', ACTIONS.map((action) => action.replace(/\..*/, '')), AUDITED_TYPE_LABELS],
  ['authors', AUDIT_ACTOR_KINDS, ACTOR_LABELS],
  ['roles', [...SELLER_ROLES, ...OPERATOR_ROLES], ROLE_LABELS],
] as const)('all %s have a label', (_, values: readonly string[], table) => {
  const labels: Readonly<Record<string, string>> = table;
  expect(values.filter((value) => (labels[value] ?? '') === '')).toEqual([]);
});

let gateway: TestGateway;
let seller: TestSeller;
let operator: Operator;
let charge: string;
let withdrawal: string;

beforeAll(async () => {
  gateway = await startTestGateway();
  seller = await newSeller(gateway);
  operator = await operatorOf(gateway);
  // Free text that is also a code.
  const created = await gateway.charge({ amount: 50_000, description: 'PAID' }, seller);
  charge = String(created.body.data.id);
  await gateway.post(`/sandbox/transactions/${charge}/pay`, undefined, seller);
  const key = { pixKey: '11987654321', pixKeyType: 'PHONE' };
  withdrawal = await withdrawalThatIs(gateway, seller, 'FAILED', { amount: 1_234, ...key });
});
afterAll(() => gateway.stop());

/** The cells of a line. A cell in quotes may contain separators. */
const CELLS = { ',': /,(?:"([^"]*)"|([^,]*))/g, ';': /;(?:"([^"]*)"|([^;]*))/g } as const;

/** The rows of an export, each by the names of its columns. */
async function exported(path: string, separator: ',' | ';', credential: object = seller) {
  const { status, text } = await gateway.get(path, credential);
  expect(status).toBe(200);
  const lines = text.replace('\uFEFF', '').trimEnd().split('\r\n');
  const [names = [], ...rows] = lines.map((line) =>
    [...`${separator}${line}`.matchAll(CELLS[separator])].map(([, quoted, plain = '']) => quoted ?? plain),
  );
  return rows.map((cells) => Object.fromEntries(names.map((name, at) => [name, cells[at]])));
}

const forPrograms = (path: string) => exported(`${path}?export=true`, ',');
const forBrazil = (path: string) => exported(`${path}?export=true&locale=pt-BR`, ';');

it('exports charges with codes for programs and labels for Brazil', async () => {
  expect(await forPrograms('/transactions')).toMatchObject([
    { id: charge, method: 'PIX', status: 'PAID', amount: '50000', description: 'PAID' },
  ]);
  expect(await forBrazil('/transactions')).toMatchObject([
    { ID: charge, 'Forma de pagamento': 'Pix', Situação: 'Paga', Valor: '500,00', Descrição: 'PAID' },
  ]);
});

it('exports withdrawals with codes for programs, and labels and Portuguese reasons for Brazil', async () => {
  expect(await forPrograms('/withdrawals')).toMatchObject([
    {
      id: withdrawal,
      method: 'PIX',
      status: 'FAILED',
      withdrawFrom: 'PIX',
      pixKeyType: 'PHONE',
      withdrawalType: 'MANUAL',
      rejectionReason: 'failed at the provider',
    },
  ]);
  expect(await forBrazil('/withdrawals')).toMatchObject([
    {
      ID: withdrawal,
      Valor: '12,34',
      'Forma de saque': 'Pix',
      Situação: 'Não realizado',
      'Origem do saldo': 'Pix',
      'Tipo de chave': 'Celular',
      'Tipo de saque': 'Manual',
      Motivo: 'Falha no provedor',
    },
  ]);
});

it('exports wallet entries with codes for programs and labels for Brazil', async () => {
  const coded = await forPrograms('/seller-wallet/entries');
  expect(coded.map(({ cause, from, to }) => [cause, from, to])).toEqual([
    ['WITHDRAWAL_RETURNED', 'reserved', 'available'],
    ['WITHDRAWAL_RESERVED', 'available', 'reserved'],
    ['PAYMENT', 'provider', 'available'],
  ]);
  const labelled = await forBrazil('/seller-wallet/entries');
  expect(labelled.map((row) => [row['Lançamento'], row['De'], row['Para']])).toEqual([
    ['Saque não realizado; valor devolvido ao saldo', 'reservado', 'disponível'],
    ['Reserva para saque', 'disponível', 'reservado'],
    ['Pagamento recebido', 'provedor', 'disponível'],
  ]);
  expect(labelled.slice(1)).toMatchObject([
    {
      'Origem do saldo': 'Pix',
      'Tipo de registro': 'Saque',
      'ID do registro': withdrawal,
      'Transferido entre saldos': '12,34',
      'Variação do saldo ainda não disponível': '12,34',
      'Saldo ainda não disponível': '12,34',
    },
    { 'Tipo de registro': 'Cobrança', 'ID do registro': charge },
  ]);
});

/** Headers that are the same in both languages. */
const SAME = new Set(['Chargebacks']);

it('every export of the operator has Portuguese columns, and no code in them', async () => {
  const document = await fetchOpenApi(new URL(gateway.baseUrl).origin);
  const paths = isRecord(document['paths']) ? document['paths'] : {};
  const exports = Object.entries(paths).flatMap(([path, operations]) =>
    path.startsWith('/v1/admin/') &&
    isRecord(operations) &&
    JSON.stringify(operations['get'] ?? {}).includes('"text/csv"')
      ? [path]
      : [],
  );
  expect(exports).toHaveLength(6);
  const admin = { token: operator.token };
  const suspended = { status: 'SUSPENDED', chargebackFee: 2_500 };
  expect((await gateway.call('PATCH', `/admin/sellers/${seller.id}`, suspended, admin)).status).toBe(200);
  const days = 'startDate=2020-01-01&endDate=2020-01-31';
  for (const path of exports) {
    const groups = path.endsWith('/revenue') ? ['day', 'month', 'seller', 'method'] : [undefined];
    for (const group of groups) {
      const by = group === undefined ? '' : `&groupBy=${group}`;
      const period = /revenue|differences/.test(path) ? `&${days}${by}` : '';
      const url = `${path.replace('/v1', '')}?export=true${period}`;
      const [plain, brazilian] = [
        await gateway.get(url, admin),
        await gateway.get(`${url}&locale=pt-BR`, admin),
      ];
      expect({ path, status: brazilian.status }).toEqual({ path, status: 200 });
      const names = (plain.text.split('\r\n')[0] ?? '').split(',');
      const labels = (brazilian.text.replace('\uFEFF', '').split('\r\n')[0] ?? '').split(';');
      expect(labels).toHaveLength(names.length);
      expect({ path, missing: labels.filter((label) => names.includes(label) && !SAME.has(label)) }).toEqual({
        path,
        missing: [],
      });
      expect({ path, codes: brazilian.text.match(/;[A-Z]+(_[A-Z]+)+(?=[;\r])/g) }).toEqual({
        path,
        codes: null,
      });
    }
  }
});

it('exports the audit log with labels, and changes in Portuguese, for Brazil', async () => {
  const path = `/admin/audit-log?sellerId=${seller.id}&action=seller.updated&export=true`;
  const admin = { token: operator.token };
  expect((await exported(path, ',', admin))[0]).toMatchObject({
    action: 'seller.updated',
    recordType: 'seller',
  });
  expect((await exported(`${path}&locale=pt-BR`, ';', admin))[0]).toMatchObject({
    'Tipo de autor': 'Operação',
    'Perfil de acesso': 'Administrador',
    Ação: 'Loja alterada',
    'Tipo de registro': 'Loja',
    Antes: 'Situação: Ativa; Tarifa de chargeback: R$ 0,00',
    Depois: 'Situação: Suspensa; Tarifa de chargeback: R$ 25,00',
  });
});

it('exports the approvals of a withdrawal for Brazil', async () => {
  const paid = await newSeller(gateway);
  const sale = await gateway.charge({ amount: 50_000 }, paid);
  await gateway.post(`/sandbox/transactions/${String(sale.body.data.id)}/pay`, undefined, paid);
  await withdrawalThatIs(gateway, paid, 'PAID', { amount: 1_234 });
  const path = `/admin/withdrawals?export=true&locale=pt-BR&sellerId=${paid.id}`;
  const [row] = await exported(path, ';', { token: operator.token });
  expect(row?.['Aprovações']).toMatch(/^[0-9a-f-]{36} em \d{2}\/\d{2}\/\d{4} \d{2}:\d{2}:\d{2}$/);
});

it('exports the withdrawals and charges of all sellers with labels for Brazil', async () => {
  const admin = { token: operator.token };
  const query = `export=true&locale=pt-BR&sellerId=${seller.id}`;
  expect(await exported(`/admin/withdrawals?${query}`, ';', admin)).toMatchObject([
    {
      ID: withdrawal,
      Situação: 'Não realizado',
      'ID da loja': seller.id,
      'Saques em 24 horas, contando este': '12,34',
    },
  ]);
  expect(await exported(`/admin/transactions?${query}`, ';', admin)).toMatchObject([
    { ID: charge, 'ID da loja': seller.id, Situação: 'Paga', Valor: '500,00' },
  ]);
});
