import { Type } from 'typebox';

import { envelope, nullable, ok } from '#platform/http/envelope.ts';
import { HttpError } from '#platform/http/errors.ts';
import { callingSeller } from '#platform/http/guard.ts';
import type { App } from '#platform/http/server.ts';
import { nonEmptyString } from '#platform/http/validation.ts';
import * as examples from './examples-queries.ts';
import { SummarySchema } from './schema.ts';
import type { TransactionsService } from './service.ts';
import { viewSummary } from './views.ts';

const MAX_EMAIL = 320;

const FoundSchema = Type.Object(
  {
    ...SummarySchema.properties,
    description: nullable(Type.String()),
    customer: Type.Object({ name: Type.String(), email: Type.String() }),
  },
  { title: 'LookedUpTransaction' },
);

const LookupBody = Type.Object({
  text: Type.Unsafe<string>({
    ...nonEmptyString(MAX_EMAIL),
    description:
      'A whole id; an amount (`15,00`, `R$ 1.500,00`, `15`; digits alone mean reais and cents); or a part of a name, e-mail, description or reference, whatever its case and accents.',
  }),
});

/** What somebody types who looks for a charge. */
export function lookupRoutes(
  app: App,
  { transactions }: { readonly transactions: TransactionsService },
): void {
  // Not by GET: names and e-mails do not belong into addresses, which proxies write down.
  app.post(
    '/transactions/lookup',
    {
      config: { access: 'transactions:read' },
      schema: {
        operationId: 'lookUpTransactions',
        summary: 'Find charges by id, amount, payer or description',
        description:
          "For people who look for a charge: at most 20, newest first, whose amount is `text` or whose payer's name, e-mail or `externalRef`, or whose description, contains it. The newest 20,000 charges are looked at; `searchedSince` tells how far back that is. A whole id finds its charge however old it is. Systems read a charge by its id, or search it by metadata.",
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
                    description: 'When the oldest charge was made that was looked at; null where all were.',
                  }),
                ),
              },
              { title: 'TransactionLookup' },
            ),
          ),
        },
      },
    },
    async (request) => {
      const result = await transactions.lookUp(callingSeller(request).id, request.body.text);
      if (result === undefined) throw new HttpError(503, 'Service unavailable', { 'retry-after': '1' });
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
