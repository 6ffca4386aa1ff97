import {
  Banknote,
  BookOpen,
  Contact,
  CalendarClock,
  GraduationCap,
  House,
  KeyRound,
  Link,
  ListChecks,
  Percent,
  ReceiptText,
  Repeat,
  ScrollText,
  Send,
  Settings,
  ShieldAlert,
  Store,
  Users,
  Webhook,
  type LucideIcon,
} from 'lucide-react';

import type { Permission } from '../api/permissions.ts';

/** Navigation items in display order. Items without the required permission are hidden. */
interface NavigationItem {
  readonly to:
    | '/'
    | '/charges'
    | '/links'
    | '/subscriptions'
    | '/customers'
    | '/point-of-sale'
    | '/statement'
    | '/receivables'
    | '/withdrawals'
    | '/disputes'
    | '/fees'
    | '/developers/keys'
    | '/developers/webhooks'
    | '/developers/deliveries'
    | '/developers/events'
    | '/team'
    | '/settings';
  readonly name:
    | 'home'
    | 'charges'
    | 'links'
    | 'subscriptions'
    | 'customers'
    | 'pointOfSale'
    | 'statement'
    | 'receivables'
    | 'withdrawals'
    | 'disputes'
    | 'fees'
    | 'keys'
    | 'webhooks'
    | 'deliveries'
    | 'events'
    | 'team'
    | 'settings';
  readonly icon: LucideIcon;
  readonly needs?: Permission;
}

interface Group {
  readonly name?: 'money' | 'developers';
  readonly items: readonly NavigationItem[];
}

export const NAVIGATION: readonly Group[] = [
  {
    items: [
      { to: '/', name: 'home', icon: House },
      { to: '/charges', name: 'charges', icon: ReceiptText, needs: 'transactions:read' },
      { to: '/links', name: 'links', icon: Link, needs: 'payment-links:read' },
      { to: '/subscriptions', name: 'subscriptions', icon: Repeat, needs: 'subscriptions:read' },
      { to: '/customers', name: 'customers', icon: Contact, needs: 'customers:read' },
      { to: '/point-of-sale', name: 'pointOfSale', icon: Store, needs: 'transactions:create' },
    ],
  },
  {
    name: 'money',
    items: [
      { to: '/statement', name: 'statement', icon: ScrollText, needs: 'wallet:read' },
      { to: '/receivables', name: 'receivables', icon: CalendarClock, needs: 'wallet:read' },
      { to: '/withdrawals', name: 'withdrawals', icon: Banknote, needs: 'withdrawals:read' },
      { to: '/disputes', name: 'disputes', icon: ShieldAlert, needs: 'disputes:read' },
      { to: '/fees', name: 'fees', icon: Percent, needs: 'fees:read' },
    ],
  },
  {
    name: 'developers',
    items: [
      { to: '/developers/keys', name: 'keys', icon: KeyRound, needs: 'api-keys:read' },
      { to: '/developers/webhooks', name: 'webhooks', icon: Webhook, needs: 'webhooks:read' },
      { to: '/developers/deliveries', name: 'deliveries', icon: Send, needs: 'webhooks:read' },
      { to: '/developers/events', name: 'events', icon: ListChecks, needs: 'webhooks:read' },
    ],
  },
  {
    items: [
      { to: '/team', name: 'team', icon: Users, needs: 'users:read' },
      { to: '/settings', name: 'settings', icon: Settings },
    ],
  },
];

/** Pages outside the dashboard. */
export const DOCUMENTATION = [
  { href: '/docs/guides', name: 'guides', icon: GraduationCap },
  { href: '/docs', name: 'reference', icon: BookOpen },
] as const;
