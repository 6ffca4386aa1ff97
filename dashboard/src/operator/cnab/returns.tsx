import { Badge, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { compact } from '../../app/search.ts';
import { CursorTable } from '../../components/cursor-table.tsx';
import { RelativeTime } from '../../components/values.tsx';
import { formatNumber } from '../../i18n/format.ts';
import { bankReturns } from './queries.ts';

const TAKE = 20;

/** Bank return files, newest first. */
export function Returns({
  cursor,
  onOpen,
  onPage,
}: {
  readonly cursor: string | undefined;
  readonly onOpen: (id: string) => void;
  readonly onPage: (cursor: string | undefined) => void;
}): ReactNode {
  const { t } = useTranslation();
  const list = useQuery(bankReturns(compact({ cursor, take: TAKE })));
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {t('operator.cnab.returns')}
      </Title>
      <CursorTable
        label={t('operator.cnab.returns')}
        query={list}
        onOpen={({ id }) => onOpen(id)}
        cursorName="returnsCursor"
        onPage={onPage}
        columns={[
          {
            key: 'number',
            header: t('operator.cnab.number'),
            phone: true,
            cell: (row) => (
              <Text span size="sm" fw={600} className="figures">
                {row.bankCode} · {row.number}
              </Text>
            ),
          },
          {
            key: 'taken',
            header: t('operator.cnab.importedAt'),
            phone: true,
            cell: (row) => <RelativeTime at={row.takenAt} size="sm" />,
          },
          {
            key: 'problems',
            header: t('operator.cnab.toReview'),
            phone: true,
            cell: (row) => (
              <Text span size="sm" fw={row.problemCount === 0 ? 400 : 600} className="figures">
                {formatNumber(row.problemCount)}
              </Text>
            ),
          },
          {
            key: 'state',
            header: t('operator.cnab.state'),
            cell: (row) => (
              <Badge color={row.completedAt === null ? 'orange' : 'green'} variant="light" tt="none">
                {t(`operator.cnab.${row.completedAt === null ? 'incomplete' : 'complete'}`)}
              </Badge>
            ),
          },
        ]}
        empty={
          <Text size="sm" c="dimmed">
            {t('operator.cnab.noReturns')}
          </Text>
        }
      />
    </Stack>
  );
}
