import { Type } from 'typebox';

import { envelope, nullable, ok, recordId, timestamp } from '#platform/http/envelope.ts';
import { callingSeller } from '#platform/http/guard.ts';
import type { App } from '#platform/http/server.ts';
import { TransactionNotFoundError } from './errors.ts';
import * as examples from './examples-queries.ts';
import type { OperatorTransactions } from './operator-service.ts';
import type { TransactionKey, TransactionsService } from './service.ts';
import { STATUSES } from './transaction.ts';

/** A refund in the timeline. */
export interface TimelineRefund {
  readonly id: string;
  readonly amount: number;
  readonly reason: string | null;
  readonly status: string;
  readonly createdAt: Date;
}

export interface TimelineDeps {
  readonly transactions: TransactionsService;
  readonly operatorTransactions: OperatorTransactions;
  /** Finds the refunds of a transaction, oldest first. */
  readonly findRefunds: (key: TransactionKey) => Promise<readonly TimelineRefund[]>;
}

const TimelineSchema = Type.Object(
  {
    history: Type.Array(
      Type.Object(
        {
          from: nullable(Type.String({ description: 'Null for the initial status.' })),
          to: Type.Enum([...STATUSES], { description: 'New status.' }),
          reason: nullable(Type.String({ description: 'Why the status changed.' })),
          actor: Type.String({ description: 'SELLER, PROVIDER, WORKER or OPERATOR.' }),
          at: timestamp('When the status changed.'),
        },
        { title: 'TransactionStatusChange', description: 'A status that a transaction has had.' },
      ),
      { description: 'All statuses, oldest first.' },
    ),
    refunds: Type.Array(
      Type.Object(
        {
          id: recordId('Unique identifier.'),
          amount: Type.Integer({ description: 'Cents.' }),
          reason: nullable(Type.String({ description: 'Reason that was given for the refund.' })),
          status: Type.Enum(['PENDING', 'DONE', 'FAILED'], {
            description: 'PENDING until the provider reports the outcome.',
          }),
          createdAt: timestamp('When the refund was requested.'),
        },
        { title: 'Refund', description: 'A refund of a transaction.' },
      ),
      { description: 'Oldest first, at most 1,000.' },
    ),
  },
  { title: 'TransactionTimeline', description: 'The history of a transaction.' },
);

/** The status history and refunds of a transaction. */
export function timelineRoutes(
  app: App,
  { transactions, operatorTransactions, findRefunds }: TimelineDeps,
): void {
  app.get(
    '/transactions/:id/timeline',
    {
      config: { access: 'transactions:read' },
      schema: {
        operationId: 'getTransactionTimeline',
        summary: "Retrieve a transaction's timeline",
        description:
          'Returns every status that a transaction has had, and its refunds. Use it to show ' +
          'what happened and when.',
        tags: ['Transactions'],
        errors: ['transaction_not_found'],
        examples: { answer: examples.TIMELINE },
        params: Type.Object({ id: Type.String() }),
        response: { 200: envelope(TimelineSchema) },
      },
    },
    async (request) => {
      const key = { sellerId: callingSeller(request).id, id: request.params.id };
      if ((await transactions.find(key)) === undefined) throw new TransactionNotFoundError();
      const [changes, refunds] = await Promise.all([
        operatorTransactions.findStatusHistory(key),
        findRefunds(key),
      ]);
      return ok({
        history: changes.map(({ from, to, reason, actor, at }) => ({
          from,
          to: statusOf(to),
          reason,
          actor,
          at: at.toISOString(),
        })),
        refunds: refunds.map(({ createdAt, status, ...refund }) => ({
          ...refund,
          status: REFUND_STATUSES.find((known) => known === status) ?? ('DONE' as const),
          createdAt: createdAt.toISOString(),
        })),
      });
    },
  );
}

const REFUND_STATUSES = ['PENDING', 'DONE', 'FAILED'] as const;

function statusOf(text: string) {
  const status = STATUSES.find((known) => known === text);
  if (status === undefined) throw new Error(`unknown transaction status in the history: ${text}`);
  return status;
}
