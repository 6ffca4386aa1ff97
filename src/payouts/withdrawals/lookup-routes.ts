import { Type } from 'typebox';

import { envelope, ok } from '#platform/http/envelope.ts';
import { serviceUnavailable } from '#platform/http/errors.ts';
import { callingSeller } from '#platform/http/guard.ts';
import type { App } from '#platform/http/server.ts';
import { nonEmptyString } from '#platform/http/validation.ts';
import * as examples from './examples.ts';
import { WithdrawalSchema } from './schema.ts';
import type { WithdrawalsService } from './service.ts';
import { viewWithdrawal } from './views.ts';

const MAX_TEXT_LENGTH = 320;

const LookupBody = Type.Object({
  text: Type.Unsafe<string>({
    ...nonEmptyString(MAX_TEXT_LENGTH),
    description:
      'A complete id; an amount (`15,00`, `R$ 1.500,00`, `15`; digits alone match as reais ' +
      'and as cents); a complete CPF, CNPJ, Pix key, wallet address, account number or ' +
      "`endToEndId`; or part of the beneficiary's name or of the description. Case and " +
      'accents are ignored.',
  }),
});

export function withdrawalLookupRoutes(
  app: App,
  { withdrawals }: { readonly withdrawals: WithdrawalsService },
): void {
  // Not GET: proxies log URLs, which must not contain names and Pix keys.
  app.post(
    '/withdrawals/lookup',
    {
      config: { access: 'withdrawals:read', heavyRead: true },
      schema: {
        operationId: 'lookUpWithdrawals',
        summary: 'Look up withdrawals',
        description:
          'Finds withdrawals of any age by id, amount, beneficiary or description. Use it for ' +
          'search boxes. A withdrawal matches if its id, its amount, its `endToEndId`, its ' +
          'destination or the CPF or CNPJ of its beneficiary equals `text`, or if its description ' +
          'or the name of its beneficiary contains it. Returns at most 20, newest first.',
        tags: ['Withdrawals'],
        examples: { body: examples.LOOKUP_BODIES, response: examples.LOOKUP_RESULTS },
        body: LookupBody,
        response: {
          200: envelope(
            Type.Object(
              { found: Type.Array(WithdrawalSchema, { description: 'Newest first, at most 20.' }) },
              { title: 'WithdrawalLookup', description: 'Withdrawals that match.' },
            ),
          ),
        },
      },
    },
    async (request) => {
      const found = await withdrawals.lookUpText(callingSeller(request).id, request.body.text);
      if (found === undefined) throw serviceUnavailable();
      return ok({ found: found.map((withdrawal) => viewWithdrawal(withdrawal)) });
    },
  );
}
