import { countedPage } from '#platform/database/pagination.ts';
import type { DatabaseTransaction } from '#platform/database/connect.ts';
import type { AuditActor } from '#platform/http/audit-actor.ts';
import type { Page } from '#platform/http/pagination.ts';
import type { FeeSchedule } from '#sellers/fees/schedule.ts';
import type { SellerLimits } from '#sellers/seller.ts';
import type { Application } from './application.ts';
import {
  addMessage,
  decide,
  MAX_MESSAGES,
  readWhole,
  recordStatus,
  type ApplicationFailure,
  type ApplicationsDeps,
  type WholeApplication,
} from './changes.ts';
import type { ApplicationStatus } from './states.ts';
import { countApplications, findApplications, findMessages, updateApplication } from './store.ts';

/** A page of the applications of all sellers, newest first, and the number of all that match. */
export const list = ({ db }: ApplicationsDeps, status: ApplicationStatus | undefined, page: Page) =>
  countedPage(findApplications(db, status, page), countApplications(db, status));

/** Asks the applicant a question, who can then change the application and submit it again. */
export function ask(
  deps: ApplicationsDeps,
  sellerId: string,
  message: string,
  actor: AuditActor,
): Promise<WholeApplication | ApplicationFailure> {
  return decide(deps, sellerId, 'ask', async (trx, before, status) => {
    const at = deps.clock.now();
    if ((await findMessages(trx, sellerId)).length >= MAX_MESSAGES) return 'FULL';
    await addMessage(trx, sellerId, { author: 'OPERATOR', text: message, at });
    const after = await updateApplication(trx, before, { status }, at);
    await recordStatus(trx, actor, { action: 'application.question-asked', before, after, at });
    await notify(deps, trx, after, { kind: 'application-question', params: { message }, at });
    return readWhole(deps, trx, after);
  });
}

export interface Approval {
  readonly message: string | undefined;
  /** The fees of the seller; undefined to keep the default fees. */
  readonly fees: FeeSchedule | undefined;
  readonly limits: Partial<Omit<SellerLimits, 'autoApproveUpTo' | 'negativeBalanceUpTo'>>;
}

/** Approves an application: the seller is ACTIVE from now on, with these fees and limits. */
export async function approve(
  deps: ApplicationsDeps,
  sellerId: string,
  { message, fees, limits }: Approval,
  actor: AuditActor,
): Promise<WholeApplication | ApplicationFailure> {
  return decide(deps, sellerId, 'approve', async (trx, before, status) => {
    const at = deps.clock.now();
    const sellers = deps.sellers.withTransaction(trx);
    if (message !== undefined) await addMessage(trx, sellerId, { author: 'OPERATOR', text: message, at });
    await sellers.update(sellerId, { ...limits, status: 'ACTIVE' }, { actor, at });
    if (fees !== undefined) await sellers.replaceFees(sellerId, fees, { actor, at });
    const after = await updateApplication(trx, before, { status, decidedAt: at }, at);
    await recordStatus(trx, actor, { action: 'application.approved', before, after, at });
    const params = { message: message ?? '' };
    await notify(deps, trx, after, { kind: 'application-approved', params, at });
    return readWhole(deps, trx, after);
  });
}

/** Rejects an application for a reason. The seller is CLOSED, and its owner can read why. */
export async function reject(
  deps: ApplicationsDeps,
  sellerId: string,
  message: string,
  actor: AuditActor,
): Promise<WholeApplication | ApplicationFailure> {
  return decide(deps, sellerId, 'reject', async (trx, before, status) => {
    const at = deps.clock.now();
    await addMessage(trx, sellerId, { author: 'OPERATOR', text: message, at });
    await deps.sellers.withTransaction(trx).update(sellerId, { status: 'CLOSED' }, { actor, at });
    const after = await updateApplication(trx, before, { status, decidedAt: at }, at);
    await recordStatus(trx, actor, { action: 'application.rejected', before, after, at });
    await notify(deps, trx, after, { kind: 'application-rejected', params: { message }, at });
    return readWhole(deps, trx, after);
  });
}

type ApplicationNotification = Parameters<ApplicationsDeps['notifier']['notifySeller']>[2];

const notify = (
  { notifier }: ApplicationsDeps,
  trx: DatabaseTransaction,
  { sellerId }: Application,
  notification: ApplicationNotification,
): Promise<void> => notifier.notifySeller(trx, { sellerId, permission: 'application:own' }, notification);
