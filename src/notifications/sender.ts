import { createTransport } from 'nodemailer';

import { isLoopback } from '#platform/kit/loopback.ts';
import type { MailText } from './render.ts';

const CONNECT_TIMEOUT_MS = 10_000;
/** Servers examine a mail before they accept it. RFC 5321 gives them ten minutes. */
const IDLE_TIMEOUT_MS = 45_000;

/** The server and the sender of mails, as the settings have them. */
export interface SmtpSettings {
  readonly host: string;
  readonly port: number;
  /** TLS from the start, instead of STARTTLS. */
  readonly secure: boolean;
  readonly auth: { readonly user: string; readonly pass: string } | undefined;
  /** Whether a server without TLS is refused. */
  readonly requireTls: boolean;
}

export interface SenderOptions {
  readonly smtp: SmtpSettings;
  /** The address that mails are from. */
  readonly from: string;
  readonly sandbox: boolean;
  /** Certificate authorities of the server in PEM, instead of Node's own. */
  readonly ca?: string | undefined;
}

export interface OutgoingMail extends MailText {
  readonly id: string;
  readonly to: string;
}

/** The response of the server to a mail that it accepted, or refused for good. */
export interface SmtpResult {
  readonly isAccepted: boolean;
  readonly code: number | null;
  readonly error: string | null;
}

/** The mail may be accepted later. */
export class TemporaryMailError extends Error {
  override readonly name = 'TemporaryMailError';
  readonly smtpCode: number | null;

  constructor(message: string, smtpCode: number | null) {
    super(message);
    this.smtpCode = smtpCode;
  }
}

export type MailSender = ReturnType<typeof createMailSender>;

/**
 * Sends mails by SMTP, each on a connection of its own. The Message-ID is that of the row, so that
 * a receiver recognizes a mail that is sent again.
 */
export function createMailSender({ smtp, from, sandbox, ca }: SenderOptions) {
  const { host, port, secure, auth, requireTls } = smtp;
  // What leaves the machine is always verified. A relay on the same machine often has a certificate
  // that it signed itself.
  const isUnverified = isLoopback(host) && (sandbox || !secure);
  const transport = createTransport({
    host,
    port,
    secure,
    requireTLS: requireTls,
    ...(auth === undefined ? {} : { auth: { ...auth } }),
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    dnsTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: IDLE_TIMEOUT_MS,
    tls: {
      rejectUnauthorized: !isUnverified,
      ...(ca === undefined ? {} : { ca }),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = from.slice(from.lastIndexOf('@') + 1);
  return async (mail: OutgoingMail, signal: AbortSignal): Promise<SmtpResult> => {
    try {
      const { response } = await transport.sendMail({
        from: { name: mail.sender, address: from },
        // An address, never a list: the text of a field must not name a second recipient.
        to: { name: '', address: mail.to },
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
        messageId: `<${mail.id}@${domain}>`,
        headers: { 'Auto-Submitted': 'auto-generated', ...unsubscribeHeaders(mail.unsubscribeUrl) },
        signal,
      });
      return { isAccepted: true, code: codeOf(response), error: null };
    } catch (error) {
      return toRefusal(error);
    }
  };
}

const unsubscribeHeaders = (url: string | undefined): Readonly<Record<string, string>> =>
  url === undefined
    ? {}
    : { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };

const codeOf = (response: string): number | null => {
  const code = Number(/^\d{3}/.exec(response)?.[0]);
  return Number.isInteger(code) ? code : null;
};

/** What the server says of a mail, not of the connection or the credentials. */
const REFUSALS_OF_MAIL: ReadonlySet<unknown> = new Set(['EENVELOPE', 'EMESSAGE']);

/** The response of the server is left out: it often repeats the address. */
function toRefusal(error: unknown): SmtpResult {
  const { code, responseCode, command }: Readonly<Record<string, unknown>> = Object(error);
  const smtpCode = typeof responseCode === 'number' && responseCode > 0 ? responseCode : null;
  const step = typeof command === 'string' && command !== '' ? ` (${command})` : '';
  const text = smtpCode === null ? `SMTP failed: ${String(code)}${step}` : `SMTP ${smtpCode}${step}`;
  if (smtpCode !== null && smtpCode >= 500 && REFUSALS_OF_MAIL.has(code))
    return { isAccepted: false, code: smtpCode, error: text };
  throw new TemporaryMailError(text, smtpCode);
}
