import { Type, type Static } from 'typebox';

import { TOO_MANY_KEYS, type ApiKeysService } from '#identity/api-keys/service.ts';
import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import { FeesSchema, feesRule, readFees, viewFees } from '#sellers/fees/service.ts';
import { pageOrCsv, sendCsv, type Column } from '#platform/http/csv.ts';
import { envelope, ok, pageEnvelope } from '#platform/http/envelope.ts';
import { HttpError } from '#platform/http/errors.ts';
import { authorOf } from '#platform/http/guard.ts';
import { pageOf, readPage } from '#platform/http/pages.ts';
import type { App } from '#platform/http/server.ts';
import { withRules } from '#platform/http/validation.ts';
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
import type { SecretBox } from '#platform/crypto/secrets.ts';
import { createSeller, type Seller, type SellersService } from '#sellers/service.ts';
import { FEES, FEES_WANTED } from '#sellers/fees/examples.ts';
import * as shown from './examples.ts';
import type { DocumentRules } from '#payments/transactions/schema.ts';

export interface OperatorDeps {
  readonly db: Db;
  /** For what takes long. */
  readonly patient: Db;
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
  { db, patient, clock, secrets, sellers, apiKeys, documents }: OperatorDeps,
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
        examples: { body: shown.NEW_SELLER, answer: shown.SELLER },
        body: NewSellerBody(documents),
        response: { 201: envelope(SellerSchema) },
      },
    },
    async (request, reply) => {
      // Member by member: what the schema does not name must not reach the seller.
      const { name, documentType, document, ownerName, ownerEmail, ownerPassword, status } = request.body;
      const wanted = {
        name,
        documentType,
        document,
        ownerName,
        ownerEmail,
        ownerPassword,
        status: status ?? 'ACTIVE',
      };
      const created = await createSeller(db, wanted, clock.now(), authorOf(request));
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
        examples: { answer: shown.SELLERS },
        querystring: SellersQuery,
        response: { 200: pageOrCsv(pageEnvelope(SellerSchema)) },
      },
    },
    async (request, reply) => {
      const { query } = request;
      const filter = { status: query.status, search: query.search };
      if (query.export) return sendCsv(reply, 'sellers.csv', CSV_COLUMNS, sellers.all(filter));
      const { found, count } = await sellers.list(filter, readPage(query));
      return pageOf(found, count, query.take, view);
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
        examples: { answer: shown.SELLER },
        params: ById,
        response: { 200: envelope(SellerSchema) },
      },
    },
    async (request) => ok(view(await sellerOf(request.params.id))),
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
        examples: { body: shown.SELLER_CHANGES, answer: shown.CHANGED_SELLER },
        params: ById,
        body: SellerChanges,
        response: { 200: envelope(SellerSchema) },
      },
    },
    async (request) => {
      const { id } = await sellerOf(request.params.id);
      const changed = await sellers.change(id, request.body, clock.now(), authorOf(request));
      if (changed === undefined) throw sellerMissing();
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
      const { id } = await sellerOf(request.params.id);
      return ok(viewFees(await sellers.feesOf(id)));
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
        examples: { body: FEES_WANTED, answer: FEES },
        params: ById,
        body: withRules(FeesSchema, [feesRule]),
        response: { 200: envelope(FeesSchema) },
      },
    },
    async (request) => {
      const { id } = await sellerOf(request.params.id);
      await sellers.changeFees(id, readFees(request.body), clock.now(), authorOf(request));
      return ok(viewFees(await sellers.feesOf(id)));
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
        examples: { body: shown.KEY_WANTED, answer: shown.KEY_MADE },
        params: ById,
        body: NewKeyBody,
        response: { 201: envelope(NewKeySchema) },
      },
    },
    async (request, reply) => {
      const { id } = await sellerOf(request.params.id);
      const { name, role } = request.body;
      const created = await apiKeys.create(id, { name, role: role ?? 'OWNER' }, authorOf(request));
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
        examples: { answer: shown.LEDGER },
        response: { 200: envelope(LedgerCheckSchema) },
      },
    },
    async () => {
      const check = await checkLedger(patient, secrets);
      return ok({ ...check, discrepancies: [...check.discrepancies] });
    },
  );

  async function sellerOf(id: string): Promise<Seller> {
    const found = isUuid(id) ? await sellers.find(id) : undefined;
    if (found === undefined) throw sellerMissing();
    return found;
  }
}

const sellerMissing = (): HttpError => new HttpError(404, 'Seller not found');

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
