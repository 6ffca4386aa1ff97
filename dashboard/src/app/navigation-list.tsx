import { NavLink, Stack, Text } from '@mantine/core';
import { Link, useRouterState, type LinkProps } from '@tanstack/react-router';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

interface NavigationLink {
  readonly to: NonNullable<LinkProps['to']>;
  readonly label: string;
  readonly icon: LucideIcon;
  /** Number of items that need attention. */
  readonly count?: number | undefined;
}

export interface NavigationGroup {
  readonly name?: string;
  readonly items: readonly NavigationLink[];
  readonly after?: ReactNode;
}

/** Navigation links in groups, with the current one marked. */
export function NavigationList({
  groups,
  home,
  onNavigate,
}: {
  readonly groups: readonly NavigationGroup[];
  /** The path that is a prefix of all others: active only on an exact match. */
  readonly home: string;
  readonly onNavigate: () => void;
}): ReactNode {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  return (
    <Stack gap="sm" component="nav">
      {groups.map(({ name, items, after }) => (
        <div key={name ?? items[0]?.to}>
          {name === undefined ? null : (
            <Text size="xs" fw={600} c="dimmed" px="sm" pb={4}>
              {name}
            </Text>
          )}
          {items.map(({ to, label, icon: Icon, count = 0 }) => {
            const active = path === to || (to !== home && path.startsWith(`${to}/`));
            return (
              <NavLink
                key={to}
                component={Link}
                to={to}
                activeOptions={{ exact: to === home }}
                label={label}
                leftSection={<Icon size={18} aria-hidden />}
                rightSection={
                  count === 0 ? null : (
                    <Text size="xs" fw={700} className="figures">
                      {count}
                    </Text>
                  )
                }
                active={active}
                aria-current={active ? 'page' : undefined}
                onClick={onNavigate}
              />
            );
          })}
          {after}
        </div>
      ))}
    </Stack>
  );
}
