import { Type } from 'typebox';

import {
  deletedEnvelope,
  envelope,
  listEnvelope,
  nullable,
  ok,
  recordId,
  timestamp,
} from '#platform/http/envelope.ts';
import { HttpError, ValidationError } from '#platform/http/errors.ts';
import { auditActorOf, callingSeller } from '#platform/http/guard.ts';
import type { App } from '#platform/http/server.ts';
import { withCrossFieldRules } from '#platform/http/validation.ts';
import type { Clock } from '#platform/kit/clock.ts';
import { fullYear } from '#payments/transactions/requests.ts';
import type { CustomersService } from '#payments/customers/service.ts';
import { cvvMember, expiryViolations, savedCardMembers, yearRule } from './schema.ts';
import type { CardToken, CardTokensService } from './service.ts';

const CreateBody = withCrossFieldRules(
  Type.Object({
    customerId: Type.Optional(nullable(recordId('The customer that the card belongs to.'))),
    ...savedCardMembers,
    cvv: Type.Optional(nullable(cvvMember)),
  }),
  [yearRule],
);

const CardTokenSchema = Type.Object(
  {
    id: recordId('The same value as token.'),
    customerId: nullable(recordId('The customer that the card belongs to.')),
    token: Type.String({ format: 'uuid', description: 'Send it as card.token.' }),
    brand: nullable(Type.String({ description: 'Card brand, such as VISA; null if unknown.' })),
    lastFour: Type.String({ description: 'Last four digits of the number.' }),
    expirationMonth: Type.Integer({ description: 'Month, from 1 to 12.' }),
    expirationYear: Type.Integer({ description: 'Year, four digits.' }),
    createdAt: timestamp('When it was created.'),
  },
  { title: 'CardToken', description: 'A saved card.' },
);

const TOKEN = {
  id: '01a1fb68-4c1d-4d0c-8f5e-5a3c1f2d7b90',
  customerId: null,
  token: '01a1fb68-4c1d-4d0c-8f5e-5a3c1f2d7b90',
  brand: 'VISA',
  lastFour: '1111',
  expirationMonth: 12,
  expirationYear: 2030,
  createdAt: '2026-11-20T12:00:00.000Z',
};

const EXAMPLES = {
  body: {
    'A card': {
      number: '4111111111111111',
      holderName: 'ANA SOUZA',
      expirationMonth: 12,
      expirationYear: 2030,
    },
  },
  response: {
    'Send token as card.token': ok(TOKEN),
  },
};

interface CardTokenRouteDeps {
  readonly cardTokens: CardTokensService;
  readonly customers: CustomersService;
  readonly clock: Clock;
}

export function cardTokenRoutes(app: App, deps: CardTokenRouteDeps): void {
  registerCreate(app, deps);
  registerList(app, deps);
  registerDelete(app, deps);
}

function registerCreate(app: App, { cardTokens, customers, clock }: CardTokenRouteDeps): void {
  app.post(
    '/card-tokens',
    {
      config: { access: 'transactions:create' },
      schema: {
        operationId: 'createCardToken',
        summary: 'Save a card',
        description:
          'Stores a card and returns a token for it. Send the token as `card.token` to charge ' +
          'the card without its number. The number is stored, encrypted, until a month after the ' +
          'card expires. The CVV is not stored. A card that has expired is rejected.',
        tags: ['Transactions'],
        errors: ['customer_not_found'],
        examples: EXAMPLES,
        body: CreateBody,
        response: { 201: envelope(CardTokenSchema) },
      },
    },
    async (request, reply) => {
      const { number, expirationMonth, customerId } = request.body;
      const sellerId = callingSeller(request).id;
      const expirationYear = fullYear(request.body.expirationYear);
      const violations = expiryViolations({ expirationMonth, expirationYear }, clock.now());
      if (violations.length > 0) throw new ValidationError(violations);
      const owner = await requireOwner(customers, sellerId, customerId ?? null);
      const card = { number, expirationMonth, expirationYear, customerId: owner };
      return reply.code(201).send(ok(viewCardToken(await cardTokens.create(sellerId, card))));
    },
  );
}

/** @throws HttpError 404 for an unknown customer. */
async function requireOwner(
  customers: CustomersService,
  sellerId: string,
  customerId: string | null,
): Promise<string | null> {
  if (customerId === null) return null;
  const customer = await customers.find({ sellerId, id: customerId });
  if (customer === undefined) throw new HttpError('customer_not_found');
  return customer.id;
}

function registerList(app: App, { cardTokens, customers }: CardTokenRouteDeps): void {
  app.get(
    '/customers/:id/card-tokens',
    {
      config: { access: 'customers:read' },
      schema: {
        operationId: 'listCardTokens',
        summary: "List a customer's saved cards",
        description: 'Returns the saved cards of a customer, newest first.',
        tags: ['Customers'],
        errors: ['customer_not_found'],
        examples: { response: { 'One card': { status: true, data: [TOKEN], count: 1 } } },
        params: Type.Object({ id: Type.String() }),
        response: { 200: listEnvelope(CardTokenSchema) },
      },
    },
    async (request) => {
      const key = { sellerId: callingSeller(request).id, id: request.params.id };
      const customer = await customers.find(key);
      if (customer === undefined) throw new HttpError('customer_not_found');
      const data = (await cardTokens.listOf(customer)).map(viewCardToken);
      return { status: true as const, data, count: data.length };
    },
  );
}

function registerDelete(app: App, { cardTokens }: CardTokenRouteDeps): void {
  app.delete(
    '/card-tokens/:id',
    {
      config: { access: 'customers:write' },
      schema: {
        operationId: 'deleteCardToken',
        summary: 'Delete a saved card',
        description:
          'Deletes the card. Its token can no longer be charged. Subscriptions that charge it continue: ' +
          'give them another card with `PATCH /v1/subscriptions/{id}`, or their next charge fails. A ' +
          'SUBSCRIPTION_CARD_REQUIRED event is sent a week before a cycle whose card was deleted.',
        tags: ['Transactions'],
        errors: ['card_token_not_found'],
        examples: { response: { 'The deleted card': ok({ id: TOKEN.id }) } },
        params: Type.Object({ id: Type.String() }),
        response: { 200: deletedEnvelope },
      },
    },
    async (request) => {
      const { id } = request.params;
      const key = { sellerId: callingSeller(request).id, id };
      if (!(await cardTokens.delete(key, auditActorOf(request)))) throw new HttpError('card_token_not_found');
      return ok({ id: id.toLowerCase() });
    },
  );
}

function viewCardToken({ id, createdAt, ...token }: CardToken) {
  const { customerId, brand, lastFour, expirationMonth, expirationYear } = token;
  const card = { brand, lastFour, expirationMonth, expirationYear };
  return { id, customerId, token: id, ...card, createdAt: createdAt.toISOString() };
}
