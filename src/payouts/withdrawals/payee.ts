import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';

import { withdrawalContext } from '#platform/crypto/encrypted-columns.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import { maskAccount, maskCryptoAddress, maskPixKey } from '#platform/kit/masks.ts';
import type { PayoutDestination } from './payout-provider.ts';
import type { Withdrawal, WithdrawalKey } from './withdrawal.ts';

const Payee = Type.Object({
  destination: Type.String(),
  beneficiaryDocument: Type.Union([Type.String(), Type.Null()]),
});

/** The personal data of a withdrawal, which is stored encrypted. */
export type Payee = Static<typeof Payee>;

export function encryptPayee(secrets: SecretBox, { sellerId, id }: WithdrawalKey, payee: Payee): string {
  return secrets.encrypt(JSON.stringify(payee), withdrawalContext(sellerId, id));
}

/** Decrypts the payee for the provider that pays it. */
export function decryptPayee(secrets: SecretBox, { sellerId, id, encryptedPayee }: Withdrawal): Payee {
  const payee: unknown = JSON.parse(secrets.decrypt(encryptedPayee, withdrawalContext(sellerId, id)));
  if (!Value.Check(Payee, payee)) throw new Error('an encrypted payee has an unknown format');
  return payee;
}

/** The PIX key, wallet address or account number of a destination. */
export function accountOf(destination: PayoutDestination): string {
  switch (destination.method) {
    case 'PIX':
      return destination.pixKey;
    case 'CRYPTO':
      return destination.address;
    case 'TED':
      return destination.account;
  }
}

export function maskDestination(destination: PayoutDestination): string {
  switch (destination.method) {
    case 'PIX':
      return maskPixKey(destination.pixKeyType, destination.pixKey);
    case 'CRYPTO':
      return maskCryptoAddress(destination.address);
    case 'TED':
      return maskAccount(destination.account);
  }
}
