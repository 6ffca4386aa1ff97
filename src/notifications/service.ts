import { recordAudit } from '#audit/service.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import type { Db } from '#platform/database/connect.ts';
import { countedPage } from '#platform/database/pagination.ts';
import type { AuditActor } from '#platform/http/audit-actor.ts';
import type { Page } from '#platform/http/pagination.ts';
import { bindDeps } from '#platform/kit/bind.ts';
import type { Clock } from '#platform/kit/clock.ts';
import { isUuid } from '#platform/kit/ids.ts';
import { renderStored } from './delivery.ts';
import { NO_SELLER, type MailStatus, type StoredMail } from './mail.ts';
import type { MailText } from './render.ts';
import { deleteNotificationsBefore } from './store-notifications.ts';
import {
  countMails,
  deleteMailsBefore,
  findMails,
  findUnsentMails,
  lockMail,
  optOut,
  requeueMail,
} from './store.ts';

const DAY_MS = 86_400_000;
/** How long mails and notifications are stored. */
const RETENTION_MS = 90 * DAY_MS;
const MAX_LISTED = 100;

interface MailsDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly secrets: SecretBox;
  readonly publicUrl: string;
}

export type MailsService = ReturnType<typeof createMailsService>;

/** The mails of the outbox, for the operator. */
export const createMailsService = (deps: MailsDeps) =>
  bindDeps(deps, { list, listUnsent, retry, unsubscribe });

/** A page of the mails of all sellers, newest first, and their number. */
const list = ({ db }: MailsDeps, status: MailStatus | undefined, page: Page) =>
  countedPage(findMails(db, status, page), countMails(db, status));

/** The newest mails that the sandbox keeps, with their texts. */
async function listUnsent(
  deps: MailsDeps,
  to: string | undefined,
): Promise<readonly (StoredMail & MailText)[]> {
  const mails = await findUnsentMails(deps.db, to?.toLowerCase(), MAX_LISTED);
  return mails.map((mail) => ({ ...mail, ...renderStored(deps, mail) }));
}

/** Sends a mail again that failed. Its attempts start over. */
async function retry(
  { db, clock }: MailsDeps,
  id: string,
  actor: AuditActor,
): Promise<StoredMail | 'UNKNOWN' | 'NOT_FAILED' | 'EXPIRED'> {
  if (!isUuid(id)) return 'UNKNOWN';
  return db.transaction().execute(async (trx) => {
    const mail = await lockMail(trx, id.toLowerCase());
    if (mail === undefined) return 'UNKNOWN';
    if (mail.status !== 'FAILED') return 'NOT_FAILED';
    const at = clock.now();
    if (mail.expiresAt !== null && mail.expiresAt <= at) return 'EXPIRED';
    await requeueMail(trx, mail, at);
    const { sellerId } = mail;
    await recordAudit(trx, actor, {
      action: 'mail.retried',
      recordType: 'mail',
      recordId: mail.id,
      sellerId: sellerId === NO_SELLER ? null : sellerId,
      before: { status: 'FAILED' },
      after: { status: 'PENDING' },
      at,
    });
    return { ...mail, status: 'PENDING', attempts: 0, dueAt: at, updatedAt: at };
  });
}

/**
 * Unsubscribes the recipient of a payer's mail from mails about its seller. False for unknown ids.
 */
async function unsubscribe({ db, clock }: MailsDeps, id: string): Promise<boolean> {
  if (!isUuid(id)) return false;
  return db.transaction().execute((trx) => optOut(trx, id.toLowerCase(), clock.now()));
}

/** Deletes old mails and notifications, at most `limit` of each. Returns the larger count. */
export async function deleteOldNotifications(db: Db, now: Date, limit: number): Promise<number> {
  const before = new Date(now.getTime() - RETENTION_MS);
  const mails = await deleteMailsBefore(db, before, limit);
  return Math.max(mails, await deleteNotificationsBefore(db, before, limit));
}
