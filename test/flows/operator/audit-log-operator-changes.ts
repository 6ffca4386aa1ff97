import { OPERATOR_BANK_CHANGES } from './audit-log-operator-bank-changes.ts';
import { OPERATOR_DECISION_CHANGES } from './audit-log-operator-decision-changes.ts';
import { OPERATOR_PRIVACY_CHANGES } from './audit-log-operator-privacy-changes.ts';
import { OPERATOR_RISK_CHANGES } from './audit-log-operator-risk-changes.ts';
import { OPERATOR_SELLER_CHANGES } from './audit-log-operator-seller-changes.ts';
import { OPERATOR_SETTINGS_CHANGES } from './audit-log-operator-settings-changes.ts';
import { OPERATOR_USER_CHANGES } from './audit-log-operator-user-changes.ts';
import type { Changes } from './audit-log-setup.ts';

/** Changes by the operator, by route: how to make each, and the audit log entry it writes. */
export const OPERATOR_CHANGES: Changes = {
  ...OPERATOR_SELLER_CHANGES,
  ...OPERATOR_USER_CHANGES,
  ...OPERATOR_DECISION_CHANGES,
  ...OPERATOR_RISK_CHANGES,
  ...OPERATOR_SETTINGS_CHANGES,
  ...OPERATOR_BANK_CHANGES,
  ...OPERATOR_PRIVACY_CHANGES,
};
