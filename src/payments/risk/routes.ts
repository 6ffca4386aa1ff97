import { Type } from 'typebox';

import { deletedEnvelope, envelope, listEnvelope, ok } from '#platform/http/envelope.ts';
import { HttpError, ValidationError } from '#platform/http/errors.ts';
import { auditActorOf } from '#platform/http/guard.ts';
import type { App } from '#platform/http/server.ts';
import type { SellersService } from '#sellers/service.ts';
import * as examples from './examples.ts';
import { LIST_KINDS, type ListKind } from './kinds.ts';
import { isListable, MAX_ENTRIES, normalize, signalKindOf, type ListEntry } from './lists.ts';
import type { RiskRule } from './rule.ts';
import {
  ChangeRuleBody,
  CreateRuleBody,
  EntryBody,
  EntryQuery,
  EntrySchema,
  ListParams,
  RuleSchema,
} from './schema.ts';
import type { RiskService } from './service.ts';

const tags = ['Risk'];
const params = Type.Object({ id: Type.String() });

export interface RiskRouteDeps {
  readonly risk: RiskService;
  readonly sellers: SellersService;
}

/** The operator's risk rules and lists. */
export function riskRoutes(app: App, deps: RiskRouteDeps): void {
  registerListRules(app, deps);
  registerCreateRule(app, deps);
  registerChangeRule(app, deps);
  registerDeleteRule(app, deps);
  registerListEntries(app, deps);
  registerAddEntry(app, deps);
  registerDeleteEntry(app, deps);
}

const viewRule = ({ createdAt, updatedAt, ...rule }: RiskRule) => ({
  ...rule,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
});

const viewEntry = ({ createdAt, value: fingerprint, masked: value, ...entry }: ListEntry) => ({
  ...entry,
  value,
  fingerprint,
  createdAt: createdAt.toISOString(),
});

/** A rule must be about a seller that exists. */
async function checkSeller(sellers: SellersService, sellerId: string | null | undefined): Promise<void> {
  if (sellerId === null || sellerId === undefined) return;
  if ((await sellers.find(sellerId)) === undefined) throw new HttpError('seller_not_found');
}

function registerListRules(app: App, { risk }: RiskRouteDeps): void {
  app.get(
    '/admin/risk-rules',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'listRiskRules',
        summary: 'List risk rules',
        description:
          'Returns all risk rules in the order in which they are evaluated. The first rule that ' +
          'matches a transaction decides. Lists are checked before rules.',
        tags,
        examples: { response: examples.RULES },
        response: { 200: listEnvelope(RuleSchema) },
      },
    },
    async () => {
      const rules = await risk.listRules();
      return { ...ok(rules.map(viewRule)), count: rules.length };
    },
  );
}

function registerCreateRule(app: App, { risk, sellers }: RiskRouteDeps): void {
  app.post(
    '/admin/risk-rules',
    {
      config: { access: 'operator:write' },
      schema: {
        operationId: 'createRiskRule',
        summary: 'Create a risk rule',
        description:
          'Creates a rule that allows or refuses transactions, or sends them to review. It is evaluated ' +
          'before a provider is called. If it sends a card payment to review, the payment is authorized, ' +
          'but not captured. The rule applies within a second. A new rule might not count all earlier ' +
          'transactions: transactions of a method are recorded for `count` and `sum` only while an ' +
          'enabled rule counts, sums or reviews transactions of that method. With the default rules, card ' +
          'transactions are recorded. A rule that counts or sums the transactions of one seller includes ' +
          'only those made while such a rule was enabled; declines are always included.',
        tags,
        errors: ['seller_not_found', 'too_many_risk_rules'],
        examples: { body: examples.RULE_BODIES, response: examples.RULE },
        body: CreateRuleBody,
        response: { 201: envelope(RuleSchema) },
      },
    },
    async (request, reply) => {
      const { position, enabled = true, sellerId = null, publicReason = null, ...fields } = request.body;
      await checkSeller(sellers, sellerId);
      const rule = { ...fields, enabled, sellerId: sellerId?.toLowerCase() ?? null, publicReason };
      const created = await risk.createRule(rule, position, auditActorOf(request));
      return reply.code(201).send(ok(viewRule(created)));
    },
  );
}

function registerChangeRule(app: App, { risk, sellers }: RiskRouteDeps): void {
  app.patch(
    '/admin/risk-rules/:id',
    {
      config: { access: 'operator:write' },
      schema: {
        operationId: 'updateRiskRule',
        summary: 'Update a risk rule',
        description:
          'Changes the given fields of a rule; omitted fields stay unchanged. `when` replaces all ' +
          'conditions. The change applies within a second.',
        tags,
        errors: ['risk_rule_not_found', 'seller_not_found'],
        examples: { body: examples.RULE_CHANGES, response: examples.RULE_CHANGED },
        params,
        body: ChangeRuleBody,
        response: { 200: envelope(RuleSchema) },
      },
    },
    async (request) => {
      const { body } = request;
      await checkSeller(sellers, body.sellerId);
      const rule = await risk.changeRule(request.params.id, toChanges(body), auditActorOf(request));
      if (rule === undefined) throw new HttpError('risk_rule_not_found');
      return ok(viewRule(rule));
    },
  );
}

