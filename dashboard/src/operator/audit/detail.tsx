import { Stack, Table, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { DescriptionItem, DescriptionList } from '../../components/description-list.tsx';
import { DateTime, Id } from '../../components/values.tsx';
import { capitalize } from '../../i18n/format.ts';
import { actionLabel, actorLabel, fieldLabel, recordTypeLabel, roleLabel } from '../components/labels.ts';
import type { AuditEntry } from '../queries.ts';
import { changes, formatValue, isAmount, type MemberChange } from './changes.ts';

/** Details of an audit entry: who made the change, and each changed member before and after. */
export function AuditDetail({ entry }: { readonly entry: AuditEntry }): ReactNode {
  const { t } = useTranslation();
  const { actor, before, after } = entry;
  const rows = changes(before, after);
  return (
    <Stack>
      <Title order={2} size="h4">
        {actionLabel(entry.action)}
      </Title>
      <DescriptionList>
        <DescriptionItem name={t('operator.audit.when')}>
          <DateTime at={entry.at} size="sm" />
        </DescriptionItem>
        <DescriptionItem name={t('operator.audit.who')}>
          {actor.name ?? capitalize(actorLabel(actor.kind))}
          {actor.role === null ? null : ` · ${roleLabel(actor.role)}`}
          {actor.keyPrefix === null ? null : ` · ${actor.keyPrefix}…`}
          {actor.id === null ? null : <Id id={actor.id} />}
        </DescriptionItem>
        <DescriptionItem name={recordTypeLabel(entry.recordType)}>
          {entry.recordId === null ? '—' : <Id id={entry.recordId} />}
        </DescriptionItem>
        {entry.sellerId === null || entry.sellerId === entry.recordId ? null : (
          <DescriptionItem name={t('operator.seller')}>
            <Id id={entry.sellerId} />
          </DescriptionItem>
        )}
        {entry.requestId === null ? null : (
          <DescriptionItem name={t('operator.audit.request')}>
            <Id id={entry.requestId} />
          </DescriptionItem>
        )}
      </DescriptionList>
      <DescriptionList
        title={
          before === null
            ? t('operator.audit.createdWith')
            : after === null
              ? t('operator.audit.deletedWith')
              : t('operator.audit.changes')
        }
      >
        {rows.length === 0 ? (
          <Text size="sm" c="dimmed">
            {t('operator.audit.nothing')}
          </Text>
        ) : (
          <ChangesTable entry={entry} rows={rows} />
        )}
      </DescriptionList>
    </Stack>
  );
}

function ChangesTable({
  entry: { action, recordType, before, after },
  rows,
}: {
  readonly entry: AuditEntry;
  readonly rows: readonly MemberChange[];
}): ReactNode {
  const { t } = useTranslation();
  // It is an entry of the subscription, with the status of the invoice.
  const type = action === 'subscription.invoice-retried' ? 'invoice' : recordType;
  return (
    <Table verticalSpacing="xs" aria-label={t('operator.audit.changes')}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('operator.audit.field')}</Table.Th>
          {before === null ? null : <Table.Th>{t('operator.audit.before')}</Table.Th>}
          {after === null ? null : (
            <Table.Th>{t(`operator.audit.${before === null ? 'value' : 'after'}`)}</Table.Th>
          )}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(({ member, was, is }) => (
          <Table.Tr key={member}>
            <Table.Td>{member.split('.').map(fieldLabel).join(' · ')}</Table.Td>
            {before === null ? null : (
              <Table.Td className={isAmount(member) ? 'figures' : 'whole'}>
                <Text component="del" size="sm" c="dimmed">
                  {formatValue(type, member, was)}
                </Text>
              </Table.Td>
            )}
            {after === null ? null : (
              <Table.Td className={isAmount(member) ? 'figures' : 'whole'}>
                <Text component="ins" size="sm" fw={600} td="none">
                  {formatValue(type, member, is)}
                </Text>
              </Table.Td>
            )}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
