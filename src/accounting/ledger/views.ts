import type { Static } from 'typebox';

import type { Column } from '#platform/http/csv.ts';
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

const BRAZILIAN_COLUMNS: Readonly<
  Record<(typeof COLUMN_NAMES)[number], NonNullable<Column<StatementLine>['brazil']>>
> = {
  id: { name: 'ID' },
  createdAt: { name: 'Data', type: 'time' },
  cause: { name: 'Lançamento' },
  origin: { name: 'Origem do saldo' },
  recordType: { name: 'Tipo de registro' },
  recordId: { name: 'ID do registro' },
  from: { name: 'De' },
  to: { name: 'Para' },
  moved: { name: 'Movido entre saldos', type: 'cents' },
  amount: { name: 'Valor', type: 'cents' },
  availableChange: { name: 'Variação do saldo disponível', type: 'cents' },
  blockedChange: { name: 'Variação do saldo bloqueado', type: 'cents' },
  availableBalance: { name: 'Saldo disponível', type: 'cents' },
  blockedBalance: { name: 'Saldo bloqueado', type: 'cents' },
  totalBalance: { name: 'Saldo total', type: 'cents' },
};

export const CSV_COLUMNS: readonly Column<StatementLine>[] = COLUMN_NAMES.map((name) => ({
  name,
  value: (line) => line[name],
  brazil: BRAZILIAN_COLUMNS[name],
}));
