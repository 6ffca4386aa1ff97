import { Type, type Static } from 'typebox';

import { envelope, nullable, ok } from '#platform/http/envelope.ts';
import { authorOf } from '#platform/http/guard.ts';
import type { App } from '#platform/http/server.ts';
import { withRules, type CrossRule } from '#platform/http/validation.ts';
import * as shown from './examples.ts';
import type { ChargeKey, PayersService } from './service.ts';
import { soughtByDocument, type Sought } from './search-query.ts';

const uuid = Type.String({ format: 'uuid' });
const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

const oneOf: CrossRule = ({ document, email }) =>
  (document === undefined) === (email === undefined)
    ? [{ path: ['document'], rule: 'must be given, or email, and not both' }]
    : [];

const Body = withRules(
  Type.Object({
    document: Type.Optional(
      Type.String({
        pattern: '^[0-9A-Za-z.\\-/]{11,18}$',
        'x-rule': 'must be a CPF or CNPJ',
        description: 'CPF or CNPJ, with or without its punctuation.',
      }),
    ),
    email: Type.Optional(Type.String({ format: 'email', maxLength: 320 })),
    after: Type.Optional(
      Type.String({
        pattern: `^${UUID}\\.${UUID}$`,
        'x-rule': 'must be what next was',
        description: 'What the answer before gave as `next`.',
      }),
    ),
  }),
  [oneOf],
);

const next = nullable(
  Type.String({ description: 'Pass it as `after` to go on; null when all charges have been looked at.' }),
);

const ExportedSchema = envelope(
  Type.Object({
    charges: Type.Array(
      Type.Object({
        sellerId: uuid,
        transactionId: uuid,
        held: Type.Unsafe<Readonly<Record<string, unknown>>>({
          type: 'object',
          additionalProperties: true,
          description: 'Rows as they are kept, by what they are.',
        }),
      }),
    ),
    next,
  }),
);

const ErasedSchema = envelope(
  Type.Object({
    erased: Type.Integer({ description: 'Charges whose payer is named nowhere any more.' }),
    kept: Type.Array(
      Type.Object({
        sellerId: uuid,
        transactionId: uuid,
        status: Type.String(),
        reason: Type.Enum(['BOLETO_OPEN', 'PROVIDER_PENDING', 'DISPUTED'], {
          description: 'Why its payer must still be named. Ask again when that is over.',
        }),
      }),
    ),
    next,
  }),
);

const soughtBy = ({ document, email }: Pick<Static<typeof Body>, 'document' | 'email'>): Sought =>
  document === undefined ? { email: email ?? '' } : soughtByDocument(document);

const keyOf = (after: string | undefined): ChargeKey | undefined => {
  const [sellerId, id] = after?.split('.') ?? [];
  return sellerId === undefined || id === undefined ? undefined : { sellerId, id };
};

const cursorOf = (key: ChargeKey | undefined): string | null =>
  key === undefined ? null : `${key.sellerId}.${key.id}`;

/** A payer's rights to their data. Whom it is about stands in the body, since addresses are logged along the way. */
export function payerRoutes(app: App, { payers }: { readonly payers: PayersService }): void {
  app.post(
    '/admin/payers/export',
    {
      config: { access: 'operator:write' },
      schema: {
        operationId: 'exportPayer',
        summary: 'Read all that is kept about a payer',
        description:
          'Looks through the charges of all sellers, some at a time: read on with `after` until `next` is null. Written into the audit log, without the payer.',
        tags: ['Operator'],
        examples: { body: shown.WANTED, answer: shown.EXPORTED },
        body: Body,
        response: { 200: ExportedSchema },
      },
    },
    async (request) => {
      const { done, next: at } = await payers.export(
        soughtBy(request.body),
        keyOf(request.body.after),
        authorOf(request),
      );
      const charges = done.map(({ sellerId, id, held }) => ({ sellerId, transactionId: id, held }));
      return ok({ charges, next: cursorOf(at) });
    },
  );

  app.post(
    '/admin/payers/erase',
    {
      config: { access: 'operator:write' },
      schema: {
        operationId: 'erasePayer',
        summary: 'Erase what names a payer',
        description:
          'Puts marks in the place of name, e-mail, phone, document and reference in charges of all sellers, and wherever they stand in texts beside them; money and its ledger stay. It cannot be undone. Some charges at a time: go on with `after` until `next` is null. Written into the audit log, without the payer.',
        tags: ['Operator'],
        examples: { body: shown.WANTED, answer: shown.ERASED },
        body: Body,
        response: { 200: ErasedSchema },
      },
    },
    async (request) => {
      const { done, next: at } = await payers.erase(
        soughtBy(request.body),
        keyOf(request.body.after),
        authorOf(request),
      );
      const kept = done.kept.map(({ id, ...one }) => ({ ...one, transactionId: id }));
      return ok({ erased: done.erased, kept, next: cursorOf(at) });
    },
  );
}
