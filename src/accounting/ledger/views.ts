import type { Static } from 'typebox';

import type { Column } from '#platform/http/csv.ts';
import { labelFrom, type BrazilianColumn } from '#platform/http/csv-line.ts';
import { ACCOUNT_LABELS, CAUSE_LABELS, METHOD_LABELS, RECORD_TYPE_LABELS } from './labels-pt.ts';
import type { WalletSchema } from './schema.ts';
import type { Wallet } from './service.ts';
import type { StatementLine } from './statement.ts';

export const viewWallet = (sellerId: string, wallet: Wallet): Static<typeof WalletSchema> => ({
  sellerId,
  ...wallet,
  currency: 'BRL',
  updatedAt: wallet.updatedAt.toISOString(),
});

const COLUMN_NAMES = [
  'id',
  'createdAt',
  'cause',
  'origin',
  'recordType',
  'recordId',
  'from',
  'to',
  'moved',
  'amount',
  'availableChange',
  'blockedChange',
  'availableBalance',
  'blockedBalance',
  'totalBalance',
] as const;

const BRAZILIAN_COLUMNS: Readonly<Record<(typeof COLUMN_NAMES)[number], BrazilianColumn>> = {
  id: { name: 'ID' },
  createdAt: { name: 'Data', type: 'time' },
  cause: { name: 'Lançamento', label: labelFrom(CAUSE_LABELS) },
  origin: { name: 'Origem do saldo', label: labelFrom(METHOD_LABELS) },
  recordType: { name: 'Tipo de registro', label: labelFrom(RECORD_TYPE_LABELS) },
  recordId: { name: 'ID do registro' },
  from: { name: 'De', label: labelFrom(ACCOUNT_LABELS) },
  to: { name: 'Para', label: labelFrom(ACCOUNT_LABELS) },
  moved: { name: 'Transferido entre saldos', type: 'cents' },
  amount: { name: 'Valor', type: 'cents' },
  availableChange: { name: 'Variação do saldo disponível', type: 'cents' },
  blockedChange: { name: 'Variação do saldo ainda não disponível', type: 'cents' },
  availableBalance: { name: 'Saldo disponível', type: 'cents' },
  blockedBalance: { name: 'Saldo ainda não disponível', type: 'cents' },
  totalBalance: { name: 'Saldo total', type: 'cents' },
};

export const CSV_COLUMNS: readonly Column<StatementLine>[] = COLUMN_NAMES.map((name) => ({
  name,
  value: (line) => line[name],
  brazil: BRAZILIAN_COLUMNS[name],
}));
