import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';

import { bodyHash } from '#http/idempotency.ts';
import { commonErrors, envelope, ok, pageEnvelope } from '#http/envelope.ts';
import { ErrorBody, HttpError, refusal } from '#http/errors.ts';
import { callingSeller, idempotencyKey } from '#http/guard.ts';
import { cutPage, readPage } from '#http/pages.ts';
import type { App } from '#http/server.ts';
import { isUuid } from '#ids.ts';
import { qrPng } from '#pix/qr-picture.ts';
import type { SellersService } from '#sellers/service.ts';
import { CREATION_REFUSALS, TransactionMissing } from './errors.ts';
import {
  CreatedSchema,
  createBodySchema,
  ListQuery,
  SummarySchema,
  TransactionSchema,
  type CreateBody,
  type DocumentRules,
} from './schema.ts';
import type { ChargeRequest, TransactionsService } from './service.ts';
import { STATUSES } from './transaction.ts';
import { viewCreated, viewSummary, viewTransaction } from './views.ts';

const DEFAULT_PIX_EXPIRATION_SECONDS = 3_600;

export interface TransactionRouteDeps {
  readonly transactions: TransactionsService;
  readonly sellers: SellersService;
  readonly documents: DocumentRules;
}

export function transactionRoutes(
  app: App,
  { transactions, sellers, documents }: TransactionRouteDeps,
): void {
  app.post(
    '/transactions',
    {
      config: { access: 'transactions:create', idempotent: true, creation: true },
      schema: {
        summary: 'Create a charge',
        tags: ['Transactions'],
        headers: Type.Object({
          'idempotency-key': Type.Optional(Type.String({ description: 'UUID v4, required.' })),
        }),
        body: createBodySchema(documents),
        response: { 201: envelope(CreatedSchema), 409: ErrorBody, 422: ErrorBody, ...commonErrors },
      },
    },
    async (request, reply) => {
      const { body } = request;
      if (body.method !== 'PIX') throw new HttpError(422, `Method ${body.method} is not available`);
      const context = await sellers.contextOf(callingSeller(request).id);
      if (context === undefined) throw new HttpError(403, 'Seller is not active');
      const result = await transactions.createPix(
        context,
        toCharge(body),
        idempotencyKey(request),
        bodyHash(body),
      );
      if (result.kind === 'refused') throw refusal(CREATION_REFUSALS[result.failure]);
      if (result.kind === 'replayed') reply.header('idempotency-replayed', 'true');
      return reply.code(201).send(ok(viewCreated(result.transaction)));
    },
  );

  app.get(
    '/transactions',
    {
      config: { access: 'transactions:read' },
      schema: {
        summary: 'List charges, newest first',
        tags: ['Transactions'],
        querystring: ListQuery,
        response: { 200: pageEnvelope(SummarySchema), ...commonErrors },
      },
    },
    async (request) => {
      const { query } = request;
      const names = new Set(query.status?.split(',').map((name) => name.trim()));
      const filter = {
        statuses: STATUSES.filter((status) => names.has(status)),
        method: query.method,
        transactionId: query.transactionId,
        metadataKey: query.metadataKey,
        metadataValue: query.metadataValue,
      };
      const { summaries, count } = await transactions.list(
        callingSeller(request).id,
        filter,
        readPage(query),
      );
      const { records, nextCursor } = cutPage(summaries, query.take);
      return { status: true as const, data: records.map(viewSummary), count, nextCursor };
    },
  );

  app.get(
    '/transactions/:id',
    {
      config: { access: 'transactions:read' },
      schema: {
        summary: 'Read a charge',
        tags: ['Transactions'],
        params: Type.Object({ id: Type.String() }),
        response: { 200: envelope(TransactionSchema), 404: ErrorBody, ...commonErrors },
      },
    },
    async (request) => {
      const found = await transactions.find({ sellerId: callingSeller(request).id, id: request.params.id });
      if (found === undefined) throw new TransactionMissing();
      return ok(viewTransaction(found));
    },
  );
}

/** The picture of a PIX code, for whoever has its address: payers are nobody's users. */
export function pixPictureRoute(
  app: App,
  { transactions }: Pick<TransactionRouteDeps, 'transactions'>,
): void {
  app.get(
    '/pix/:file',
    { config: { access: 'public' }, schema: { hide: true, params: Type.Object({ file: Type.String() }) } },
    async (request, reply): Promise<FastifyReply> => {
      const txid = /^([0-9a-f]{32})\.png$/.exec(request.params.file)?.[1];
      const code = txid === undefined ? undefined : await transactions.pixCode(idOfTxid(txid));
      if (code === undefined) throw new TransactionMissing();
      return reply.type('image/png').header('cache-control', 'public, max-age=3600').send(qrPng(code));
    },
  );
}

function idOfTxid(txid: string): string {
  const id = txid.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  if (!isUuid(id)) throw new TransactionMissing();
  return id;
}

function toCharge(body: CreateBody): ChargeRequest {
  const { customer } = body;
  return {
    amount: body.amount,
    customer: {
      name: customer.name,
      email: customer.email,
      phone: customer.phone,
      documentType: customer.documentType,
      document: customer.document,
      externalRef: customer.externalRef ?? null,
    },
    items: body.items.map((item) => ({
      title: item.title,
      amount: item.amount,
      quantity: item.quantity,
      tangible: item.tangible,
      externalRef: item.externalRef ?? null,
    })),
    description: body.description ?? null,
    metadata: body.metadata ?? null,
    postbackUrl: body.postbackUrl ?? null,
    expirationSeconds: body.expiration ?? DEFAULT_PIX_EXPIRATION_SECONDS,
  };
}
