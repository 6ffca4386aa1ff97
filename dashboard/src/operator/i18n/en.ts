import { applications } from './en/applications.ts';
import { audit } from './en/audit.ts';
import { common } from './en/common.ts';
import { controls } from './en/controls.ts';
import { details } from './en/details.ts';
import { mails } from './en/mails.ts';
import { privacy } from './en/privacy.ts';
import { risk } from './en/risk.ts';
import { sellers } from './en/sellers.ts';
import { settings } from './en/settings.ts';
import { statuses } from './en/statuses.ts';
import { system } from './en/system.ts';
import { transactions } from './en/transactions.ts';
import { withdrawals } from './en/withdrawals.ts';
import type { OperatorWords } from './pt.ts';

export const en: OperatorWords = {
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
