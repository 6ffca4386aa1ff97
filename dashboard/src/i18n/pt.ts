import { charges } from './pt/charges.ts';
import { common } from './pt/common.ts';
import { developers } from './pt/developers.ts';
import { home } from './pt/home.ts';
import { money } from './pt/money.ts';
import { settings } from './pt/settings.ts';
import { statuses } from './pt/statuses.ts';

/** Portuguese texts of the dashboard. `en.ts` has the same keys. */
export const pt = {
  ...common,
  ...statuses,
  ...home,
  ...charges,
  ...money,
  ...developers,
  ...settings,
} as const;
