import { Group, Stack, Text, UnstyledButton } from '@mantine/core';
import { Link, useRouterState, type LinkProps } from '@tanstack/react-router';
import { Menu as MenuIcon, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/** Bottom navigation of small screens: the most used links and a button for the menu. */
export function BottomBar({
  items,
  onOpenMenu,
}: {
  readonly items: readonly {
    readonly to: NonNullable<LinkProps['to']>;
    readonly label: string;
    readonly icon: LucideIcon;
  }[];
  readonly onOpenMenu: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  return (
    <Group
      component="nav"
      aria-label={t('nav.main')}
      h={60}
      gap={0}
      grow
      preventGrowOverflow={false}
      wrap="nowrap"
    >
      {items.map(({ to, label, icon: Icon }) => (
        <UnstyledButton
          key={to}
          component={Link}
          to={to}
          activeOptions={{ exact: true }}
          h="100%"
          aria-current={path === to ? 'page' : undefined}
        >
          <Stack
            gap={2}
            align="center"
            justify="center"
            h="100%"
            c={path === to ? 'var(--mantine-color-anchor)' : 'dimmed'}
          >
            <Icon size={20} aria-hidden />
            <Text size="10px" ta="center">
              {label}
            </Text>
          </Stack>
        </UnstyledButton>
      ))}
      <UnstyledButton h="100%" onClick={onOpenMenu}>
        <Stack gap={2} align="center" justify="center" h="100%" c="dimmed">
          <MenuIcon size={20} aria-hidden />
          <Text size="10px">{t('nav.more')}</Text>
        </Stack>
      </UnstyledButton>
    </Group>
  );
}
