import type { SecretBox } from '#platform/crypto/secret-box.ts';
import { MAIL_PERSONAL_DATA } from '#notifications/personal-data.ts';
import { createCustomerRecords, PAYER_RECORDS, PAYMENT_PERSONAL_DATA } from '#payments/personal-data.ts';
import { PAYOUT_PERSONAL_DATA } from '#payouts/personal-data.ts';
import type { Clock } from '#platform/kit/clock.ts';
import { createPrivacyService, type PrivacyDeps, type PrivacyService } from '#privacy/service.ts';
import { createApplicationRecords } from '#onboarding/personal-data.ts';
import { eraseSignals } from '#payments/risk/service.ts';
import { cancelSubscriptionsOf } from '#subscriptions/lifecycle.ts';
import { SUBSCRIBER_RECORDS, SUBSCRIPTION_PERSONAL_DATA } from '#subscriptions/personal-data.ts';
import { WEBHOOK_PERSONAL_DATA } from '#webhooks/personal-data.ts';

/** Creates the privacy service with the personal data of all modules. */
export const composePrivacy = (
  deps: Pick<PrivacyDeps, 'db' | 'sellers'> & {
    readonly clock: Clock;
    readonly secrets: SecretBox | undefined;
  },
): PrivacyService =>
  createPrivacyService({
    ...deps,
    payers: PAYER_RECORDS,
    customers: [
      // Found by their customer records, too, so that they come first.
      SUBSCRIBER_RECORDS,
      createCustomerRecords(cancelSubscriptionsOf),
      createApplicationRecords(deps),
    ],
    tables: [
      ...PAYMENT_PERSONAL_DATA,
      ...PAYOUT_PERSONAL_DATA,
      ...SUBSCRIPTION_PERSONAL_DATA,
      ...WEBHOOK_PERSONAL_DATA,
      ...MAIL_PERSONAL_DATA,
    ],
    deletions: [eraseSignals],
  });
