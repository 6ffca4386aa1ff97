import { Type, type Static } from 'typebox';

import { admitInvitation } from '#identity/users/invitation-limits.ts';
import { requireInvited } from '#identity/users/invitation-schema.ts';
import { loadPasswordEstimator } from '#identity/users/password-policy.ts';
import type { UsersService } from '#identity/users/service.ts';
import type { DocumentRules } from '#payments/transactions/creation-schema.ts';
import { preferredLanguage } from '#platform/http/accept-language.ts';
import { MEMBER_LABELS as MEMBER } from '#audit/labels-pt.ts';
import { localizedTable, pageOrCsv, sendCsv, type Column } from '#platform/http/csv.ts';
import { labelFrom, type BrazilianColumn } from '#platform/http/csv-line.ts';
import { envelope, ok, pageEnvelope } from '#platform/http/envelope.ts';
import { HttpError } from '#platform/http/errors.ts';
import { auditActorOf, isRecentlyVerified } from '#platform/http/guard.ts';
import { pageResponse, parsePage } from '#platform/http/pagination.ts';
import type { RateLimiter } from '#platform/http/rate-limiter.ts';
import type { App } from '#platform/http/server.ts';
import { withCrossFieldRules } from '#platform/http/validation.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import type { Clock } from '#platform/kit/clock.ts';
import { maskDocument } from '#platform/kit/masks.ts';
import { FEES, FEES_REQUEST } from '#sellers/fees/examples.ts';
import { FeesSchema, feesRule, parseFees, viewFees } from '#sellers/fees/schema.ts';
import { STATUS_LABELS } from '#sellers/labels-pt.ts';
import type { Seller } from '#sellers/seller.ts';
import type { SellersService } from '#sellers/service.ts';
import { approvalsNeeded } from '#sellers/settings/service.ts';
import { createSeller } from '#onboarding/create-seller.ts';
import type { ApprovalsService } from './approvals/service.ts';
import { PENDING, pendingResponse, viewApproval } from './approvals/schema.ts';
import * as examples from './examples.ts';
import { requireSeller } from './require-seller.ts';
import { NewSellerBody, SellerChanges, SellersQuery, SellerSchema } from './schema.ts';

export interface SellerRouteDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly sellers: SellersService;
  readonly users: UsersService;
  readonly approvals: ApprovalsService;
  readonly documents: DocumentRules;
  readonly rates: RateLimiter;
}

const ById = Type.Object({ id: Type.String() });
const tags = ['Sellers'];
const errors = ['seller_not_found'] as const;

/** Sellers and their fee schedules, as the operator manages them. */
export function operatorSellerRoutes(app: App, deps: SellerRouteDeps): void {
  registerCreate(app, deps);
  registerList(app, deps);
  registerRead(app, deps);
  registerChange(app, deps);
  registerReadFees(app, deps);
  registerReplaceFees(app, deps);
}

function registerCreate(app: App, { db, clock, documents, users, rates }: SellerRouteDeps): void {
  app.post(
    '/admin/sellers',
    {
      config: { access: 'operator:write' },
      preValidation: loadPasswordEstimator,
      schema: {
        operationId: 'createSeller',
        summary: 'Create a seller',
        description:
          'Creates a seller with the default fees, and its first user, an OWNER. Without a ' +
          'password, that user is invited by email. The seller is ACTIVE unless `status` says ' +
          'otherwise. Returns the seller.',
        tags,
        errors: ['email_taken', 'email_not_configured', 'too_many_invitations'],
        examples: { body: examples.NEW_SELLER, response: examples.SELLER },
        body: NewSellerBody(documents),
        response: { 201: envelope(SellerSchema) },
      },
    },
    async (request, reply) => {
      // Copied by name: the body may have members that the schema does not list, such as an id.
      const { name, documentType, document, ownerName, ownerEmail, ownerPassword } = request.body;
      const author = auditActorOf(request);
      const locale = preferredLanguage(request.headers['accept-language']);
      if (ownerPassword === undefined) await admitInvitation(rates, null, ownerEmail);
      const inviteOwner = async (trx: DatabaseTransaction, sellerId: string) => {
        const invitation = { sellerId, name: ownerName, email: ownerEmail, role: 'OWNER', locale } as const;
        return requireInvited(await users.withTransaction(trx).invite(invitation, author)).id;
      };
      const owner = { ownerName, ownerEmail, ownerPassword, inviteOwner };
      const input = { name, documentType, document, ...owner, status: request.body.status ?? 'ACTIVE' };
      const created = await createSeller(db, input, clock.now(), author);
      if (!created.ok) throw new HttpError('email_taken');
      return reply.code(201).send(ok(view(created.seller)));
    },
  );
}

