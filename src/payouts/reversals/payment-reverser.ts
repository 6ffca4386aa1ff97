import type { Method } from '#payments/transactions/transaction.ts';

/** A payment that must go back to whoever made it. */
export interface ReversalRequest {
  /** The provider's idempotency key: however often the same id is sent, the money goes back once. */
  readonly id: string;
  /** How the charge was to be paid. */
  readonly method: Method;
  /** The provider's own id of the payment: for PIX its end-to-end id. It knows who paid; the gateway does not. */
  readonly paymentId: string;
  readonly transactionId: string;
  /** All of what came, in cents. */
  readonly amountCents: number;
}

export type ReversalResponse =
  /** The money goes back. `reference` is the provider's own id of the return. */
  | { readonly kind: 'accepted'; readonly reference: string | null }
  /** The provider has not sent it back and never will, by its own word. */
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * A rail that sends payments back. `sendBack` throws where it is not known what came of the call (a deadline, a broken
 * connection, an answer that says neither yes nor no); it is then called again under the same id.
 */
export interface PaymentReverser {
  /** The provider of its reports: money goes back the way it came. */
  readonly name: string;
  readonly methods: readonly Method[];
  reverse(request: ReversalRequest, deadline: AbortSignal): Promise<ReversalResponse>;
}
