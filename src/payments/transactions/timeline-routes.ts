import { Type } from 'typebox';

import type { Action } from '#audit/actions.ts';
import type { AuditService } from '#audit/service.ts';
import { AuthorSchema } from '#platform/http/audit-actor.ts';
import { envelope, nullable, ok, timestamp } from '#platform/http/envelope.ts';
import { callingSeller } from '#platform/http/guard.ts';
import type { App } from '#platform/http/server.ts';
import { TransactionNotFoundError } from './errors.ts';
import * as examples from './examples-queries.ts';
import type { OperatorTransactions } from './operator-service.ts';
import { RefundSchema, viewRefund, type RefundRecord } from './refund-schema.ts';
import type { TransactionKey, TransactionsService } from './service.ts';
import { RELEASE_STATUSES, STATUSES } from './transaction.ts';

export interface TimelineDeps {
  readonly transactions: TransactionsService;
  readonly operatorTransactions: OperatorTransactions;
  readonly auditLog: AuditService;
  /** Finds the refunds of a transaction, oldest first. */
  readonly findRefunds: (key: TransactionKey) => Promise<readonly RefundRecord[]>;
}

const TIMELINE_ACTIONS = [
  'transaction.captured',
  'transaction.voided',
  'transaction.canceled',
  'transaction.refunded',
] as const satisfies readonly Action[];

const TimelineSchema = Type.Object(
  {
    history: Type.Array(
      Type.Object(
        {
          from: nullable(Type.String({ description: 'Null for the first status.' })),
          to: Type.Enum([...STATUSES], { description: 'New status.' }),
          reason: nullable(Type.String({ description: 'Why the status changed.' })),
          actor: Type.String({ description: 'SELLER, PROVIDER, OPERATOR, or WORKER: the gateway itself.' }),
          at: timestamp('When the status changed.'),
        },
        { title: 'TransactionStatusChange', description: 'A status that a transaction has had.' },
      ),
      { description: 'All status changes, oldest first.' },
    ),
    refunds: Type.Array(RefundSchema, { description: 'Oldest first, at most 1,000.' }),
    releases: Type.Array(
      Type.Object(
        {
          number: Type.Integer({ description: 'Number of the installment, from 1.' }),
          amount: Type.Integer({
            description:
              'Cents of this release, less what refunds, disputes or a chargeback took from it while it ' +
              'was pending; 0 if TAKEN.',
          }),
          status: Type.Enum([...RELEASE_STATUSES], {
            description:
              'PENDING: on hold until `availableAt`. RELEASED: in the available balance. HELD: on hold ' +
              'for a dispute. TAKEN: returned to the payer.',
          }),
          availableAt: timestamp('When it becomes or became available.'),
        },
        { title: 'TransactionRelease', description: 'Money of a payment that becomes available later.' },
      ),
      {
        description:
          'One for each installment of a card payment, one for a boleto. Empty before the payment, and if ' +
          'the money was available at once, as for Pix.',
      },
    ),
    actions: Type.Array(
      Type.Object(
        {
          action: Type.Enum([...TIMELINE_ACTIONS], { description: 'What was requested.' }),
          by: AuthorSchema,
          at: timestamp('When it was requested.'),
        },
        { title: 'TransactionAction', description: 'A capture, void, cancellation or refund.' },
      ),
      { description: 'Who requested what, oldest first, at most 1,000.' },
    ),
  },
  { title: 'TransactionTimeline', description: 'The history of a transaction.' },
);

/** The status history and refunds of a transaction. */
export function timelineRoutes(
  app: App,
  { transactions, operatorTransactions, auditLog, findRefunds }: TimelineDeps,
): void {
  app.get(
    '/transactions/:id/timeline',
    {
      config: { access: 'transactions:read' },
      schema: {
        operationId: 'getTransactionTimeline',
        summary: "Retrieve a transaction's timeline",
        description:
          'Returns every status that a transaction has had, its refunds, when its money becomes ' +
          'available, and who captured, voided, canceled or refunded it. Use it to show what happened ' +
          'and when.',
        tags: ['Transactions'],
        errors: ['transaction_not_found'],
        examples: { response: examples.TIMELINE },
        params: Type.Object({ id: Type.String() }),
        response: { 200: envelope(TimelineSchema) },
      },
    },
    async (request) => {
      const key = { sellerId: callingSeller(request).id, id: request.params.id };
      const transaction = await transactions.find(key);
      if (transaction === undefined) throw new TransactionNotFoundError();
      const [changes, refunds, actions] = await Promise.all([
        operatorTransactions.findStatusHistory(key),
        findRefunds(key),
        auditLog.listOfRecord({ sellerId: key.sellerId, recordId: key.id.toLowerCase() }, TIMELINE_ACTIONS),
      ]);
      return ok({
        history: changes.map(({ from, to, reason, actor, at }) => ({
          from,
          to: statusOf(to),
          reason,
          actor,
          at: at.toISOString(),
        })),
        refunds: refunds.map(viewRefund),
        releases: transaction.releases.map(({ dueAt, ...release }) => ({
          ...release,
          availableAt: dueAt.toISOString(),
        })),
        actions: actions.flatMap(({ action, author, at }) => {
          const known = TIMELINE_ACTIONS.find((one) => one === action);
          return known === undefined ? [] : [{ action: known, by: author, at: at.toISOString() }];
        }),
      });
    },
  );
}

function statusOf(text: string) {
  const status = STATUSES.find((known) => known === text);
  if (status === undefined) throw new Error(`unknown transaction status in the history: ${text}`);
  return status;
}
