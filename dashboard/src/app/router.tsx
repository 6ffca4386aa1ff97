import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type ErrorComponentProps,
} from '@tanstack/react-router';

import { ErrorNote, Lines } from '../pieces/notes.tsx';
import { NotFound } from './not-found.tsx';
import { Root } from './root.tsx';
import { filters } from './search.ts';

const root = createRootRoute({ component: Root, notFoundComponent: NotFound });

const route = <Path extends string>(path: Path) => ({ getParentRoute: () => root, path }) as const;

/** Every screen is a file of its own that is fetched when it is first gone to. */
const tree = root.addChildren([
  createRoute({
    ...route('/'),
    component: lazyRouteComponent(() => import('../home/page.tsx'), 'HomePage'),
  }),
  createRoute({
    ...route('/charges'),
    validateSearch: filters(
      'status',
      'method',
      'transactionId',
      'metadataKey',
      'metadataValue',
      'cursor',
      'open',
    ),
    component: lazyRouteComponent(() => import('../charges/list-page.tsx'), 'ChargesPage'),
  }),
  createRoute({
    ...route('/charges/new'),
    validateSearch: filters('method'),
    component: lazyRouteComponent(() => import('../charges/new-page.tsx'), 'NewChargePage'),
  }),
  createRoute({
    ...route('/charges/$id'),
    component: lazyRouteComponent(() => import('../charges/detail-page.tsx'), 'ChargePage'),
  }),
  createRoute({
    ...route('/statement'),
    validateSearch: filters('origin', 'cause', 'recordId', 'startDate', 'endDate', 'cursor'),
    component: lazyRouteComponent(() => import('../money/statement-page.tsx'), 'StatementPage'),
  }),
  createRoute({
    ...route('/withdrawals'),
    validateSearch: filters('status', 'startDate', 'endDate', 'withdrawalId', 'cursor', 'open'),
    component: lazyRouteComponent(() => import('../money/withdrawals-page.tsx'), 'WithdrawalsPage'),
  }),
  createRoute({
    ...route('/withdrawals/new'),
    component: lazyRouteComponent(() => import('../money/new-withdrawal-page.tsx'), 'NewWithdrawalPage'),
  }),
  createRoute({
    ...route('/withdrawals/$id'),
    component: lazyRouteComponent(() => import('../money/withdrawal-page.tsx'), 'WithdrawalPage'),
  }),
  createRoute({
    ...route('/fees'),
    component: lazyRouteComponent(() => import('../money/fees-page.tsx'), 'FeesPage'),
  }),
  createRoute({
    ...route('/disputes'),
    validateSearch: filters('status', 'transactionId', 'startDate', 'endDate', 'cursor', 'open'),
    component: lazyRouteComponent(() => import('../disputes/page.tsx'), 'DisputesPage'),
  }),
  createRoute({
    ...route('/developers/keys'),
    component: lazyRouteComponent(() => import('../developers/keys-page.tsx'), 'KeysPage'),
  }),
  createRoute({
    ...route('/developers/webhooks'),
    component: lazyRouteComponent(() => import('../developers/webhooks-page.tsx'), 'WebhooksPage'),
  }),
  createRoute({
    ...route('/developers/deliveries'),
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
    component: lazyRouteComponent(() => import('../developers/deliveries-page.tsx'), 'DeliveriesPage'),
  }),
  createRoute({
    ...route('/developers/events'),
    component: lazyRouteComponent(() => import('../developers/events-page.tsx'), 'EventsPage'),
  }),
  createRoute({
    ...route('/settings'),
    component: lazyRouteComponent(() => import('../settings/page.tsx'), 'SettingsPage'),
  }),
]);

/** A screen that fails leaves the rest of the dashboard standing. */
function Broken({ error, reset }: ErrorComponentProps) {
  return <ErrorNote error={error} retry={reset} />;
}

export const router = createRouter({
  routeTree: tree,
  basepath: '/dashboard',
  defaultPreload: 'intent',
  defaultPendingComponent: Lines,
  defaultErrorComponent: Broken,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
  interface HistoryState {
    /** How many pages of a list lie behind this one in the browser's history. */
    page?: number;
  }
}
