import type { SpotlightActionData } from '@mantine/spotlight';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, type LinkProps } from '@tanstack/react-router';
import {
  Activity,
  ArrowLeftRight,
  Banknote,
  BookOpenCheck,
  ChartColumn,
  CornerUpLeft,
  FileCheck2,
  FileClock,
  FilePenLine,
  FileWarning,
  House,
  IdCard,
  Inbox,
  Landmark,
  Mail,
  Mailbox,
  Percent,
  ReceiptText,
  ScanSearch,
  Settings,
  ShieldAlert,
  ShieldCheck,
  SlidersHorizontal,
  Store,
  UserCheck,
  Users,
  Webhook,
  type LucideIcon,
} from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { isSandbox, useMay, type Permission } from '../api/permissions.ts';
import { BottomBar } from '../app/bottom-bar.tsx';
import { NavigationList } from '../app/navigation-list.tsx';
import { plainText } from '../app/plain-text.ts';
import { SpotlightBox } from '../app/spotlight-box.tsx';
import { UUID } from '../app/uuid.ts';
import { shortId } from '../i18n/format.ts';
import { allDisputes, allReversals, applications, pendingApprovals } from './queries.ts';
import { linesToReview } from './cnab/queries.ts';
import { riskReviews } from './risk/queries.ts';
import { sellers } from './sellers/queries.ts';
import { pendingWithdrawals } from './withdrawals/queries.ts';
import type { pt } from './i18n/pt.ts';

interface NavigationItem {
  readonly to: NonNullable<LinkProps['to']>;
  readonly name: keyof typeof pt.nav.screens;
  readonly icon: LucideIcon;
  /** The permission to see this item. */
  readonly needs?: Permission;
}

interface Group {
  readonly name?: keyof typeof pt.nav.groups;
  readonly items: readonly NavigationItem[];
}

const GROUPS: readonly Group[] = [
  { items: [{ to: '/operator', name: 'home', icon: House }] },
  {
    name: 'decide',
    items: [
      { to: '/operator/withdrawals', name: 'withdrawals', icon: Banknote },
      { to: '/operator/disputes', name: 'disputes', icon: ShieldAlert },
      { to: '/operator/risk-reviews', name: 'riskReviews', icon: ScanSearch },
      { to: '/operator/applications', name: 'applications', icon: FilePenLine },
      { to: '/operator/reversals', name: 'reversals', icon: CornerUpLeft },
      { to: '/operator/return-lines', name: 'returnLines', icon: FileWarning },
    ],
  },
  {
    name: 'browse',
    items: [
      { to: '/operator/sellers', name: 'sellers', icon: Store },
      { to: '/operator/transactions', name: 'transactions', icon: ReceiptText },
      { to: '/operator/provider-events', name: 'providerEvents', icon: Inbox },
    ],
  },
  {
    name: 'verify',
    items: [
      { to: '/operator/revenue', name: 'revenue', icon: ChartColumn },
      { to: '/operator/reconciliation', name: 'reconciliation', icon: FileCheck2 },
      { to: '/operator/ledger', name: 'ledger', icon: BookOpenCheck },
      { to: '/operator/cnab', name: 'cnab', icon: Landmark },
      { to: '/operator/audit', name: 'audit', icon: FileClock },
    ],
  },
  {
    name: 'operate',
    items: [
      { to: '/operator/system', name: 'system', icon: Activity },
      { to: '/operator/webhooks', name: 'webhooks', icon: Webhook },
      { to: '/operator/mails', name: 'mails', icon: Mail },
      ...(isSandbox
        ? ([{ to: '/operator/mailbox', name: 'mailbox', icon: Mailbox, needs: 'operator:write' }] as const)
        : []),
      { to: '/operator/privacy', name: 'privacy', icon: IdCard, needs: 'operator:write' },
      { to: '/operator/team', name: 'team', icon: Users },
      { to: '/operator/settings', name: 'settings', icon: SlidersHorizontal },
      { to: '/operator/rules', name: 'rules', icon: UserCheck },
      { to: '/operator/risk', name: 'risk', icon: ShieldCheck },
      { to: '/operator/fees', name: 'defaultFees', icon: Percent },
    ],
  },
];

function useGroups(): readonly Group[] {
  const may = useMay();
  return GROUPS.map((group) => ({
    ...group,
    items: group.items.filter(({ needs }) => needs === undefined || may(needs)),
  }));
}