const toChanges = (body: ChangeRuleBody) => ({
  ...(body.name !== undefined && { name: body.name }),
  ...(body.when !== undefined && { when: body.when }),
  ...(body.action !== undefined && { action: body.action }),
  ...(body.enabled !== undefined && { enabled: body.enabled }),
  ...(body.sellerId !== undefined && { sellerId: body.sellerId?.toLowerCase() ?? null }),
  ...(body.publicReason !== undefined && { publicReason: body.publicReason }),
  ...(body.position !== undefined && { position: body.position }),
});

function registerDeleteRule(app: App, { risk }: RiskRouteDeps): void {
  app.delete(
    '/admin/risk-rules/:id',
    {
      config: { access: 'operator:write' },
      schema: {
        operationId: 'deleteRiskRule',
        summary: 'Delete a risk rule',
        description:
          'Deletes a rule. It stops applying within a second. Transactions in review stay in review.',
        tags,
        errors: ['risk_rule_not_found'],
        examples: { response: examples.RULE_DELETED },
        params,
        response: { 200: deletedEnvelope },
      },
    },
    async (request) => {
      const { id } = request.params;
      if (!(await risk.removeRule(id, auditActorOf(request)))) throw new HttpError('risk_rule_not_found');
      return ok({ id });
    },
  );
}

function registerListEntries(app: App, { risk }: RiskRouteDeps): void {
  app.get(
    '/admin/risk-lists/:kind',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'listRiskListEntries',
        summary: 'List risk list entries',
        description: 'Returns the values of a list, newest first.',
        tags,
        errors: ['risk_list_not_found'],
        examples: { response: examples.ENTRIES },
        params: ListParams,
        response: { 200: listEnvelope(EntrySchema) },
      },
    },
    async (request) => {
      const entries = await risk.listEntries(listOf(request.params.kind), MAX_ENTRIES);
      return { ...ok(entries.map(viewEntry)), count: entries.length };
    },
  );
}

function listOf(kind: string): ListKind {
  const list = LIST_KINDS.find((known) => known === kind);
  if (list === undefined) throw new HttpError('risk_list_not_found');
  return list;
}

function checkValue(kind: ListKind, value: string): void {
  const signal = signalKindOf(kind);
  if (isListable(signal, normalize(signal, value))) return;
  const rules = {
    document: 'must be a CPF or a CNPJ',
    email: 'must be an email',
    card: 'must be a credit card',
    address: 'must be an IP address',
  } as const;
  const rule = rules[signal];
  throw new ValidationError([{ path: ['value'], rule }]);
}

function registerAddEntry(app: App, { risk }: RiskRouteDeps): void {
  app.post(
    '/admin/risk-lists/:kind',
    {
      config: { access: 'operator:write' },
      schema: {
        operationId: 'addRiskListEntry',
        summary: 'Add to a risk list',
        description:
          'Adds a value to a list. A transaction with a blocked value is refused. Otherwise, a ' +
          'transaction with a trusted value is allowed, and no rule is evaluated. Only a keyed ' +
          'hash and the masked value are stored.',
        tags,
        errors: ['risk_list_not_found', 'risk_list_entry_exists', 'too_many_risk_list_entries'],
        examples: { body: examples.ENTRY_BODIES, response: examples.ENTRY },
        params: ListParams,
        body: EntryBody,
        response: { 201: envelope(EntrySchema) },
      },
    },
    async (request, reply) => {
      const kind = listOf(request.params.kind);
      const { value, note = null } = request.body;
      checkValue(kind, value);
      const entry = await risk.addEntry({ kind, value, note }, auditActorOf(request));
      if (entry === undefined) throw new HttpError('risk_list_entry_exists');
      return reply.code(201).send(ok(viewEntry(entry)));
    },
  );
}

function registerDeleteEntry(app: App, { risk }: RiskRouteDeps): void {
  app.delete(
    '/admin/risk-lists/:kind',
    {
      config: { access: 'operator:write' },
      schema: {
        operationId: 'deleteRiskListEntry',
        summary: 'Delete from a risk list',
        description:
          'Deletes a value from a list. Pass its fingerprint, so that the value itself does not ' +
          'appear in logs.',
        tags,
        errors: ['risk_list_not_found', 'risk_list_entry_not_found'],
        examples: { response: examples.ENTRY_DELETED },
        params: ListParams,
        querystring: EntryQuery,
        response: { 200: deletedEnvelope },
      },
    },
    async (request) => {
      const { params: list, query } = request;
      const id = await risk.removeEntry(listOf(list.kind), query.value, auditActorOf(request));
      if (id === undefined) throw new HttpError('risk_list_entry_not_found');
      return ok({ id });
    },
  );
}
