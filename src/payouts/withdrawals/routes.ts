import { Type } from 'typebox';

import { pageOrCsv, sendCsv } from '#platform/http/csv.ts';
import { parsePeriod } from '#platform/http/date-filters.ts';
import { envelope, nullable, ok, pageEnvelope, Timestamp } from '#platform/http/envelope.ts';
import { HttpError, businessError } from '#platform/http/errors.ts';
import { callingSeller, idempotencyKey } from '#platform/http/guard.ts';
import { hashBody, handleReusedKey } from '#platform/http/idempotency.ts';
import type { IdempotencyKeysService } from '#payments/idempotency/service.ts';
import { pageResponse, parsePage } from '#platform/http/pagination.ts';
import type { App } from '#platform/http/server.ts';
import type { PayoutProvider } from './payout-provider.ts';
import type { SellersService } from '#sellers/service.ts';
import type { DocumentRules } from '#payments/transactions/schema.ts';
import { CREATION_ERRORS, WithdrawalNotFoundError } from './errors.ts';
import {
  createBodySchema,
  ListQuery,
  parseBody,
  withdrawalStatuses,
  SearchResultSchema,
  SearchQuery,
  WithdrawalSchema,
} from './schema.ts';
import { CREATE_OPERATION, type WithdrawalsService } from './service.ts';
import { CSV_COLUMNS, viewSearchResult, viewWithdrawal, type WithdrawalView } from './views.ts';
import { toDocumentedErrors } from '#platform/openapi/route-schema.ts';
import * as examples from './examples.ts';
import type { Withdrawal } from './withdrawal.ts';

const tags = ['Withdrawals'];

export interface WithdrawalRouteDeps {
  readonly withdrawals: WithdrawalsService;
  readonly sellers: SellersService;
  readonly keys: IdempotencyKeysService;
  readonly documents: DocumentRules;
  /** Who pays withdrawals out; their methods are offered. */
  readonly payoutProviders: readonly PayoutProvider[];
}

export function withdrawalRoutes(
  app: App,
  { withdrawals, sellers, keys, documents, payoutProviders }: WithdrawalRouteDeps,
): void {
  app.post(
    '/withdrawals',
    {
      config: { access: 'withdrawals:create', idempotent: true },
      errorHandler: handleReusedKey((sellerId, key) =>
        keys.isUsed({ sellerId, operation: CREATE_OPERATION, key }),
      ),
      schema: {
        operationId: 'createWithdrawal',
        summary: 'Request a withdrawal',
        tags,
        description:
          '`amount` leaves the available balance at once and is held until the withdrawal has ended; the payee gets it less the fee. The operator approves it, or it is approved by itself up to an amount that the operator has set.',
        refusals: toDocumentedErrors(CREATION_ERRORS),
        examples: { body: examples.CREATE_BODIES, answer: examples.CREATED },
        body: createBodySchema(
          documents,
          payoutProviders.some(({ methods }) => methods.includes('TED')),
        ),
        response: { 201: envelope(WithdrawalSchema) },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const context = await sellers.getContext(callingSeller(request).id);
      if (context === undefined) throw new HttpError(403, 'Seller is not active');
      const input = parseBody(body, documents);
      const result = await withdrawals.create(context, input, idempotencyKey(request), hashBody(body));
      if (result.kind === 'refused') throw businessError(CREATION_ERRORS[result.failure]);
      if (result.kind === 'replayed') reply.header('idempotency-replayed', 'true');
      return reply.code(201).send(ok(result.view));
    },
  );

  app.get(
    '/withdrawals',
    {
      config: { access: 'withdrawals:read' },
      schema: {
        operationId: 'listWithdrawals',
        summary: 'List withdrawals, newest first, or export them as CSV',
        tags,
        examples: { answer: examples.LISTED },
        querystring: ListQuery,
        response: { 200: pageOrCsv(pageEnvelope(WithdrawalSchema)) },
      },
    },
    async (request, reply) => {
      const { query } = request;
      const sellerId = callingSeller(request).id;
      const filter = {
        ...query,
        statuses: withdrawalStatuses.parse(query.status),
        period: parsePeriod(query),
      };
      if (query.export) {
        const all = views(withdrawals.iterate(sellerId, filter));
        return sendCsv(reply, 'withdrawals.csv', CSV_COLUMNS, all);
      }
      const { found: items, count } = await withdrawals.list(sellerId, filter, parsePage(query));
      return pageResponse(items, count, query.take, viewWithdrawal);
    },
  );

  app.get(
    '/withdrawals/search',
    {
      config: { access: 'withdrawals:read' },
      schema: {
        operationId: 'searchWithdrawals',
        summary: 'Search withdrawals by metadata',
        tags,
        description: 'Answers names in snake case.',
        examples: { answer: examples.SEARCHED },
        querystring: SearchQuery,
        response: {
          200: Type.Object({ status: Type.Literal(true), data: Type.Array(SearchResultSchema) }),
        },
      },
    },
    async (request) => {
      const { query } = request;
      const filter = { ...query, statuses: [] };
      const items = await withdrawals.search(callingSeller(request).id, filter, parsePage(query));
      return ok(items.slice(0, query.take).map(viewSearchResult));
    },
  );

  app.get(
    '/withdrawals/:id',
    {
      config: { access: 'withdrawals:read' },
      schema: {
        operationId: 'getWithdrawal',
        summary: 'Read a withdrawal',
        tags,
        refusals: { 404: ['Withdrawal not found'] },
        examples: { answer: examples.FOUND },
        params: Type.Object({ id: Type.String() }),
        response: { 200: envelope(WithdrawalSchema) },
      },
    },
    async (request) => {
      const key = { sellerId: callingSeller(request).id, id: request.params.id };
      const withdrawal = await withdrawals.find(key);
      if (withdrawal === undefined) throw new WithdrawalNotFoundError();
      return ok(viewWithdrawal(withdrawal));
    },
  );

  app.get(
    '/withdrawals/:id/timeline',
    {
      config: { access: 'withdrawals:read' },
      schema: {
        operationId: 'getWithdrawalTimeline',
        summary: 'Read what has become of a withdrawal',
        tags,
        refusals: { 404: ['Withdrawal not found'] },
        examples: { answer: examples.TIMELINE },
        params: Type.Object({ id: Type.String() }),
        response: { 200: envelope(TimelineSchema) },
      },
    },
    async (request) => {
      const key = { sellerId: callingSeller(request).id, id: request.params.id };
      if ((await withdrawals.find(key)) === undefined) throw new WithdrawalNotFoundError();
      const steps = await withdrawals.listHistory(key);
      return ok({ history: steps.map((step) => ({ ...step, at: step.at.toISOString() })) });
    },
  );
}

const TimelineSchema = Type.Object(
  {
    history: Type.Array(
      Type.Object({
        from: nullable(Type.String({ description: 'Null for the first one.' })),
        to: Type.String(),
        reason: nullable(Type.String()),
        actor: Type.String({
          description: "SELLER, GATEWAY (approved by the seller's allowance), OPERATOR, WORKER or PROVIDER.",
        }),
        at: Timestamp,
      }),
      { description: 'Every status it has had, the first one first.' },
    ),
  },
  { title: 'WithdrawalTimeline' },
);

async function* views(withdrawals: AsyncIterable<Withdrawal>): AsyncGenerator<WithdrawalView> {
  for await (const withdrawal of withdrawals) yield viewWithdrawal(withdrawal);
}
