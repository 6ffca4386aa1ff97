import { NavLink, Stack, Text } from '@mantine/core';
import { Link, useRouterState, type LinkProps } from '@tanstack/react-router';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

export interface ListedPlace {
  readonly to: NonNullable<LinkProps['to']>;
  readonly label: string;
  readonly icon: LucideIcon;
  /** Number of items that need attention. */
  readonly waiting?: number | undefined;
}

export interface ListedGroup {
  readonly name?: string;
  readonly places: readonly ListedPlace[];
  readonly after?: ReactNode;
}

/** Navigation links in groups, with the current one marked. */
export function NavigationList({
  groups,
  home,
  onGo,
}: {
  readonly groups: readonly ListedGroup[];
  /** The path that is a prefix of all others: active only on an exact match. */
  readonly home: string;
  readonly onGo: () => void;
}): ReactNode {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  return (
    <Stack gap="sm" component="nav">
      {groups.map(({ name, places, after }) => (
        <div key={name ?? places[0]?.to}>
          {name === undefined ? null : (
            <Text size="xs" fw={600} c="dimmed" px="sm" pb={4}>
              {name}
            </Text>
          )}
          {places.map(({ to, label, icon: Icon, waiting = 0 }) => {
            const active = to === home ? path === home : path.startsWith(to);
            return (
              <NavLink
                key={to}
                component={Link}
                to={to}
                activeOptions={{ exact: to === home }}
                label={label}
                leftSection={<Icon size={18} aria-hidden />}
                rightSection={
                  waiting === 0 ? null : (
                    <Text size="xs" fw={700} className="figures">
                      {waiting}
                    </Text>
                  )
                }
                active={active}
                aria-current={active ? 'page' : undefined}
                onClick={onGo}
              />
            );
          })}
          {after}
        </div>
      ))}
    </Stack>
  );
}
