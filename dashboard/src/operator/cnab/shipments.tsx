import { Alert, Button, Group, Select, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { Download } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { api, unwrap, download } from '../../api/client.ts';
import { useMay } from '../../api/permissions.ts';
import { compact, oneOf } from '../../app/search.ts';
import { CursorTable, type Column } from '../../components/cursor-table.tsx';
import { Money, RelativeTime } from '../../components/values.tsx';
import { ChoiceFilter } from '../../components/filters.tsx';
import { ErrorAlert, notify, notifyError } from '../../components/feedback.tsx';
import { formatNumber } from '../../i18n/format.ts';
import { refresh } from '../queries.ts';
import { shipments, type BankExchange, type Shipment } from './queries.ts';

const SERVICES = ['BOLETOS', 'TRANSFERS', 'PIX'] as const;
type Service = (typeof SERVICES)[number];
const TAKE = 10;

const serviceOptions = (t: TFunction) =>
  SERVICES.map((value) => ({ value, label: t(`operator.cnab.services.${value}`) }));

/** Shipment files for the bank, with a button to generate the next. */
export function Shipments({
  service,
  cursor,
  onChange,
  exchanged,
}: {
  readonly service: string | undefined;
  readonly cursor: string | undefined;
  readonly onChange: (service: string | undefined, cursor?: string) => void;
  /** The services exchanged by file; undefined while loading. */
  readonly exchanged: BankExchange['services'] | undefined;
}): ReactNode {
  const { t } = useTranslation();
  const mayWrite = useMay()('operator:write');
  const next = useNextShipment(exchanged);
  const list = useQuery(shipments(compact({ service: oneOf(SERVICES, service), cursor, take: TAKE })));
  return (
    <Stack gap="xs">
      <Group justify="space-between" align="flex-end">
        <Title order={2} size="h4">
          {t('operator.cnab.shipments')}
        </Title>
        <Group gap="xs" align="flex-end">
          <ChoiceFilter
            label={t('operator.cnab.service')}
            placeholder={t('common.any')}
            data={serviceOptions(t)}
            value={service}
            onChange={(chosen) => onChange(chosen)}
          />
          {mayWrite ? <CreateShipment next={next} /> : null}
        </Group>
      </Group>
      {mayWrite ? <CreationHint canCreate={next.canCreate} /> : null}
      <ErrorAlert error={next.creation.error} />
      <CursorTable
        label={t('operator.cnab.shipments')}
        query={list}
        onPage={(to) => onChange(service, to)}
        columns={useColumns()}
        empty={
          <Text size="sm" c="dimmed">
            {t('operator.cnab.noShipments')}
          </Text>
        }
      />
    </Stack>
  );
}

/** The service of the next shipment and its creation. */
function useNextShipment(exchanged: BankExchange['services'] | undefined) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<Service>();
  const service = chosen ?? exchanged?.[0] ?? 'BOLETOS';
  const canCreate = exchanged === undefined || exchanged.includes(service);
  const creation = useMutation({
    mutationFn: async () => (await unwrap(api.POST('/v1/admin/cnab/shipments', { body: { service } }))).data,
    onSuccess: async ({ number }) => {
      notify(t('operator.cnab.created', { number }));
      await refresh('shipments', 'audit');
    },
  });
  return { service, choose: setChosen, canCreate, creation };
}

function CreateShipment({
  next: { service, choose, canCreate, creation },
}: {
  readonly next: ReturnType<typeof useNextShipment>;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      <Select
        size="xs"
        w={150}
        label={t('operator.cnab.newShipment')}
        allowDeselect={false}
        data={serviceOptions(t)}
        value={service}
        onChange={(chosen) => choose(oneOf(SERVICES, chosen ?? ''))}
      />
      <Button
        size="xs"
        disabled={!canCreate}
        aria-describedby={canCreate ? undefined : 'not-set-up'}
        loading={creation.isPending}
        onClick={() => creation.mutate()}
      >
        {t('operator.cnab.create')}
      </Button>
    </>
  );
}

function CreationHint({ canCreate }: { readonly canCreate: boolean }): ReactNode {
  const { t } = useTranslation();
  return canCreate ? (
    <Text size="sm" c="dimmed">
      {t('operator.cnab.createDescription')}
    </Text>
  ) : (
    <Alert color="gray" variant="light" id="not-set-up">
      {t('operator.cnab.notSetUp')}
    </Alert>
  );
}

function useColumns(): readonly Column<Shipment>[] {
  const { t } = useTranslation();
  const mayWrite = useMay()('operator:write');
  return [
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
      key: 'service',
      header: t('operator.cnab.service'),
      phone: true,
      cell: (row) => t(`operator.cnab.services.${row.service}`),
    },
    {
      key: 'made',
      header: t('operator.cnab.createdAt'),
      cell: (row) => <RelativeTime at={row.madeAt} size="sm" />,
    },
    {
      key: 'records',
      header: t('operator.cnab.records'),
      right: true,
      cell: (row) => formatNumber(row.registrations + row.writeOffs + row.payments),
    },
    {
      key: 'amount',
      header: t('common.amount'),
      right: true,
      cell: (row) => <Money cents={row.amount} size="sm" fw={600} />,
    },
    {
      key: 'file',
      header: t('common.actions'),
      right: true,
      phone: true,
      cell: (row) => (mayWrite ? <DownloadButton shipment={row} /> : ''),
    },
  ];
}

function DownloadButton({ shipment }: { readonly shipment: Shipment }): ReactNode {
  const { t } = useTranslation();
  return (
    <Button
      size="compact-sm"
      variant="default"
      leftSection={<Download size={14} aria-hidden />}
      aria-label={`${t('operator.cnab.download')} ${shipment.number}`}
      onClick={() => {
        const kind = t(`operator.cnab.fileNames.${shipment.service}`);
        const name = `${kind}-${String(shipment.number).padStart(6, '0')}.rem`;
        download(`/v1/admin/cnab/shipments/${shipment.id}/file`, name).catch(notifyError);
      }}
    >
      {t('operator.cnab.download')}
    </Button>
  );
}
