import type { LedgerAccount } from './entries.ts';

/** The accounts that make the blocked balance. */
const BLOCKED_ACCOUNTS = ['retained', 'disputed', 'reserved'] as const satisfies readonly LedgerAccount[];

/** SQL for how much a ledger entry changes the balance of an account, in cents. */
export const balanceChange = (account: LedgerAccount): string =>
  `CASE '${account}' WHEN credit THEN amount WHEN debit THEN -amount ELSE 0 END`;

/** SQL for how much a ledger entry changes the blocked balance, in cents. */
export const BLOCKED_CHANGE = `(${BLOCKED_ACCOUNTS.map(balanceChange).join(' + ')})`;
