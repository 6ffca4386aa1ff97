import type { Reason } from '#payments/transactions/reasons.ts';
import type { CryptoNetwork } from '#formats/crypto-address/address.ts';
import type { PixKeyType } from '#formats/pix/pix-key.ts';

export const ACCOUNT_TYPES = ['CHECKING', 'SAVINGS'] as const;
export type AccountType = (typeof ACCOUNT_TYPES)[number];

/** The account that a payout is paid to. */
export type PayoutDestination =
  | { readonly method: 'PIX'; readonly pixKeyType: PixKeyType; readonly pixKey: string }
  | { readonly method: 'CRYPTO'; readonly network: CryptoNetwork; readonly address: string }
  /** A bank account. Check digits follow a hyphen. */
  | {
      readonly method: 'TED';
      readonly bankCode: string;
      readonly branch: string;
      readonly account: string;
      readonly accountType: AccountType;
    };

export interface PayoutRequest {
  /** The provider's idempotency key: it pays each id once. */
  readonly id: string;
  readonly sellerId: string;
  /** The net amount, which the payee receives. */
  readonly amountCents: number;
  readonly destination: PayoutDestination;
  readonly beneficiary: { readonly name: string | null; readonly document: string | null };
  readonly description: string | null;
}

export type PayoutResponse =
  /** The provider reports the outcome later. `reference` is its id of the payout. */
  | { readonly kind: 'accepted'; readonly reference: string | null }
  /** The provider did not pay and never will. */
  | { readonly kind: 'refused'; readonly reason: Reason };

/** Who holds the account of a Pix key, as DICT returns it to the provider. */
export interface KeyHolder {
  readonly name: string;
  readonly documentType: 'CPF' | 'CNPJ';
  /** Complete, without punctuation. */
  readonly document: string;
}

export interface KeyLookup {
  readonly key: Extract<PayoutDestination, { readonly method: 'PIX' }>;
  /** Who withdraws. */
  readonly seller: KeyHolder;
}

/**
 * Port of a provider that pays withdrawals. `send` throws when the outcome is unknown: a timeout, a
 * broken connection, an ambiguous response. It is then called again with the same id. The outcome
 * of an accepted payout is reported as a provider event.
 */
export interface PayoutProvider {
  readonly name: string;
  readonly methods: readonly PayoutDestination['method'][];
  send(request: PayoutRequest, deadline: AbortSignal): Promise<PayoutResponse>;
  /** Looks up the holder of a Pix key. Undefined if there is no such key. */
  lookUpKey?(lookup: KeyLookup, deadline: AbortSignal): Promise<KeyHolder | undefined>;
}
