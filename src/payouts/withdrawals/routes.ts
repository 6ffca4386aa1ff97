import { Type } from 'typebox';

import { localizedTable, pageOrCsv, sendCsv } from '#platform/http/csv.ts';
import { parsePeriod } from '#platform/http/date-filters.ts';
import { envelope, nullable, ok, pageEnvelope, timestamp } from '#platform/http/envelope.ts';
import { HttpError, ValidationError } from '#platform/http/errors.ts';
import { auditActorOf, callingSeller, idempotencyKey, isRecentlyVerified } from '#platform/http/guard.ts';
import { hashBody, handleReusedKey } from '#platform/http/idempotency.ts';
import { pageResponse, parsePage } from '#platform/http/pagination.ts';
import type { App } from '#platform/http/server.ts';
import type { IdempotencyKeysService } from '#payments/idempotency/service.ts';
import type { DocumentRules } from '#payments/transactions/creation-schema.ts';
import type { SellersService } from '#sellers/service.ts';
import { CREATE_OPERATION } from './creation.ts';
import { CSV_COLUMNS } from './csv-columns.ts';
import { withdrawalLookupRoutes } from './lookup-routes.ts';
import { CREATION_ERRORS, WithdrawalNotFoundError } from './errors.ts';
import * as examples from './examples.ts';
import type { PayoutProvider } from './payout-provider.ts';
import {
  createBodySchema,
  type CreateBody,
  type KnownPayee,
  ListQuery,
  parseBody,
  SearchQuery,
  SearchResultSchema,
  WithdrawalSchema,
  withdrawalStatuses,
} from './schema.ts';
import type { WithdrawalsService } from './service.ts';
import { viewSearchResult, viewWithdrawal, type WithdrawalView } from './views.ts';
import type { Withdrawal } from './withdrawal.ts';

const tags = ['Withdrawals'];
const params = Type.Object({ id: Type.String() });

export interface WithdrawalRouteDeps {
  readonly withdrawals: WithdrawalsService;
  readonly sellers: SellersService;
  readonly keys: IdempotencyKeysService;
  readonly documents: DocumentRules;
  readonly payoutProviders: readonly PayoutProvider[];
  /** In a browser, a withdrawal above this amount of cents needs a verified user. */
  readonly stepUpAbove: number;
}

export function withdrawalRoutes(app: App, deps: WithdrawalRouteDeps): void {
  registerCreate(app, deps);
  registerList(app, deps);
  registerSearch(app, deps);
  withdrawalLookupRoutes(app, deps);
  registerGet(app, deps);
  registerTimeline(app, deps);
}

