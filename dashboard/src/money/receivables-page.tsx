import '@mantine/dates/styles.css';

import {
  Alert,
  Anchor,
  Button,
  Divider,
  Grid,
  Group,
  Indicator,
  Paper,
  Stack,
  Table,
  Text,
  Title,
} from '@mantine/core';
import { DatePicker } from '@mantine/dates';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { ORIGINS } from '../../../src/accounting/ledger/entries.ts';
import { releasedSales, releases, type ReleasedSale, type Releases } from '../api/queries.ts';
import { compact } from '../app/search.ts';
import { ErrorAlert, LoadingSkeleton, PageTitle } from '../components/feedback.tsx';
import { LocalDates, useCalendarNames } from '../components/period.tsx';
import { Money } from '../components/values.tsx';
import { formatDay, formatMoney } from '../i18n/format.ts';
import { BLOCKED_BY, releaseDays, sumOf } from './release-days.ts';

const page = getRouteApi('/receivables');
const TAKE = 50;

/** When blocked money becomes available, from which sales, and what else is blocked. */
export function ReceivablesPage(): ReactNode {
  const { t } = useTranslation();
  const query = useQuery(releases());
  const { startDate, endDate = startDate } = page.useSearch();
  if (query.isError && query.data === undefined) {
    return <ErrorAlert error={query.error} retry={query.refetch} />;
  }
  return (
    <Stack>
      <PageTitle title={t('receivables.title')} intro={t('receivables.intro')} />
      {query.data === undefined ? (
        <LoadingSkeleton count={8} />
      ) : (
        <Grid>
          <Grid.Col span={{ base: 12, md: 5 }}>
            <Stack>
              <DayCalendar releases={query.data} />
              <Blocked releases={query.data} />
            </Stack>
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 7 }}>
            {startDate === undefined || endDate === undefined ? (
              <Days releases={query.data} />
            ) : (
              <Sales startDate={startDate} endDate={endDate} />
            )}
          </Grid.Col>
        </Grid>
      )}
    </Stack>
  );
}

function DayCalendar({ releases: { upcoming } }: { readonly releases: Releases }) {
  const { startDate, endDate } = page.useSearch();
  const navigate = page.useNavigate();
  const names = useCalendarNames();
  const days = new Map(releaseDays(upcoming).map(({ day, amount }) => [day, amount]));
  return (
    <Paper withBorder p="md">
      <LocalDates>
        <DatePicker
          mx="auto"
          fullWidth
          {...names}
          value={startDate !== undefined && startDate === endDate ? startDate : null}
          onChange={(day) =>
            void navigate({
              to: '/receivables',
              search: day === null ? {} : { startDate: day, endDate: day },
            })
          }
          getDayProps={(day) => {
            const amount = days.get(day);
            return amount === undefined
              ? { disabled: true }
              : { 'aria-label': `${formatDay(day)}: ${formatMoney(amount)}`, fw: 700 };
          }}
          renderDay={(day) => (
            <Indicator size={6} color="green" offset={-3} disabled={!days.has(day)}>
              <div>{Number(day.slice(-2))}</div>
            </Indicator>
          )}
        />
      </LocalDates>
    </Paper>
  );
}

/** The parts of the blocked balance, which they add up to. */
function Blocked({ releases: { blocked, laterAmount, upcoming } }: { readonly releases: Releases }) {
  const { t } = useTranslation();
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h4" mb="xs">
        {t('home.blocked')}
      </Title>
      <Stack gap={6}>
        {ORIGINS.map((origin) => {
          const amount = sumOf(upcoming.filter((one) => one.origin === origin));
          return amount === 0 ? null : (
            <Line key={origin} cents={amount}>
              <Text size="sm">{t('receivables.fromOrigin', { origin: t(`method.${origin}`) })}</Text>
            </Line>
          );
        })}
        {laterAmount === 0 ? null : (
          <Line cents={laterAmount}>
            <Text size="sm">{t('receivables.later')}</Text>
          </Line>
        )}
        <Divider />
        <Line cents={blocked.retention} bold>
          <Text size="sm" fw={600}>
            {t('receivables.total')}
          </Text>
        </Line>
        {BLOCKED_BY.map(([cause, to]) =>
          cause === 'retention' || blocked[cause] === 0 ? null : (
            <Line key={cause} cents={blocked[cause]}>
              <Anchor component={Link} to={to} size="sm">
                {t(`home.blockedBy.${cause}`)}
              </Anchor>
            </Line>
          ),
        )}
        <Divider />
        <Line cents={blocked.total} bold>
          <Text size="sm" fw={600}>
            {t('receivables.blockedTotal')}
          </Text>
        </Line>
      </Stack>
    </Paper>
  );
}

function Line({
  cents,
  bold = false,
  children,
}: {
  readonly cents: number;
  readonly bold?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <Group justify="space-between" wrap="nowrap" gap="xs">
      {children}
      <Money cents={cents} size="sm" fw={bold ? 600 : 400} />
    </Group>
  );
}

