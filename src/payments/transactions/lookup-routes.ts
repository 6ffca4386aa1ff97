import { Type } from 'typebox';

import { envelope, nullable, ok } from '#platform/http/envelope.ts';
import { serviceUnavailable } from '#platform/http/errors.ts';
import { callingSeller } from '#platform/http/guard.ts';
import type { App } from '#platform/http/server.ts';
import { nonEmptyString } from '#platform/http/validation.ts';
import * as examples from './examples-queries.ts';
import { SummarySchema } from './schema.ts';
import type { TransactionsService } from './service.ts';
import { viewSummary } from './views.ts';

const MAX_TEXT_LENGTH = 320;

const FoundSchema = Type.Object(
  {
    ...SummarySchema.properties,
    description: nullable(Type.String({ description: 'The description of the transaction.' })),
    customer: Type.Object(
      { name: Type.String({ description: 'Name.' }), email: Type.String({ description: 'Email address.' }) },
      { description: 'The payer.' },
    ),
  },
  { title: 'TransactionLookupResult', description: 'A transaction that was looked up.' },
);

const LookupBody = Type.Object({
  text: Type.Unsafe<string>({
    ...nonEmptyString(MAX_TEXT_LENGTH),
    description:
      'A complete id; an amount (`15,00`, `R$ 1.500,00`, `15`; digits alone match reais and cents); or a ' +
      'part of a name, email, description or reference. Case and accents are ignored.',
  }),
});

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
          'Finds transactions by id, amount, payer or description, for search boxes. Returns ' +
          "at most 20, newest first, whose amount equals `text`, or whose payer's name, email " +
          'or `externalRef` or whose description contains it. Searches the 20,000 newest ' +
          'transactions; `searchedSince` is the creation time of the oldest of them. A ' +
          'complete id finds a transaction of any age. Programs should retrieve a ' +
          'transaction by its id or search by metadata.',
        tags: ['Transactions'],
        examples: { body: examples.LOOKUP_BODIES, answer: examples.LOOKUP_RESULTS },
        body: LookupBody,
        response: {
          200: envelope(
            Type.Object(
              {
                found: Type.Array(FoundSchema, { description: 'Newest first, at most 20.' }),
                searchedSince: nullable(
                  Type.String({
                    format: 'date-time',
                    description:
                      'When the oldest searched transaction was created; null if all were searched.',
                  }),
                ),
              },
              { title: 'TransactionLookup', description: 'Transactions that were looked up.' },
            ),
          ),
        },
      },
    },
    async (request) => {
      const result = await transactions.lookUp(callingSeller(request).id, request.body.text);
      if (result === undefined) throw serviceUnavailable();
      return ok({
        found: result.found.map(({ description, customer, ...summary }) => ({
          ...viewSummary(summary),
          description,
          customer,
        })),
        searchedSince: result.searchedSince?.toISOString() ?? null,
      });
    },
  );
}
