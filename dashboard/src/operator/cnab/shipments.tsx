import { Alert, Button, Group, Select, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { api, unwrap, download } from '../../api/client.ts';
import { useMay } from '../../api/permissions.ts';
import { compact, oneOf } from '../../app/search.ts';
import { CursorTable } from '../../components/cursor-table.tsx';
import { Money, RelativeTime } from '../../components/values.tsx';
import { ChoiceFilter } from '../../components/filters.tsx';
import { ErrorAlert, notify, notifyError } from '../../components/feedback.tsx';
import { formatNumber } from '../../i18n/format.ts';
import { refresh, shipments, type BankExchange } from '../queries.ts';

const SERVICES = ['BOLETOS', 'TRANSFERS', 'PIX'] as const;
const TAKE = 10;

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
  const may = useMay();
  const [chosen, setChosen] = useState<(typeof SERVICES)[number]>();
  const newService = chosen ?? exchanged?.[0] ?? 'BOLETOS';
  const cannot = exchanged !== undefined && !exchanged.includes(newService);
  const list = useQuery(shipments(compact({ service: oneOf(SERVICES, service), cursor, take: TAKE })));
  const options = SERVICES.map((value) => ({ value, label: t(`operator.cnab.services.${value}`) }));
  const make = useMutation({
    mutationFn: async () =>
      (await unwrap(api.POST('/v1/admin/cnab/shipments', { body: { service: newService } }))).data,
    onSuccess: async ({ number }) => {
      notify(t('operator.cnab.created', { number }));
      await refresh('shipments', 'audit');
    },
  });
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
            data={options}
            value={service}
            onChange={(next) => onChange(next)}
          />
          {may('operator:write') ? (
            <>
              <Select
                size="xs"
                w={150}
                label={t('operator.cnab.newShipment')}
                allowDeselect={false}
                data={options}
                value={newService}
                onChange={(next) => setChosen(oneOf(SERVICES, next ?? ''))}
              />
              <Button
                size="xs"
                disabled={cannot}
                aria-describedby={cannot ? 'not-set-up' : undefined}
                loading={make.isPending}
                onClick={() => make.mutate()}
              >
                {t('operator.cnab.create')}
              </Button>
            </>
          ) : null}
        </Group>
      </Group>
      {may('operator:write') ? (
        cannot ? (
          <Alert color="gray" variant="light" id="not-set-up">
            {t('operator.cnab.notSetUp')}
          </Alert>
        ) : (
          <Text size="sm" c="dimmed">
            {t('operator.cnab.createDescription')}
          </Text>
        )
      ) : null}
      <ErrorAlert error={make.error} />
      <CursorTable
        label={t('operator.cnab.shipments')}
        query={list}
        onPage={(next) => onChange(service, next)}
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
            cell: (row) =>
              may('operator:write') ? (
                <Button
                  size="compact-sm"
                  variant="default"
                  leftSection={<Download size={14} aria-hidden />}
                  aria-label={`${t('operator.cnab.download')} ${row.number}`}
                  onClick={() => {
                    const kind = t(`operator.cnab.fileNames.${row.service}`);
                    const name = `${kind}-${String(row.number).padStart(6, '0')}.rem`;
                    download(`/v1/admin/cnab/shipments/${row.id}/file`, name).catch(notifyError);
                  }}
                >
                  {t('operator.cnab.download')}
                </Button>
              ) : (
                ''
              ),
          },
        ]}
        empty={
          <Text size="sm" c="dimmed">
            {t('operator.cnab.noShipments')}
          </Text>
        }
      />
    </Stack>
  );
}
