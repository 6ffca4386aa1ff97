import { Type, type Static } from 'typebox';

import type { Rule } from '#platform/http/rules.ts';
import { envelope, nullable, ok, recordId } from '#platform/http/envelope.ts';
import { auditActorOf } from '#platform/http/guard.ts';
import type { App } from '#platform/http/server.ts';
import { withCrossFieldRules, type CrossFieldRule } from '#platform/http/validation.ts';
import * as examples from './examples.ts';
import { ERASURE_BLOCK_REASONS, type TransactionKey } from './personal-data.ts';
import type { PrivacyService } from './service.ts';
import { documentQuery, type SearchQuery } from './search-query.ts';

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

/** Requires either document or email. */
const exactlyOneRule: CrossFieldRule = ({ document, email }) =>
  (document === undefined) === (email === undefined)
    ? [{ path: ['document'], rule: 'or email must be sent, and not both', code: 'invalid_combination' }]
    : [];

const Body = withCrossFieldRules(
  Type.Object(
    {
      document: Type.Optional(
        Type.String({
          pattern: '^[0-9A-Za-z.\\-/]{11,18}$',
          'x-rule': 'must be a CPF or a CNPJ' satisfies Rule,
          description: 'CPF or CNPJ, with or without its punctuation. Send this or `email`, not both.',
        }),
      ),
      email: Type.Optional(
        Type.String({
          format: 'email',
          maxLength: 320,
          description: 'Email address of the payer. Send this or `document`, not both.',
        }),
      ),
      after: Type.Optional(
        Type.String({
          pattern: `^${UUID}\\.${UUID}$`,
          'x-rule': 'must be the value of next in the previous response' satisfies Rule,
          description: 'The value of `next` in the previous response.',
        }),
      ),
    },
    { title: 'PayerQuery', description: 'Identifies a payer by tax ID (CPF or CNPJ) or email.' },
  ),
  [exactlyOneRule],
);

const next = nullable(
  Type.String({
    description: 'Pass it as `after` to continue. Null when all transactions have been searched.',
  }),
);

const ExportedSchema = envelope(
  Type.Object(
    {
      charges: Type.Array(
        Type.Object(
          {
            sellerId: recordId('The seller.'),
            transactionId: recordId('The transaction.'),
            held: Type.Unsafe<Readonly<Record<string, unknown>>>({
              type: 'object',
              additionalProperties: true,
              description: 'The stored rows by record type.',
            }),
          },
          { title: 'PayerData', description: 'What is stored about a payer with a transaction.' },
        ),
        { description: 'Transactions of the payer.' },
      ),
      customers: Type.Array(
        Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object', additionalProperties: true }),
        {
          description:
            "The payer's subscriptions and customer records, and applications of sellers. On the first " +
            'page only.',
        },
      ),
      next,
    },
    { title: 'PersonalDataExport', description: 'Personal data of a payer.' },
  ),
);

const ErasedSchema = envelope(
  Type.Object(
    {
      erased: Type.Integer({ description: 'Transactions whose payer has been erased.' }),
      erasedCustomers: Type.Integer({
        description:
          'Number of records that were erased: subscriptions, customers and applications. Applications ' +
          'of sellers that were active are kept. On the first page only.',
      }),
      kept: Type.Array(
        Type.Object(
          {
            sellerId: recordId('The seller.'),
            transactionId: recordId('The transaction.'),
            status: Type.String({ description: 'Status of the transaction.' }),
            reason: Type.Enum([...ERASURE_BLOCK_REASONS], {
              description:
                'BOLETO_OPEN: the boleto can still be paid, or its registration or write-off at the bank ' +
                'is pending. PROVIDER_PENDING: a provider has not completed an operation. DISPUTED: a ' +
                'dispute is open. Repeat the request when the reason no longer applies.',
            }),
          },
          { title: 'KeptPayerData', description: 'A transaction whose payer cannot be erased yet.' },
        ),
        { description: 'Transactions whose payer cannot be erased yet.' },
      ),
      next,
    },
    { title: 'PersonalDataErasure', description: 'What was erased.' },
  ),
);

const toSearchQuery = ({ document, email }: Pick<Static<typeof Body>, 'document' | 'email'>): SearchQuery =>
  document === undefined ? { email: email ?? '' } : documentQuery(document);

const parseCursor = (after: string | undefined): TransactionKey | undefined => {
  const [sellerId, id] = after?.split('.') ?? [];
  return sellerId === undefined || id === undefined ? undefined : { sellerId, id };
};

const formatCursor = (key: TransactionKey | undefined): string | null =>
  key === undefined ? null : `${key.sellerId}.${key.id}`;

interface PrivacyRouteDeps {
  readonly privacy: PrivacyService;
}

/** The payer is in the body, because proxies log URLs. */
export function privacyRoutes(app: App, deps: PrivacyRouteDeps): void {
  registerExport(app, deps);
  registerErase(app, deps);
}

function registerExport(app: App, { privacy }: PrivacyRouteDeps): void {
  app.post(
    '/admin/privacy/export',
    {
      config: { access: 'operator:write', heavyRead: true },
      schema: {
        operationId: 'exportPayer',
        summary: 'Export personal data',
        description:
          'Returns the personal data of a payer from the customers, transactions, subscriptions and ' +
          'applications of all sellers, page by page: continue with `after` until `next` is null. Use it ' +
          'for an access request under the LGPD. The audit log records the export, but not the payer.',
        tags: ['Privacy'],
        examples: { body: examples.REQUESTS, response: examples.EXPORT_RESPONSE },
        body: Body,
        response: { 200: ExportedSchema },
      },
    },
    async (request) => {
      const { result, next: nextKey } = await privacy.export(
        toSearchQuery(request.body),
        parseCursor(request.body.after),
        auditActorOf(request),
      );
      const charges = result.transactions.map(({ sellerId, id, held }) => ({
        sellerId,
        transactionId: id,
        held,
      }));
      const customers = [...result.customers];
      return ok({ charges, customers, next: formatCursor(nextKey) });
    },
  );
}

function registerErase(app: App, { privacy }: PrivacyRouteDeps): void {
  app.post(
    '/admin/privacy/erase',
    {
      config: { access: 'operator:write', heavyRead: true },
      schema: {
        operationId: 'erasePayer',
        summary: 'Erase personal data',
        description:
          'Replaces the name, email, phone, tax ID and reference of a payer with placeholders, in the ' +
          "transactions of all sellers and in the texts of related records, and deletes the payer's " +
          "customer records and saved cards. Also cancels and erases the payer's subscriptions, and erases " +
          'applications that were not approved. Use it for an erasure request under the LGPD. ' +
          'Amounts and the ledger stay unchanged. Cannot be undone. Works page by page: continue with ' +
          '`after` until `next` is null. The audit log records the erasure, but not the payer. Returns ' +
          'what was erased and what must be kept.',
        tags: ['Privacy'],
        examples: { body: examples.REQUESTS, response: examples.ERASURE_RESPONSE },
        body: Body,
        response: { 200: ErasedSchema },
      },
    },
    async (request) => {
      const { result, next: nextKey } = await privacy.erase(
        toSearchQuery(request.body),
        parseCursor(request.body.after),
        auditActorOf(request),
      );
      const kept = result.kept.map(({ id, ...rest }) => ({
        ...rest,
        transactionId: id,
      }));
      const { erased, erasedCustomers } = result;
      return ok({ erased, erasedCustomers, kept, next: formatCursor(nextKey) });
    },
  );
}
