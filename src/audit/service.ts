import { countedPage } from '#platform/database/pagination.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import type { AuditActor, AuthorView } from '#platform/http/audit-actor.ts';
import { paginate, type Page } from '#platform/http/pagination.ts';
import { bindDeps } from '#platform/kit/bind.ts';
import { newId } from '#platform/kit/ids.ts';
import type { Action, RecordType } from './actions.ts';
import { changedMembers, type Members } from './members.ts';
import {
  countAuditEntries,
  findAuditEntries,
  findEntriesOfRecord,
  insertAuditEntry,
  type AuditEntry,
  type AuditFilter,
} from './store.ts';

export type { AuditEntry } from './store.ts';

/** Who makes a change, and when. */
export interface ChangeOrigin {
  readonly actor: AuditActor;
  readonly at: Date;
}

export interface AuditedChange {
  readonly action: Action;
  readonly recordType: RecordType;
  /** Null if there is only one record of the type. */
  readonly recordId: string | null;
  /** The seller that the record belongs to. Null for records of the operator. */
  readonly sellerId: string | null;
  /**
   * Members of the record before the change. Null if it is created. Documents and URLs are masked,
   * secrets are not allowed.
   */
  readonly before: Members | null;
  /** The same members after the change. Null if the record is deleted. */
  readonly after: Members | null;
  readonly at: Date;
}

/**
 * Writes an audit log entry in the transaction of the change, so that neither exists without the
 * other. Must be called after everything that can reject the change. An update that changes no
 * member is not recorded.
 */
export async function recordAudit(
  trx: DatabaseTransaction,
  { requestId, ...actor }: AuditActor,
  change: AuditedChange,
): Promise<void> {
  const members = changedMembers(change.before, change.after);
  if (members === undefined) return;
  await insertAuditEntry(trx, {
    ...change,
    ...members,
    id: newId(change.at.getTime()),
    actor,
    requestId,
  });
}

interface AuditDeps {
  readonly db: Db;
  /** For exports. */
  readonly heavy: Db;
}

export type AuditService = ReturnType<typeof createAuditService>;

export const createAuditService = (deps: AuditDeps) => bindDeps(deps, { list, listOfRecord, iterate });

/** A page of the entries that match, newest first, and the number of all that match. */
function list({ db }: AuditDeps, filter: AuditFilter, page: Page) {
  return countedPage(findAuditEntries(db, filter, page), countAuditEntries(db, filter));
}

const MAX_LISTED_ACTIONS = 1_000;

/** What was done to a record of a seller, of the given actions, oldest first. */
async function listOfRecord(
  { db }: AuditDeps,
  record: { readonly sellerId: string; readonly recordId: string },
  actions: readonly Action[],
): Promise<readonly { readonly action: string; readonly author: AuthorView; readonly at: Date }[]> {
  const entries = await findEntriesOfRecord(db, record, { actions, limit: MAX_LISTED_ACTIONS });
  return entries.map(({ action, actor, requestId, at }) => ({ action, author: { ...actor, requestId }, at }));
}

/** All entries that match, newest first, read chunk by chunk. */
const iterate = ({ heavy }: AuditDeps, filter: AuditFilter): AsyncGenerator<AuditEntry> =>
  paginate((page) => findAuditEntries(heavy, filter, page));