function Days({ releases: { upcoming, laterAmount } }: { readonly releases: Releases }) {
  const { t } = useTranslation();
  const days = releaseDays(upcoming);
  if (days.length === 0 && laterAmount === 0) {
    return <Alert color="gray">{t('home.noReleases')}</Alert>;
  }
  return (
    <Paper withBorder>
      <Table verticalSpacing="xs" aria-label={t('receivables.days')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('common.date')}</Table.Th>
            <Table.Th>{t('common.origin')}</Table.Th>
            <Table.Th ta="right">{t('common.amount')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {days.map(({ day, origins, amount }) => (
            <Table.Tr key={day}>
              <Table.Td>
                <Anchor component={Link} to={`/receivables?startDate=${day}&endDate=${day}`} size="sm">
                  {formatDay(day)}
                </Anchor>
              </Table.Td>
              <Table.Td>
                <Text size="sm">{origins.map((origin) => t(`method.${origin}`)).join(', ')}</Text>
              </Table.Td>
              <Table.Td ta="right">
                <Money cents={amount} size="sm" fw={600} />
              </Table.Td>
            </Table.Tr>
          ))}
          {laterAmount === 0 ? null : (
            <Table.Tr>
              <Table.Td colSpan={2}>{t('receivables.later')}</Table.Td>
              <Table.Td ta="right">
                <Money cents={laterAmount} size="sm" fw={600} />
              </Table.Td>
            </Table.Tr>
          )}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

function Sales({ startDate, endDate }: { readonly startDate: string; readonly endDate: string }) {
  const { t } = useTranslation();
  const navigate = page.useNavigate();
  const search = page.useSearch();
  const skip = Number(search.skip ?? 0) || 0;
  const query = useQuery(releasedSales({ startDate, endDate, take: TAKE, skip }));
  const go = (next: number) =>
    void navigate({
      to: '/receivables',
      search: compact({ ...search, skip: next === 0 ? undefined : String(next) }),
    });
  if (query.isError && query.data === undefined) {
    return <ErrorAlert error={query.error} retry={query.refetch} />;
  }
  if (query.data === undefined) return <LoadingSkeleton count={6} />;
  const { data, count, amount } = query.data;
  const period =
    startDate === endDate ? formatDay(startDate) : `${formatDay(startDate)} – ${formatDay(endDate)}`;
  return (
    <Stack gap="xs">
      <Anchor component={Link} to="/receivables" activeOptions={{ exact: true }} size="sm">
        ← {t('receivables.allDays')}
      </Anchor>
      <Group justify="space-between">
        <Title order={2} size="h4">
          {t('receivables.salesOf', { period })}
        </Title>
        <Money cents={amount} fw={700} />
      </Group>
      {data.length === 0 ? <Alert color="gray">{t('home.noReleases')}</Alert> : null}
      <Paper withBorder hidden={data.length === 0}>
        <Table verticalSpacing="xs" aria-label={t('receivables.salesOf', { period })}>
          <Table.Tbody>
            {data.map((sale) => (
              <SaleRow key={sale.id} sale={sale} withDay={startDate !== endDate} />
            ))}
          </Table.Tbody>
        </Table>
      </Paper>
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {t('list.count', { count })}
        </Text>
        <Group gap="xs">
          {skip === 0 ? null : (
            <Button size="xs" variant="default" onClick={() => go(Math.max(0, skip - TAKE))}>
              {t('list.previous')}
            </Button>
          )}
          {skip + TAKE >= count ? null : (
            <Button size="xs" variant="default" onClick={() => go(skip + TAKE)}>
              {t('list.next')}
            </Button>
          )}
        </Group>
      </Group>
    </Stack>
  );
}

function SaleRow({ sale, withDay }: { readonly sale: ReleasedSale; readonly withDay: boolean }) {
  const { t } = useTranslation();
  return (
    <Table.Tr>
      <Table.Td className="cut" w="60%">
        <Anchor component={Link} to={`/charges/${sale.transactionId}`} size="sm" fw={600}>
          {sale.customerName}
        </Anchor>
        <Text size="xs" c="dimmed" truncate>
          {[sale.description, sale.externalRef].filter(Boolean).join(' · ')}
        </Text>
      </Table.Td>
      <Table.Td>
        <Text size="sm">{t(`method.${sale.origin}`)}</Text>
        {sale.installments === null || sale.installments === 1 ? null : (
          <Text size="xs" c="dimmed" className="figures">
            {sale.number}/{sale.installments}
          </Text>
        )}
      </Table.Td>
      <Table.Td ta="right">
        <Money cents={sale.amount} size="sm" fw={600} />
        {withDay ? (
          <Text size="xs" c="dimmed">
            {formatDay(sale.day)}
          </Text>
        ) : null}
      </Table.Td>
    </Table.Tr>
  );
}
