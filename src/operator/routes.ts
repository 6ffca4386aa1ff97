import { Type, type Static } from 'typebox';

import { TOO_MANY_KEYS, type ApiKeysService } from '#identity/api-keys/service.ts';
import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import { FeesSchema, feesRule, parseFees, viewFees } from '#sellers/fees/schema.ts';
import { pageOrCsv, sendCsv, type Column } from '#platform/http/csv.ts';
import { envelope, ok, pageEnvelope } from '#platform/http/envelope.ts';
import { HttpError } from '#platform/http/errors.ts';
import { auditActorOf } from '#platform/http/guard.ts';
import { pageResponse, parsePage } from '#platform/http/pagination.ts';
import type { App } from '#platform/http/server.ts';
import { withCrossFieldRules } from '#platform/http/validation.ts';
import { isUuid } from '#platform/kit/ids.ts';
import { checkLedger } from '#accounting/ledger/service.ts';
import { maskDocument } from '#platform/kit/masks.ts';
import {
  LedgerCheckSchema,
  NewKeyBody,
  NewKeySchema,
  NewSellerBody,
  SellerChanges,
  SellersQuery,
  SellerSchema,
} from './schema.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import { createSeller } from './create-seller.ts';
import type { Seller } from '#sellers/seller.ts';
import type { SellersService } from '#sellers/service.ts';
import { FEES, FEES_REQUEST } from '#sellers/fees/examples.ts';
import * as examples from './examples.ts';
import type { DocumentRules } from '#payments/transactions/schema.ts';

export interface OperatorDeps {
  readonly db: Db;
  /** For what takes long. */
  readonly background: Db;
  readonly clock: Clock;
  readonly secrets: SecretBox;
  readonly sellers: SellersService;
  readonly apiKeys: ApiKeysService;
  readonly documents: DocumentRules;
}

const ById = Type.Object({ id: Type.String() });
const tags = ['Operator'];

