import { Type } from 'typebox';

import type { IdempotencyKeysService } from '#payments/idempotency/service.ts';
import { METHODS } from '#payments/transactions/transaction.ts';
import type { Clock } from '#platform/kit/clock.ts';
import { isDay, parseDateRange } from '#formats/calendar/date-range.ts';
import { envelope, ok, pageEnvelope } from '#platform/http/envelope.ts';
import { HttpError } from '#platform/http/errors.ts';
import { auditActorOf, callingSeller, idempotencyKey } from '#platform/http/guard.ts';
import { handleReusedKey, hashBody, keyReusedError } from '#platform/http/idempotency.ts';
import { pageResponse, parsePage } from '#platform/http/pagination.ts';
import type { App } from '#platform/http/server.ts';
import * as examples from './examples.ts';
import type { LinkChanges, LinkInput } from './link.ts';
import { CreateLinkBody, LinkListQuery, LinkSchema, UpdateLinkBody } from './schema.ts';
import { CREATE_LINK_OPERATION, type PaymentLinksService } from './service.ts';
import { viewLink } from './views.ts';

export interface PaymentLinkRouteDeps {
  readonly paymentLinks: PaymentLinksService;
  readonly keys: IdempotencyKeysService;
  readonly clock: Clock;
  readonly publicUrl: string;
}

const Params = Type.Object({ id: Type.String() });

export function paymentLinkRoutes(app: App, deps: PaymentLinkRouteDeps): void {
  registerCreate(app, deps);
  registerList(app, deps);
  registerGet(app, deps);
  registerUpdate(app, deps);
}

