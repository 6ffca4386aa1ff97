import { Type } from 'typebox';

import { addDays, isLocalDate } from '#formats/calendar/local-date.ts';
import { isDay, parseDateRange } from '#formats/calendar/date-range.ts';
import { saoPauloDate } from '#formats/calendar/sao-paulo.ts';
import type { CardTokensService } from '#payments/card-tokens/service.ts';
import type { CustomersService } from '#payments/customers/service.ts';
import type { IdempotencyKeysService } from '#payments/idempotency/service.ts';
import type { DocumentRules } from '#payments/transactions/creation-schema.ts';
import { envelope, ok, pageEnvelope } from '#platform/http/envelope.ts';
import { HttpError, ValidationError } from '#platform/http/errors.ts';
import { auditActorOf, callingSeller, idempotencyKey } from '#platform/http/guard.ts';
import { handleReusedKey, hashBody, keyReusedError } from '#platform/http/idempotency.ts';
import { pageResponse, parsePage } from '#platform/http/pagination.ts';
import type { App } from '#platform/http/server.ts';
import type { Clock } from '#platform/kit/clock.ts';
import * as examples from './examples.ts';
import { invoiceRoutes } from './invoice-routes.ts';
import { toCustomerInput } from './payer.ts';
import { invalidTransition } from './errors.ts';
import {
  createSubscriptionBody,
  SubscriptionListQuery,
  SubscriptionSchema,
  subscriptionStatuses,
  SummaryQuery,
  SummarySchema,
  UpdateSubscriptionBody,
  type CreateSubscriptionBody,
} from './schema.ts';
import { CREATE_SUBSCRIPTION_OPERATION, type ChangeResult, type SubscriptionsService } from './service.ts';
import type {
  Journey,
  PayerAccount,
  SubscriptionChanges,
  SubscriptionInput,
  SubscriptionRecord,
} from './subscription.ts';
import { viewSubscription } from './views.ts';

export interface SubscriptionRouteDeps {
  readonly subscriptions: SubscriptionsService;
  readonly customers: CustomersService;
  readonly cardTokens: CardTokensService;
  readonly keys: IdempotencyKeysService;
  readonly clock: Clock;
  readonly documents: DocumentRules;
  readonly publicUrl: string;
}

const Params = Type.Object({ id: Type.String() });

/** The payer's bank announces a charge to the payer at least two days before it. */
const PIX_AUTOMATICO_LEAD_DAYS = 2;

export function subscriptionRoutes(app: App, deps: SubscriptionRouteDeps): void {
  registerCreate(app, deps);
  registerList(app, deps);
  registerSummary(app, deps);
  registerGet(app, deps);
  registerUpdate(app, deps);
  for (const action of ['cancel', 'pause', 'resume'] as const) registerAction(app, deps, action);
  invoiceRoutes(app, deps);
}