/** The back office: what the operator of the gateway does for and with its sellers. */
export function operatorRoutes(
  app: App,
  { db, background, clock, secrets, sellers, apiKeys, documents }: OperatorDeps,
): void {
  app.post(
    '/admin/sellers',
    {
      config: { access: 'operator:write' },
      schema: {
        operationId: 'createSeller',
        summary: 'Create a seller with its owner',
        tags,
        refusals: { 422: ['E-mail is already in use'] },
        examples: { body: examples.NEW_SELLER, answer: examples.SELLER },
        body: NewSellerBody(documents),
        response: { 201: envelope(SellerSchema) },
      },
    },
    async (request, reply) => {
      // Member by member: what the schema does not name must not reach the seller.
      const { name, documentType, document, ownerName, ownerEmail, ownerPassword, status } = request.body;
      const input = {
        name,
        documentType,
        document,
        ownerName,
        ownerEmail,
        ownerPassword,
        status: status ?? 'ACTIVE',
      };
      const created = await createSeller(db, input, clock.now(), auditActorOf(request));
      if (!created.ok) throw new HttpError(422, 'E-mail is already in use');
      return reply.code(201).send(ok(view(created.seller)));
    },
  );

  app.get(
    '/admin/sellers',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'listSellers',
        summary: 'List sellers, newest first, or export them as CSV',
        tags,
        examples: { answer: examples.SELLERS },
        querystring: SellersQuery,
        response: { 200: pageOrCsv(pageEnvelope(SellerSchema)) },
      },
    },
    async (request, reply) => {
      const { query } = request;
      const filter = { status: query.status, search: query.search };
      if (query.export) return sendCsv(reply, 'sellers.csv', CSV_COLUMNS, sellers.iterate(filter));
      const { items, count } = await sellers.list(filter, parsePage(query));
      return pageResponse(items, count, query.take, view);
    },
  );

  app.get(
    '/admin/sellers/:id',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'getSeller',
        summary: 'Read a seller',
        tags,
        refusals: { 404: ['Seller not found'] },
        examples: { answer: examples.SELLER },
        params: ById,
        response: { 200: envelope(SellerSchema) },
      },
    },
    async (request) => ok(view(await requireSeller(request.params.id))),
  );

  app.patch(
    '/admin/sellers/:id',
    {
      config: { access: 'operator:write' },
      schema: {
        operationId: 'changeSeller',
        summary: "Change a seller's status and limits",
        tags,
        description: 'Members that are not sent stay as they are.',
        refusals: { 404: ['Seller not found'] },
        examples: { body: examples.SELLER_CHANGES, answer: examples.CHANGED_SELLER },
        params: ById,
        body: SellerChanges,
        response: { 200: envelope(SellerSchema) },
      },
    },
    async (request) => {
      const { id } = await requireSeller(request.params.id);
      const changed = await sellers.update(id, request.body, {
        actor: auditActorOf(request),
        at: clock.now(),
      });
      if (changed === undefined) throw sellerNotFound();
      return ok(view(changed));
    },
  );

  app.get(
    '/admin/sellers/:id/fees',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'readSellerFees',
        summary: "Read a seller's fee schedule",
        tags,
        refusals: { 404: ['Seller not found'] },
        examples: { answer: FEES },
        params: ById,
        response: { 200: envelope(FeesSchema) },
      },
    },
    async (request) => {
      const { id } = await requireSeller(request.params.id);
      return ok(viewFees(await sellers.getFees(id)));
    },
  );

  app.put(
    '/admin/sellers/:id/fees',
    {
      config: { access: 'operator:write' },
      schema: {
        operationId: 'replaceFees',
        summary: "Replace a seller's fee schedule",
        description: 'Counts for charges made from now on; charges made before keep their fee.',
        tags,
        refusals: { 404: ['Seller not found'] },
        examples: { body: FEES_REQUEST, answer: FEES },
        params: ById,
        body: withCrossFieldRules(FeesSchema, [feesRule]),
        response: { 200: envelope(FeesSchema) },
      },
    },
    async (request) => {
      const { id } = await requireSeller(request.params.id);
      await sellers.replaceFees(id, parseFees(request.body), {
        actor: auditActorOf(request),
        at: clock.now(),
      });
      return ok(viewFees(await sellers.getFees(id)));
    },
  );

  app.post(
    '/admin/sellers/:id/api-keys',
    {
      config: { access: 'operator:write' },
      schema: {
        operationId: 'createSellerApiKey',
        summary: 'Create an API key for a seller',
        tags,
        refusals: { 404: ['Seller not found'], 422: [TOO_MANY_KEYS] },
        examples: { body: examples.KEY_REQUEST, answer: examples.KEY_CREATED },
        params: ById,
        body: NewKeyBody,
        response: { 201: envelope(NewKeySchema) },
      },
    },
    async (request, reply) => {
      const { id } = await requireSeller(request.params.id);
      const { name, role } = request.body;
      const created = await apiKeys.create(id, { name, role: role ?? 'OWNER' }, auditActorOf(request));
      if (created === undefined) throw new HttpError(422, TOO_MANY_KEYS);
      const { apiKey, key } = created;
      const { prefix } = apiKey;
      return reply.code(201).send(ok({ id: apiKey.id, name, prefix, role: apiKey.role, key }));
    },
  );

  app.get(
    '/admin/ledger/check',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'checkLedger',
        summary: 'Recompute every balance from the ledger',
        tags,
        examples: { answer: examples.LEDGER },
        response: { 200: envelope(LedgerCheckSchema) },
      },
    },
    async () => {
      const check = await checkLedger(background, secrets);
      return ok({ ...check, discrepancies: [...check.discrepancies] });
    },
  );

  async function requireSeller(id: string): Promise<Seller> {
    const seller = isUuid(id) ? await sellers.find(id) : undefined;
    if (seller === undefined) throw sellerNotFound();
    return seller;
  }
}

const sellerNotFound = (): HttpError => new HttpError(404, 'Seller not found');

function view(seller: Seller): Static<typeof SellerSchema> {
  return {
    id: seller.id,
    name: seller.name,
    documentType: seller.documentType,
    document: maskDocument(seller.documentType, seller.document),
    status: seller.status,
    requestsPerMinute: seller.requestsPerMinute,
    creationsPerMinute: seller.creationsPerMinute,
    boletoDelayDays: seller.boletoDelayDays,
    cardDelayDays: seller.cardDelayDays,
    autoApproveUpTo: seller.autoApproveUpTo,
    negativeBalanceUpTo: seller.negativeBalanceUpTo,
    chargebackFee: seller.chargebackFee,
    createdAt: seller.createdAt.toISOString(),
    updatedAt: seller.updatedAt.toISOString(),
  };
}

/** The members of the list, one column each. */
const CSV_COLUMNS: readonly Column<Seller>[] = (
  [
    'id',
    'name',
    'documentType',
    'document',
    'status',
    'requestsPerMinute',
    'creationsPerMinute',
    'boletoDelayDays',
    'cardDelayDays',
    'autoApproveUpTo',
    'negativeBalanceUpTo',
    'chargebackFee',
    'createdAt',
    'updatedAt',
  ] as const
).map((name) => ({ name, value: (seller) => view(seller)[name] }));