function registerList(app: App, { sellers }: SellerRouteDeps): void {
  app.get(
    '/admin/sellers',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'listSellers',
        summary: 'List sellers',
        description:
          'Returns one page of the sellers, newest first, or all of them as CSV with `export=true`.',
        tags,
        examples: { response: examples.SELLERS },
        querystring: SellersQuery,
        response: { 200: pageOrCsv(pageEnvelope(SellerSchema)) },
      },
    },
    async (request, reply) => {
      const { query } = request;
      const filter = { status: query.status, search: query.search };
      if (query.export) {
        const table = localizedTable(CSV_COLUMNS, query.locale);
        return sendCsv(reply, 'sellers.csv', table, sellers.iterate(filter));
      }
      const { items, count } = await sellers.list(filter, parsePage(query));
      return pageResponse(items, count, query.take, view);
    },
  );
}

function registerRead(app: App, { sellers }: SellerRouteDeps): void {
  app.get(
    '/admin/sellers/:id',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'getSeller',
        summary: 'Retrieve a seller',
        description: 'Returns a seller with its limits. Its tax ID (CPF or CNPJ) is masked.',
        tags,
        errors,
        examples: { response: examples.SELLER },
        params: ById,
        response: { 200: envelope(SellerSchema) },
      },
    },
    async (request) => ok(view(await requireSeller(sellers, request.params.id))),
  );
}

function registerChange(app: App, { db, clock, sellers, approvals }: SellerRouteDeps): void {
  app.patch(
    '/admin/sellers/:id',
    {
      config: { access: 'operator:write' },
      schema: {
        operationId: 'updateSeller',
        summary: 'Update a seller',
        description:
          'Changes the status and the limits of a seller; omitted fields stay unchanged. Returns the ' +
          'updated seller. Raising `autoApproveUpTo`, or raising `negativeBalanceUpTo` to more than ' +
          '`twoPersonApprovalAbove` of the settings, requires approval by a second ADMIN, if one exists; ' +
          'the response is then 202 with the pending approval, and no field is changed until it is ' +
          'approved. In a browser session, raising either limit requires a sign-in or step-up within the ' +
          'last five minutes (otherwise 403 `step_up_required`).',
        tags,
        errors: [...errors, 'step_up_required'],
        examples: { body: examples.SELLER_CHANGES, accepted: PENDING, response: examples.CHANGED_SELLER },
        params: ById,
        body: SellerChanges,
        response: { 200: envelope(SellerSchema), ...pendingResponse },
      },
    },
    async (request, reply) => {
      const seller = await requireSeller(sellers, request.params.id);
      const { id } = seller;
      const actor = auditActorOf(request);
      if (isHigher(seller, request.body) && !(await isRecentlyVerified(request)))
        throw new HttpError('step_up_required');
      if (await isWeaker(db, seller, request.body)) {
        const requested = { action: 'seller.update', sellerId: id, changes: request.body } as const;
        const pending = await approvals.request(requested, actor);
        if (pending !== undefined) return reply.code(202).send(ok(viewApproval(pending)));
      }
      const origin = { actor, at: clock.now() };
      const updated = await sellers.update(id, request.body, origin);
      if (updated === undefined) throw new HttpError('seller_not_found');
      return ok(view(updated));
    },
  );
}

