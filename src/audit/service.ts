import type { Author } from '#platform/http/author.ts';
import type { Db } from '#platform/database/connect.ts';
import { inPortions, type Page } from '#platform/http/pages.ts';
import { newId } from '#platform/kit/ids.ts';
import type { Action, RecordType } from './actions.ts';
import { changedMembers, type Members } from './members.ts';
import {
  countAuditRecords,
  findAuditRecords,
  insertAuditRecord,
  type AuditFilter,
  type AuditRecord,
} from './store.ts';

export { ACTIONS, type Action } from './actions.ts';
export type { AuditRecord } from './store.ts';

/** A change that its author answers for. */
export interface Change {
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
export async function audit(within: Db, author: Author, change: Change): Promise<void> {
  const members = changedMembers(change.before, change.after);
  if (members === undefined) return;
  const { kind, id, name, requestId } = author;
  await insertAuditRecord(within, {
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
    ): Promise<{ readonly found: readonly AuditRecord[]; readonly count: number }> {
      const [found, count] = await Promise.all([
        findAuditRecords(db, filter, page),
        countAuditRecords(db, filter),
      ]);
      return { found, count };
    },

    /** Every record that matches, newest first, read in portions as fast as they are taken. */
    all: (filter: AuditFilter): AsyncGenerator<AuditRecord> =>
      inPortions((page) => findAuditRecords(db, filter, page)),
  };
}
