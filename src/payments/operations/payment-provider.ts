import type { CardContext, CardDetails, CardAuthorizer } from '#payments/transactions/card.ts';
import type { TransactionEvent } from '#payments/transactions/decisions.ts';
import type { BoletoIssuer, PixIssuer } from '#payments/transactions/new-transaction.ts';
import type { Customer } from '#payments/transactions/transaction.ts';

/**
 * Rails of others: providers that are called over a network. Each operation takes our own id, under which the provider does
 * it once however often it is called. Every method throws `NotTaken` where the provider certainly did not take the order, and
 * anything else where it is not known what came of the call (a deadline, a broken connection, an answer that says neither
 * yes nor no). No method is called inside a database transaction.
 */

export { NotExecutedError } from '#platform/jobs/provider-calls.ts';

/** The provider has not done it and never will, by its own word. */
export interface ProviderRefusal {
  readonly kind: 'refused';
  /** For the seller to read: no secret, no personal datum. */
  readonly reason: string;
}

export interface PixRequest {
  readonly transactionId: string;
  /** Our id at the provider: 32 of the characters a-z and 0-9. */
  readonly txid: string;
  readonly amountCents: number;
  readonly payer: Pick<Customer, 'name' | 'document' | 'documentType'>;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export interface CreatedPix {
  readonly kind: 'placed';
  /** The BR Code to copy and paste. */
  readonly code: string;
  /** The provider's own id of it, where it has one. */
  readonly reference: string | null;
}

export type OperationResponse =
  /** It is done. `reference` is the provider's own id of it. */
  | { readonly kind: 'done'; readonly reference: string | null }
  /** The provider works on it and reports what comes of it. */
  | { readonly kind: 'accepted'; readonly reference: string | null }
  /** The provider works on it and must be asked again, by the same call. */
  | { readonly kind: 'working'; readonly reference: string | null }
  | ProviderRefusal;

/** What is done later about a charge that a provider has. */
export interface OperationRequest {
  /** Our id of it, the provider's idempotency key. */
  readonly id: string;
  readonly transactionId: string;
  readonly amountCents: number;
  /** What it is about, in the provider's words: of PIX the end-to-end id, of a card the authorization. */
  readonly paymentReference: string;
}

export interface PixProvider {
  readonly name: string;
  create(request: PixRequest, deadline: AbortSignal): Promise<CreatedPix | ProviderRefusal>;
  /** What became of an order whose answer was lost. */
  find(
    request: PixRequest,
    deadline: AbortSignal,
  ): Promise<CreatedPix | ProviderRefusal | { readonly kind: 'absent' }>;
  /** Makes the code unpayable; done too where there is none or it has been paid. */
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
  /** False: authorise only. */
  readonly capture: boolean;
  readonly payer: Pick<Customer, 'name' | 'email' | 'document' | 'phone'>;
}

export type CardAuthorizationResponse =
  | {
      readonly kind: 'decided';
      readonly event: Extract<TransactionEvent, { kind: 'PAYMENT' | 'AUTHORIZATION' | 'FAILURE' }>;
      readonly reference: string | null;
    }
  /** The provider thinks about it and reports later. */
  | { readonly kind: 'pending'; readonly reference: string | null };

export interface CardProvider {
  readonly name: string;
  authorize(request: CardAuthorizationRequest, deadline: AbortSignal): Promise<CardAuthorizationResponse>;
  /** Gives back whatever an authorization of unknown outcome may have taken; by our id of the charge alone. */
  voidByTransactionId(transactionId: string, deadline: AbortSignal): Promise<OperationResponse>;
  capture(request: OperationRequest, deadline: AbortSignal): Promise<OperationResponse>;
  void(request: OperationRequest, deadline: AbortSignal): Promise<OperationResponse>;
  refund(request: OperationRequest, deadline: AbortSignal): Promise<OperationResponse>;
}

/** Who makes charges payable: a local rail, which needs one commit only, or providers of others in the order of choice. */
export interface PaymentProviders {
  readonly pix: PixIssuer | readonly PixProvider[] | undefined;
  readonly boleto: BoletoIssuer | undefined;
  readonly card: CardAuthorizer | readonly CardProvider[] | undefined;
}
