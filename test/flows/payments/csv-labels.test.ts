import { afterAll, beforeAll, expect, it } from 'vitest';

import { ALLOWED_ACCOUNT_PAIRS, ENTRY_CAUSES, ORIGINS } from '#accounting/ledger/entries.ts';
import {
  ACCOUNT_LABELS,
  CAUSE_LABELS,
  METHOD_LABELS,
  RECORD_TYPE_LABELS,
} from '#accounting/ledger/labels-pt.ts';
import { PIX_KEY_TYPES } from '#formats/pix/pix-key.ts';
import { STATUS_LABELS } from '#payments/transactions/labels-pt.ts';
import { METHODS, STATUSES } from '#payments/transactions/transaction.ts';
import {
  PIX_KEY_TYPE_LABELS,
  STATUS_LABELS as WITHDRAWAL_STATUS_LABELS,
} from '#payouts/withdrawals/labels-pt.ts';
import { WITHDRAWAL_METHODS, WITHDRAWAL_STATUSES } from '#payouts/withdrawals/withdrawal.ts';
import { SUBSCRIPTION_METHODS } from '#subscriptions/subscription.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
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
] as const)('all %s have a label', (_, values: readonly string[], table) => {
  const labels: Readonly<Record<string, string>> = table;
  expect(values.filter((value) => (labels[value] ?? '') === '')).toEqual([]);
});

let gateway: TestGateway;
let seller: TestSeller;
let charge: string;
let withdrawal: string;

beforeAll(async () => {
  gateway = await startTestGateway();
  seller = await newSeller(gateway);
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
      Situação: 'Falhou',
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
