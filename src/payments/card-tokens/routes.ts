import { Type } from 'typebox';

import { envelope, nullable, ok, timestamp } from '#platform/http/envelope.ts';
import { callingSeller } from '#platform/http/guard.ts';
import type { App } from '#platform/http/server.ts';
import { nonEmptyString, withCrossFieldRules, type CrossFieldRule } from '#platform/http/validation.ts';
import { fullYear } from '#payments/transactions/requests.ts';
import type { CardTokensService } from './service.ts';

const yearRule: CrossFieldRule = ({ expirationYear: year }) =>
  typeof year === 'number' && Number.isInteger(year) && year >= 100 && year < 2000
    ? [{ path: ['expirationYear'], rule: 'must be a year of four digits' }]
    : [];

const CreateBody = withCrossFieldRules(
  Type.Object({
    number: Type.String({ format: 'credit-card', description: 'Card number: digits, without spaces.' }),
    holderName: nonEmptyString(255, 'Name as printed on the card.'),
    expirationMonth: Type.Integer({ minimum: 1, maximum: 12, description: 'Month, from 1 to 12.' }),
    expirationYear: Type.Integer({
      minimum: 0,
      maximum: 2199,
      description: 'Four digits. Two digits mean 20YY.',
    }),
    cvv: Type.Optional(
      nullable(
        Type.String({
          pattern: '^\\d{3,4}$',
          'x-rule': 'must be 3 or 4 digits',
          description: 'Security code. Not stored.',
        }),
      ),
    ),
  }),
  [yearRule],
);

const CardTokenSchema = Type.Object(
  {
    token: Type.String({ format: 'uuid', description: 'Send it as card.token.' }),
    brand: nullable(Type.String({ description: 'Card brand, such as VISA; null if unknown.' })),
    lastFour: Type.String({ description: 'Last four digits of the number.' }),
    expirationMonth: Type.Integer({ description: 'Month, from 1 to 12.' }),
    expirationYear: Type.Integer({ description: 'Year, four digits.' }),
    createdAt: timestamp('When it was created.'),
  },
  { title: 'CardToken', description: 'A saved card.' },
);

const EXAMPLES = {
  body: {
    'A card': {
      number: '4111111111111111',
      holderName: 'ANA SOUZA',
      expirationMonth: 12,
      expirationYear: 2030,
    },
  },
  answer: {
    'Send token as card.token': ok({
      token: '01a1fb68-4c1d-4d0c-8f5e-5a3c1f2d7b90',
      brand: 'VISA',
      lastFour: '1111',
      expirationMonth: 12,
      expirationYear: 2030,
      createdAt: '2026-11-20T12:00:00.000Z',
    }),
  },
};

export function cardTokenRoutes(app: App, { cardTokens }: { readonly cardTokens: CardTokensService }): void {
  app.post(
    '/card-tokens',
    {
      config: { access: 'transactions:create' },
      schema: {
        operationId: 'createCardToken',
        summary: 'Save a card',
        description:
          'Stores a card and returns a token for it. Send the token as `card.token` to charge ' +
          'the card without its number. The number is stored encrypted until a month after the ' +
          'card expires. The cvv is not stored.',
        tags: ['Transactions'],
        examples: EXAMPLES,
        body: CreateBody,
        response: { 201: envelope(CardTokenSchema) },
      },
    },
    async (request, reply) => {
      const { number, expirationMonth } = request.body;
      const expirationYear = fullYear(request.body.expirationYear);
      const card = { number, expirationMonth, expirationYear };
      const {
        id: token,
        brand,
        lastFour,
        createdAt,
      } = await cardTokens.create(callingSeller(request).id, card);
      const view = { token, brand, lastFour, expirationMonth, expirationYear };
      return reply.code(201).send(ok({ ...view, createdAt: createdAt.toISOString() }));
    },
  );
}
