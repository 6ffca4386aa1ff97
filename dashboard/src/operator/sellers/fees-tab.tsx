import { Alert, Button, Group, Paper, SegmentedControl, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { api, unwrap } from '../../api/client.ts';
import { useMay } from '../../api/permissions.ts';
import { queryClient, type Fees } from '../../api/queries.ts';
import { INSTALLMENT_FIELDS, type Fee } from '../../money/fee-amounts.ts';

import { MoneyInput } from '../../components/money-input.tsx';
import { ErrorAlert, LoadingSkeleton, notify } from '../../components/feedback.tsx';
import { PercentInput } from '../../components/percent-input.tsx';
import { capitalize } from '../../i18n/format.ts';
import { sellerFees, refresh } from '../queries.ts';
import { PlanSimulator } from './plan-simulator.tsx';

/** Fee plan of a seller, with a simulation before saving. */
export function FeesTab({ sellerId }: { readonly sellerId: string }): ReactNode {
  const query = useQuery(sellerFees(sellerId));
  if (query.data === undefined) {
    return query.isError ? (
      <ErrorAlert error={query.error} retry={query.refetch} />
    ) : (
      <LoadingSkeleton count={8} />
    );
  }
  return <Editor sellerId={sellerId} saved={query.data} />;
}

function Editor({ sellerId, saved }: { readonly sellerId: string; readonly saved: Fees }): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const readOnly = !may('operator:write');
  // Separate state, because a refetch must not overwrite edits.
  const [draft, setDraft] = useState(saved);
  const isChanged = JSON.stringify(draft) !== JSON.stringify(saved);
  const mutation = useMutation({
    mutationFn: async () =>
      (
        await unwrap(
          api.PUT('/v1/admin/sellers/{id}/fees', { params: { path: { id: sellerId } }, body: draft }),
        )
      ).data,
    onSuccess: async (plan) => {
      notify(t('operator.fees.saved'));
      queryClient.setQueryData(sellerFees(sellerId).queryKey, plan);
      setDraft(plan);
      await refresh('audit');
    },
  });
  const { creditCard } = draft;
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          mutation.mutate();
        }}
      >
        <Stack>
          <Paper withBorder p="md">
            <Stack>
              {(['pixIn', 'boleto', 'pixOut'] as const).map((name) => (
                <FeeField
                  key={name}
                  label={t(`fees.${name}`)}
                  fee={draft[name]}
                  readOnly={readOnly}
                  onChange={(fee) => setDraft({ ...draft, [name]: fee })}
                />
              ))}
            </Stack>
          </Paper>
          <Paper withBorder p="md">
            <Stack>
              <Group justify="space-between">
                <Title order={2} size="h4">
                  {t('fees.card')}
                </Title>
                <KindControl
                  label={t('fees.card')}
                  value={creditCard.type}
                  readOnly={readOnly}
                  onChange={(type) => setDraft({ ...draft, creditCard: { ...creditCard, type } })}
                />
              </Group>
              <SimpleGrid cols={{ base: 2, sm: 3 }}>
                {INSTALLMENT_FIELDS.map((name, index) => (
                  <Value
                    key={name}
                    label={capitalize(t('fees.times', { count: index + 1 }))}
                    fee={{ type: creditCard.type, value: creditCard[name] }}
                    readOnly={readOnly}
                    onChange={({ value }) =>
                      setDraft({ ...draft, creditCard: { ...creditCard, [name]: value } })
                    }
                  />
                ))}
              </SimpleGrid>
            </Stack>
          </Paper>
          <ErrorAlert error={mutation.error} />
          {readOnly ? null : (
            <Group>
              <Button type="submit" disabled={!isChanged} loading={mutation.isPending}>
                {t('operator.fees.save')}
              </Button>
              {isChanged ? (
                <Button variant="subtle" onClick={() => setDraft(saved)}>
                  {t('operator.discard')}
                </Button>
              ) : null}
            </Group>
          )}
        </Stack>
      </form>
      <Stack>
        <PlanSimulator plan={draft} />
        {isChanged ? (
          <Alert color="blue" variant="light">
            <Text size="sm">{t('operator.fees.preview')}</Text>
          </Alert>
        ) : null}
        <Text size="sm" c="dimmed">
          {t('operator.fees.description')}
        </Text>
      </Stack>
    </SimpleGrid>
  );
}

interface FieldProps {
  readonly label: string;
  readonly fee: Fee;
  readonly readOnly: boolean;
  readonly onChange: (fee: Fee) => void;
}

function FeeField(props: FieldProps): ReactNode {
  const { label, fee, readOnly, onChange } = props;
  return (
    <Group align="flex-end" gap="xs" wrap="nowrap">
      <Stack flex={1} miw={0}>
        <Value {...props} />
      </Stack>
      <KindControl
        label={label}
        value={fee.type}
        readOnly={readOnly}
        onChange={(type) => onChange({ ...fee, type })}
      />
    </Group>
  );
}

/** Cents and basis points both have two decimals, so switching the type keeps the typed digits. */
function Value({ label, fee, readOnly, onChange }: FieldProps): ReactNode {
  const Input = fee.type === 'FIXED' ? MoneyInput : PercentInput;
  return (
    <Input
      label={label}
      readOnly={readOnly}
      value={fee.value}
      onChange={(value: number) => onChange({ ...fee, value })}
    />
  );
}

function KindControl({
  label,
  value,
  readOnly,
  onChange,
}: {
  readonly label: string;
  readonly value: Fee['type'];
  readonly readOnly: boolean;
  readonly onChange: (type: Fee['type']) => void;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <SegmentedControl
      aria-label={t('operator.fees.kindOf', { name: label })}
      readOnly={readOnly}
      value={value}
      onChange={(next) => onChange(next === 'FIXED' ? 'FIXED' : 'PERCENTAGE')}
      data={[
        { value: 'PERCENTAGE', label: '%' },
        { value: 'FIXED', label: 'R$' },
      ]}
    />
  );
}
