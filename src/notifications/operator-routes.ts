import { Type } from 'typebox';

import { envelope, ok, pageEnvelope } from '#platform/http/envelope.ts';
import type { ErrorCode } from '#platform/http/error-codes.ts';
import { HttpError } from '#platform/http/errors.ts';
import { auditActorOf } from '#platform/http/guard.ts';
import { pageResponse, parsePage } from '#platform/http/pagination.ts';
import type { App } from '#platform/http/server.ts';
import * as schema from './schema.ts';
import type { MailsService } from './service.ts';

interface MailRouteDeps {
  readonly mails: MailsService;
}

const tags = ['Emails'];

const FAILURES: Readonly<Record<'UNKNOWN' | 'NOT_FAILED' | 'EXPIRED', ErrorCode>> = {
  UNKNOWN: 'mail_not_found',
  NOT_FAILED: 'mail_not_failed',
  EXPIRED: 'mail_expired',
};

/** The mails of all sellers, for the operator: what was sent, and what could not be. */
export function mailRoutes(app: App, deps: MailRouteDeps): void {
  registerList(app, deps);
  registerRetry(app, deps);
}

function registerList(app: App, { mails }: MailRouteDeps): void {
  app.get(
    '/admin/mails',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'listMails',
        summary: 'List emails',
        description:
          'Returns one page of the emails of the last 90 days, newest first. The gateway no ' +
          'longer tries to send those with the status FAILED: check `smtpCode` and `error`, then ' +
          'retry them.',
        tags,
        examples: { response: schema.MAILS },
        querystring: schema.MailsQuery,
        response: { 200: pageEnvelope(schema.MailSchema) },
      },
    },
    async ({ query }) => {
      const { items, count } = await mails.list(query.status, parsePage(query));
      return pageResponse(items, count, query.take, schema.viewMail);
    },
  );
}

function registerRetry(app: App, { mails }: MailRouteDeps): void {
  app.post(
    '/admin/mails/:id/retry',
    {
      config: { access: 'operator:write' },
      schema: {
        operationId: 'retryMail',
        summary: 'Retry an email',
        description:
          'Sends a FAILED email again, with a new series of attempts. An email whose link has expired ' +
          'cannot be retried. Returns the email, which becomes PENDING.',
        tags,
        errors: Object.values(FAILURES),
        examples: { response: schema.RETRIED },
        params: Type.Object({ id: Type.String() }),
        response: { 200: envelope(schema.MailSchema) },
      },
    },
    async (request) => {
      const retried = await mails.retry(request.params.id, auditActorOf(request));
      if (typeof retried === 'string') throw new HttpError(FAILURES[retried]);
      return ok(schema.viewMail(retried));
    },
  );
}
