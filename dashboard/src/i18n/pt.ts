import { charges } from './pt/charges.ts';
import { common } from './pt/common.ts';
import { developers } from './pt/developers.ts';
import { errors } from './pt/errors.ts';
import { home } from './pt/home.ts';
import { money } from './pt/money.ts';
import { notifications } from './pt/notifications.ts';
import { onboarding } from './pt/onboarding.ts';
import { passkeys } from './pt/passkeys.ts';
import { people } from './pt/people.ts';
import { sales } from './pt/sales.ts';
import { settings } from './pt/settings.ts';
import { statuses } from './pt/statuses.ts';
import { subscriptions } from './pt/subscriptions.ts';

/** Portuguese texts of the dashboard. `en.ts` has the same keys. */
export const pt = {
  ...common,
  ...statuses,
  ...errors,
  ...home,
  ...charges,
  ...sales,
  ...subscriptions,
  ...money,
  ...developers,
  ...settings,
  ...people,
  ...passkeys,
  ...notifications,
  ...onboarding,
} as const;
