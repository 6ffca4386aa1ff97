import { api, unwrap } from '../api/client.ts';
import { ApiError } from '../api/errors.ts';
import type { NewWithdrawal, Wallet, Withdrawal } from '../api/queries.ts';
import { formatDocument, formatPhone } from '../i18n/format.ts';
import type { PixKeyType } from '../../../src/formats/pix/pix-key.ts';
import { destinationLabel } from './destination.ts';
import { calculateFee, type Fee } from './fee-amounts.ts';
import { ALL_ORIGINS, pixKeyTypesOf, splitByOrigin, type WithdrawFrom } from './withdrawal-plan.ts';

export interface WithdrawalForm {
  method: NewWithdrawal['method'];
  amount: number;
  withdrawFrom: WithdrawFrom;
  /** The earlier withdrawal whose destination is paid again; empty for a new destination. */
  destinationOf: string;
  /** Chosen where the key can have two types. */
  pixKeyType: PixKeyType | '';
  pixKey: string;
  cryptoNetwork: 'TRC20' | 'ERC20' | 'POLYGON' | 'BTC';
  cryptoWalletAddress: string;
  description: string;
}

export const EMPTY_WITHDRAWAL: WithdrawalForm = {
  method: 'PIX',
  amount: 0,
  withdrawFrom: ALL_ORIGINS,
  destinationOf: '',
  pixKeyType: '',
  pixKey: '',
  cryptoNetwork: 'TRC20',
  cryptoWalletAddress: '',
  description: '',
};

/** The type of the typed key; undefined if it has none, or must be chosen. */
export function keyTypeOf({ pixKey, pixKeyType }: WithdrawalForm): PixKeyType | undefined {
  const types = pixKeyTypesOf(pixKey);
  return types.length === 1 ? types[0] : types.find((type) => type === pixKeyType);
}

/** A Pix key with its punctuation, so that a wrong digit is seen before the money is sent. */
function formatPixKey(form: WithdrawalForm): string {
  const type = keyTypeOf(form);
  if (type === 'CPF' || type === 'CNPJ') return formatDocument(form.pixKey);
  return type === 'PHONE' ? formatPhone(form.pixKey) : form.pixKey.trim();
}

/** A withdrawal of one origin, with the idempotency key of its request. */
export interface Part {
  readonly key: string;
  readonly body: NewWithdrawal;
  readonly id?: string;
  readonly error?: unknown;
}

function destinationOf(form: WithdrawalForm) {
  if (form.destinationOf !== '') return { destinationOf: form.destinationOf };
  return form.method === 'PIX'
    ? { pixKey: form.pixKey.trim(), pixKeyType: keyTypeOf(form) ?? null }
    : { cryptoWalletAddress: form.cryptoWalletAddress.trim(), cryptoNetwork: form.cryptoNetwork };
}

export function partsOf(form: WithdrawalForm, balance: Wallet, fee: Fee): readonly Part[] {
  const description = form.description.trim();
  return (splitByOrigin(balance, form.withdrawFrom, form.amount, fee) ?? []).map(({ origin, amount }) => ({
    key: crypto.randomUUID(),
    body: {
      amount,
      method: form.method,
      withdrawFrom: origin,
      ...destinationOf(form),
      ...(description === '' ? {} : { description }),
    },
  }));
}

/** Whether nothing of a part can have been executed. */
export const isRejected = ({ id, error }: Part): boolean =>
  id === undefined && error instanceof ApiError && error.status < 500 && error.status !== 429;

export async function request(part: Part): Promise<Part> {
  const { key, body } = part;
  if (part.id !== undefined) return part;
  try {
    const params = { header: { 'idempotency-key': key } };
    const { id } = (await unwrap(api.POST('/v1/withdrawals', { params, body }))).data;
    return { key, body, id };
  } catch (error) {
    return { key, body, error };
  }
}

/** The destinations of earlier withdrawals that were not rejected, the last used first. */
export function knownDestinations(
  earlier: readonly Withdrawal[],
  method: WithdrawalForm['method'],
): readonly Withdrawal[] {
  const found = new Map<string, Withdrawal>();
  for (const one of earlier) {
    if (one.method !== method || one.status === 'REJECTED' || one.status === 'FAILED') continue;
    const name = [destinationLabel(one), one.beneficiaryName, one.beneficiaryDocumentNumber].join(' ');
    if (!found.has(name)) found.set(name, one);
  }
  return [...found.values()];
}

/** The known destination that was chosen, or what was typed. */
export function formatDestination(form: WithdrawalForm, known: readonly Withdrawal[]): string {
  const chosen = known.find(({ id }) => id === form.destinationOf);
  if (chosen !== undefined) return destinationLabel(chosen);
  return form.method === 'PIX' ? formatPixKey(form) : form.cryptoWalletAddress;
}

export const amountOf = (parts: readonly Part[]): number =>
  parts.reduce((sum, { body }) => sum + body.amount, 0);

/** Each origin is a withdrawal of its own, with its fee. */
export const feeOf = (parts: readonly Part[], fee: Fee): number =>
  parts.reduce((sum, { body }) => sum + (calculateFee(body.amount, fee) ?? 0), 0);
