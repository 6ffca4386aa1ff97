import { Anchor, Button, Group, Paper, SimpleGrid, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { CirclePlus, ReceiptText } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { useMay } from '../api/permissions.ts';
import { charges, wallet } from '../api/queries.ts';
import { useSampleCall } from '../charges/sample.ts';
import { Money, RelativeTime, Status } from '../pieces/figures.tsx';
import { EmptyState, ErrorNote, Lines, PageTitle } from '../pieces/notes.tsx';
import { sayMethod } from '../words/i18n.ts';
import { Attention } from './attention.tsx';

const LATEST = 8;

export function HomePage(): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  return (
    <Stack>
      <PageTitle title={t('home.title')}>
        {may('transactions:create') ? (
          <Button component={Link} to="/charges/new" leftSection={<CirclePlus size={16} aria-hidden />}>
            {t('charges.new')}
          </Button>
        ) : null}
      </PageTitle>
      <Balance />
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Latest />
        <Attention />
      </SimpleGrid>
    </Stack>
  );
}

function Figure({ cents, large = false }: { readonly cents: number | undefined; readonly large?: boolean }) {
  if (cents === undefined) return <Skeleton height={large ? 40 : 28} width={180} />;
  return <Money cents={cents} fz={large ? 32 : 22} fw={700} lh={1.25} display="block" />;
}

function Balance() {
  const { t } = useTranslation();
  const may = useMay();
  const query = useQuery(wallet());
  if (query.isError && query.data === undefined) {
    return <ErrorNote error={query.error} retry={query.refetch} />;
  }
  const { data } = query;
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }}>
      <Paper withBorder p="md">
        <Text size="sm" c="dimmed">
          {t('home.available')}
        </Text>
        <Figure cents={data?.availableBalance} large />
        <Group mt="xs" gap="md">
          {may('withdrawals:create') ? (
            <Button component={Link} to="/withdrawals/new" size="xs" variant="light">
              {t('home.withdraw')}
            </Button>
          ) : null}
          <Anchor component={Link} to="/statement" size="sm">
            {t('nav.statement')}
          </Anchor>
        </Group>
      </Paper>
      <Paper withBorder p="md">
        <Text size="sm" c="dimmed">
          {t('home.blocked')}
        </Text>
        <Figure cents={data?.blockedBalance} />
        <Text size="sm" c="dimmed" mt="xs">
          {t('home.blockedWhy')}
        </Text>
      </Paper>
      <Paper withBorder p="md">
        <Text size="sm" c="dimmed">
          {t('home.byOrigin')}
        </Text>
        <Stack gap={4} mt={4}>
          {(['PIX', 'BOLETO', 'CARD'] as const).map((origin) => (
            <Group key={origin} justify="space-between">
              <Anchor component={Link} to={`/statement?origin=${origin}`} size="sm">
                {t(`method.${origin}`)}
              </Anchor>
              {data === undefined ? (
                <Skeleton height={18} width={90} />
              ) : (
                <Money cents={data.byOrigin[origin].totalBalance} size="sm" />
              )}
            </Group>
          ))}
        </Stack>
      </Paper>
    </SimpleGrid>
  );
}

function Latest() {
  const { t } = useTranslation();
  const may = useMay();
  const navigate = useNavigate();
  const query = useQuery(charges({ take: LATEST }));
  const command = useSampleCall();
  const rows = query.data?.data;
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          {t('home.latest')}
        </Title>
        <Anchor component={Link} to="/charges" size="sm">
          {t('common.seeAll')}
        </Anchor>
      </Group>
      {query.isError && rows === undefined ? <ErrorNote error={query.error} retry={query.refetch} /> : null}
      {query.isPending ? <Lines count={LATEST} height={34} /> : null}
      {rows?.length === 0 ? (
        <EmptyState
          icon={<ReceiptText />}
          title={t('home.firstTitle')}
          hint={t('home.firstHint')}
          command={command}
          action={
            may('transactions:create') ? (
              <Button component={Link} to="/charges/new">
                {t('charges.new')}
              </Button>
            ) : null
          }
        />
      ) : null}
      {rows === undefined || rows.length === 0 ? null : (
        <Table highlightOnHover aria-label={t('home.latest')}>
          <Table.Tbody>
            {rows.map((row) => (
              <Table.Tr
                key={row.id}
                className="openable"
                onClick={() => void navigate({ to: '/charges/$id', params: { id: row.id } })}
              >
                <Table.Td>
                  <Anchor component={Link} to={`/charges/${row.id}`} size="sm">
                    {sayMethod(row.method)}
                  </Anchor>
                </Table.Td>
                <Table.Td visibleFrom="xs">
                  <RelativeTime at={row.createdAt} size="sm" c="dimmed" />
                </Table.Td>
                <Table.Td>
                  <Status kind="charge" of={row.status} size="sm" />
                </Table.Td>
                <Table.Td ta="right">
                  <Money cents={row.amount} size="sm" fw={600} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Paper>
  );
}
