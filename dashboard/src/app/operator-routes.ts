import { createRoute } from '@tanstack/react-router';

import { loadOperatorTexts } from '../operator/i18n/load.ts';
import { lazyScreen } from './lazy-screen.ts';
import { root } from './root-route.ts';
import { filters } from './search.ts';

/** Routes of the operator. Their code and texts are loaded only for operators. */

const getParentRoute = () => root;

function screen<Module extends Record<string, unknown>, Name extends keyof Module & string>(
  load: () => Promise<Module>,
  name: Name,
) {
  return lazyScreen(async () => {
    const [module] = await Promise.all([load(), loadOperatorTexts()]);
    return module;
  }, name);
}

export const operatorRoutes = [
  createRoute({
    getParentRoute,
    path: '/operator',
    component: screen(() => import('../operator/home-page.tsx'), 'OperatorHomePage'),
  }),
  createRoute({
    getParentRoute,
    path: '/operator/withdrawals',
    validateSearch: filters('status', 'sellerId', 'cursor', 'open'),
    component: screen(() => import('../operator/withdrawals/page.tsx'), 'QueuePage'),
  }),
  createRoute({
    getParentRoute,
    path: '/operator/disputes',
    validateSearch: filters('status', 'sellerId', 'transactionId', 'startDate', 'endDate', 'cursor', 'open'),
    component: screen(() => import('../operator/disputes/page.tsx'), 'OperatorDisputesPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/operator/reversals',
    validateSearch: filters('status', 'sellerId', 'transactionId', 'startDate', 'endDate', 'cursor', 'open'),
    component: screen(() => import('../operator/reversals/page.tsx'), 'ReversalsPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/operator/transactions',
    validateSearch: filters(
      'status',
      'method',
      'sellerId',
      'transactionId',
      'startDate',
      'endDate',
      'cursor',
      'open',
    ),
    component: screen(() => import('../operator/transactions/page.tsx'), 'AllTransactionsPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/operator/applications',
    validateSearch: filters('status', 'cursor'),
    component: screen(() => import('../operator/applications/list-page.tsx'), 'ApplicationsPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/operator/applications/$id',
    component: screen(() => import('../operator/applications/detail-page.tsx'), 'ReviewPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/operator/sellers',
    validateSearch: filters('status', 'search', 'cursor'),
    component: screen(() => import('../operator/sellers/list-page.tsx'), 'SellersPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/operator/sellers/new',
    component: screen(() => import('../operator/sellers/new-page.tsx'), 'NewSellerPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/operator/sellers/$id',
    validateSearch: filters('tab', 'cursor'),
    component: screen(() => import('../operator/sellers/detail-page.tsx'), 'SellerPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/operator/provider-events',
    validateSearch: filters(
      'outcome',
      'provider',
      'sellerId',
      'recordId',
      'startDate',
      'endDate',
      'cursor',
      'open',
    ),
    component: screen(() => import('../operator/provider-events/page.tsx'), 'ProviderEventsPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/operator/reconciliation',
    validateSearch: filters('startDate', 'endDate', 'provider', 'day', 'kind', 'cursor'),
    component: screen(() => import('../operator/reconciliation/page.tsx'), 'ReconciliationPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/operator/revenue',
    validateSearch: filters('startDate', 'endDate', 'groupBy'),
    component: screen(() => import('../operator/revenue/page.tsx'), 'RevenuePage'),
  }),
  createRoute({
    getParentRoute,
    path: '/operator/cnab',
    validateSearch: filters('service', 'cursor', 'returnsCursor', 'open'),
    component: screen(() => import('../operator/cnab/page.tsx'), 'CnabPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/operator/return-lines',
    validateSearch: filters('open'),
    component: screen(() => import('../operator/cnab/lines-page.tsx'), 'ReturnLinesPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/operator/webhooks',
    validateSearch: filters('disabled', 'sellerId', 'cursor'),
    component: screen(() => import('../operator/webhooks/page.tsx'), 'AllWebhooksPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/operator/ledger',
    component: screen(() => import('../operator/ledger/page.tsx'), 'LedgerPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/operator/audit',
    validateSearch: filters(
      'action',
      'actorId',
      'sellerId',
      'recordId',
      'requestId',
      'startDate',
      'endDate',
      'cursor',
      'open',
    ),
    component: screen(() => import('../operator/audit/page.tsx'), 'AuditPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/operator/system',
    component: screen(() => import('../operator/system/page.tsx'), 'SystemPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/operator/privacy',
    // The payer is not in the URL, because URLs are kept in browser history and logs.
    validateSearch: filters('open'),
    component: screen(() => import('../operator/privacy/page.tsx'), 'PrivacyPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/operator/team',
    validateSearch: filters('cursor'),
    component: screen(() => import('../operator/team/page.tsx'), 'OperatorTeamPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/operator/mails',
    validateSearch: filters('status', 'cursor'),
    component: screen(() => import('../operator/mails/page.tsx'), 'MailsPage'),
  }),
  // In the sandbox only.
  createRoute({
    getParentRoute,
    path: '/operator/mailbox',
    validateSearch: filters('open'),
    component: screen(() => import('../operator/mails/mailbox-page.tsx'), 'MailboxPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/operator/risk-reviews',
    validateSearch: filters('open'),
    component: screen(() => import('../operator/risk/review-page.tsx'), 'RiskReviewsPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/operator/risk',
    validateSearch: filters('tab', 'list'),
    component: screen(() => import('../operator/risk/page.tsx'), 'RiskPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/operator/fees',
    component: screen(() => import('../operator/fees/page.tsx'), 'DefaultFeesPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/operator/settings',
    component: screen(() => import('../operator/settings/page.tsx'), 'OperatorSettingsPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/operator/rules',
    component: screen(() => import('../operator/rules/page.tsx'), 'RulesPage'),
  }),
] as const;