function registerCreate(
  app: App,
  { withdrawals, sellers, keys, documents, payoutProviders, stepUpAbove }: WithdrawalRouteDeps,
): void {
  const withTed = payoutProviders.some(({ methods }) => methods.includes('TED'));
  app.post(
    '/withdrawals',
    {
      config: { access: 'withdrawals:create', idempotent: true },
      errorHandler: handleReusedKey((sellerId, key) =>
        keys.isUsed({ sellerId, operation: CREATE_OPERATION, key }),
      ),
      schema: {
        operationId: 'createWithdrawal',
        summary: 'Create a withdrawal',
        description:
          'Pays out part of the balance. `amount` is deducted from the available balance ' +
          'immediately and reserved until the withdrawal is final; the beneficiary receives it ' +
          'minus the fee. The balance source (`withdrawFrom`) must cover `amount`, and the total available ' +
          'balance must not become negative. The operator approves withdrawals, except those to a known ' +
          "destination within the seller's 24-hour automatic approval limit. Returns the " +
          'withdrawal as PENDING, even if it was approved automatically. In a browser session, a ' +
          'withdrawal of more than `STEP_UP_WITHDRAWAL_ABOVE` (a setting of the gateway, R$ 1,000.00 by ' +
          'default), or to a destination that no earlier withdrawal had, requires a sign-in or step-up ' +
          'within the last five minutes (otherwise 403 `step_up_required`).',
        tags,
        errors: ['withdrawal_not_found', ...Object.values(CREATION_ERRORS).map((error) => error())],
        examples: { body: examples.CREATE_BODIES, response: examples.CREATED },
        body: createBodySchema(documents, withTed),
        response: { 201: envelope(WithdrawalSchema) },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const isVerified = await isRecentlyVerified(request);
      if (body.amount > stepUpAbove && !isVerified) throw new HttpError('step_up_required');
      const context = await sellers.getContext(callingSeller(request).id);
      if (context === undefined) throw new HttpError('seller_not_active');
      const result = await withdrawals.create({
        context,
        input: parseBody(body, documents, await findKnownPayee(withdrawals, context.seller.id, body)),
        idempotencyKey: idempotencyKey(request),
        bodyHash: hashBody(body),
        actor: auditActorOf(request),
        isVerified,
      });
      if (result.kind === 'refused') throw CREATION_ERRORS[result.failure]();
      if (result.kind === 'replayed') reply.header('idempotency-replayed', 'true');
      return reply.code(201).send(ok(result.view));
    },
  );
}

/** @throws WithdrawalNotFoundError if the seller has no such withdrawal. */
async function findKnownPayee(
  withdrawals: WithdrawalsService,
  sellerId: string,
  { method, destinationOf: id }: CreateBody,
): Promise<KnownPayee | undefined> {
  if (id === undefined || id === null) return undefined;
  const known = await withdrawals.findDestination({ sellerId, id });
  if (known === undefined) throw new WithdrawalNotFoundError();
  if (known.destination.method !== method)
    throw new ValidationError([
      { path: ['destinationOf'], rule: `must be a withdrawal with method ${method}` },
    ]);
  return known;
}

function registerList(app: App, { withdrawals }: WithdrawalRouteDeps): void {
  app.get(
    '/withdrawals',
    {
      config: { access: 'withdrawals:read', heavyRead: 'metadata' },
      schema: {
        operationId: 'listWithdrawals',
        summary: 'List withdrawals',
        description:
          'Returns one page of the withdrawals of the seller, newest first, or all of them as ' +
          'CSV with `export=true`.',
        tags,
        examples: { response: examples.LISTED },
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
        const rows = viewAll(withdrawals.iterate(sellerId, filter));
        return sendCsv(reply, 'withdrawals.csv', localizedTable(CSV_COLUMNS, query.locale), rows);
      }
      const { items, count } = await withdrawals.list(sellerId, filter, parsePage(query));
      return pageResponse(items, count, query.take, viewWithdrawal);
    },
  );
}

async function* viewAll(withdrawals: AsyncIterable<Withdrawal>): AsyncGenerator<WithdrawalView> {
  for await (const withdrawal of withdrawals) yield viewWithdrawal(withdrawal);
}

function registerSearch(app: App, { withdrawals }: WithdrawalRouteDeps): void {
  app.get(
    '/withdrawals/search',
    {
      config: { access: 'withdrawals:read', heavyRead: true },
      schema: {
        operationId: 'searchWithdrawals',
        summary: 'Search withdrawals by metadata',
        description:
          'Returns the withdrawals whose metadata has the given key and, optionally, a value ' +
          'that contains the given text, newest first. Field names are snake_case.',
        tags,
        examples: { response: examples.SEARCHED },
        querystring: SearchQuery,
        response: {
          200: envelope(Type.Array(SearchResultSchema, { description: 'Newest first.' })),
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
}

function registerGet(app: App, { withdrawals }: WithdrawalRouteDeps): void {
  app.get(
    '/withdrawals/:id',
    {
      config: { access: 'withdrawals:read' },
      schema: {
        operationId: 'getWithdrawal',
        summary: 'Retrieve a withdrawal',
        description: 'Returns a withdrawal. The destination is masked.',
        tags,
        errors: ['withdrawal_not_found'],
        examples: { response: examples.FOUND },
        params,
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
}

const TimelineSchema = Type.Object(
  {
    history: Type.Array(
      Type.Object(
        {
          from: nullable(Type.String({ description: 'Null for the first status.' })),
          to: Type.String({ description: 'New status.' }),
          reason: nullable(Type.String({ description: 'Why the status changed.' })),
          actor: Type.String({
            description:
              'SELLER, OPERATOR, PROVIDER, GATEWAY (automatic approval), or WORKER (submission to the ' +
              'provider).',
          }),
          at: timestamp('When the status changed.'),
        },
        { title: 'WithdrawalStatusChange', description: 'A status that a withdrawal has had.' },
      ),
      { description: 'All status changes, oldest first.' },
    ),
  },
  { title: 'WithdrawalTimeline', description: 'The history of a withdrawal.' },
);

function registerTimeline(app: App, { withdrawals }: WithdrawalRouteDeps): void {
  app.get(
    '/withdrawals/:id/timeline',
    {
      config: { access: 'withdrawals:read' },
      schema: {
        operationId: 'getWithdrawalTimeline',
        summary: "Retrieve a withdrawal's timeline",
        description: 'Returns every status that a withdrawal has had. Use it to show what happened and when.',
        tags,
        errors: ['withdrawal_not_found'],
        examples: { response: examples.TIMELINE },
        params,
        response: { 200: envelope(TimelineSchema) },
      },
    },
    async (request) => {
      const key = { sellerId: callingSeller(request).id, id: request.params.id };
      if ((await withdrawals.find(key)) === undefined) throw new WithdrawalNotFoundError();
      const history = await withdrawals.listHistory(key);
      return ok({ history: history.map((change) => ({ ...change, at: change.at.toISOString() })) });
    },
  );
}
