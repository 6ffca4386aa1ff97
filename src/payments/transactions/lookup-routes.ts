import { Type } from 'typebox';

import { envelope, ok } from '#platform/http/envelope.ts';
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
      'A complete id; an amount (`15,00`, `R$ 1.500,00`, `15`; digits alone match as reais ' +
      'and as cents); a complete CPF, CNPJ or `endToEndId`; or part of a name, email, ' +
      'description or reference. Case and accents are ignored.',
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
          'Finds transactions of any age by id, amount, payer or description. Use it for search ' +
          'boxes. A transaction matches if its id, its amount, its `endToEndId` or the document ' +
          'of its payer equals `text`, or if its description, its `externalRef`, or the name, ' +
          'email or `externalRef` of its payer contains it. Returns at most 20, newest first.',
        tags: ['Transactions'],
        examples: { body: examples.LOOKUP_BODIES, answer: examples.LOOKUP_RESULTS },
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
