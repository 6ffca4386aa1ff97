import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';

import { idOfPaymentToken, opensPayment } from '#payments/transactions/payment-token.ts';
import type { Transaction } from '#payments/transactions/service.ts';
import type { DocumentRules } from '#payments/transactions/creation-schema.ts';
import { CREATION_ERRORS } from '#payments/transactions/errors.ts';
import type { PaymentLink } from '#payments/payment-links/service.ts';
import { releaseCapacity } from '#platform/http/admission-control.ts';
import { PUBLIC_IMAGE, sendCacheable } from '#platform/http/caching.ts';
import { envelope, ok } from '#platform/http/envelope.ts';
import { HttpError } from '#platform/http/errors.ts';
import { idempotencyKey } from '#platform/http/guard.ts';
import type { App } from '#platform/http/server.ts';
import { renderQrPng, renderQrSvg } from '#qr';
import * as examples from './examples.ts';
import { payLink, type CheckoutDeps } from './payment.ts';
import {
  CreatedPaymentSchema,
  paymentBodySchema,
  PublicLinkSchema,
  PublicPaymentSchema,
  ReceiptSchema,
} from './schema.ts';
import { renderReceiptPdf } from './receipt-pdf.ts';
import { findBrand } from './store.ts';
import { PaymentWaiting, type WaitRequest } from './waiting.ts';
import {
  viewCreatedPayment,
  viewPublicLink,
  viewPublicPayment,
  viewReceipt,
  type SellerBrand,
} from './views.ts';

export interface CheckoutRouteDeps extends CheckoutDeps {
  readonly documents: DocumentRules;
  readonly publicUrl: string;
}

const MAX_WAIT_SECONDS = 25;
const LinkParams = Type.Object({
  code: Type.String({ description: 'The `code` of the payment link.' }),
});
const PaymentParams = Type.Object({
  paymentToken: Type.String({ description: 'The `paymentToken` of the payment.' }),
});

/** What the payment page calls. Public: the code or the token is the authorization. */
export function checkoutRoutes(app: App, deps: CheckoutRouteDeps): void {
  registerLink(app, deps);
  registerQrCode(app, deps);
  registerPay(app, deps);
  registerPayment(app, deps);
  registerReceipt(app, deps);
}

async function requireLink({ paymentLinks }: CheckoutRouteDeps, code: string): Promise<PaymentLink> {
  const link = await paymentLinks.findByCode(code);
  if (link === undefined) throw new HttpError('payment_link_not_found');
  return link;
}

/** The name and logo that the seller shows. */
export async function brandOf(
  { db, sellers }: Pick<CheckoutRouteDeps, 'db' | 'sellers'>,
  sellerId: string,
): Promise<SellerBrand> {
  const [context, brand] = await Promise.all([sellers.getContext(sellerId), findBrand(db, sellerId)]);
  return { name: brand?.displayName ?? context?.seller.name ?? '', logoUrl: brand?.logoUrl ?? null };
}

function registerLink(app: App, deps: CheckoutRouteDeps): void {
  app.get(
    '/public/payment-links/:code',
    {
      config: { access: 'public' },
      schema: {
        operationId: 'getPublicPaymentLink',
        summary: "Retrieve a payer's payment link",
        description: 'Returns a payment link as payers see it. Requires no credential.',
        tags: ['Payment links'],
        errors: ['payment_link_not_found'],
        examples: { response: examples.LINK },
        params: LinkParams,
        response: { 200: envelope(PublicLinkSchema) },
      },
    },
    async (request) => {
      const link = await requireLink(deps, request.params.code);
      const brand = await brandOf(deps, link.sellerId);
      return ok(viewPublicLink(link, brand, { publicUrl: deps.publicUrl, now: deps.clock.now() }));
    },
  );
}

function registerQrCode(app: App, deps: CheckoutRouteDeps): void {
  app.get(
    '/public/payment-links/:code/:file',
    {
      config: { access: 'public' },
      schema: { hide: true, params: Type.Object({ code: Type.String(), file: Type.String() }) },
    },
    async (request, reply): Promise<FastifyReply> => {
      const { code, file } = request.params;
      const isSvg = file === 'qrcode.svg';
      if (!isSvg && file !== 'qrcode.png') throw new HttpError('payment_link_not_found');
      const link = await requireLink(deps, code);
      const url = `${deps.publicUrl}/pay/${link.code}`;
      const type = isSvg ? 'image/svg+xml' : 'image/png';
      return sendCacheable(request, reply, { ...PUBLIC_IMAGE, type, from: `${file} ${url}` }, () =>
        isSvg ? Buffer.from(renderQrSvg(url)) : renderQrPng(url),
      );
    },
  );
}