function registerCreate(app: App, { paymentLinks, keys }: PaymentLinkRouteDeps): void {
  app.post(
    '/payment-links',
    {
      config: { access: 'payment-links:write', idempotent: true },
      errorHandler: handleReusedKey((sellerId, key) =>
        keys.isUsed({ sellerId, operation: CREATE_LINK_OPERATION, key }),
      ),
      schema: {
        operationId: 'createPaymentLink',
        summary: 'Create a payment link',
        description:
          'Creates a link to share. Its payment page accepts Pix, boleto and card. Each payment ' +
          'is a transaction with `paymentLinkId`. With `subscription`, a payment starts a ' +
          'subscription.',
        tags: ['Payment links'],
        errors: ['customer_not_found'],
        examples: { body: examples.CREATE_BODIES, response: examples.FOUND },
        body: CreateLinkBody,
        response: { 201: envelope(LinkSchema) },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const sellerId = callingSeller(request).id;
      const result = await paymentLinks.create({
        sellerId,
        input: toInput(body),
        idempotencyKey: idempotencyKey(request),
        bodyHash: hashBody(body),
        actor: auditActorOf(request),
      });
      if (result.kind === 'refused') throw new HttpError(result.failure);
      if (result.kind === 'reused') throw keyReusedError();
      if (result.kind === 'replayed') reply.header('idempotency-replayed', 'true');
      return reply.code(201).send(ok(result.response));
    },
  );
}

function toInput(body: CreateLinkBody): LinkInput {
  const { subscription } = body;
  const isRecurring = subscription !== undefined && subscription !== null;
  return {
    title: body.title,
    description: body.description ?? null,
    amount: body.amount ?? null,
    minAmount: body.minAmount ?? null,
    maxAmount: body.maxAmount ?? null,
    methods: METHODS.filter((method) => (body.methods ?? METHODS).includes(method)),
    maxInstallments: isRecurring ? 1 : (body.maxInstallments ?? 12),
    subscription: isRecurring
      ? { interval: subscription.interval, cycles: subscription.cycles ?? null }
      : null,
    maxPayments: body.maxPayments ?? null,
    expiresAt: toExpiry(body.expiresAt ?? null),
    successUrl: body.successUrl ?? null,
    customerId: body.customerId?.toLowerCase() ?? null,
    externalRef: body.externalRef ?? null,
    metadata: body.metadata ?? null,
    postbackUrl: body.postbackUrl ?? null,
  };
}

/** A day ends with its last hour in São Paulo; a timestamp is exact. */
function toExpiry(text: string | null): Date | null {
  if (text === null) return null;
  const range = parseDateRange(text);
  return (isDay(text) ? range?.before : range?.from) ?? null;
}

function registerList(app: App, { paymentLinks, clock, publicUrl }: PaymentLinkRouteDeps): void {
  app.get(
    '/payment-links',
    {
      config: { access: 'payment-links:read' },
      schema: {
        operationId: 'listPaymentLinks',
        summary: 'List payment links',
        description:
          'Returns one page of the payment links of the seller, newest first. A search finds ' +
          'links of any age. Without `search`, the filters ACTIVE and EXPIRED consider only the newest ' +
          '2,000 links that are ACTIVE or EXPIRED.',
        tags: ['Payment links'],
        examples: { response: examples.LISTED },
        querystring: LinkListQuery,
        response: { 200: pageEnvelope(LinkSchema) },
      },
    },
    async (request) => {
      const { query } = request;
      const filter = { status: query.status, search: query.search?.trim() || undefined };
      const { id: sellerId } = callingSeller(request);
      const { items, count } = await paymentLinks.list(sellerId, filter, parsePage(query));
      return pageResponse(items, count, query.take, (link) => viewLink(link, publicUrl, clock.now()));
    },
  );
}

function registerGet(app: App, { paymentLinks, clock, publicUrl }: PaymentLinkRouteDeps): void {
  app.get(
    '/payment-links/:id',
    {
      config: { access: 'payment-links:read' },
      schema: {
        operationId: 'getPaymentLink',
        summary: 'Retrieve a payment link',
        description: 'Returns a payment link. `GET /v1/transactions?paymentLinkId=` lists its transactions.',
        tags: ['Payment links'],
        errors: ['payment_link_not_found'],
        examples: { response: examples.FOUND },
        params: Params,
        response: { 200: envelope(LinkSchema) },
      },
    },
    async (request) => {
      const link = await paymentLinks.find({ sellerId: callingSeller(request).id, id: request.params.id });
      if (link === undefined) throw new HttpError('payment_link_not_found');
      return ok(viewLink(link, publicUrl, clock.now()));
    },
  );
}

function registerUpdate(app: App, { paymentLinks, clock, publicUrl }: PaymentLinkRouteDeps): void {
  app.patch(
    '/payment-links/:id',
    {
      config: { access: 'payment-links:write' },
      schema: {
        operationId: 'updatePaymentLink',
        summary: 'Update a payment link',
        description:
          'Changes the given fields; omitted fields stay unchanged. Other fields, such as `amount`, cannot ' +
          'be changed and are ignored: create another link instead. If `maxPayments` is already ' +
          'reached, the link becomes COMPLETED, and its unpaid transactions are canceled. It becomes ' +
          'ACTIVE again if you raise or remove `maxPayments`.',
        tags: ['Payment links'],
        errors: ['payment_link_not_found'],
        examples: { body: examples.UPDATE_BODIES, response: examples.FOUND },
        params: Params,
        body: UpdateLinkBody,
        response: { 200: envelope(LinkSchema) },
      },
    },
    async (request) => {
      const key = { sellerId: callingSeller(request).id, id: request.params.id };
      const link = await paymentLinks.update(key, toChanges(request.body), auditActorOf(request));
      if (link === undefined) throw new HttpError('payment_link_not_found');
      return ok(viewLink(link, publicUrl, clock.now()));
    },
  );
}

const toChanges = (body: UpdateLinkBody): LinkChanges => ({
  ...(body.title !== undefined && { title: body.title }),
  ...(body.description !== undefined && { description: body.description }),
  ...(body.expiresAt !== undefined && { expiresAt: toExpiry(body.expiresAt) }),
  ...(body.maxPayments !== undefined && { maxPayments: body.maxPayments }),
  ...(body.status !== undefined && { status: body.status }),
});
