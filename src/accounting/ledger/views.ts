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

export const CSV_COLUMNS: readonly Column<StatementLine>[] = COLUMN_NAMES.map((name) => ({
  name,
  value: (line) => line[name],
}));
