import type { Reason } from '#payments/transactions/reasons.ts';
import type { CardAuthorizer, CardCodes, CardContext, CardDetails } from '#payments/transactions/card.ts';
import type { TransactionEvent } from '#payments/transactions/decisions.ts';
import type { BoletoIssuer, PixIssuer } from '#payments/transactions/new-transaction.ts';
import type { Customer } from '#payments/transactions/transaction.ts';

/**
 * Ports of the external payment providers, which are called over a network. Every request carries
 * our own id, which is the provider's idempotency key. A call has one of three outcomes:
 *
 * - Known: the method returns the provider's response, which may be a refusal.
 * - Not executed: it throws `NotExecutedError`. Another provider may be tried.
 * - Unknown: it throws any other error, after a timeout, a broken connection or an ambiguous
 *   response. The request is repeated with the same id, at the same provider.
 *
 * Adapters must not throw `NotExecutedError` for an unknown outcome: the payer could be charged
 * twice. No method is called inside a database transaction.
 */

/** The provider did not execute the request and never will. */
export interface ProviderRefusal {
  readonly kind: 'refused';
  /** Shown to the seller: contains no secrets and no personal data. */
  readonly reason: Reason;
}

export interface PixRequest {
  readonly transactionId: string;
  /** Our id at the provider: 32 characters of a-z and 0-9. */
  readonly txid: string;
  readonly amountCents: number;
  readonly payer: Pick<Customer, 'name' | 'document' | 'documentType'>;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export interface CreatedPix {
  readonly kind: 'created';
  /** The BR Code that the payer copies and pastes. */
  readonly code: string;
  /** The provider's own id, if it assigns one. */
  readonly reference: string | null;
}

/** The response to an operation. `reference` is the provider's id of the operation. */
export type OperationResponse =
  | { readonly kind: 'done'; readonly reference: string | null }
  /** The provider reports the final result by itself. */
  | { readonly kind: 'accepted'; readonly reference: string | null }
  /** The provider must be polled by repeating the call. */
  | { readonly kind: 'pending'; readonly reference: string | null }
  | ProviderRefusal;

/** A capture, void or refund of a payment that the provider holds. */
export interface OperationRequest {
  /** Our id of the operation, the provider's idempotency key. */
  readonly id: string;
  readonly transactionId: string;
  readonly amountCents: number;
  /** The provider's id of the payment: for Pix the end-to-end id, for a card the authorization. */
  readonly paymentReference: string;
}

export interface PixProvider {
  readonly name: string;
  create(request: PixRequest, deadline: AbortSignal): Promise<CreatedPix | ProviderRefusal>;
  /** Looks up a request whose response was lost. */
  find(
    request: PixRequest,
    deadline: AbortSignal,
  ): Promise<CreatedPix | ProviderRefusal | { readonly kind: 'absent' }>;
  /** Makes the code unpayable. Succeeds as well when the code does not exist or is already paid. */
  cancel(txid: string, deadline: AbortSignal): Promise<OperationResponse>;
  refund(request: OperationRequest, deadline: AbortSignal): Promise<OperationResponse>;
}

export interface CardAuthorizationRequest extends CardContext {
  readonly transactionId: string;
  readonly sellerId: string;
  readonly sellerName: string;
  readonly amountCents: number;
  readonly card: CardDetails;
  readonly installments: number;
  /** False: authorize only. */
  readonly capture: boolean;
  readonly payer: Pick<Customer, 'name' | 'email' | 'document' | 'phone'>;
}

export type CardAuthorizationResponse =
  | {
      readonly kind: 'decided';
      readonly event: Extract<TransactionEvent, { kind: 'PAYMENT' | 'AUTHORIZATION' | 'FAILURE' }>;
      readonly reference: string | null;
      /** Of an authorized payment, as far as the provider reports it. */
      readonly codes?: CardCodes;
    }
  /** The provider reports its decision later. */
  | { readonly kind: 'pending'; readonly reference: string | null };

export interface CardProvider {
  readonly name: string;
  authorize(request: CardAuthorizationRequest, deadline: AbortSignal): Promise<CardAuthorizationResponse>;
  /** Voids an authorization of unknown outcome, identified by our transaction id alone. */
  voidByTransactionId(transactionId: string, deadline: AbortSignal): Promise<OperationResponse>;
  capture(request: OperationRequest, deadline: AbortSignal): Promise<OperationResponse>;
  void(request: OperationRequest, deadline: AbortSignal): Promise<OperationResponse>;
  refund(request: OperationRequest, deadline: AbortSignal): Promise<OperationResponse>;
}

/**
 * The configured provider of each payment method: a local one, which is part of the transaction's
 * own commit, or external ones in the order in which they are tried. Undefined makes the method
 * unavailable.
 */
export interface PaymentProviders {
  readonly pix: PixIssuer | readonly PixProvider[] | undefined;
  readonly boleto: BoletoIssuer | undefined;
  readonly card: CardAuthorizer | readonly CardProvider[] | undefined;
}
