import { Anchor, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { DescriptionList } from '../../components/description-list.tsx';
import { Money, Status } from '../../components/values.tsx';
import { ErrorAlert, LoadingSkeleton } from '../../components/feedback.tsx';
import { formatNumber } from '../../i18n/format.ts';
import { lineKindLabel } from '../components/labels.ts';
import { reasonLabel } from './line-panel.tsx';
import { bankReturn, type BankReturnLine } from './queries.ts';

/** Result of a bank return file: totals by kind, then the lines that need attention. */
export function BankReturnPanel({ id }: { readonly id: string }): ReactNode {
  const { t } = useTranslation();
  const query = useQuery(bankReturn(id));
  if (query.data === undefined) {
    return query.isError ? <ErrorAlert error={query.error} retry={query.refetch} /> : <LoadingSkeleton />;
  }
  const { bankCode, number, counts, problems, problemCount } = query.data;
  return (
    <Stack>
      <Title order={2} size="h4">
        {bankCode} · {number}
      </Title>
      <DescriptionList title={t('operator.cnab.summary')}>
        <Table verticalSpacing={4} aria-label={t('operator.cnab.summary')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th px={0}>{t('operator.providerEvents.kind')}</Table.Th>
              <Table.Th>{t('operator.providerEvents.outcome')}</Table.Th>
              <Table.Th ta="right">{t('operator.cnab.lines')}</Table.Th>
              <Table.Th ta="right" px={0}>
                {t('common.amount')}
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {counts.map((one) => (
              <Table.Tr key={`${one.kind}-${one.outcome}`}>
                <Table.Td px={0}>{lineKindLabel(one.kind)}</Table.Td>
                <Table.Td>
                  <Status kind="operator.providerEvent" of={one.outcome ?? 'WAITING'} size="sm" />
                </Table.Td>
                <Table.Td ta="right" className="figures">
                  {formatNumber(one.lines)}
                </Table.Td>
                <Table.Td ta="right" px={0}>
                  <Money cents={one.amount} size="sm" />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </DescriptionList>
      <DescriptionList
        title={
          problemCount === 0
            ? t('operator.cnab.noProblems')
            : t('operator.cnab.problems', { count: problemCount })
        }
      >
        {problems.map((line) => (
          <Problem key={`${line.line}-${line.record}`} returnId={id} line={line} />
        ))}
      </DescriptionList>
    </Stack>
  );
}

/** A line that waits for a decision, linked to the queue of such lines. */
function Problem({
  returnId,
  line,
}: {
  readonly returnId: string;
  readonly line: BankReturnLine;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <Stack gap={0}>
      <Text size="sm" fw={600}>
        {t('operator.cnab.line', { line: line.line })} · {lineKindLabel(line.kind)}
      </Text>
      <Text size="sm" c="dimmed" className="whole">
        {[line.record, reasonLabel(line.reason ?? '')].filter(Boolean).join(' · ')}
      </Text>
      <Anchor
        component={Link}
        to={`/operator/return-lines?open=${returnId}.${line.line}`}
        size="sm"
        underline="always"
        aria-label={t('operator.returnLines.reviewLine', { line: line.line })}
      >
        {t('operator.returnLines.review')}
      </Anchor>
    </Stack>
  );
}
