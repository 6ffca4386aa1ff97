import { ORIGINS, type Origin } from '../../../src/accounting/ledger/entries.ts';
import { normalizePixKey, PIX_KEY_TYPES, type PixKeyType } from '../../../src/formats/pix/pix-key.ts';
import type { Wallet } from '../api/queries.ts';
import { calculateFee, type Fee } from './fee-amounts.ts';

/** The types that a typed Pix key can have. Eleven digits can be a CPF and a mobile number. */
export const pixKeyTypesOf = (key: string): readonly PixKeyType[] =>
  PIX_KEY_TYPES.filter((type) => normalizePixKey(type, key, { alphanumericCnpj: true }) !== undefined);

export const ALL_ORIGINS = 'ALL';
export type WithdrawFrom = Origin | typeof ALL_ORIGINS;

/** The minimum of a withdrawal, in cents: a cent more than its fee. */
function minimumOf(fee: Fee): number {
  if (fee.type === 'FIXED') return fee.value + 1;
  for (let amount = 1; amount <= 10_000; amount += 1)
    if (calculateFee(amount, fee) !== undefined) return amount;
  return Infinity;
}

interface Payer {
  readonly origin: Origin;
  /** Cents. */
  readonly available: number;
}

/** The sets of origins that could pay together, smallest first: each part pays a fee. */
function payerSets({ byOrigin }: Wallet, from: WithdrawFrom, minimum: number): readonly (readonly Payer[])[] {
  const sets = ORIGINS.filter((origin) => from === ALL_ORIGINS || from === origin)
    .map((origin) => ({ origin, available: byOrigin[origin].availableBalance }))
    .filter(({ available }) => available >= minimum)
    .reduceRight<Payer[][]>((rest, payer) => [...rest.map((set) => [payer, ...set]), ...rest], [[]])
    .filter((set) => set.length > 0);
  return sets.toSorted((one, other) => one.length - other.length);
}

const sumOf = (payers: readonly Payer[]): number => payers.reduce((sum, { available }) => sum + available, 0);

/**
 * The largest amount that can be withdrawn, in cents. A negative balance of one origin counts
 * against the others, and no part is below the minimum.
 */
export function withdrawable(wallet: Wallet, from: WithdrawFrom, fee: Fee): number {
  const minimum = minimumOf(fee);
  const amounts = payerSets(wallet, from, minimum).map((payers) => {
    const amount = Math.min(sumOf(payers), wallet.availableBalance);
    return amount >= payers.length * minimum ? amount : 0;
  });
  return Math.max(0, ...amounts);
}

/**
 * How much each origin pays. A withdrawal is paid by one origin, so that several may be needed.
 * Every part is above its fee; undefined if the amount cannot be split that way.
 */
export function splitByOrigin(
  wallet: Wallet,
  from: WithdrawFrom,
  amount: number,
  fee: Fee,
): readonly { readonly origin: Origin; readonly amount: number }[] | undefined {
  const minimum = minimumOf(fee);
  const payers = payerSets(wallet, from, minimum).find(
    (set) => amount >= set.length * minimum && amount <= Math.min(sumOf(set), wallet.availableBalance),
  );
  if (payers === undefined) return undefined;
  let left = amount;
  return payers.map(({ origin, available }, index) => {
    const part = Math.min(available, left - (payers.length - 1 - index) * minimum);
    left -= part;
    return { origin, amount: part };
  });
}
