import { Type, type Static } from 'typebox';

import { AUDIT_ACTOR_KINDS } from '#platform/http/audit-actor.ts';
import { exportQuery, pageOrCsv, sendCsv, type Column } from '#platform/http/csv.ts';
import { dateQuery, dateRule, parsePeriod } from '#platform/http/date-filters.ts';
import { nullable, pageEnvelope, Timestamp } from '#platform/http/envelope.ts';
import { pageResponse, pageQuery, parsePage } from '#platform/http/pagination.ts';
import type { App } from '#platform/http/server.ts';
import { withCrossFieldRules } from '#platform/http/validation.ts';
import * as examples from './examples.ts';
import { ACTIONS, type AuditEntry, type AuditService } from './service.ts';

const uuid = Type.String({ format: 'uuid' });

const members = (description: string) =>
  Type.Unsafe<Readonly<Record<string, unknown>> | null>({
    type: ['object', 'null'],
    additionalProperties: true,
    description,
  });

const AuditSchema = Type.Object(
  {
    id: uuid,
    at: Timestamp,
    actor: Type.Object({
      kind: Type.Enum([...AUDIT_ACTOR_KINDS]),
      id: nullable(
        Type.String({ format: 'uuid', description: 'Of the user or key; null for the gateway itself.' }),
      ),
      name: nullable(Type.String({ description: 'As it was then.' })),
    }),
    action: Type.String(),
    recordType: Type.String(),
    recordId: nullable(Type.String({ description: 'Null where there is only one such record.' })),
    sellerId: nullable(Type.String({ description: 'The seller it is about.' })),
    before: members('The members that changed, as they were; null for what was made.'),
    after: members('The members that changed, as they became; null for what was deleted.'),
    requestId: nullable(Type.String({ description: 'The x-request-id of the request.' })),
  },
  { title: 'AuditEntry' },
);

const AuditQuery = withCrossFieldRules(
  Type.Object({
    action: Type.Optional(Type.Enum([...ACTIONS])),
    actorId: Type.Optional(uuid),
    sellerId: Type.Optional(uuid),
    recordId: Type.Optional(Type.String({ maxLength: 255 })),
    ...dateQuery,
    ...pageQuery,
    ...exportQuery,
  }),
  [dateRule],
);

/** Who changed what: the operator reads it, and nobody changes it. */
export function auditRoutes(app: App, { auditLog }: { readonly auditLog: AuditService }): void {
  app.get(
    '/admin/audit-log',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'readAuditLog',
        summary: 'Read the audit log, newest first, or export it as CSV',
        description: 'Only changes that took place stand here, each written together with its change.',
        tags: ['Operator'],
        examples: { answer: examples.LOG },
        querystring: AuditQuery,
        response: { 200: pageOrCsv(pageEnvelope(AuditSchema)) },
      },
    },
    async (request, reply) => {
      const { query } = request;
      const { action, actorId, sellerId } = query;
      // Ids are kept in lower case, whatever case they are asked for in.
      const recordId = query.recordId?.toLowerCase();
      const filter = { action, actorId, sellerId, recordId, period: parsePeriod(query) };
      if (query.export) return sendCsv(reply, 'audit-log.csv', CSV_COLUMNS, auditLog.stream(filter));
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

const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

const CSV_COLUMNS: readonly Column<AuditEntry>[] = [
  { name: 'id', value: ({ id }) => id },
  { name: 'at', value: ({ at }) => at.toISOString() },
  { name: 'actorKind', value: ({ actor }) => actor.kind },
  { name: 'actorId', value: ({ actor }) => actor.id },
  { name: 'actorName', value: ({ actor }) => actor.name },
  { name: 'action', value: ({ action }) => action },
  { name: 'recordType', value: ({ recordType }) => recordType },
  { name: 'recordId', value: ({ recordId }) => recordId },
  { name: 'sellerId', value: ({ sellerId }) => sellerId },
  { name: 'before', value: ({ before }) => json(before) },
  { name: 'after', value: ({ after }) => json(after) },
  { name: 'requestId', value: ({ requestId }) => requestId },
];
