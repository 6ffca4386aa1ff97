import { Anchor, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/** Links to what other screens know about a record. */
export function RecordLinks({
  id,
  more = [],
}: {
  readonly id: string;
  readonly more?: readonly (readonly [to: string, name: string])[];
}): ReactNode {
  const { t } = useTranslation();
  const links = [
    [`/operator/audit?recordId=${id}`, t('operator.audit.title')],
    [`/operator/provider-events?recordId=${id}`, t('operator.providerEvents.title')],
    ...more,
  ] as const;
  return (
    <Group gap="md">
      {links.map(([to, name]) => (
        <Anchor key={to} component={Link} to={to} size="sm" underline="always">
          {name}
        </Anchor>
      ))}
    </Group>
  );
}
