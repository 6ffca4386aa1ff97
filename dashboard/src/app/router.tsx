import { createRoute, createRouter, type ErrorComponentProps } from '@tanstack/react-router';

import { ErrorAlert, LoadingSkeleton } from '../components/feedback.tsx';
import { lazyScreen } from './lazy-screen.ts';
import { operatorRoutes } from './operator-routes.ts';
import { root } from './root-route.ts';
import { filters } from './search.ts';

const getParentRoute = () => root;

/** Screens are separate chunks, loaded on demand. */
const homeRoute = createRoute({
  getParentRoute,
  path: '/',
  component: lazyScreen(() => import('../home/page.tsx'), 'HomePage'),
});
const chargesRoute = createRoute({
  getParentRoute,
  path: '/charges',
  validateSearch: filters(
    'status',
    'method',
    'startDate',
    'endDate',
    'paidStartDate',
    'paidEndDate',
    'externalRef',
    'customerId',
    'paymentLinkId',
    'transactionId',
    'refunding',
    'metadataKey',
    'metadataValue',
    'cursor',
    'open',
  ),
  component: lazyScreen(() => import('../charges/list-page.tsx'), 'ChargesPage'),
});
const newChargeRoute = createRoute({
  getParentRoute,
  path: '/charges/new',
  validateSearch: filters('method', 'customerId', 'created'),
  component: lazyScreen(() => import('../charges/new-page.tsx'), 'NewChargePage'),
});
const chargeRoute = createRoute({
  getParentRoute,
  path: '/charges/$id',
  component: lazyScreen(() => import('../charges/detail-page.tsx'), 'ChargePage'),
});
const linksRoute = createRoute({
  getParentRoute,
  path: '/links',
  validateSearch: filters('cursor', 'status', 'search'),
  component: lazyScreen(() => import('../links/list-page.tsx'), 'LinksPage'),
});
const newLinkRoute = createRoute({
  getParentRoute,
  path: '/links/new',
  validateSearch: filters('customerId'),
  component: lazyScreen(() => import('../links/new-page.tsx'), 'NewLinkPage'),
});
const linkRoute = createRoute({
  getParentRoute,
  path: '/links/$id',
  validateSearch: filters('payers', 'cursor'),
  component: lazyScreen(() => import('../links/detail-page.tsx'), 'LinkPage'),
});
const linkPosterRoute = createRoute({
  getParentRoute,
  path: '/links/$id/print',
  component: lazyScreen(() => import('../links/poster-page.tsx'), 'LinkPosterPage'),
});
const subscriptionsRoute = createRoute({
  getParentRoute,
  path: '/subscriptions',
  validateSearch: filters('cursor', 'status'),
  component: lazyScreen(() => import('../subscriptions/list-page.tsx'), 'SubscriptionsPage'),
});
const newSubscriptionRoute = createRoute({
  getParentRoute,
  path: '/subscriptions/new',
  validateSearch: filters('customerId'),
  component: lazyScreen(() => import('../subscriptions/new-page.tsx'), 'NewSubscriptionPage'),
});
const subscriptionRoute = createRoute({
  getParentRoute,
  path: '/subscriptions/$id',
  validateSearch: filters('cursor'),
  component: lazyScreen(() => import('../subscriptions/detail-page.tsx'), 'SubscriptionPage'),
});
const customersRoute = createRoute({
  getParentRoute,
  path: '/customers',
  validateSearch: filters('cursor'),
  component: lazyScreen(() => import('../customers/list-page.tsx'), 'CustomersPage'),
});
const customerRoute = createRoute({
  getParentRoute,
  path: '/customers/$id',
  validateSearch: filters('cursor'),
  component: lazyScreen(() => import('../customers/detail-page.tsx'), 'CustomerPage'),
});
const statementRoute = createRoute({
  getParentRoute,
  path: '/statement',
  validateSearch: filters('origin', 'cause', 'recordId', 'startDate', 'endDate', 'cursor'),
  component: lazyScreen(() => import('../money/statement-page.tsx'), 'StatementPage'),
});
const receivablesRoute = createRoute({
  getParentRoute,
  path: '/receivables',
  validateSearch: filters('startDate', 'endDate', 'skip'),
  component: lazyScreen(() => import('../money/receivables-page.tsx'), 'ReceivablesPage'),
});
const pointOfSaleRoute = createRoute({
  getParentRoute,
  path: '/point-of-sale',
  component: lazyScreen(() => import('../charges/point-of-sale-page.tsx'), 'PointOfSalePage'),
});
const withdrawalsRoute = createRoute({
  getParentRoute,
  path: '/withdrawals',
  validateSearch: filters(
    'status',
    'method',
    'startDate',
    'endDate',
    'withdrawalId',
    'minAmount',
    'maxAmount',
    'metadataKey',
    'metadataValue',
    'cursor',
    'open',
  ),
  component: lazyScreen(() => import('../money/withdrawals-page.tsx'), 'WithdrawalsPage'),
});
const newWithdrawalRoute = createRoute({
  getParentRoute,
  path: '/withdrawals/new',
  component: lazyScreen(() => import('../money/new-withdrawal-page.tsx'), 'NewWithdrawalPage'),
});
const withdrawalRoute = createRoute({
  getParentRoute,
  path: '/withdrawals/$id',
  component: lazyScreen(() => import('../money/withdrawal-page.tsx'), 'WithdrawalPage'),
});
const feesRoute = createRoute({
  getParentRoute,
  path: '/fees',
  component: lazyScreen(() => import('../money/fees-page.tsx'), 'FeesPage'),
});
const disputesRoute = createRoute({
  getParentRoute,
  path: '/disputes',
  validateSearch: filters('status', 'transactionId', 'startDate', 'endDate', 'cursor', 'open'),
  component: lazyScreen(() => import('../disputes/page.tsx'), 'DisputesPage'),
});
const keysRoute = createRoute({
  getParentRoute,
  path: '/developers/keys',
  component: lazyScreen(() => import('../developers/keys-page.tsx'), 'KeysPage'),
});
const webhooksRoute = createRoute({
  getParentRoute,
  path: '/developers/webhooks',
  component: lazyScreen(() => import('../developers/webhooks-page.tsx'), 'WebhooksPage'),
});
const deliveriesRoute = createRoute({
  getParentRoute,
  path: '/developers/deliveries',
  validateSearch: filters(
    'status',
    'webhookId',
    'recordId',
    'event',
    'startDate',
    'endDate',
    'cursor',
    'open',
  ),
  component: lazyScreen(() => import('../developers/deliveries-page.tsx'), 'DeliveriesPage'),
});
const eventsRoute = createRoute({
  getParentRoute,
  path: '/developers/events',
  component: lazyScreen(() => import('../developers/events-page.tsx'), 'EventsPage'),
});
const teamRoute = createRoute({
  getParentRoute,
  path: '/team',
  component: lazyScreen(() => import('../team/page.tsx'), 'TeamPage'),
});
const settingsRoute = createRoute({
  getParentRoute,
  path: '/settings',
  component: lazyScreen(() => import('../settings/page.tsx'), 'SettingsPage'),
});

