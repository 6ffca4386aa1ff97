import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { serverNow } from '../../api/clock.ts';
import { useMay } from '../../api/permissions.ts';
import { compact } from '../../app/search.ts';
import { FilterRow, TextFilter } from '../../components/filters.tsx';
import { useUpdateSearch } from '../../components/listing.tsx';
import { ErrorAlert, LoadingSkeleton, PageTitle } from '../../components/feedback.tsx';
import { PeriodFilter } from '../../components/period.tsx';
import { localDay } from '../../i18n/format.ts';
import { Answer } from './answer.tsx';
import { days } from './queries.ts';
import { DaysTable } from './days-table.tsx';
import { DifferencesTable } from './differences-table.tsx';
import { FilesTable } from './files-table.tsx';
import { ImportFile } from './import-file.tsx';

const page = getRouteApi('/operator/reconciliation');
const DAY_MS = 86_400_000;
/** Default period in days. The latest file is yesterday's. */
const DEFAULT_DAYS = 14;
const PROVIDER = /^[a-z0-9][a-z0-9-]{0,39}$/;

/** Compares provider settlements with the ledger, by day and then by difference. */
export function ReconciliationPage(): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const search = page.useSearch();
  const go = useUpdateSearch();
  const { cursor, ...chosen } = search;
  const { provider, day, kind } = chosen;
  const startDate = chosen.startDate ?? localDay(new Date(serverNow() - (DEFAULT_DAYS - 1) * DAY_MS));
  const endDate = chosen.endDate ?? localDay(new Date(serverNow()));
  const list = useQuery(days(compact({ provider, startDate, endDate })));
  return (
    <Stack>
      <PageTitle title={t('operator.reconciliation.title')} intro={t('operator.reconciliation.intro')} />
      {list.data === undefined || list.data.length === 0 ? null : (
        <Answer days={list.data} startDate={startDate} endDate={endDate} />
      )}
      {may('operator:write') ? <ImportFile /> : null}
      <FilterRow filters={search} onClear={() => go({})}>
        <PeriodFilter
          from={startDate}
          to={endDate}
          onChange={(period) => go({ ...chosen, ...period, day: undefined })}
        />
        <TextFilter
          label={t('operator.provider')}
          w={130}
          value={provider}
          valid={(text) => PROVIDER.test(text)}
          hint={t('operator.reconciliation.providerHint')}
          onChange={(next) => go({ ...chosen, provider: next })}
        />
      </FilterRow>
      {list.data === undefined ? (
        list.isError ? (
          <ErrorAlert error={list.error} retry={list.refetch} />
        ) : (
          <LoadingSkeleton />
        )
      ) : (
        <DaysTable days={list.data} day={day} onChoose={(next) => go({ ...chosen, day: next })} />
      )}
      <DifferencesTable
        period={day === undefined ? { startDate, endDate } : { day }}
        provider={provider}
        kind={kind}
        cursor={cursor}
        onChange={(next, to) => go({ ...chosen, ...next }, to)}
      />
      <FilesTable />
    </Stack>
  );
}
