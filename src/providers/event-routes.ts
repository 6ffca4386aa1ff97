import { Type, type Static } from 'typebox';

import { dateQuery, dateRule, readPeriod } from '#platform/http/dates.ts';
import { nullable, pageEnvelope, Timestamp } from '#platform/http/envelope.ts';
import { pageOf, pageQuery, readPage } from '#platform/http/pages.ts';
import type { App } from '#platform/http/server.ts';
import { withRules } from '#platform/http/validation.ts';
import * as shown from './examples.ts';
import type { KeptReport, ReportLog } from './event-log.ts';
import { REPORT_OUTCOMES } from './event-outcomes.ts';

export const ReportSchema = Type.Object({
  id: Type.String({ format: 'uuid' }),
  outcome: Type.Enum([...REPORT_OUTCOMES], {
    description:
      'What it did. LATE, DUPLICATE and WRONG_AMOUNT are money that goes back to the payer; UNMATCHED fits no record.',
  }),
  provider: Type.String(),
  reportId: Type.String({ description: "The provider's own id of it, which counts once." }),
  kind: Type.String({ description: 'What it tells: PAYMENT, FAILURE, CHARGEBACK …' }),
  sellerId: Type.String({ description: 'Where it is UNMATCHED: as it was claimed.' }),
  recordId: Type.String({
    description: 'The transaction or withdrawal; where it is UNMATCHED: as it was claimed.',
  }),
  amount: nullable(Type.Integer({ description: 'Cents; null where it tells of no money.' })),
  detail: nullable(Type.String({ description: 'Why it was not applied.' })),
  occurredAt: Timestamp,
  receivedAt: Timestamp,
});

const ListQuery = withRules(
  Type.Object({
    ...pageQuery,
    outcome: Type.Optional(Type.Enum([...REPORT_OUTCOMES])),
    provider: Type.Optional(Type.String({ maxLength: 100 })),
    sellerId: Type.Optional(Type.String({ format: 'uuid' })),
    recordId: Type.Optional(Type.String({ format: 'uuid' })),
    ...dateQuery,
  }),
  [dateRule],
);

/** The operator reads what providers told and what came of it. */
export function reportOperatorRoutes(app: App, { reportLog }: { readonly reportLog: ReportLog }): void {
  app.get(
    '/admin/provider-reports',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'listProviderReports',
        summary: 'List what providers reported, newest first',
        tags: ['Operator'],
        examples: { answer: shown.REPORTS },
        querystring: ListQuery,
        response: { 200: pageEnvelope(ReportSchema) },
      },
    },
    async (request) => {
      const { query } = request;
      const { outcome, provider, sellerId, recordId } = query;
      const filter = { outcome, provider, sellerId, recordId, period: readPeriod(query) };
      const { found, count } = await reportLog.list(filter, readPage(query));
      return pageOf(found, count, query.take, viewReport);
    },
  );
}

function viewReport(report: KeptReport): Static<typeof ReportSchema> {
  return {
    ...report,
    occurredAt: report.occurredAt.toISOString(),
    receivedAt: report.receivedAt.toISOString(),
  };
}
