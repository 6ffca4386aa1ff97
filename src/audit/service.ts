import type { AuditActor } from '#platform/http/audit-actor.ts';
import type { Db } from '#platform/database/connect.ts';
import { paginate, type Page } from '#platform/http/pagination.ts';
import { newId } from '#platform/kit/ids.ts';
import type { Action, RecordType } from './actions.ts';
import { changedMembers, type Members } from './members.ts';
import {
  countAuditEntries,
  findAuditEntries,
  insertAuditEntry,
  type AuditFilter,
  type AuditEntry,
} from './store.ts';

export { ACTIONS, type Action } from './actions.ts';
export type { AuditEntry } from './store.ts';

/** Who makes a change, and when. */
export interface ChangeOrigin {
  readonly actor: AuditActor;
  readonly at: Date;
}

/** A change that its author answers for. */
export interface AuditedChange {
  readonly action: Action;
  readonly recordType: RecordType;
  /** Null where there is only one such record. */
  readonly recordId: string | null;
  /** The seller it is about; null for what is the operator's own. */
  readonly sellerId: string | null;
  /** Members of the record before it; null for what was made. Documents and addresses are masked here, secrets must not be given. */
  readonly before: Members | null;
  /** The same members after it; null for what was deleted. */
  readonly after: Members | null;
  readonly at: Date;
}

/**
 * Writes down who changed what. Called in the transaction of the change, after everything that could refuse it, so that
 * neither is ever without the other. A change that left every member as it was is not written.
 */
export async function recordAudit(trx: Db, author: AuditActor, change: AuditedChange): Promise<void> {
  const members = changedMembers(change.before, change.after);
  if (members === undefined) return;
  const { kind, id, name, requestId } = author;
  await insertAuditEntry(trx, {
    ...change,
    ...members,
    id: newId(change.at.getTime()),
    actor: { kind, id, name },
    requestId,
  });
}

export type AuditService = ReturnType<typeof createAuditService>;

/** The log as the operator reads it. */
export function createAuditService(db: Db) {
  return {
    async list(
      filter: AuditFilter,
      page: Page,
    ): Promise<{ readonly items: readonly AuditEntry[]; readonly count: number }> {
      const [items, count] = await Promise.all([
        findAuditEntries(db, filter, page),
        countAuditEntries(db, filter),
      ]);
      return { items, count };
    },

    /** Every record that matches, newest first, read in portions as fast as they are taken. */
    stream: (filter: AuditFilter): AsyncGenerator<AuditEntry> =>
      paginate((page) => findAuditEntries(db, filter, page)),
  };
}
