import { recordAudit } from '#audit/service.ts';
import { deleteUsersOfSeller } from '#identity/users/changes.ts';
import { ERASED_PAYER, erasedDocument } from '#privacy/redaction.ts';
import type { DatabaseTransaction } from '#platform/database/connect.ts';
import { GATEWAY_ACTOR, type AuditActor } from '#platform/http/audit-actor.ts';
import { eraseSeller, lockSeller } from '#sellers/service.ts';
import type { Application } from './application.ts';
import type { ApplicationsDeps } from './changes.ts';
import { nextStatus } from './states.ts';
import {
  deleteEvidence,
  findAbandoned,
  findClosed,
  hasTransactions,
  lockApplication,
  updateApplication,
} from './store.ts';

const DAY_MS = 86_400_000;
/**
 * Circular BCB 3.978/2020, article 67: ten years from the first day of the year after the end of
 * the relationship.
 */
const YEARS_AFTER_CLOSURE = 10;

/**
 * Erases applications that were rejected or abandoned, and deletes the documents of sellers that
 * were closed long ago; at most `limit` of each. Returns the larger count.
 */
export async function eraseDue(
  { db, clock, getRetentionDays }: Pick<ApplicationsDeps, 'db' | 'clock' | 'getRetentionDays'>,
  limit: number,
): Promise<number> {
  const retentionDays = await getRetentionDays();
  const now = clock.now();
  const changedBefore = new Date(now.getTime() - retentionDays * DAY_MS);
  const closedBefore = new Date(Date.UTC(now.getUTCFullYear() - YEARS_AFTER_CLOSURE, 0, 1));
  const abandoned = await findAbandoned(db, changedBefore, limit);
  const closed = await findClosed(db, closedBefore, limit);
  for (const sellerId of [...abandoned, ...closed]) {
    await db.transaction().execute(async (trx) => {
      const application = await lockApplication(trx, sellerId);
      if (application === undefined || application.erasedAt !== null) return;
      // It may have been changed, submitted or decided since it was found.
      const isDue =
        application.status === 'APPROVED'
          ? await wasClosedBefore(trx, sellerId, closedBefore)
          : application.status !== 'SUBMITTED' && application.updatedAt < changedBefore;
      if (!isDue) return;
      const isErased = await eraseApplication(trx, application, GATEWAY_ACTOR, now);
      // It is considered again after the retention.
      if (!isErased) await updateApplication(trx, application, {}, now);
    });
  }
  return Math.max(abandoned.length, closed.length);
}

/** Locks a seller. Returns whether it is closed, and was not changed since a time. */
async function wasClosedBefore(trx: DatabaseTransaction, sellerId: string, time: Date): Promise<boolean> {
  const seller = await lockSeller(trx, sellerId);
  return seller?.status === 'CLOSED' && seller.updatedAt < time;
}

/** Locks a seller. Returns whether it is or was active. */
async function wasActive(trx: DatabaseTransaction, sellerId: string): Promise<boolean> {
  const seller = await lockSeller(trx, sellerId);
  if (seller === undefined) return false;
  return seller.activatedAt !== null || seller.status === 'SUSPENDED' || hasTransactions(trx, sellerId);
}

/**
 * Deletes what an applicant has presented. Of a seller that was never active, also its users, name
 * and document. Returns false, and deletes nothing, if the operator has activated the seller without
 * approving its application.
 */
export async function eraseApplication(
  trx: DatabaseTransaction,
  application: Application,
  actor: AuditActor,
  at: Date,
): Promise<boolean> {
  const { sellerId, status, documentType } = application;
  if (status !== 'APPROVED' && (await wasActive(trx, sellerId))) return false;
  await deleteEvidence(trx, sellerId);
  if (status !== 'APPROVED') {
    await deleteUsersOfSeller(trx, sellerId, { actor, at });
    await eraseSeller(trx, sellerId, at);
  }
  await updateApplication(
    trx,
    application,
    {
      status: nextStatus(status, 'expire') ?? status,
      name: ERASED_PAYER.name,
      document: erasedDocument(documentType),
      ownerName: ERASED_PAYER.name,
      ownerEmail: ERASED_PAYER.email,
      encryptedDetails: null,
      erasedAt: at,
    },
    at,
  );
  await recordAudit(trx, actor, {
    action: 'application.erased',
    recordType: 'application',
    recordId: sellerId,
    sellerId,
    at,
    before: null,
    after: { status },
  });
  return true;
}
