import { ORIGINS, type Origin } from '../../../src/accounting/ledger/entries.ts';
import { normalizePixKey, PIX_KEY_TYPES, type PixKeyType } from '../../../src/formats/pix/pix-key.ts';
import type { Wallet } from '../api/queries.ts';

/** The types that a typed Pix key can have. Eleven digits can be a CPF and a mobile number. */
export const pixKeyTypesOf = (key: string): readonly PixKeyType[] =>
  PIX_KEY_TYPES.filter((type) => normalizePixKey(type, key, { alphanumericCnpj: true }) !== undefined);

export const ALL_ORIGINS = 'ALL';
export type WithdrawFrom = Origin | typeof ALL_ORIGINS;

/** Cents that can be withdrawn. A negative balance of one origin counts against the others. */
export function withdrawable({ byOrigin, availableBalance }: Wallet, from: WithdrawFrom): number {
  const own =
    from === ALL_ORIGINS
      ? ORIGINS.reduce((sum, origin) => sum + Math.max(0, byOrigin[origin].availableBalance), 0)
      : byOrigin[from].availableBalance;
  return Math.max(0, Math.min(own, availableBalance));
}

/** How much each origin pays. A withdrawal is paid by one origin, so that several may be needed. */
export function splitByOrigin(
  { byOrigin }: Wallet,
  from: WithdrawFrom,
  amount: number,
): readonly { readonly origin: Origin; readonly amount: number }[] {
  if (from !== ALL_ORIGINS) return [{ origin: from, amount }];
  const parts: { origin: Origin; amount: number }[] = [];
  let left = amount;
  for (const origin of ORIGINS) {
    const part = Math.min(left, Math.max(0, byOrigin[origin].availableBalance));
    if (part > 0) parts.push({ origin, amount: part });
    left -= part;
  }
  return parts;
}
