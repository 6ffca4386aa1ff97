import type { Text } from '../../i18n/texts.ts';
import { applications } from './pt/applications.ts';
import { audit } from './pt/audit.ts';
import { common } from './pt/common.ts';
import { controls } from './pt/controls.ts';
import { details } from './pt/details.ts';
import { mails } from './pt/mails.ts';
import { privacy } from './pt/privacy.ts';
import { risk } from './pt/risk.ts';
import { sellers } from './pt/sellers.ts';
import { settings } from './pt/settings.ts';
import { statuses } from './pt/statuses.ts';
import { system } from './pt/system.ts';
import { transactions } from './pt/transactions.ts';
import { withdrawals } from './pt/withdrawals.ts';

/** Portuguese texts of the operator's screens. `en.ts` has the same keys. */
export const pt = {
  ...common,
  ...statuses,
  ...withdrawals,
  ...transactions,
  ...sellers,
  ...controls,
  ...audit,
  ...details,
  ...system,
  ...privacy,
  ...mails,
  ...risk,
  ...applications,
  ...settings,
};

export type OperatorWords = Text<typeof pt>;
