import { Box, Paper, Table, Text, VisuallyHidden } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { SearchX } from 'lucide-react';
import { useTranslation } from 'react-i18next';

import type { FoundCharge } from '../api/queries.ts';
import { onRowKey } from '../components/cursor-table.tsx';
import { Money, RelativeTime, Status } from '../components/values.tsx';
import { EmptyState, ErrorAlert, LoadingSkeleton } from '../components/feedback.tsx';
import { formatMoney } from '../i18n/format.ts';
import { chargeOutcome } from '../i18n/statuses.ts';
import { methodLabel } from '../i18n/find-text.ts';

const MAX_RESULTS = 20;

type SearchResult = FoundCharge & { readonly sellerName?: string };

/** Search results, newest first; with their sellers for operators. */
export function ChargeSearchResults({
  text,
  query,
  onOpen,
}: {
  readonly text: string;
  readonly query: UseQueryResult<{ readonly found: readonly SearchResult[] }>;
  readonly onOpen: (id: string) => void;
}) {
  const { t } = useTranslation();
  if (query.isError && query.data === undefined) {
    return <ErrorAlert error={query.error} retry={query.refetch} />;
  }
  const found = query.data?.found;
  const isShown = found !== undefined && found.length > 0;
  return (
    <Paper withBorder={isShown} radius="md">
      {found === undefined ? <LoadingSkeleton count={6} /> : null}
      {isShown ? <ResultTable found={found} onOpen={onOpen} /> : null}
      {found?.length === 0 ? (
        <EmptyState
          icon={<SearchX />}
          title={t('charges.foundNothing', { text })}
          hint={t('charges.foundNothingHint', { example: formatMoney(1_500) })}
        />
      ) : null}
      {/* Stays while the results change, so that a screen reader says how many there are. */}
      <Box role="status" p={isShown ? 'sm' : 0} className="no-print">
        {isShown ? (
          <Text size="sm" c="dimmed">
            {found.length < MAX_RESULTS ? t('list.count', { count: found.length }) : t('charges.searchMost')}
          </Text>
        ) : (
          <VisuallyHidden>{found === undefined ? '' : t('list.none')}</VisuallyHidden>
        )}
      </Box>
    </Paper>
  );
}

function ResultTable({
  found,
  onOpen,
}: {
  readonly found: readonly SearchResult[];
  readonly onOpen: (id: string) => void;
}) {
  const { t } = useTranslation();
  return (
    <Table highlightOnHover verticalSpacing="sm" aria-label={t('charges.title')}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('charges.payer')}</Table.Th>
          <Table.Th visibleFrom="sm">{t('common.description')}</Table.Th>
          <Table.Th visibleFrom="sm">{t('common.created')}</Table.Th>
          <Table.Th visibleFrom="sm">{t('common.method')}</Table.Th>
          <Table.Th visibleFrom="sm">{t('common.status')}</Table.Th>
          <Table.Th ta="right">{t('common.amount')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {found.map((row) => (
          <ResultRow key={row.id} row={row} onOpen={() => onOpen(row.id)} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

function ResultRow({ row, onOpen }: { readonly row: SearchResult; readonly onOpen: () => void }) {
  const { amount, customer, description, createdAt, method, status, refundedAmount, sellerName } = row;
  return (
    <Table.Tr
      tabIndex={0}
      className="openable"
      onClick={onOpen}
      onKeyDown={(event) => onRowKey(event, onOpen)}
    >
      <Table.Td className="cut" w={{ base: '70%', sm: '35%' }}>
        <Text size="sm" truncate>
          {customer.name}
        </Text>
        <Text size="xs" c="dimmed" truncate>
          {customer.email}
        </Text>
        {sellerName === undefined ? null : (
          <Text size="xs" c="dimmed" truncate>
            {sellerName}
          </Text>
        )}
        <Box hiddenFrom="sm">
          <Text size="xs" c="dimmed" truncate>
            {description}
          </Text>
          <RelativeTime at={createdAt} size="xs" c="dimmed" />
        </Box>
      </Table.Td>
      <Table.Td visibleFrom="sm" className="cut" w="25%">
        <Text size="sm" truncate>
          {description}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <RelativeTime at={createdAt} size="sm" />
      </Table.Td>
      <Table.Td visibleFrom="sm">{methodLabel(method)}</Table.Td>
      <Table.Td visibleFrom="sm">
        <Status kind="charge" of={chargeOutcome(method, status, null, refundedAmount)} />
      </Table.Td>
      <Table.Td ta="right">
        <Money cents={amount} fw={600} size="sm" />
        <Box hiddenFrom="sm">
          <Status kind="charge" of={chargeOutcome(method, status, null, refundedAmount)} size="sm" />
        </Box>
      </Table.Td>
    </Table.Tr>
  );
}
