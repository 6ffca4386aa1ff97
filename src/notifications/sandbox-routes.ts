import { Type } from 'typebox';

import { listEnvelope } from '#platform/http/envelope.ts';
import type { App } from '#platform/http/server.ts';
import { KEPT_MAILS, SandboxMailSchema, viewSandboxMail } from './schema.ts';
import type { MailsService } from './service.ts';

/** The mailbox of the sandbox. Registered in the sandbox only. */
export function sandboxMailRoutes(app: App, { mails }: { readonly mails: MailsService }): void {
  app.get(
    '/sandbox/mails',
    {
      config: { access: 'operator:write' },
      schema: {
        operationId: 'listSandboxMails',
        summary: 'List sandbox emails',
        description:
          'Returns the newest 100 emails that were not sent, newest first. Without `SMTP_URL`, ' +
          'the sandbox sends no email and keeps all of them here, with their links.',
        tags: ['Sandbox'],
        examples: { response: KEPT_MAILS },
        querystring: Type.Object({
          to: Type.Optional(
            Type.String({ format: 'filled', maxLength: 320, description: 'Only emails to this address.' }),
          ),
        }),
        response: { 200: listEnvelope(SandboxMailSchema) },
      },
    },
    async ({ query }) => {
      const unsent = await mails.listUnsent(query.to);
      return { status: true as const, data: unsent.map(viewSandboxMail), count: unsent.length };
    },
  );
}
