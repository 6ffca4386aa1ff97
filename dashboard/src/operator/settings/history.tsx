import { Anchor, Paper, Stack, Text, Title } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { ErrorAlert, LoadingSkeleton } from '../../components/feedback.tsx';
import { RelativeTime } from '../../components/values.tsx';
import { capitalize } from '../../i18n/format.ts';
import { changes, formatValue } from '../audit/changes.ts';
import { actionLabel, actorLabel, fieldLabel } from '../components/labels.ts';
import { auditLog, type AuditEntry } from '../queries.ts';

const ACTIONS = [
  'settings.updated',
  'provider.order-changed',
  'provider.paused',
  'provider.resumed',
] as const;
const SHOWN = 8;

/** The latest changes of what is on this screen: who changed what, and when. */
export function SettingsHistory(): ReactNode {
  const { t } = useTranslation();
  const queries = useQueries({ queries: ACTIONS.map((action) => auditLog({ action, take: SHOWN })) });
  const failed = queries.find(({ isError, data }) => isError && data === undefined);
  const entries = queries
    .flatMap(({ data }) => data?.data ?? [])
    .toSorted((a, b) => b.at.localeCompare(a.at))
    .slice(0, SHOWN);
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {t('operator.settings.sections.history')}
      </Title>
      {failed === undefined ? null : <ErrorAlert error={failed.error} retry={failed.refetch} />}
      {queries.some(({ isPending }) => isPending) ? (
        <LoadingSkeleton count={2} />
      ) : entries.length === 0 ? (
        <Text size="sm">{t('operator.settings.noHistory')}</Text>
      ) : (
        <Paper withBorder p="md">
          <Stack gap="sm">
            {entries.map((entry) => (
              <Entry key={entry.id} entry={entry} />
            ))}
          </Stack>
        </Paper>
      )}
      <Anchor component={Link} to="/operator/audit" size="sm" underline="always">
        {t('operator.settings.allHistory')}
      </Anchor>
    </Stack>
  );
}

function Entry({ entry }: { readonly entry: AuditEntry }): ReactNode {
  const { t } = useTranslation();
  const { action, actor, at, before, after, recordType } = entry;
  const isChange = before !== null && after !== null;
  return (
    <div>
      <Text size="sm" fw={600}>
        {actionLabel(action)}
      </Text>
      {changes(before, after).map(({ member, was, is }) => {
        const from = formatValue(recordType, member, was);
        const to = formatValue(recordType, member, is);
        return (
          <Text key={member} size="sm" style={{ overflowWrap: 'anywhere' }}>
            {member.split('.').map(fieldLabel).join(' · ')}:{' '}
            {isChange ? t('operator.settings.fromTo', { from, to }) : is === undefined ? from : to}
          </Text>
        );
      })}
      <Text size="xs" c="dimmed">
        {actor.name ?? capitalize(actorLabel(actor.kind))}, <RelativeTime at={at} size="xs" />
      </Text>
    </div>
  );
}