export function OperatorNavigation({ onNavigate }: { readonly onNavigate: () => void }): ReactNode {
  const { t } = useTranslation();
  const groups = useGroups();
  const counts: Partial<Record<NavigationItem['name'], number | undefined>> = {
    withdrawals: useQuery(pendingWithdrawals()).data?.count,
    disputes: useQuery(allDisputes({ take: 1, status: 'UNDER_REVIEW' })).data?.count,
    riskReviews: useQuery(riskReviews()).data?.count,
    applications: useQuery(applications({ take: 1, status: 'SUBMITTED' })).data?.count,
    reversals: useQuery(allReversals({ take: 1, status: 'MANUAL' })).data?.count,
    returnLines: useQuery(linesToReview()).data?.count,
    rules: useQuery(pendingApprovals()).data?.length,
  };
  return (
    <NavigationList
      home="/operator"
      onNavigate={onNavigate}
      groups={[
        ...groups.map(({ name, items }) => ({
          ...(name === undefined ? {} : { name: t(`operator.nav.groups.${name}`) }),
          items: items.map((item) => ({
            to: item.to,
            icon: item.icon,
            label: t(`operator.nav.screens.${item.name}`),
            count: counts[item.name],
          })),
        })),
        { items: [{ to: '/settings', icon: Settings, label: t('nav.settings') }] },
      ]}
    />
  );
}

export function OperatorBottomBar({ onOpenMenu }: { readonly onOpenMenu: () => void }): ReactNode {
  const { t } = useTranslation();
  return (
    <BottomBar
      onOpenMenu={onOpenMenu}
      items={[
        { to: '/operator', icon: House, label: t('operator.nav.screens.home') },
        { to: '/operator/withdrawals', icon: Banknote, label: t('operator.nav.screens.withdrawals') },
        { to: '/operator/disputes', icon: ShieldAlert, label: t('operator.nav.screens.disputes') },
        { to: '/operator/sellers', icon: Store, label: t('operator.nav.screens.sellers') },
      ]}
    />
  );
}

const MAX_SELLERS = 5;
/** Shorter text would match too many sellers. */
const MIN_SEARCH_LENGTH = 3;

/** Search dialog: screens by name, sellers by name, records by id. */
export function OperatorSpotlight(): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const groups = useGroups();
  const [input, setInput] = useState('');
  const text = input.trim();
  const isId = UUID.test(text);
  const found = useQuery({
    ...sellers({ search: text, take: MAX_SELLERS }),
    enabled: !isId && text.length >= MIN_SEARCH_LENGTH,
    refetchInterval: false,
  });
  const actions: SpotlightActionData[] = [];
  if (isId) {
    const short = { id: shortId(text) };
    actions.push(
      {
        id: 'transaction',
        label: t('operator.nav.openTransaction', short),
        leftSection: <ArrowLeftRight size={18} aria-hidden />,
        onClick: () => void navigate({ to: '/operator/transactions', search: { open: text } }),
      },
      {
        id: 'withdrawal',
        label: t('operator.nav.openWithdrawal', short),
        leftSection: <Banknote size={18} aria-hidden />,
        onClick: () => void navigate({ to: '/operator/withdrawals', search: { open: text } }),
      },
      {
        id: 'seller',
        label: t('operator.nav.openSeller', short),
        leftSection: <Store size={18} aria-hidden />,
        onClick: () => void navigate({ to: '/operator/sellers/$id', params: { id: text } }),
      },
    );
  }
  if (!isId && text.length >= MIN_SEARCH_LENGTH) {
    for (const one of found.data?.data ?? []) {
      actions.push({
        id: one.id,
        label: one.name,
        leftSection: <Store size={18} aria-hidden />,
        onClick: () => void navigate({ to: '/operator/sellers/$id', params: { id: one.id } }),
      });
    }
  }
  for (const { to, name, icon: Icon } of groups.flatMap(({ items }) => items)) {
    const label = t(`operator.nav.screens.${name}`);
    if (!plainText(label).includes(plainText(text))) continue;
    actions.push({
      id: to,
      label,
      leftSection: <Icon size={18} aria-hidden />,
      onClick: () => void navigate({ to }),
    });
  }
  return (
    <SpotlightBox
      input={input}
      onInput={setInput}
      hint={t('nav.searchHint')}
      nothing={t('nav.searchNothing')}
      isWaiting={found.isFetching}
      groups={[{ name: 'all', actions }]}
    />
  );
}
