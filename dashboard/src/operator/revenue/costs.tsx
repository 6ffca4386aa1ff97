import { ActionIcon, Paper, Stack, Table, Text, Title, Tooltip } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { api, unwrap } from '../../api/client.ts';
import { useMay } from '../../api/permissions.ts';
import { ErrorAlert, LoadingSkeleton, notify } from '../../components/feedback.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { MoneyInput } from '../../components/money-input.tsx';
import { PercentInput } from '../../components/percent-input.tsx';
import { DateTime, Money } from '../../components/values.tsx';
import { methodLabel } from '../../i18n/find-text.ts';
import { formatPercent } from '../../i18n/format.ts';
import { providerCosts, refresh, type ProviderCost } from '../queries.ts';

/** What the providers cost, which operators with the permission edit. */
export function ProviderCosts(): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const query = useQuery(providerCosts());
  const [editing, setEditing] = useState<ProviderCost>();
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {t('operator.revenue.costsTitle')}
      </Title>
      <Text size="sm" c="dimmed">
        {t('operator.revenue.costsIntro')}
      </Text>
      {query.data === undefined ? (
        query.isError ? (
          <ErrorAlert error={query.error} retry={query.refetch} />
        ) : (
          <LoadingSkeleton count={3} />
        )
      ) : query.data.length === 0 ? (
        <Text size="sm">{t('operator.revenue.noProviders')}</Text>
      ) : (
        <CostsTable costs={query.data} onEdit={may('operator:write') ? setEditing : undefined} />
      )}
      {editing === undefined ? null : (
        <CostForm
          key={`${editing.provider} ${editing.method}`}
          cost={editing}
          onClose={() => setEditing(undefined)}
        />
      )}
    </Stack>
  );
}

function CostsTable({
  costs,
  onEdit,
}: {
  readonly costs: readonly ProviderCost[];
  readonly onEdit: ((cost: ProviderCost) => void) | undefined;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <Paper withBorder>
      <Table.ScrollContainer minWidth={0}>
        <Table verticalSpacing="xs" aria-label={t('operator.revenue.costsTitle')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('operator.provider')}</Table.Th>
              <Table.Th ta="right">{t('operator.revenue.fixed')}</Table.Th>
              <Table.Th ta="right">{t('operator.revenue.percentage')}</Table.Th>
              <Table.Th visibleFrom="sm">{t('operator.revenue.since')}</Table.Th>
              {onEdit === undefined ? null : <Table.Th w={48} aria-label={t('operator.revenue.edit')} />}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {costs.map((cost) => (
              <Table.Tr key={`${cost.provider} ${cost.method}`}>
                <Table.Td>
                  {methodLabel(cost.method)}
                  <Text size="xs" c="dimmed">
                    {cost.provider}
                  </Text>
                </Table.Td>
                <Table.Td ta="right">
                  <Money cents={cost.fixed} size="sm" />
                </Table.Td>
                <Table.Td ta="right" className="figures">
                  {formatPercent(cost.percentage)}
                </Table.Td>
                <Table.Td visibleFrom="sm">
                  {cost.since === null ? (
                    <Text size="sm" c="dimmed">
                      {t('operator.revenue.notSet')}
                    </Text>
                  ) : (
                    <DateTime at={cost.since} size="sm" />
                  )}
                </Table.Td>
                {onEdit === undefined ? null : (
                  <Table.Td>
                    <Tooltip label={t('operator.revenue.edit')}>
                      <ActionIcon
                        variant="subtle"
                        aria-label={t('operator.revenue.editOf', {
                          provider: cost.provider,
                          method: methodLabel(cost.method),
                        })}
                        onClick={() => onEdit(cost)}
                      >
                        <Pencil size={16} aria-hidden />
                      </ActionIcon>
                    </Tooltip>
                  </Table.Td>
                )}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Paper>
  );
}

function CostForm({
  cost,
  onClose,
}: {
  readonly cost: ProviderCost;
  readonly onClose: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const { provider, method } = cost;
  const [fixed, setFixed] = useState(cost.fixed);
  const [percentage, setPercentage] = useState(cost.percentage);
  const mutation = useMutation({
    mutationFn: async () =>
      unwrap(api.PUT('/v1/admin/provider-costs', { body: { provider, method, fixed, percentage } })),
    onSuccess: async () => {
      notify(t('operator.revenue.saved'));
      onClose();
      await refresh('provider-costs', 'revenue', 'audit');
    },
  });
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={t('operator.revenue.editOf', { provider, method: methodLabel(method) })}
      action={t('common.save')}
      sending={mutation}
    >
      <MoneyInput label={t('operator.revenue.fixed')} value={fixed} onChange={setFixed} data-autofocus />
      <PercentInput label={t('operator.revenue.percentage')} value={percentage} onChange={setPercentage} />
    </FormDialog>
  );
}
