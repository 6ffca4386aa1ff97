import i18next from 'i18next';
import { beforeAll, expect, it } from 'vitest';

import { en } from '../i18n/en.ts';
import { pt } from '../i18n/pt.ts';
import { destinationLabel } from './destination.ts';

beforeAll(() =>
  i18next.init({ resources: { 'pt-BR': { translation: pt }, en: { translation: en } }, lng: 'pt-BR' }),
);

it('names the destination of a withdrawal by each method', async () => {
  const nowhere = { pixKey: null, cryptoWalletAddress: null };
  const account = { bankCode: '341', branch: '1234', account: '•••89', accountType: 'CHECKING' } as const;
  const ted = { ...nowhere, bankAccount: account };
  expect(destinationLabel({ ...nowhere, pixKey: '***.982.247-**' })).toBe('***.982.247-**');
  expect(destinationLabel({ ...nowhere, cryptoWalletAddress: 'TQ…9' })).toBe('TQ…9');
  expect(destinationLabel(ted)).toBe('Banco 341, agência 1234, conta •••89');
  await i18next.changeLanguage('en');
  expect(destinationLabel(ted)).toBe('Bank 341, branch 1234, account •••89');
});