type Controls = Pick<Seller, 'autoApproveUpTo' | 'negativeBalanceUpTo'>;

/** Whether the changes let more money leave without an approval. */
const isHigher = (
  before: Controls,
  { autoApproveUpTo = 0, negativeBalanceUpTo = 0 }: Static<typeof SellerChanges>,
): boolean => autoApproveUpTo > before.autoApproveUpTo || negativeBalanceUpTo > before.negativeBalanceUpTo;

/** Whether so much more that a second ADMIN must approve it. */
async function isWeaker(
  db: Db,
  before: Controls,
  { autoApproveUpTo = 0, negativeBalanceUpTo = 0 }: Static<typeof SellerChanges>,
): Promise<boolean> {
  if (autoApproveUpTo > before.autoApproveUpTo) return true;
  if (negativeBalanceUpTo <= before.negativeBalanceUpTo) return false;
  return (await approvalsNeeded(db, negativeBalanceUpTo)) > 1;
}

function registerReadFees(app: App, { sellers }: SellerRouteDeps): void {
  app.get(
    '/admin/sellers/:id/fees',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'getSellerFees',
        summary: "Retrieve a seller's fees",
        description: 'Returns the fee schedule of a seller.',
        tags,
        errors,
        examples: { response: FEES },
        params: ById,
        response: { 200: envelope(FeesSchema) },
      },
    },
    async (request) => {
      const { id } = await requireSeller(sellers, request.params.id);
      return ok(viewFees(await sellers.getFees(id)));
    },
  );
}

function registerReplaceFees(app: App, { clock, sellers }: SellerRouteDeps): void {
  app.put(
    '/admin/sellers/:id/fees',
    {
      config: { access: 'operator:write' },
      schema: {
        operationId: 'replaceSellerFees',
        summary: "Replace a seller's fees",
        description:
          'Replaces the fee schedule of a seller. It applies to transactions and withdrawals created from ' +
          'now on; existing ones keep their fees. Returns the new schedule.',
        tags,
        errors,
        examples: { body: FEES_REQUEST, response: FEES },
        params: ById,
        body: withCrossFieldRules(FeesSchema, [feesRule]),
        response: { 200: envelope(FeesSchema) },
      },
    },
    async (request) => {
      const { id } = await requireSeller(sellers, request.params.id);
      const origin = { actor: auditActorOf(request), at: clock.now() };
      await sellers.replaceFees(id, parseFees(request.body), origin);
      return ok(viewFees(await sellers.getFees(id)));
    },
  );
}

function view(seller: Seller): Static<typeof SellerSchema> {
  return {
    ...seller,
    document: maskDocument(seller.documentType, seller.document),
    createdAt: seller.createdAt.toISOString(),
    updatedAt: seller.updatedAt.toISOString(),
  };
}

type ColumnName = keyof Static<typeof SellerSchema>;

const BRAZILIAN_COLUMNS: Readonly<Record<ColumnName, BrazilianColumn>> = {
  id: { name: 'ID' },
  name: { name: 'Nome da loja' },
  documentType: { name: MEMBER.documentType },
  document: { name: MEMBER.document },
  status: { name: MEMBER.status, label: labelFrom(STATUS_LABELS) },
  requestsPerMinute: { name: MEMBER.requestsPerMinute },
  creationsPerMinute: { name: MEMBER.creationsPerMinute },
  boletoDelayDays: { name: MEMBER.boletoDelayDays },
  cardDelayDays: { name: MEMBER.cardDelayDays },
  autoApproveUpTo: { name: MEMBER.autoApproveUpTo, type: 'cents' },
  negativeBalanceUpTo: { name: MEMBER.negativeBalanceUpTo, type: 'cents' },
  chargebackFee: { name: MEMBER.chargebackFee, type: 'cents' },
  createdAt: { name: 'Cadastrada em', type: 'time' },
  updatedAt: { name: 'Atualizada em', type: 'time' },
};

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
).map((name) => ({ name, value: (seller) => view(seller)[name], brazil: BRAZILIAN_COLUMNS[name] }));
