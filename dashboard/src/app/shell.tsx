import {
  ActionIcon,
  AppShell,
  Box,
  Group,
  Image,
  Kbd,
  Menu,
  NavLink,
  ScrollArea,
  Text,
  UnstyledButton,
} from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { openSpotlight } from '@mantine/spotlight';
import { Link, useRouter } from '@tanstack/react-router';
import {
  CirclePlus,
  CircleUserRound,
  House,
  Link as LinkIcon,
  ReceiptText,
  Search,
  Banknote,
} from 'lucide-react';
import { lazy, Suspense, useEffect, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { useLive } from '../api/live.ts';
import { isOperator, isSandbox, useMay, useSession, useUser } from '../api/permissions.ts';
import { signOut } from '../api/session.ts';
import { Panel } from '../components/overlay.tsx';
import { NotificationBell } from '../notifications/bell.tsx';
import { OwnReset } from '../team/second-factor-reset.tsx';
import { loadOperatorTexts } from '../operator/i18n/load.ts';
import { BottomBar } from './bottom-bar.tsx';
import { ConnectionNotice } from './connection-notice.tsx';
import { NavigationList } from './navigation-list.tsx';
import { DOCUMENTATION, NAVIGATION } from './navigation.ts';
import { isOperatorPath } from './operator-path.ts';
import { RateLimitNotice } from './rate-limit-notice.tsx';

/** Components of the operator, loaded only for operators. */
const loadOperatorComponents = async () => {
  const [parts] = await Promise.all([import('../operator/navigation.tsx'), loadOperatorTexts()]);
  return parts;
};
const OperatorNavigation = lazy(async () => ({
  default: (await loadOperatorComponents()).OperatorNavigation,
}));
const OperatorBottomBar = lazy(async () => ({ default: (await loadOperatorComponents()).OperatorBottomBar }));
const OperatorSpotlight = lazy(async () => ({ default: (await loadOperatorComponents()).OperatorSpotlight }));
const OperatorShortcuts = lazy(async () => {
  const [{ OperatorShortcuts: shortcuts }] = await Promise.all([
    import('../operator/shortcuts.tsx'),
    loadOperatorTexts(),
  ]);
  return { default: shortcuts };
});
const Spotlight = lazy(() =>
  import('./spotlight.tsx').then((module) => ({ default: module.SellerSpotlight })),
);

const BAND_PX = isSandbox ? 22 : 0;
/** Below the status bar of a phone and above its home indicator, if the dashboard is installed. */
const HEADER = `calc(${56 + BAND_PX}px + env(safe-area-inset-top))`;
const FOOTER = 'calc(60px + env(safe-area-inset-bottom))';

export function Shell({ children }: { readonly children: ReactNode }) {
  const { t } = useTranslation();
  const [menuOpened, menu] = useDisclosure(false);
  const [shortcutsOpened, shortcuts] = useDisclosure(false);
  const user = useUser();
  const may = useMay();
  const session = useSession();
  const operator = isOperator(user);
  const Navigation = operator ? OperatorNavigation : SellerNavigation;
  usePreloadedScreens(operator);
  // Here, so that it works before the search is loaded, and from a field.
  useHotkeys([['mod+K', openSpotlight]], []);
  useLive(session.state === 'in' && !operator && may('webhooks:read'));
  return (
    <AppShell
      header={{ height: HEADER }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: true } }}
      footer={{ height: { base: FOOTER, sm: 0 } }}
      padding="md"
    >
      <Header onShortcuts={operator ? shortcuts.open : undefined} />
      <AppShell.Navbar aria-label={t('nav.main')} visibleFrom="sm">
        <ScrollArea p="xs">
          <Suspense>
            <Navigation onNavigate={menu.close} />
          </Suspense>
        </ScrollArea>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <div className="notices">
          <ConnectionNotice />
          <RateLimitNotice />
        </div>
        <OwnReset />
        <Box maw={1180} mx="auto">
          {children}
        </Box>
      </AppShell.Main>
      <AppShell.Footer hiddenFrom="sm">
        <Suspense>
          {operator ? (
            <OperatorBottomBar onOpenMenu={menu.open} />
          ) : (
            <SellerBottomBar onOpenMenu={menu.open} />
          )}
        </Suspense>
      </AppShell.Footer>
      <Panel opened={menuOpened} onClose={menu.close} title={t('nav.menu')} size="xs">
        <Suspense>
          <Navigation onNavigate={menu.close} />
        </Suspense>
      </Panel>
      <Suspense>{operator ? <OperatorSpotlight /> : <Spotlight />}</Suspense>
      <Suspense>
        {operator ? (
          <OperatorShortcuts opened={shortcutsOpened} onOpen={shortcuts.open} onClose={shortcuts.close} />
        ) : null}
      </Suspense>
    </AppShell>
  );
}

