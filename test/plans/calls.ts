import { ACCOUNT_CONDITIONS, SELLER_CONDITIONS } from '#app/due-jobs.ts';
import * as accounting from './accounting-calls.ts';
import { callDue, type Call } from './call.ts';
import * as identity from './identity-calls.ts';
import * as onboarding from './onboarding-calls.ts';
import * as payments from './payment-calls.ts';
import * as payouts from './payout-calls.ts';
import * as risk from './risk-calls.ts';
import * as subscriptions from './subscription-calls.ts';
import * as webhooks from './webhook-calls.ts';

const due = [...SELLER_CONDITIONS, ...ACCOUNT_CONDITIONS].map(([, condition]) => callDue(120, condition));

/** A call of each function of each store, except those in `EXEMPTIONS`. */
export const CALLS: readonly Call[] = [
  accounting,
  identity,
  onboarding,
  payments,
  payouts,
  risk,
  subscriptions,
  webhooks,
  { due },
].flatMap((module) => Object.values(module).flatMap((exported) => (Array.isArray(exported) ? exported : [])));
