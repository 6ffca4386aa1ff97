import * as outcomes from '#payments/transactions/store-outcomes.ts';
import { MIN_ID } from '#platform/kit/ids.ts';
import * as sandboxAuthorizations from '#providers/sandbox/store-authorizations.ts';
import * as sandbox from '#providers/sandbox/store-scheduled-events.ts';
import * as attempts from '#subscriptions/store-attempts.ts';
import * as authorizations from '#subscriptions/store-authorizations.ts';
import * as cards from '#subscriptions/store-cards.ts';
import * as due from '#subscriptions/store-due.ts';
import * as invoices from '#subscriptions/store-invoices.ts';
import * as months from '#subscriptions/store-months.ts';
import * as subscribers from '#subscriptions/store-privacy.ts';
import * as subscriptions from '#subscriptions/store.ts';
import { call, PAGE, type Call } from './call.ts';
import { idOf, LARGE, NOW, SMALL } from './fill.ts';
import { LEASE } from './payment-calls.ts';

const ID = idOf('transaction', 10_000);
const KEY = { sellerId: LARGE, id: ID };
const INVOICE = { sellerId: LARGE, subscriptionId: ID, number: 1 };
const ANY = { statuses: [], customerId: undefined };

export const SUBSCRIPTION_CALLS: readonly Call[] = [
  call(30, subscriptions.findSubscription, KEY),
  call(40, subscriptions.findSubscriptionById, ID),
  call(20, subscriptions.lockSubscription, KEY),
  call(20, subscriptions.lockSubscriptionsOf, KEY),
  call(75, subscribers.findSubscribers, { document: '1' }, 10),
  call(75, subscribers.findSubscribers, { email: 'a@example.com' }, 10),
  call(20, subscribers.findNaming, KEY),
  call(400, subscriptions.findSubscriptions, LARGE, ANY, PAGE),
  call(150, subscriptions.findSubscriptions, LARGE, { ...ANY, statuses: ['PAUSED', 'EXPIRED'] }, PAGE),
  call(150, subscriptions.findSubscriptions, LARGE, { ...ANY, customerId: ID }, PAGE),
  call(600, subscriptions.countSubscriptions, LARGE, ANY),
  call(600, subscriptions.countSubscriptions, LARGE, { ...ANY, statuses: ['PAUSED'] }),
  call(20, subscriptions.countSubscriptions, LARGE, { ...ANY, customerId: ID }),
  call(20, months.findMonths, LARGE),
  call(20, invoices.findInvoice, INVOICE),
  call(20, invoices.findNewestAttempt, INVOICE),
  call(20, invoices.findAttempts, INVOICE, 10),
  call(20, invoices.findAttemptOfTransaction, LARGE, ID),
  call(40, invoices.findUnpaid, KEY, 1),
  call(20, invoices.findOpenInvoices, KEY, 10),
  call(60, invoices.findInvoices, KEY, PAGE),
  call(20, invoices.countInvoices, KEY),
  call(20, attempts.findAttempt, LARGE, ID),
  call(400, attempts.leaseAttempts, LEASE),
  call(400, attempts.takeDebitsToRead, { now: NOW, nextAt: NOW, limit: 10, otherBanks: ['none'] }),
  call(20, invoices.countAttemptsOfTransaction, LARGE, ID),
  call(20, authorizations.findAuthorization, KEY),
  call(20, authorizations.findAuthorizationByRec, 'R1-10000'),
  call(400, authorizations.leaseAuthorizations, LEASE),
  call(20, authorizations.isReadDue, KEY, NOW),
  call(150, due.findDueSellers, { after: MIN_ID, now: NOW, limit: 20 }),
  call(400, due.findDueSubscriptions, [LARGE, SMALL], { now: NOW, perSeller: 60, total: 100 }),
  call(100, due.findDueRetries, NOW, 10),
  call(400, cards.findDueCardChecks, NOW, 10),
  call(50, outcomes.findChangedOfSubscriptions, 10),
  call(20, sandbox.deleteDebit, LARGE, ID),
  call(20, sandboxAuthorizations.hasExpired, 'R1-10000'),
];
