import type { CryptoNetwork } from '#formats/crypto-address/address.ts';
import type { PixKeyType } from '#formats/pix/pix-key.ts';

export const ACCOUNT_TYPES = ['CHECKING', 'SAVINGS'] as const;
export type AccountType = (typeof ACCOUNT_TYPES)[number];

/** Where and to whom money goes. */
export type PayoutDestination =
  | { readonly method: 'PIX'; readonly pixKeyType: PixKeyType; readonly pixKey: string }
  | { readonly method: 'CRYPTO'; readonly network: CryptoNetwork; readonly address: string }
  /** To a bank account. Check digits follow after a hyphen. */
  | {
      readonly method: 'TED';
      readonly bankCode: string;
      readonly branch: string;
      readonly account: string;
      readonly accountType: AccountType;
    };

export interface PayoutRequest {
  /** The provider's idempotency key: however often the same id is sent, it pays once. */
  readonly id: string;
  readonly sellerId: string;
  /** What the payee gets, in cents. */
  readonly amountCents: number;
  readonly destination: PayoutDestination;
  readonly beneficiary: { readonly name: string | null; readonly document: string | null };
  readonly description: string | null;
}

export type PayoutResponse =
  /** The provider works on it and reports what came of it. `reference` is its own id of the payout. */
  | { readonly kind: 'accepted'; readonly reference: string | null }
  /** The provider has not paid and never will, by its own word. */
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * A rail that pays out. `send` throws where it is not known what came of the call (a deadline, a broken connection, an
 * answer that says neither yes nor no); it is then called again under the same id. What becomes of a payout that was
 * accepted comes back through the door for reports.
 */
export interface PayoutProvider {
  readonly name: string;
  readonly methods: readonly PayoutDestination['method'][];
  send(request: PayoutRequest, deadline: AbortSignal): Promise<PayoutResponse>;
}