const forgotPasswordRoute = createRoute({
  getParentRoute,
  path: '/forgot-password',
  component: lazyScreen(() => import('../session/forgot-password-page.tsx'), 'ForgotPasswordPage'),
});
/** Mailed links open these two. */
const resetPasswordRoute = createRoute({
  getParentRoute,
  path: '/reset-password',
  component: lazyScreen(() => import('../session/reset-password-page.tsx'), 'ResetPasswordPage'),
});
const invitationRoute = createRoute({
  getParentRoute,
  path: '/invitation',
  component: lazyScreen(() => import('../session/invitation-page.tsx'), 'InvitationPage'),
});

const signupRoute = createRoute({
  getParentRoute,
  path: '/signup',
  component: lazyScreen(() => import('../onboarding/signup-page.tsx'), 'SignupPage'),
});
/** A mailed link opens this. */
const confirmSignupRoute = createRoute({
  getParentRoute,
  path: '/signup/confirm',
  component: lazyScreen(() => import('../onboarding/confirm-page.tsx'), 'ConfirmSignupPage'),
});

const tree = root.addChildren([
  homeRoute,
  chargesRoute,
  newChargeRoute,
  chargeRoute,
  linksRoute,
  newLinkRoute,
  linkRoute,
  linkPosterRoute,
  subscriptionsRoute,
  newSubscriptionRoute,
  subscriptionRoute,
  customersRoute,
  customerRoute,
  statementRoute,
  receivablesRoute,
  pointOfSaleRoute,
  withdrawalsRoute,
  newWithdrawalRoute,
  withdrawalRoute,
  feesRoute,
  disputesRoute,
  keysRoute,
  webhooksRoute,
  deliveriesRoute,
  eventsRoute,
  teamRoute,
  settingsRoute,
  forgotPasswordRoute,
  resetPasswordRoute,
  invitationRoute,
  signupRoute,
  confirmSignupRoute,
  ...operatorRoutes,
]);

/** Contains the error of one screen, so that the rest of the dashboard keeps working. */
function RouteError({ error, reset }: ErrorComponentProps) {
  return <ErrorAlert error={error} retry={reset} />;
}

export const router = createRouter({
  routeTree: tree,
  basepath: '/dashboard',
  defaultPreload: 'intent',
  defaultPendingComponent: LoadingSkeleton,
  defaultErrorComponent: RouteError,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
  interface HistoryState {
    /** Number of list pages before this one in the browser history. */
    page?: number;
    /** The search text of a list. Names and emails must not be in the URL. */
    text?: string | undefined;
    /** Whether the record of the screen was just created. */
    created?: boolean;
    /** The address that was typed on the sign-in page. */
    email?: string | undefined;
  }
}
