import { METHODS, STATUSES, type Method, type Status } from './transaction.ts';

/** A transaction in a list. Amounts in cents. */
export interface TransactionSummary {
  readonly id: string;
  readonly amount: number;
  readonly feeAmount: number;
  readonly method: Method;
  readonly status: Status;
  readonly installments: number | null;
  readonly paidAt: Date | null;
  readonly createdAt: Date;
}

/** A transaction in a list of its seller. */
export interface ListedTransaction extends TransactionSummary {
  readonly customerName: string;
  readonly description: string | null;
  readonly externalRef: string | null;
  readonly refundedAmount: number;
  readonly refundingAmount: number;
}

/** The columns of a summary, in SQL. */
export const SUMMARY_SQL = `id, amount, fee_amount AS "feeAmount", method, status, installments,
  paid_at AS "paidAt", created_at AS "createdAt"`;

/** The columns of a listed transaction, of a table with the alias `t`. */
export const LISTED_SQL = `${SUMMARY_SQL}, description, external_ref AS "externalRef",
  refunded_amount AS "refundedAmount", refunding_amount AS "refundingAmount",
  (SELECT c.name FROM transaction_customers c
    WHERE c.seller_id = t.seller_id AND c.transaction_id = t.id) AS "customerName"`;

/** Transactions are counted and indexed by method and status. */
export interface MethodStatus {
  readonly method: Method;
  readonly status: Status;
}

export const ALL_METHOD_STATUSES: readonly MethodStatus[] = METHODS.flatMap((method) =>
  STATUSES.map((status) => ({ method, status })),
);

/** Returns every pair of a method and a status that a filter accepts. */
export const methodStatusesOf = (filter: {
  readonly method: string | undefined;
  /** Empty: every status. */
  readonly statuses: readonly Status[];
}): readonly MethodStatus[] =>
  ALL_METHOD_STATUSES.filter(
    ({ method, status }) =>
      (filter.method === undefined || method === filter.method) &&
      (filter.statuses.length === 0 || filter.statuses.includes(status)),
  );
