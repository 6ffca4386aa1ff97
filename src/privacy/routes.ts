import { Type, type Static } from 'typebox';

import { envelope, nullable, ok } from '#platform/http/envelope.ts';
import { auditActorOf } from '#platform/http/guard.ts';
import type { App } from '#platform/http/server.ts';
import { withCrossFieldRules, type CrossFieldRule } from '#platform/http/validation.ts';
import * as examples from './examples.ts';
import type { TransactionKey, PrivacyService } from './service.ts';
import { documentQuery, type SearchQuery } from './search-query.ts';

const uuid = Type.String({ format: 'uuid' });
const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

const exactlyOneRule: CrossFieldRule = ({ document, email }) =>
  (document === undefined) === (email === undefined)
    ? [{ path: ['document'], rule: 'must be given, or email, and not both' }]
    : [];

const Body = withCrossFieldRules(
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
  [exactlyOneRule],
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

const toSearchQuery = ({ document, email }: Pick<Static<typeof Body>, 'document' | 'email'>): SearchQuery =>
  document === undefined ? { email: email ?? '' } : documentQuery(document);

const parseCursor = (after: string | undefined): TransactionKey | undefined => {
  const [sellerId, id] = after?.split('.') ?? [];
  return sellerId === undefined || id === undefined ? undefined : { sellerId, id };
};

const formatCursor = (key: TransactionKey | undefined): string | null =>
  key === undefined ? null : `${key.sellerId}.${key.id}`;

/** A payer's rights to their data. Whom it is about stands in the body, since addresses are logged along the way. */
export function privacyRoutes(app: App, { privacy }: { readonly privacy: PrivacyService }): void {
  app.post(
    '/admin/privacy/export',
    {
      config: { access: 'operator:write' },
      schema: {
        operationId: 'exportPayer',
        summary: 'Read all that is kept about a payer',
        description:
          'Looks through the charges of all sellers, some at a time: read on with `after` until `next` is null. Written into the audit log, without the payer.',
        tags: ['Operator'],
        examples: { body: examples.REQUESTS, answer: examples.EXPORT_RESPONSE },
        body: Body,
        response: { 200: ExportedSchema },
      },
    },
    async (request) => {
      const { result, next: at } = await privacy.export(
        toSearchQuery(request.body),
        parseCursor(request.body.after),
        auditActorOf(request),
      );
      const charges = result.map(({ sellerId, id, held }) => ({ sellerId, transactionId: id, held }));
      return ok({ charges, next: formatCursor(at) });
    },
  );

  app.post(
    '/admin/privacy/erase',
    {
      config: { access: 'operator:write' },
      schema: {
        operationId: 'erasePayer',
        summary: 'Erase what names a payer',
        description:
          'Puts marks in the place of name, e-mail, phone, document and reference in charges of all sellers, and wherever they stand in texts beside them; money and its ledger stay. It cannot be undone. Some charges at a time: go on with `after` until `next` is null. Written into the audit log, without the payer.',
        tags: ['Operator'],
        examples: { body: examples.REQUESTS, answer: examples.ERASURE_RESPONSE },
        body: Body,
        response: { 200: ErasedSchema },
      },
    },
    async (request) => {
      const { result, next: at } = await privacy.erase(
        toSearchQuery(request.body),
        parseCursor(request.body.after),
        auditActorOf(request),
      );
      const kept = result.kept.map(({ id, ...one }) => ({ ...one, transactionId: id }));
      return ok({ erased: result.erased, kept, next: formatCursor(at) });
    },
  );
}
