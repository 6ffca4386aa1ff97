import type { Reason } from '#payments/transactions/reasons.ts';
import type { Method } from '#payments/transactions/transaction.ts';

/** A payment to send back to the payer. */
export interface ReversalRequest {
  /** The provider's idempotency key: it reverses each id once. */
  readonly id: string;
  /** The payment method of the transaction. */
  readonly method: Method;
  /** The provider's id of the payment, which identifies the payer: for PIX the end-to-end id. */
  readonly paymentId: string;
  readonly transactionId: string;
  /** The whole payment. */
  readonly amountCents: number;
}

export type ReversalResponse =
  /** The provider sends the payment back. `reference` is its id of the reversal. */
  | { readonly kind: 'accepted'; readonly reference: string | null }
  /** The provider did not reverse the payment and never will. */
  | { readonly kind: 'refused'; readonly reason: Reason };

/**
 * Port of a provider that reverses payments. `reverse` throws when the outcome is unknown: a
 * timeout, a broken connection, an ambiguous response. It is then called again with the same id.
 */
export interface PaymentReverser {
  /** The name in its provider events: a payment is reversed by the provider that reported it. */
  readonly name: string;
  readonly methods: readonly Method[];
  reverse(request: ReversalRequest, deadline: AbortSignal): Promise<ReversalResponse>;
}
