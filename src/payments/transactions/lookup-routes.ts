import { Type } from 'typebox';

import { envelope, ok, recordId } from '#platform/http/envelope.ts';
import { serviceUnavailable } from '#platform/http/errors.ts';
import { callingSeller } from '#platform/http/guard.ts';
import type { App } from '#platform/http/server.ts';
import { nonEmptyString } from '#platform/http/validation.ts';
import * as examples from './examples-queries.ts';
import { ListedSchema } from './schema.ts';
import type { TransactionsService } from './service.ts';
import { viewListed } from './views.ts';

const MAX_TEXT_LENGTH = 320;

const FoundSchema = Type.Object(
  {
    ...ListedSchema.properties,
    customer: Type.Object(
      { name: Type.String({ description: 'Name.' }), email: Type.String({ description: 'Email address.' }) },
      { description: 'The payer.' },
    ),
  },
  { title: 'TransactionLookupResult', description: 'A transaction that matches.' },
);

const LookupBody = Type.Object({
  text: Type.Unsafe<string>({
    ...nonEmptyString(MAX_TEXT_LENGTH),
    description:
      'A complete id; an amount (`15,00`, `R$ 1.500,00`, `15`; digits alone match as reais and as cents); ' +
      'a complete CPF, CNPJ or `endToEndId`; the last four digits of a card; or part of the name, email ' +
      'or `externalRef` of the payer, or of the description or `externalRef` of the transaction. Case and ' +
      'accents are ignored.',
  }),
});

const OperatorFoundSchema = Type.Object(
  {
    ...FoundSchema.properties,
    sellerId: recordId('The seller.'),
    sellerName: Type.String({ description: 'Name of the seller.' }),
  },
  {
    title: 'OperatorTransactionLookupResult',
    description: 'A transaction that was looked up, with its seller.',
  },
);

/** The search box of the back office. */
export function operatorLookupRoutes(
  app: App,
  { transactions }: { readonly transactions: TransactionsService },
): void {
  app.post(
    '/admin/transactions/lookup',
    {
      config: { access: 'operator:read', heavyRead: true, personalData: 'transaction' },
      schema: {
        operationId: 'lookUpAllTransactions',
        summary: 'Look up transactions of all sellers',
        description:
          'Finds transactions of all sellers and of any age by id, amount, payer, description, ' +
          '`externalRef`, `endToEndId` or last four digits of the card. Returns at most 20, newest first.',
        tags: ['Transactions'],
        examples: { body: examples.LOOKUP_BODIES, response: examples.LOOKUP_RESULTS_OF_ALL },
        body: LookupBody,
        response: {
          200: envelope(
            Type.Object(
              {
                found: Type.Array(OperatorFoundSchema, { description: 'Newest first, at most 20.' }),
              },
              { title: 'OperatorTransactionLookup', description: 'Transactions that were looked up.' },
            ),
          ),
        },
      },
    },
    async (request) => {
      const found = await transactions.lookUpOfAll(request.body.text);
      if (found === undefined) throw serviceUnavailable();
      return ok({
        found: found.map(({ customer, sellerId, sellerName, ...listed }) => ({
          ...viewListed(listed),
          customer,
          sellerId,
          sellerName,
        })),
      });
    },
  );
}

/** The search box of the dashboard. */
export function lookupRoutes(
  app: App,
  { transactions }: { readonly transactions: TransactionsService },
): void {
  // Not GET: proxies log URLs, which must not contain names and email addresses.
  app.post(
    '/transactions/lookup',
    {
      config: { access: 'transactions:read', heavyRead: true },
      schema: {
        operationId: 'lookUpTransactions',
        summary: 'Look up transactions',
        description:
          'Finds transactions of any age by id, amount, payer or description. Use it for search boxes. A ' +
          'transaction matches if its id, its amount, its `endToEndId`, the last four digits of its card ' +
          'or the CPF or CNPJ of its payer equals `text`, or if its description, its `externalRef`, or ' +
          'the name, email or `externalRef` of its payer contains it. Returns at most 20, newest first.',
        tags: ['Transactions'],
        examples: { body: examples.LOOKUP_BODIES, response: examples.LOOKUP_RESULTS },
        body: LookupBody,
        response: {
          200: envelope(
            Type.Object(
              {
                found: Type.Array(FoundSchema, { description: 'Newest first, at most 20.' }),
              },
              { title: 'TransactionLookup', description: 'Transactions that match.' },
            ),
          ),
        },
      },
    },
    async (request) => {
      const found = await transactions.lookUp(callingSeller(request).id, request.body.text);
      if (found === undefined) throw serviceUnavailable();
      return ok({
        found: found.map(({ customer, ...listed }) => ({ ...viewListed(listed), customer })),
      });
    },
  );
}
