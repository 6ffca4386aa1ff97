import type { Members } from '#audit/members.ts';
import type { User } from './store.ts';

/** The record of a user in the audit log. */
export const auditTarget = ({ id, seller_id: sellerId }: User) =>
  ({ recordType: 'user', recordId: id, sellerId }) as const;

/** The members of a user that the audit log records. */
export const auditFields = ({ name, email, role }: User): Members => ({ name, email, role });
