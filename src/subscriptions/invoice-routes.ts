import { Type } from 'typebox';

import { envelope, ok, pageEnvelope } from '#platform/http/envelope.ts';
import { HttpError } from '#platform/http/errors.ts';
import { auditActorOf, callingSeller } from '#platform/http/guard.ts';
import { pageQuery, pageResponse, parsePage } from '#platform/http/pagination.ts';
import type { App } from '#platform/http/server.ts';
import type { Clock } from '#platform/kit/clock.ts';
import * as examples from './examples.ts';
import { InvoiceSchema } from './schema.ts';
import type { RetryResult, SubscriptionsService } from './service.ts';
import type { InvoiceWithAttempts } from './store-invoices.ts';
import { viewInvoice } from './views.ts';

export interface InvoiceRouteDeps {
  readonly subscriptions: SubscriptionsService;
  readonly clock: Clock;
}

export function invoiceRoutes(app: App, deps: InvoiceRouteDeps): void {
  registerList(app, deps);
  registerRetry(app, deps);
}

function registerList(app: App, { subscriptions, clock }: InvoiceRouteDeps): void {
  app.get(
    '/subscriptions/:id/invoices',
    {
      config: { access: 'subscriptions:read' },
      schema: {
        operationId: 'listInvoices',
        summary: 'List invoices',
        description:
          'Returns one page of the invoices of a subscription, newest first, with their attempts. The ' +
          'invoice of a cycle is created on the day of the cycle; for Pix Automático up to ten days ' +
          'earlier, when the charge is sent to the bank.',
        tags: ['Subscriptions'],
        errors: ['subscription_not_found'],
        examples: { response: examples.INVOICES },
        params: Type.Object({ id: Type.String() }),
        querystring: Type.Object({ ...pageQuery }),
        response: { 200: pageEnvelope(InvoiceSchema) },
      },
    },
    async (request) => {
      const { query } = request;
      const key = { sellerId: callingSeller(request).id, id: request.params.id };
      if ((await subscriptions.find(key)) === undefined) throw new HttpError('subscription_not_found');
      const { items, count } = await subscriptions.listInvoices(key, parsePage(query));
      const now = clock.now();
      const identified = items.map((item) => ({ ...item, id: item.invoice.id }));
      return pageResponse(identified, count, query.take, (item) => view(item, now));
    },
  );
}

const view = ({ invoice, attempts }: InvoiceWithAttempts, now: Date) => viewInvoice(invoice, attempts, now);

function registerRetry(app: App, { subscriptions, clock }: InvoiceRouteDeps): void {
  app.post(
    '/subscriptions/:id/invoices/:number/retry',
    {
      config: { access: 'subscriptions:write' },
      schema: {
        operationId: 'retryInvoice',
        summary: 'Retry an invoice',
        description:
          'Charges an invoice again now. The invoice must be FAILED or, except for Pix Automático, ' +
          'waiting for its next attempt. The subscription must not be PENDING, CANCELLED, REJECTED or ' +
          'EXPIRED. For Pix Automático, sends a new charge, dated two days ahead. Returns the invoice.',
        tags: ['Subscriptions'],
        errors: ['subscription_not_found', 'invoice_not_found', 'invoice_not_retryable'],
        examples: { response: examples.INVOICE },
        params: Type.Object({
          id: Type.String(),
          number: Type.String({ description: 'The `number` of the invoice, from 1.' }),
        }),
        response: { 200: envelope(InvoiceSchema) },
      },
    },
    async (request) => {
      const key = { sellerId: callingSeller(request).id, id: request.params.id };
      const number = /^[1-9]\d{0,8}$/.test(request.params.number) ? Number(request.params.number) : 0;
      const result = await subscriptions.retry(key, number, auditActorOf(request));
      return ok(view(unwrap(result), clock.now()));
    },
  );
}

function unwrap(result: RetryResult): InvoiceWithAttempts {
  switch (result.kind) {
    case 'retried':
      return result.invoice;
    case 'impossible':
      throw new HttpError('invoice_not_retryable');
    case 'unknown-subscription':
      throw new HttpError('subscription_not_found');
    case 'unknown-invoice':
      throw new HttpError('invoice_not_found');
  }
}
