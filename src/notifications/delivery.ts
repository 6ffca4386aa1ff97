import { mailContext } from '#platform/crypto/encrypted-columns.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import type { Db } from '#platform/database/connect.ts';
import type { Leased } from '#platform/database/leases.ts';
import type { LeaseHolder } from '#platform/jobs/lease-holder.ts';
import { createProviderCaller, type ProviderCalls } from '#platform/jobs/provider-calls.ts';
import type { Clock } from '#platform/kit/clock.ts';
import type { Logger } from '#platform/kit/log.ts';
import type { StoredMail } from './mail.ts';
import { renderMail, type MailText } from './render.ts';
import { TemporaryMailError, type MailSender, type SmtpResult } from './sender.ts';
import { leaseMails, recordMailAttempt, type MailAudience, type MailOutcome } from './store.ts';

/**
 * The delays double from half a minute to an hour, so the last attempt is about eight hours later.
 */
const MAX_ATTEMPTS = 15;
const FIRST_DELAY_MS = 30_000;
const MAX_DELAY_MS = 3_600_000;
/**
 * A delay is up to a quarter longer, so that mails that failed together are not retried together.
 */
const JITTER = 0.25;
/** Less than the lease of a minute. Whatever the server accepts after it is sent twice. */
const DEADLINE_MS = 50_000;
/** Many servers limit the connections of one client. */
const MAX_CONNECTIONS = 5;

export interface MailDeliveryDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Logger;
  readonly leaseHolder: LeaseHolder;
  readonly secrets: SecretBox;
  readonly publicUrl: string;
  /** Undefined in the sandbox without an SMTP server: mails are kept. */
  readonly send: MailSender | undefined;
}

type DueMail = StoredMail & Leased;

/**
 * Creates the job that sends the mails of the outbox to users or to payers, at least once. Each has
 * its own connections, so that a link of thirty minutes does not wait for receipts.
 */
export function createMailDelivery(deps: MailDeliveryDeps, audience: MailAudience): () => Promise<boolean> {
  const { db } = deps;
  const calls: ProviderCalls<DueMail, SmtpResult | 'KEPT'> = {
    name: 'mail',
    failPointPrefix: 'mails',
    deadlineMs: DEADLINE_MS,
    maxConcurrent: MAX_CONNECTIONS,
    lease: (lease) => leaseMails(db, audience, lease),
    prepare: (mail) => prepare(deps, mail),
    record: (mail, result) => record(deps, mail, result),
    postpone: (mail, _dueAt, now, error) => postpone(deps, mail, now, error),
  };
  return createProviderCaller(deps, calls);
}

/** The text of a mail. Its link is complete until the mail is sent. */
export function renderStored(
  { secrets, publicUrl }: Pick<MailDeliveryDeps, 'secrets' | 'publicUrl'>,
  { sellerId, id, encryptedToken, ...mail }: StoredMail,
): MailText {
  const token =
    encryptedToken === null ? undefined : secrets.decrypt(encryptedToken, mailContext(sellerId, id));
  return renderMail({ ...mail, id, token }, publicUrl);
}

async function prepare(deps: MailDeliveryDeps, mail: DueMail) {
  const { db, clock, send } = deps;
  if (send === undefined) return async () => 'KEPT' as const;
  const now = clock.now();
  if (mail.expiresAt !== null && mail.expiresAt <= now) {
    await recordMailAttempt(db, mail, {
      ...ENDED,
      status: 'FAILED',
      error: 'the link has expired',
      at: now,
      dueAt: now,
    });
    return undefined;
  }
  const outgoing = {
    ...renderStored(deps, mail),
    id: mail.id,
    to: mail.recipient,
  };
  return (deadline: AbortSignal) => send(outgoing, deadline);
}

const ENDED = { smtpCode: null, error: null } as const;

async function record(
  { db, clock }: MailDeliveryDeps,
  mail: DueMail,
  result: SmtpResult | 'KEPT',
): Promise<void> {
  const at = clock.now();
  const outcome: MailOutcome =
    result === 'KEPT'
      ? { ...ENDED, status: 'KEPT', at, dueAt: at }
      : {
          status: result.isAccepted ? 'SENT' : 'FAILED',
          smtpCode: result.code,
          error: result.error,
          at,
          dueAt: at,
        };
  await recordMailAttempt(db, mail, outcome);
}

async function postpone({ db }: MailDeliveryDeps, mail: DueMail, at: Date, error: unknown): Promise<void> {
  const isLast = mail.attempts + 1 >= MAX_ATTEMPTS;
  const delay = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** mail.attempts) * (1 + JITTER * Math.random());
  const isTemporary = error instanceof TemporaryMailError;
  await recordMailAttempt(db, mail, {
    status: isLast ? 'FAILED' : 'PENDING',
    dueAt: new Date(at.getTime() + delay),
    smtpCode: isTemporary ? error.smtpCode : null,
    error: isTemporary ? error.message : 'the server did not respond in time',
    at,
  });
}
