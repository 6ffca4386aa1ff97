import { Type, type Static } from 'typebox';

import { ActorSchema } from '#platform/http/audit-actor.ts';
import {
  csvLocaleQuery,
  exportQuery,
  localizedTable,
  pageOrCsv,
  sendCsv,
  type Column,
} from '#platform/http/csv.ts';
import { labelFrom } from '#platform/http/csv-line.ts';
import { ROLE_LABELS } from '#platform/kit/labels-pt.ts';
import { dateQuery, dateRule, parsePeriod } from '#platform/http/date-filters.ts';
import { nullable, pageEnvelope, recordId, timestamp } from '#platform/http/envelope.ts';
import { pageResponse, pageQuery, parsePage } from '#platform/http/pagination.ts';
import type { App } from '#platform/http/server.ts';
import { withCrossFieldRules } from '#platform/http/validation.ts';
import { ACTIONS } from '#audit/actions.ts';
import * as examples from '#audit/examples.ts';
import { ACTION_LABELS, ACTOR_LABELS, MEMBER_LABELS, RECORD_TYPE_LABELS } from '#audit/labels-pt.ts';
import type { AuditEntry, AuditService } from '#audit/service.ts';
import { membersInPortuguese } from './audit-changes-pt.ts';

const members = (description: string) =>
  Type.Unsafe<Readonly<Record<string, unknown>> | null>({
    type: ['object', 'null'],
    additionalProperties: true,
    description,
  });

const AuditSchema = Type.Object(
  {
    id: recordId('The id of the entry.'),
    at: timestamp('When it happened.'),
    actor: ActorSchema,
    action: Type.String({ description: 'What was done.' }),
    recordType: Type.String({ description: 'Type of the record.' }),
    recordId: nullable(
      Type.String({
        description: 'Null if the entry is not about one record, or if there is only one of the type.',
      }),
    ),
    sellerId: nullable(Type.String({ description: 'The seller that the record belongs to.' })),
    before: members(
      'The values of the changed fields before the change. Null if there are none, as for a created record.',
    ),
    after: members(
      'The values of the changed fields after the change, or details of the event. Null if there are ' +
        'none, as for a deleted record.',
    ),
    requestId: nullable(Type.String({ description: 'The x-request-id of the request.' })),
  },
  { title: 'AuditEntry', description: 'An entry of the audit log.' },
);

const AuditQuery = withCrossFieldRules(
  Type.Object({
    action: Type.Optional(Type.Enum([...ACTIONS], { description: 'Only entries with this action.' })),
    actorId: Type.Optional(recordId('Only entries of this user or API key.')),
    sellerId: Type.Optional(recordId('Only entries about records of this seller.')),
    recordId: Type.Optional(Type.String({ maxLength: 255, description: 'Only entries about this record.' })),
    requestId: Type.Optional(
      Type.String({ maxLength: 255, description: 'Only entries of the request with this `x-request-id`.' }),
    ),
    ...dateQuery,
    ...pageQuery,
    ...exportQuery,
    ...csvLocaleQuery,
  }),
  [dateRule],
);

export function auditRoutes(app: App, { auditLog }: { readonly auditLog: AuditService }): void {
  app.get(
    '/admin/audit-log',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'listAuditLog',
        summary: 'List audit log entries',
        description:
          'Returns one page of the audit log, newest first, or all of it as CSV with ' +
          '`export=true`. It contains changes, sign-ins, denied access and reads of personal ' +
          'data. Changes are recorded in the database transaction that makes them.',
        tags: ['Audit log'],
        examples: { response: examples.LOG },
        querystring: AuditQuery,
        response: { 200: pageOrCsv(pageEnvelope(AuditSchema)) },
      },
    },
    async (request, reply) => {
      const { query } = request;
      const { action, actorId, sellerId, requestId } = query;
      // Ids are stored in lower case.
      const recordId = query.recordId?.toLowerCase();
      const filter = { action, actorId, sellerId, recordId, requestId, period: parsePeriod(query) };
      if (query.export) {
        const columns = query.locale === 'pt-BR' ? COLUMNS_IN_PORTUGUESE : CSV_COLUMNS;
        return sendCsv(
          reply,
          'audit-log.csv',
          localizedTable(columns, query.locale),
          auditLog.iterate(filter),
        );
      }
      const { items, count } = await auditLog.list(filter, parsePage(query));
      return pageResponse(items, count, query.take, view);
    },
  );
}

const view = (entry: AuditEntry): Static<typeof AuditSchema> => ({
  ...entry,
  actor: { ...entry.actor },
  at: entry.at.toISOString(),
});

const toJson = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

const actorLabel = (kind: string): string => {
  const label = labelFrom(ACTOR_LABELS)(kind);
  return label.charAt(0).toUpperCase() + label.slice(1);
};

const CSV_COLUMNS: readonly Column<AuditEntry>[] = [
  { name: 'id', value: ({ id }) => id, brazil: { name: 'ID' } },
  { name: 'at', value: ({ at }) => at.toISOString(), brazil: { name: 'Quando', type: 'time' } },
  {
    name: 'actorKind',
    value: ({ actor }) => actor.kind,
    brazil: { name: 'Tipo de autor', label: actorLabel },
  },
  { name: 'actorId', value: ({ actor }) => actor.id, brazil: { name: 'ID do autor' } },
  { name: 'actorName', value: ({ actor }) => actor.name, brazil: { name: 'Quem' } },
  {
    name: 'actorRole',
    value: ({ actor }) => actor.role,
    brazil: { name: MEMBER_LABELS.role, label: labelFrom(ROLE_LABELS) },
  },
  {
    name: 'actorKeyPrefix',
    value: ({ actor }) => actor.keyPrefix,
    brazil: { name: 'Prefixo da chave de API' },
  },
  {
    name: 'action',
    value: ({ action }) => action,
    brazil: { name: 'Ação', label: labelFrom(ACTION_LABELS) },
  },
  {
    name: 'recordType',
    value: ({ recordType }) => recordType,
    brazil: { name: 'Tipo de registro', label: labelFrom(RECORD_TYPE_LABELS) },
  },
  { name: 'recordId', value: ({ recordId }) => recordId, brazil: { name: 'ID do registro' } },
  { name: 'sellerId', value: ({ sellerId }) => sellerId, brazil: { name: 'ID da loja' } },
  { name: 'before', value: ({ before }) => toJson(before), brazil: { name: 'Antes' } },
  { name: 'after', value: ({ after }) => toJson(after), brazil: { name: 'Depois' } },
  { name: 'requestId', value: ({ requestId }) => requestId, brazil: { name: 'ID da requisição' } },
];

/** With the changed members in Portuguese instead of JSON. */
const COLUMNS_IN_PORTUGUESE: readonly Column<AuditEntry>[] = CSV_COLUMNS.map((column) => {
  const { name } = column;
  if (name !== 'before' && name !== 'after') return column;
  return {
    ...column,
    value: (entry) => {
      const written = entry[name];
      return written === null ? null : membersInPortuguese(entry, written);
    },
  };
});
