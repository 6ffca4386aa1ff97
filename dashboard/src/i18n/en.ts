import { charges } from './en/charges.ts';
import { common } from './en/common.ts';
import { developers } from './en/developers.ts';
import { errors } from './en/errors.ts';
import { home } from './en/home.ts';
import { money } from './en/money.ts';
import { notifications } from './en/notifications.ts';
import { onboarding } from './en/onboarding.ts';
import { passkeys } from './en/passkeys.ts';
import { people } from './en/people.ts';
import { sales } from './en/sales.ts';
import { settings } from './en/settings.ts';
import { statuses } from './en/statuses.ts';
import { subscriptions } from './en/subscriptions.ts';
import type { pt } from './pt.ts';
import type { Text } from './texts.ts';

export const en: Text<typeof pt> = {
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
};