function registerCreate(app: App, deps: SubscriptionRouteDeps): void {
  const { subscriptions, keys } = deps;
  app.post(
    '/subscriptions',
    {
      config: { access: 'subscriptions:write', idempotent: true },
      errorHandler: handleReusedKey((sellerId, key) =>
        keys.isUsed({ sellerId, operation: CREATE_SUBSCRIPTION_OPERATION, key }),
      ),
      schema: {
        operationId: 'createSubscription',
        summary: 'Create a subscription',
        description:
          'Charges a payer at an interval. Each cycle has an invoice, which is charged with ' +
          'transactions that have `subscriptionId`. A PIX_AUTOMATICO subscription stays PENDING ' +
          'until the payer authorizes it at the bank, which must happen before the first cycle; ' +
          'all others are ACTIVE immediately. Amounts are not prorated.',
        tags: ['Subscriptions'],
        errors: [
          'customer_not_found',
          'method_unavailable',
          unknownToken(),
          foreignCard(),
          tooEarly('2026-12-05'),
        ],
        examples: { body: examples.CREATE_BODIES, response: examples.FOUND },
        body: createSubscriptionBody(deps.documents),
        response: { 201: envelope(SubscriptionSchema) },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const keyed = {
        sellerId: callingSeller(request).id,
        idempotencyKey: idempotencyKey(request),
        bodyHash: hashBody(body),
        actor: auditActorOf(request),
      };
      // The first date of a replay may have passed meanwhile.
      const result =
        (await subscriptions.findReplay(keyed)) ??
        (await subscriptions.create({ ...keyed, input: await checkInput(deps, keyed.sellerId, body) }));
      if (result.kind !== 'done' && result.kind !== 'replayed') throw keyReusedError();
      if (result.kind === 'replayed') reply.header('idempotency-replayed', 'true');
      return reply.code(201).send(ok(result.response));
    },
  );
}

const unknownToken = (): ValidationError =>
  new ValidationError([{ path: ['cardTokenId'], rule: 'must be a token of POST /card-tokens' }]);

const foreignCard = (): ValidationError =>
  new ValidationError([{ path: ['cardTokenId'], rule: 'must be a card of the customer' }]);

/** @throws ValidationError unless it is a saved card that the payer may use. */
async function checkCard(
  { cardTokens, customers }: Pick<SubscriptionRouteDeps, 'cardTokens' | 'customers'>,
  sellerId: string,
  cardTokenId: string,
  { customerId, customer }: Pick<SubscriptionInput, 'customerId' | 'customer'>,
): Promise<void> {
  const owner = await cardTokens.describe(sellerId, cardTokenId);
  if (owner === undefined) throw unknownToken();
  if (owner.customerId === null || owner.customerId === customerId) return;
  // A payer without a record may be the customer whose card it is.
  const record = customer && (await customers.find({ sellerId, id: owner.customerId }));
  if (customer === null || record?.document !== customer.document) throw foreignCard();
}

const wrongStart = (rule: ConstructorParameters<typeof ValidationError>[0][number]['rule']) =>
  new ValidationError([{ path: ['startDate'], rule }]);

const tooEarly = (date: string): ValidationError => wrongStart(`must not be before ${date}`);

/** A hundred years: the dates of all cycles have four digits of a year. */
const MAX_LEAD_DAYS = 36_525;

/** @throws HttpError for what the schema cannot check. */
async function checkInput(
  deps: SubscriptionRouteDeps,
  sellerId: string,
  body: CreateSubscriptionBody,
): Promise<SubscriptionInput> {
  const { subscriptions, customers, clock } = deps;
  const input = toInput(body);
  const latest = addDays(saoPauloDate(clock.now()), MAX_LEAD_DAYS);
  if (!isLocalDate(input.startDate)) throw wrongStart('must be a valid ISO 8601 date string');
  if (input.startDate > latest) throw wrongStart(`must not be greater than ${latest}`);
  const isAutomatic = input.method === 'PIX_AUTOMATICO';
  const earliest = addDays(saoPauloDate(clock.now()), isAutomatic ? PIX_AUTOMATICO_LEAD_DAYS : 0);
  if (input.startDate < earliest) throw tooEarly(earliest);
  const { journey } = input;
  if (journey !== null && !subscriptions.isPixAutomaticoAvailable) throw new HttpError('method_unavailable');
  if (journey !== null && input.payerAccount === null && subscriptions.needsPayerAccount(journey))
    throw new ValidationError([{ path: ['pixPayerAccount'], rule: 'must be an object', code: 'required' }]);
  const { customerId, cardTokenId } = input;
  if (customerId !== null && (await customers.find({ sellerId, id: customerId })) === undefined)
    throw new HttpError('customer_not_found');
  if (cardTokenId !== null) await checkCard(deps, sellerId, cardTokenId, input);
  return input;
}

const JOURNEYS: Readonly<Record<number, Journey>> = { 1: 1, 2: 2, 3: 3, 4: 4 };

function toInput(body: CreateSubscriptionBody): SubscriptionInput {
  const { method, customer } = body;
  const isRetried = method === 'PIX_AUTOMATICO' || method === 'CREDIT_CARD';
  return {
    method,
    amount: body.amount,
    amountType: body.amountType ?? 'FIXED',
    minimumAmount: body.minimumAmount ?? null,
    interval: body.interval,
    startDate: toDay(body.startDate),
    cycles: body.cycles ?? null,
    retryPolicy: body.retryPolicy ?? (isRetried ? 'THREE_IN_SEVEN_DAYS' : 'NONE'),
    onUnpaid: body.onUnpaid ?? 'CONTINUE',
    description: body.description ?? null,
    customerId: body.customerId?.toLowerCase() ?? null,
    customer: customer === undefined || customer === null ? null : toCustomerInput(customer),
    cardTokenId: body.cardTokenId?.toLowerCase() ?? null,
    externalRef: body.externalRef ?? null,
    metadata: body.metadata ?? null,
    postbackUrl: body.postbackUrl ?? null,
    payerAccount: toPayerAccount(body),
    journey: method === 'PIX_AUTOMATICO' ? (JOURNEYS[body.pixJourney ?? 2] ?? 2) : null,
  };
}

const toPayerAccount = ({ pixPayerAccount: given }: CreateSubscriptionBody): PayerAccount | null =>
  given === undefined || given === null ? null : { ...given, branch: given.branch ?? null };

/** The São Paulo day of a timestamp; a day as it is. */
function toDay(text: string): string {
  const range = isDay(text) ? undefined : parseDateRange(text);
  return range === undefined ? text : saoPauloDate(range.from);
}

function registerList(app: App, { subscriptions, clock, publicUrl }: SubscriptionRouteDeps): void {
  app.get(
    '/subscriptions',
    {
      config: { access: 'subscriptions:read' },
      schema: {
        operationId: 'listSubscriptions',
        summary: 'List subscriptions',
        description: 'Returns one page of the subscriptions of the seller, newest first.',
        tags: ['Subscriptions'],
        examples: { response: examples.LISTED },
        querystring: SubscriptionListQuery,
        response: { 200: pageEnvelope(SubscriptionSchema) },
      },
    },
    async (request) => {
      const { query } = request;
      const filter = { statuses: subscriptionStatuses.parse(query.status), customerId: query.customerId };
      const { items, count } = await subscriptions.list(callingSeller(request).id, filter, parsePage(query));
      const context = { now: clock.now(), publicUrl };
      return pageResponse(items, count, query.take, (item) => viewSubscription(item, context));
    },
  );
}

function registerSummary(app: App, { subscriptions }: SubscriptionRouteDeps): void {
  app.get(
    '/subscriptions/summary',
    {
      config: { access: 'subscriptions:read' },
      schema: {
        operationId: 'getSubscriptionSummary',
        summary: 'Retrieve recurring revenue',
        description:
          'Returns the monthly recurring revenue, the churn and the recovered payments of the last months.',
        tags: ['Subscriptions'],
        examples: { response: examples.SUMMARY },
        querystring: SummaryQuery,
        response: { 200: envelope(SummarySchema) },
      },
    },
    async (request) => {
      const months = await subscriptions.summarize(callingSeller(request).id, request.query.months);
      const { monthlyRevenue = 0, activeSubscriptions = 0 } = months.at(-1) ?? {};
      return ok({ monthlyRevenue, activeSubscriptions, months });
    },
  );
}

function registerGet(app: App, { subscriptions, clock, publicUrl }: SubscriptionRouteDeps): void {
  app.get(
    '/subscriptions/:id',
    {
      config: { access: 'subscriptions:read' },
      schema: {
        operationId: 'getSubscription',
        summary: 'Retrieve a subscription',
        description: 'Returns a subscription. `GET /v1/transactions?subscriptionId=` lists its transactions.',
        tags: ['Subscriptions'],
        errors: ['subscription_not_found'],
        examples: { response: examples.FOUND },
        params: Params,
        response: { 200: envelope(SubscriptionSchema) },
      },
    },
    async (request) => {
      const key = { sellerId: callingSeller(request).id, id: request.params.id };
      const subscription = await subscriptions.find(key);
      if (subscription === undefined) throw new HttpError('subscription_not_found');
      return ok(viewSubscription(subscription, { now: clock.now(), publicUrl }));
    },
  );
}

function registerUpdate(app: App, deps: SubscriptionRouteDeps): void {
  const { subscriptions, clock, publicUrl } = deps;
  app.patch(
    '/subscriptions/:id',
    {
      config: { access: 'subscriptions:write' },
      schema: {
        operationId: 'updateSubscription',
        summary: 'Update a subscription',
        description:
          'Changes the given fields; omitted fields stay unchanged. Other fields, such as `interval`, ' +
          'cannot be changed and are ignored. Null clears `description` or `metadata`. A new amount applies from the next cycle on: existing invoices keep their ' +
          'amount. A new card, description or metadata applies from the next attempt on, including ' +
          'attempts to collect an unpaid invoice. The amount of a FIXED Pix Automático subscription ' +
          'cannot change, because the payer has authorized it.',
        tags: ['Subscriptions'],
        errors: ['subscription_not_found', 'subscription_amount_fixed', unknownToken(), foreignCard()],
        examples: { body: examples.UPDATE_BODIES, response: examples.FOUND },
        params: Params,
        body: UpdateSubscriptionBody,
        response: { 200: envelope(SubscriptionSchema) },
      },
    },
    async (request) => {
      const { id: sellerId } = callingSeller(request);
      const { amount, cardTokenId, description, metadata } = request.body;
      const key = { sellerId, id: request.params.id };
      const before = await subscriptions.find(key);
      if (before === undefined) throw new HttpError('subscription_not_found');
      if (cardTokenId !== undefined) await checkCard(deps, sellerId, cardTokenId, before);
      checkChanges(before, request.body);
      const changes: SubscriptionChanges = {
        ...(amount !== undefined && { amount }),
        ...(cardTokenId !== undefined && { cardTokenId: cardTokenId.toLowerCase() }),
        ...(description !== undefined && { description }),
        ...(metadata !== undefined && { metadata }),
      };
      const after = unwrap(await subscriptions.update(key, changes, auditActorOf(request)));
      return ok(viewSubscription(after, { now: clock.now(), publicUrl }));
    },
  );
}

/** @throws ValidationError for members that contradict what the subscription was created with. */
function checkChanges(
  { method, minimumAmount }: SubscriptionRecord,
  { amount, cardTokenId }: Pick<SubscriptionChanges, 'amount' | 'cardTokenId'>,
): void {
  if (cardTokenId !== undefined && method !== 'CREDIT_CARD')
    throw new ValidationError([{ path: ['cardTokenId'], rule: `must not be sent with method ${method}` }]);
  if (amount !== undefined && minimumAmount !== null && amount < minimumAmount)
    throw new ValidationError([{ path: ['amount'], rule: `must not be less than ${minimumAmount}` }]);
}

const ACTIONS = {
  cancel: {
    operationId: 'cancelSubscription',
    summary: 'Cancel a subscription',
    description:
      'Ends a subscription. Unpaid invoices are canceled with their charges, and a Pix Automático ' +
      'authorization is ended at the bank.',
    error: invalidTransition('COMPLETED', 'CANCELLED'),
  },
  pause: {
    operationId: 'pauseSubscription',
    summary: 'Pause a subscription',
    description:
      'Stops creating invoices until the subscription is resumed. A Pix Automático charge ' +
      'that waits for its date is canceled. An invoice that is already due is still ' +
      'collected.',
    error: invalidTransition('PENDING', 'PAUSED'),
  },
  resume: {
    operationId: 'resumeSubscription',
    summary: 'Resume a subscription',
    description:
      'Resumes a paused subscription, from its next date on. Cycles that were missed are ' +
      'skipped and do not count toward `cycles`.',
    error: invalidTransition('CANCELLED', 'ACTIVE'),
  },
} as const;

function registerAction(
  app: App,
  { subscriptions, clock, publicUrl }: SubscriptionRouteDeps,
  action: keyof typeof ACTIONS,
): void {
  const { error, ...texts } = ACTIONS[action];
  app.post(
    `/subscriptions/:id/${action}`,
    {
      config: { access: 'subscriptions:write' },
      schema: {
        ...texts,
        tags: ['Subscriptions'],
        errors: ['subscription_not_found', error],
        examples: { response: examples.FOUND },
        params: Params,
        response: { 200: envelope(SubscriptionSchema) },
      },
    },
    async (request) => {
      const key = { sellerId: callingSeller(request).id, id: request.params.id };
      const result = await subscriptions[action](key, auditActorOf(request));
      return ok(viewSubscription(unwrap(result), { now: clock.now(), publicUrl }));
    },
  );
}

/** @throws HttpError if nothing was changed. */
function unwrap(result: ChangeResult): SubscriptionRecord {
  switch (result.kind) {
    case 'changed':
      return result.subscription;
    case 'amount-fixed':
      throw new HttpError('subscription_amount_fixed');
    case 'impossible':
      throw invalidTransition(result.from, result.to);
    case 'unknown':
      throw new HttpError('subscription_not_found');
  }
}
