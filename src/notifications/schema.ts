import { Type, type Static } from 'typebox';

import { nullable, recordId, timestamp } from '#platform/http/envelope.ts';
import { pageQuery } from '#platform/http/pagination.ts';
import { MAIL_STATUSES, NO_SELLER, type StoredMail } from './mail.ts';
import type { MailText } from './render.ts';

export const MailSchema = Type.Object(
  {
    id: recordId('The id of the email. Its Message-ID begins with it.'),
    sellerId: nullable(recordId('The seller that the email concerns; null if it concerns none.')),
    template: Type.String({ description: 'Which email it is, such as `invitation`.' }),
    locale: Type.Enum(['pt-BR', 'en'], { description: 'The language of the email.' }),
    to: Type.String({ description: 'The address of the recipient.' }),
    status: Type.Enum([...MAIL_STATUSES], {
      description:
        'PENDING: waits for its next attempt. SENT: the server accepted it. KEPT: not sent, ' +
        'but stored by the sandbox. FAILED: there are no further attempts; retry it.',
    }),
    attempts: Type.Integer({ description: 'Attempts so far.' }),
    nextAttemptAt: nullable(timestamp('When the next attempt is due; null unless it is PENDING.')),
    smtpCode: nullable(
      Type.Integer({
        description: "The code of the server's last response, such as 550; null if there was none.",
      }),
    ),
    error: nullable(Type.String({ description: 'Why the last attempt failed.' })),
    createdAt: timestamp('When it was written.'),
    updatedAt: timestamp('When it was last changed.'),
  },
  { title: 'Mail', description: 'An email that the gateway sends.' },
);

export const MailsQuery = Type.Object({
  status: Type.Optional(Type.Enum([...MAIL_STATUSES], { description: 'Only emails with this status.' })),
  ...pageQuery,
});

export function viewMail(mail: StoredMail): Static<typeof MailSchema> {
  const { id, sellerId, template, locale, recipient, status, attempts, dueAt, smtpCode, error } = mail;
  return {
    id,
    template,
    locale,
    to: recipient,
    status,
    attempts,
    smtpCode,
    error,
    sellerId: sellerId === NO_SELLER ? null : sellerId,
    nextAttemptAt: status === 'PENDING' ? dueAt.toISOString() : null,
    createdAt: mail.createdAt.toISOString(),
    updatedAt: mail.updatedAt.toISOString(),
  };
}

export const SandboxMailSchema = Type.Object(
  {
    id: recordId('The id of the email.'),
    to: Type.String({ description: 'The address of the recipient.' }),
    subject: Type.String({ description: 'The subject.' }),
    text: Type.String({ description: 'The text, with its link.' }),
    html: Type.String({ description: 'The email as an HTML document.' }),
    createdAt: timestamp('When it was written.'),
  },
  { title: 'SandboxMail', description: 'An email that the sandbox keeps.' },
);

export const viewSandboxMail = ({
  id,
  recipient: to,
  subject,
  text,
  html,
  createdAt,
}: StoredMail & MailText): Static<typeof SandboxMailSchema> => ({
  id,
  to,
  subject,
  text,
  html,
  createdAt: createdAt.toISOString(),
});

const mail: Static<typeof MailSchema> = {
  id: '01a1fb70-1a2b-4c3d-8e4f-5a6b7c8d9e0f',
  sellerId: '01a1fb60-1111-4222-8333-0123456789ab',
  template: 'invitation',
  locale: 'pt-BR',
  to: 'bia@example.com',
  status: 'FAILED',
  attempts: 1,
  nextAttemptAt: null,
  smtpCode: 550,
  error: 'SMTP 550 (RCPT TO)',
  createdAt: '2026-11-20T12:00:00.000Z',
  updatedAt: '2026-11-20T12:00:02.000Z',
};

/** Examples of the API reference. A test validates each against its schema. */
export const MAILS = {
  'An email that the server refused': { status: true, data: [mail], count: 1, nextCursor: null },
};
export const RETRIED = {
  'The email, due again': {
    status: true,
    data: { ...mail, status: 'PENDING', attempts: 0, nextAttemptAt: '2026-11-20T13:00:00.000Z' },
  },
};
export const KEPT_MAILS = {
  'One email': {
    status: true,
    data: [
      {
        id: mail.id,
        to: mail.to,
        subject: 'Redefina a sua senha da Vereda',
        text: 'Criar nova senha:\nhttp://127.0.0.1:8080/dashboard/reset-password?token=kY3…',
        html: '<!doctype html><html lang="pt-BR">…</html>',
        createdAt: mail.createdAt,
      },
    ],
    count: 1,
  },
};
