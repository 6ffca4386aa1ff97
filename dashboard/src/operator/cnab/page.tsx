import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { useMay } from '../../api/permissions.ts';
import { useUpdateSearch } from '../../components/listing.tsx';
import { ErrorAlert, PageTitle } from '../../components/feedback.tsx';
import { Panel } from '../../components/overlay.tsx';
import { bankExchange } from './queries.ts';
import { BankReturnPanel } from './return-panel.tsx';
import { Returns } from './returns.tsx';
import { Shipments } from './shipments.tsx';
import { ImportReturn } from './import-return.tsx';

const page = getRouteApi('/operator/cnab');

/** CNAB file exchange with the bank. */
export function CnabPage(): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const search = page.useSearch();
  const go = useUpdateSearch();
  const { open, cursor, ...chosen } = search;
  const exchange = useQuery(bankExchange());
  return (
    <Stack>
      <PageTitle title={t('operator.cnab.title')} intro={t('operator.cnab.intro')} />
      <ErrorAlert error={exchange.error} retry={exchange.refetch} />
      <Shipments
        service={chosen.service}
        cursor={cursor}
        onChange={(service, to) => go({ ...chosen, service }, to)}
        exchanged={exchange.data?.services}
      />
      {may('operator:write') && typeof exchange.data?.bankCode === 'string' ? (
        <ImportReturn onImported={(id) => go({ ...chosen, open: id }, cursor)} />
      ) : null}
      <Returns
        cursor={chosen.returnsCursor}
        onOpen={(id) => go({ ...chosen, open: id }, cursor)}
        onPage={(returnsCursor) => go({ ...chosen, returnsCursor }, cursor)}
      />
      <Panel
        opened={open !== undefined}
        row={open}
        onClose={() => go(chosen, cursor)}
        title={t('operator.cnab.bankReturn')}
      >
        {open === undefined ? null : <BankReturnPanel id={open} />}
      </Panel>
    </Stack>
  );
}
