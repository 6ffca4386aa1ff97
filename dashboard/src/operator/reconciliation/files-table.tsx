import { Paper, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { Money, RelativeTime } from '../../components/values.tsx';
import { ErrorAlert, LoadingSkeleton } from '../../components/feedback.tsx';
import { formatNumber } from '../../i18n/format.ts';
import { usePeople } from '../components/people.ts';
import { settlementFiles } from './queries.ts';
import { formatFullDay } from './format-day.ts';

/** The latest imported files. */
export function FilesTable(): ReactNode {
  const { t } = useTranslation();
  const nameOf = usePeople();
  const query = useQuery(settlementFiles());
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {t('operator.reconciliation.files')}
      </Title>
      {query.data === undefined ? (
        query.isError ? (
          <ErrorAlert error={query.error} retry={query.refetch} />
        ) : (
          <LoadingSkeleton count={2} />
        )
      ) : query.data.data.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('operator.reconciliation.noFiles')}
        </Text>
      ) : (
        <Paper withBorder>
          <Table.ScrollContainer minWidth={0}>
            <Table verticalSpacing="xs" aria-label={t('operator.reconciliation.files')}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('operator.reconciliation.day')}</Table.Th>
                  <Table.Th>{t('operator.provider')}</Table.Th>
                  <Table.Th ta="right">{t('operator.reconciliation.lines')}</Table.Th>
                  <Table.Th ta="right" visibleFrom="sm">
                    {t('operator.reconciliation.fileIn')}
                  </Table.Th>
                  <Table.Th visibleFrom="sm">{t('operator.reconciliation.importedBy')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {query.data.data.map((file) => (
                  <Table.Tr key={file.id}>
                    <Table.Td className="figures">{formatFullDay(file.day)}</Table.Td>
                    <Table.Td>{file.provider}</Table.Td>
                    <Table.Td ta="right" className="figures">
                      {formatNumber(file.lines)}
                    </Table.Td>
                    <Table.Td ta="right" visibleFrom="sm">
                      <Money cents={file.in} size="sm" />
                    </Table.Td>
                    <Table.Td visibleFrom="sm">
                      {nameOf(file.importedBy) ?? t('operator.deletedUser')},{' '}
                      <RelativeTime at={file.importedAt} size="sm" />
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        </Paper>
      )}
    </Stack>
  );
}