function Header({ onShortcuts }: { readonly onShortcuts: (() => void) | undefined }) {
  const { t } = useTranslation();
  return (
    <AppShell.Header>
      <a className="skip" href="#content">
        {t('nav.skip')}
      </a>
      {isSandbox ? <div className="band">{t('sandbox')}</div> : null}
      <Group h={56} px="md" justify="space-between" wrap="nowrap">
        <UnstyledButton
          className="logo"
          component={Link}
          to="/"
          activeOptions={{ exact: true }}
          aria-label={`${t('product')}, ${t('nav.home')}`}
        >
          <Group gap="xs" wrap="nowrap">
            <Image src="/assets/icon.svg" alt="" w={28} h={28} />
            <Text fw={700}>{t('product')}</Text>
          </Group>
        </UnstyledButton>
        <Group gap="xs" wrap="nowrap">
          <SearchButton />
          <NotificationBell />
          <AccountMenu onShortcuts={onShortcuts} />
        </Group>
      </Group>
    </AppShell.Header>
  );
}

function AccountMenu({ onShortcuts }: { readonly onShortcuts: (() => void) | undefined }) {
  const { t } = useTranslation();
  const user = useUser();
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('nav.account')}>
          <CircleUserRound aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" truncate>
            {user.email}
          </Text>
          <Text size="xs">{t(`role.${user.role}`)}</Text>
        </Menu.Label>
        <Menu.Item component={Link} to="/settings">
          {t('nav.settings')}
        </Menu.Item>
        {onShortcuts === undefined ? null : (
          <Menu.Item onClick={onShortcuts} visibleFrom="sm">
            {t('nav.shortcuts')}
          </Menu.Item>
        )}
        <Menu.Item onClick={() => void signOut()}>{t('session.signOut')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/**
 * Preloads screens while the browser is idle, so that navigation works without a connection. Not
 * where the user saves data.
 */
function usePreloadedScreens(operator: boolean): void {
  const router = useRouter();
  useEffect(() => {
    if (navigator.connection?.saveData === true) return undefined;
    const timer = setTimeout(() => {
      for (const route of Object.values(router.routesById)) {
        if (isOperatorPath(route.fullPath) !== operator) continue;
        // A failed preload is retried on navigation.
        void Promise.resolve(router.loadRouteChunk(route)).catch(() => undefined);
      }
    }, PRELOAD_DELAY_MS);
    return () => clearTimeout(timer);
  }, [router, operator]);
}

const PRELOAD_DELAY_MS = 3_000;

declare global {
  interface Navigator {
    /** Network Information API; absent in Safari and Firefox. */
    readonly connection?: { readonly saveData: boolean };
  }
}

function SearchButton() {
  const { t } = useTranslation();
  return (
    <>
      <UnstyledButton onClick={openSpotlight} visibleFrom="sm">
        <Group
          gap="xs"
          px="sm"
          h={34}
          bd="1px solid var(--mantine-color-default-border)"
          className="figures"
          style={{ borderRadius: 8 }}
        >
          <Search size={14} aria-hidden />
          <Text size="sm" c="dimmed" pr="lg">
            {t('nav.search')}
          </Text>
          <Kbd size="xs">Ctrl K</Kbd>
        </Group>
      </UnstyledButton>
      <ActionIcon
        hiddenFrom="sm"
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={t('nav.search')}
        onClick={openSpotlight}
      >
        <Search size={20} aria-hidden />
      </ActionIcon>
    </>
  );
}

function SellerNavigation({ onNavigate }: { readonly onNavigate: () => void }): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  return (
    <NavigationList
      home="/"
      onNavigate={onNavigate}
      groups={NAVIGATION.map((group) => ({
        ...(group.name === undefined ? {} : { name: t(`nav.${group.name}`) }),
        items: group.items
          .filter(({ needs }) => needs === undefined || may(needs))
          .map(({ to, name, icon }) => ({ to, icon, label: t(`nav.${name}`) })),
        after:
          group.name === 'developers'
            ? DOCUMENTATION.map(({ href, name, icon: Icon }) => (
                <NavLink
                  key={href}
                  href={href}
                  target="_blank"
                  label={t(`nav.${name}`)}
                  leftSection={<Icon size={18} aria-hidden />}
                />
              ))
            : null,
      }))}
    />
  );
}

function SellerBottomBar({ onOpenMenu }: { readonly onOpenMenu: () => void }): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const items = [
    { to: '/', name: 'home', icon: House, shown: true },
    { to: '/charges', name: 'charges', icon: ReceiptText, shown: true },
    { to: '/charges/new', name: 'newCharge', icon: CirclePlus, shown: may('transactions:create') },
    { to: '/links', name: 'linksShort', icon: LinkIcon, shown: may('payment-links:read') },
    { to: '/withdrawals', name: 'withdrawals', icon: Banknote, shown: true },
  ] as const;
  return (
    <BottomBar
      onOpenMenu={onOpenMenu}
      items={items
        .filter(({ shown }) => shown)
        .map(({ to, name, icon }) => ({ to, icon, label: t(`nav.${name}`) }))}
    />
  );
}
