import type { Action } from '#audit/actions.ts';
import { recordAudit } from '#audit/service.ts';
import type { Notifier } from '#notifications/notifier.ts';
import { applicationContext } from '#platform/crypto/encrypted-columns.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import type { AuditActor } from '#platform/http/audit-actor.ts';
import type { Clock } from '#platform/kit/clock.ts';
import { isUuid, newId } from '#platform/kit/ids.ts';
import type { SellersService } from '#sellers/service.ts';
import {
  NO_DETAILS,
  type Application,
  type ApplicationDetails,
  type ApplicationDocument,
  type ApplicationMessage,
  type MissingParts,
} from './application.ts';
import { parseDetails } from './details.ts';
import { nextStatus, type ApplicationEvent, type ApplicationStatus } from './states.ts';
import { findDocuments, findMessages, insertMessage, lockApplication } from './store.ts';

/** The context of a change of an application. */

export const MAX_MESSAGES = 40;

export interface ApplicationsDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly secrets: SecretBox;
  readonly sellers: SellersService;
  readonly notifier: Notifier;
  /** Days after which applications that were rejected or abandoned are erased. */
  readonly getRetentionDays: () => Promise<number>;
}

/** An application with everything that belongs to it. */
export interface WholeApplication {
  readonly application: Application;
  readonly details: ApplicationDetails;
  readonly documents: readonly ApplicationDocument[];
  readonly messages: readonly ApplicationMessage[];
}

/** Why an application cannot be submitted. */
export interface IncompleteApplication {
  readonly missing: MissingParts;
}

export type ApplicationFailure = 'UNKNOWN' | 'CLOSED' | 'FULL';

/** The application with its details, documents and messages. */
export async function readWhole(
  deps: Pick<ApplicationsDeps, 'secrets'>,
  db: Db,
  application: Application,
): Promise<WholeApplication> {
  const { sellerId } = application;
  return {
    application,
    details: readDetails(deps, application),
    documents: await findDocuments(db, sellerId),
    messages: await findMessages(db, sellerId),
  };
}

export function readDetails(
  { secrets }: Pick<ApplicationsDeps, 'secrets'>,
  { sellerId, encryptedDetails }: Application,
): ApplicationDetails {
  if (encryptedDetails === null) return NO_DETAILS;
  return parseDetails(secrets.decrypt(encryptedDetails, applicationContext(sellerId)));
}

/** Locks an application, and decides under the lock whether its status allows an event. */
export async function decide<Result>(
  { db }: Pick<ApplicationsDeps, 'db'>,
  sellerId: string,
  event: ApplicationEvent,
  run: (trx: DatabaseTransaction, before: Application, status: ApplicationStatus) => Promise<Result>,
): Promise<Result | 'UNKNOWN' | 'CLOSED'> {
  if (!isUuid(sellerId)) return 'UNKNOWN';
  return db.transaction().execute(async (trx) => {
    const before = await lockApplication(trx, sellerId);
    if (before === undefined) return 'UNKNOWN';
    const status = nextStatus(before.status, event);
    return status === undefined ? 'CLOSED' : run(trx, before, status);
  });
}

export function addMessage(
  trx: DatabaseTransaction,
  sellerId: string,
  { author, text, at }: Pick<ApplicationMessage, 'author' | 'text'> & { readonly at: Date },
): Promise<void> {
  return insertMessage(trx, sellerId, { id: newId(at.getTime()), author, text, createdAt: at });
}

interface StatusChange {
  readonly action: Action;
  readonly before: Application;
  readonly after: Application;
  readonly at: Date;
}

export function recordStatus(
  trx: DatabaseTransaction,
  actor: AuditActor,
  { action, before, after, at }: StatusChange,
): Promise<void> {
  return recordAudit(trx, actor, {
    action,
    recordType: 'application',
    recordId: after.sellerId,
    sellerId: after.sellerId,
    at,
    before: { status: before.status },
    after: { status: after.status },
  });
}
