import { RESET_REQUESTS_DUE, SECOND_FACTOR_RESETS_DUE } from '#identity/users/service.ts';
import { PAYER_MAILS_DUE, USER_MAILS_DUE } from '#notifications/leased-table.ts';
import { SIGNUP_MAILS_DUE } from '#onboarding/signup.ts';
import { DISPUTE_DEADLINES_DUE, WAITING_DISPUTES_DUE } from '#payments/disputes/service.ts';
import { OPERATIONS_TABLE } from '#payments/operations/leased-table.ts';
import { COMPLETED_LINKS_DUE } from '#payments/payment-links/service.ts';
import { BOLETO_EXPIRY_DUE, EXPIRY_DUE, OUTCOMES_DUE, RELEASES_DUE } from '#payments/transactions/service.ts';
import { REVERSALS_TABLE } from '#payouts/reversals/leased-table.ts';
import { PAYOUTS_DUE } from '#payouts/withdrawals/leased-table.ts';
import type { Db } from '#platform/database/connect.ts';
import { dueLeases, DueJobReader, type DueCondition } from '#platform/jobs/due-job-reader.ts';
import type { Clock } from '#platform/kit/clock.ts';
import { SCHEDULED_EVENTS_DUE } from '#providers/sandbox/scheduled-events.ts';
import { CARD_CHECKS_DUE } from '#subscriptions/card-checks.ts';
import { ATTEMPTS_TABLE, AUTHORIZATIONS_TABLE } from '#subscriptions/leased-table.ts';
import { RETRIES_DUE } from '#webhooks/leased-table.ts';
import type { JobName } from './job-names.ts';

type DueConditions = readonly (readonly [JobName, DueCondition])[];

interface DueJobsDeps {
  readonly db: Db;
  readonly clock: Clock;
}

/**
 * Conditions of jobs that poll every second or more often, on tables that Citus distributes by
 * seller.
 */
export const SELLER_CONDITIONS: DueConditions = [
  ['retries', RETRIES_DUE],
  ['expirations', EXPIRY_DUE],
  ['boleto expirations', BOLETO_EXPIRY_DUE],
  ['releases', RELEASES_DUE],
  ['completed payment links', COMPLETED_LINKS_DUE],
  ['dispute deadlines', DISPUTE_DEADLINES_DUE],
  ['waiting disputes', WAITING_DISPUTES_DUE],
  ['payouts', PAYOUTS_DUE],
  ['reversals', dueLeases(REVERSALS_TABLE)],
  ['provider operations', dueLeases(OPERATIONS_TABLE)],
  ['subscription charges', dueLeases(ATTEMPTS_TABLE)],
  ['subscription outcomes', OUTCOMES_DUE],
  ['subscription cards', CARD_CHECKS_DUE],
  ['pix authorizations', dueLeases(AUTHORIZATIONS_TABLE)],
  ['mails', USER_MAILS_DUE],
  ['payer mails', PAYER_MAILS_DUE],
  ['sandbox events', SCHEDULED_EVENTS_DUE],
];

/** Conditions of such jobs on tables that are not distributed. */
export const ACCOUNT_CONDITIONS: DueConditions = [
  ['password resets', RESET_REQUESTS_DUE],
  ['sign-ups', SIGNUP_MAILS_DUE],
  ['second factor resets', SECOND_FACTOR_RESETS_DUE],
];

/** Returns a function that tests whether a job may have work. True for jobs without a condition. */
export function createDueCheck(deps: DueJobsDeps): (job: string) => Promise<boolean> {
  const watches = [
    new DueJobReader({
      ...deps,
      name: 'find-due-jobs',
      conditions: new Map(SELLER_CONDITIONS),
      distributed: true,
    }),
    new DueJobReader({
      ...deps,
      name: 'find-due-account-jobs',
      conditions: new Map(ACCOUNT_CONDITIONS),
      distributed: false,
    }),
  ];
  return async (job) => (await watches.find((watch) => watch.includes(job))?.isDue(job)) ?? true;
}
