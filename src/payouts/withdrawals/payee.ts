import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';

import { normalizePixKey } from '#formats/pix/pix-key.ts';
import { withdrawalContext } from '#platform/crypto/encrypted-columns.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import { searchHash } from '#payments/search/service.ts';
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

/**
 * What a payee is looked up by: its PIX key, wallet address or account number, and its document.
 */
export const hashPayee = (secrets: SecretBox, { destination, beneficiaryDocument }: Payee): string[] => {
  const values = new Set([destination, ...(beneficiaryDocument === null ? [] : [beneficiaryDocument])]);
  return Array.from(values, (value) => searchHash(secrets, value));
};

/** The accounts and documents, as they are stored, that a search text may be. */
export function payeesFrom(text: string, document: string | undefined): readonly string[] {
  const trimmed = text.trim();
  const phone = normalizePixKey('PHONE', trimmed, { alphanumericCnpj: true });
  return [...new Set([trimmed, trimmed.toLowerCase(), phone, document])].filter(
    (value) => value !== undefined,
  );
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

/** The destination of a withdrawal, with its decrypted account. */
export function toDestination(withdrawal: Withdrawal, account: string): PayoutDestination {
  const { pixKeyType, cryptoNetwork, bankAccount } = withdrawal;
  if (pixKeyType !== null) return { method: 'PIX', pixKeyType, pixKey: account };
  if (cryptoNetwork !== null) return { method: 'CRYPTO', network: cryptoNetwork, address: account };
  if (bankAccount !== null) return { method: 'TED', ...bankAccount, account };
  throw new Error(`withdrawal ${withdrawal.id} has no destination`);
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