function registerPay(app: App, deps: CheckoutRouteDeps): void {
  app.post(
    '/public/payment-links/:code/payments',
    {
      config: { access: 'public', idempotent: true },
      schema: {
        operationId: 'payPaymentLink',
        summary: 'Pay a payment link',
        description:
          'Creates a payment of a link by Pix or boleto, or charges a card. Requires no ' +
          'credential. Responds with 429 after too many unpaid payments from an IP address, or ' +
          'too many declined cards from an IP address or on a link.',
        tags: ['Payment links'],
        errors: [
          'payment_link_not_found',
          'payment_link_not_active',
          ...Object.values(CREATION_ERRORS),
          'too_many_unpaid_payments',
          'too_many_declined_cards',
        ],
        examples: { body: examples.PAYMENT_BODIES, response: examples.CREATED },
        params: LinkParams,
        body: paymentBodySchema(deps.documents),
        response: { 201: envelope(CreatedPaymentSchema) },
      },
    },
    async (request, reply) => {
      const { transaction, replayed } = await payLink(deps, {
        code: request.params.code,
        body: request.body,
        idempotencyKey: idempotencyKey(request),
        address: request.ip,
        requestId: request.id,
      });
      if (replayed) reply.header('idempotency-replayed', 'true');
      return reply.code(201).send(ok(viewCreatedPayment(transaction, transaction.publicUrl)));
    },
  );
}

/** @throws HttpError 404 for an unknown token. */
export async function requirePayment(
  { transactions }: CheckoutRouteDeps,
  token: string,
): Promise<Transaction> {
  const id = idOfPaymentToken(token);
  const transaction = id === undefined ? undefined : await transactions.findById(id);
  if (transaction === undefined || !opensPayment(token, transaction))
    throw new HttpError('payment_not_found');
  return transaction;
}

function registerPayment(app: App, deps: CheckoutRouteDeps): void {
  const waiting = new PaymentWaiting(deps.transactions);
  app.addHook('preClose', (done) => {
    waiting.stop();
    done();
  });
  app.get(
    '/public/payments/:paymentToken',
    {
      config: { access: 'public' },
      schema: {
        operationId: 'getPublicPayment',
        summary: "Retrieve a payer's payment",
        description:
          'Returns a payment as its payer sees it. Requires no credential. With `wait`, the ' +
          'response for an unpaid payment is sent when the payment changes, or after that many ' +
          'seconds.',
        tags: ['Payment links'],
        errors: ['payment_not_found'],
        examples: { response: examples.PAYMENT },
        params: PaymentParams,
        querystring: Type.Object({
          wait: Type.Optional(
            Type.Integer({
              minimum: 0,
              maximum: MAX_WAIT_SECONDS,
              description: 'Seconds to wait for a change.',
            }),
          ),
        }),
        response: { 200: envelope(PublicPaymentSchema) },
      },
    },
    async (request) => {
      const { wait = 0 } = request.query;
      const transaction = await requirePayment(deps, request.params.paymentToken);
      const waitRequest = { transaction, address: request.ip, seconds: wait };
      const current =
        wait > 0 && isOpen(transaction)
          ? await waitForChange(deps, waiting, request, waitRequest)
          : transaction;
      return ok(await viewPaymentPage(deps, current));
    },
  );
}

const isOpen = ({ status }: Transaction): boolean =>
  status === 'PENDING' || status === 'WAITING_PAYMENT' || status === 'PROCESSING' || status === 'AUTHORIZED';

async function waitForChange(
  { transactions }: CheckoutRouteDeps,
  waiting: PaymentWaiting,
  { raw }: Pick<FastifyRequest, 'raw'>,
  wait: WaitRequest,
): Promise<Transaction> {
  releaseCapacity(raw);
  await waiting.wait(wait);
  return (await transactions.find(wait.transaction)) ?? wait.transaction;
}

async function viewPaymentPage(deps: CheckoutRouteDeps, transaction: Transaction) {
  const { sellerId, paymentLinkId } = transaction;
  const [seller, link] = await Promise.all([
    brandOf(deps, sellerId),
    paymentLinkId === null ? undefined : deps.paymentLinks.find({ sellerId, id: paymentLinkId }),
  ]);
  const successUrl = link?.successUrl ?? null;
  return viewPublicPayment(transaction, { seller, successUrl, publicUrl: deps.publicUrl });
}

function registerReceipt(app: App, deps: CheckoutRouteDeps): void {
  app.get(
    '/public/payments/:paymentToken/receipt',
    {
      config: { access: 'public' },
      schema: {
        operationId: 'getReceipt',
        summary: 'Retrieve a receipt',
        description: 'Returns the receipt of a paid transaction. Requires no credential.',
        tags: ['Payment links'],
        errors: ['payment_not_found'],
        examples: { response: examples.RECEIPT },
        params: PaymentParams,
        response: { 200: envelope(ReceiptSchema) },
      },
    },
    async (request) => ok(await requireReceipt(deps, request.params.paymentToken)),
  );
  app.get(
    '/public/payments/:paymentToken/receipt.pdf',
    { config: { access: 'public' }, schema: { hide: true, params: PaymentParams } },
    async (request, reply): Promise<FastifyReply> => {
      const receipt = await requireReceipt(deps, request.params.paymentToken);
      reply.header('cache-control', 'private, no-store');
      return reply.type('application/pdf').send(await renderReceiptPdf(receipt));
    },
  );
}

/** @throws HttpError 404 if it is unknown or has not been paid. */
async function requireReceipt(deps: CheckoutRouteDeps, token: string) {
  const transaction = await requirePayment(deps, token);
  const context = await deps.sellers.getContext(transaction.sellerId);
  const { name } = await brandOf(deps, transaction.sellerId);
  const receipt = context && viewReceipt(transaction, { ...context.seller, name });
  if (receipt === undefined) throw new HttpError('payment_not_found');
  return receipt;
}
