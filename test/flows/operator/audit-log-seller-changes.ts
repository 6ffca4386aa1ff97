import { SELLER_ACCOUNT_CHANGES } from './audit-log-seller-account-changes.ts';
import { SELLER_CUSTOMER_CHANGES } from './audit-log-seller-customer-changes.ts';
import { SELLER_USER_CHANGES } from './audit-log-seller-user-changes.ts';
import { SELLER_WEBHOOK_CHANGES } from './audit-log-seller-webhook-changes.ts';
import type { Changes } from './audit-log-setup.ts';

/** Changes by sellers, by route: how to make each, and the audit log entry it writes. */
export const SELLER_CHANGES: Changes = {
  ...SELLER_ACCOUNT_CHANGES,
  ...SELLER_USER_CHANGES,
  ...SELLER_WEBHOOK_CHANGES,
  ...SELLER_CUSTOMER_CHANGES,
};
