import { Anchor, Skeleton, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { DescriptionList } from '../../components/description-list.tsx';
import { Money, RelativeTime, Status } from '../../components/values.tsx';
import type { Kind } from '../../i18n/statuses.ts';

interface Decided {
  readonly id: string;
  readonly createdAt: string;
  readonly status: string;
  readonly amount: number;
}

const SHOWN = 5;

/** The latest records like the one that is decided, with their outcome. */
export function HistoryList({
  title,
  none,
  kind,
  records,
  except,
  pathOf,
  children,
}: {
  readonly title: string;
  readonly none: string;
  readonly kind: Kind;
  /** Undefined while loading. */
  readonly records: readonly Decided[] | undefined;
  /** The id of the record that is decided. */
  readonly except: string;
  readonly pathOf: (id: string) => string;
  /** Follows the list, such as a link to all. */
  readonly children?: ReactNode;
}): ReactNode {
  const others = records?.filter(({ id }) => id !== except).slice(0, SHOWN);
  return (
    <DescriptionList title={title}>
      {others === undefined ? (
        <Skeleton height={60} />
      ) : others.length === 0 ? (
        <Text size="sm" c="dimmed">
          {none}
        </Text>
      ) : (
        <>
          <Table verticalSpacing={4} aria-label={title}>
            <Table.Tbody>
              {others.map((one) => (
                <Table.Tr key={one.id}>
                  <Table.Td px={0}>
                    <Anchor component={Link} to={pathOf(one.id)} size="xs" underline="always">
                      <RelativeTime at={one.createdAt} size="xs" />
                    </Anchor>
                  </Table.Td>
                  <Table.Td>
                    <Status kind={kind} of={one.status} size="sm" />
                  </Table.Td>
                  <Table.Td px={0} ta="right">
                    <Money cents={one.amount} size="xs" />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
          {children}
        </>
      )}
    </DescriptionList>
  );
}
