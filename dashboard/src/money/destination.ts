import i18next from 'i18next';

import type { Withdrawal } from '../api/queries.ts';

type Destination = Pick<Withdrawal, 'pixKey' | 'cryptoWalletAddress' | 'bankAccount'>;

/** The Pix key, wallet or bank account of a withdrawal, masked. */
export function destinationLabel({ pixKey, cryptoWalletAddress, bankAccount }: Destination): string {
  if (bankAccount === undefined) return pixKey ?? cryptoWalletAddress ?? '';
  const { bankCode: bank, branch, account } = bankAccount;
  return i18next.t('withdrawals.bankAccount', { bank, branch, account });
}
