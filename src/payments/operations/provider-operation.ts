import { newId } from '#platform/kit/ids.ts';

export type OperationKind = 'CREATE' | 'CANCEL' | 'CAPTURE' | 'VOID' | 'REFUND';

/** OPEN: to be called. ACCEPTED: the provider will report the result. DONE, REFUSED: final. */
export type OperationState = 'OPEN' | 'ACCEPTED' | 'DONE' | 'REFUSED';

/** A call that an external provider must execute exactly once for a transaction. */
export interface ProviderOperation {
  readonly sellerId: string;
  /** The provider's idempotency key. A CREATE operation has the transaction's id. */
  readonly id: string;
  readonly transactionId: string;
  readonly kind: OperationKind;
  readonly provider: string;
  /** Cents. */
  readonly amount: number;
  readonly state: OperationState;
  /** The provider's id of the payment that the operation applies to. */
  readonly paymentReference: string | null;
  /** The provider's id of the operation itself. */
  readonly reference: string | null;
  readonly attempts: number;
  readonly leaseUntil: Date | null;
  /** Of CREATE: false when a card is only authorized. */
  readonly capture: boolean;
  readonly createdAt: Date;
}

export type OperationKey = Pick<ProviderOperation, 'sellerId' | 'id'>;

export interface NewProviderOperation extends Omit<
  ProviderOperation,
  'kind' | 'state' | 'reference' | 'attempts' | 'leaseUntil' | 'capture'
> {
  readonly kind: Exclude<OperationKind, 'CREATE'>;
}

/** An operation on the transaction that another operation of the same provider belongs to. */
export function nextOperation(
  { sellerId, transactionId, provider, amount }: ProviderOperation,
  next: Pick<NewProviderOperation, 'kind' | 'paymentReference' | 'createdAt'> & { readonly amount?: number },
): NewProviderOperation {
  return { sellerId, id: newId(next.createdAt.getTime()), transactionId, provider, amount, ...next };
}

/** Whether an operation is of the given kind and was not refused. */
export const isActive = (kind: OperationKind) => (operation: ProviderOperation) =>
  operation.kind === kind && operation.state !== 'REFUSED';
