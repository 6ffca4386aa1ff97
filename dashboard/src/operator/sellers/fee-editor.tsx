import { Alert, Button, Group, Paper, SegmentedControl, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useMutation, type UseQueryResult } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { useMay } from '../../api/permissions.ts';
import type { Fees } from '../../api/queries.ts';
import { INSTALLMENT_FIELDS, type Fee, type FeeParts } from '../../money/fee-amounts.ts';

import { MoneyInput } from '../../components/money-input.tsx';
import { ErrorAlert, LoadingSkeleton, notify } from '../../components/feedback.tsx';
import { PercentInput } from '../../components/percent-input.tsx';
import { capitalize } from '../../i18n/format.ts';
import { refresh } from '../queries.ts';
import { PlanSimulator } from './plan-simulator.tsx';

interface EditorProps {
  /** What the plan applies to. */
  readonly description: string;
  /** Returns the saved plan. */
  readonly save: (plan: Fees) => Promise<Fees>;
}

/** A fee plan, with a simulation before saving. */
export function FeeEditor({
  query,
  ...props
}: EditorProps & { readonly query: UseQueryResult<Fees> }): ReactNode {
  if (query.data === undefined) {
    return query.isError ? (
      <ErrorAlert error={query.error} retry={query.refetch} />
    ) : (
      <LoadingSkeleton count={8} />
    );
  }
  return <Editor saved={query.data} {...props} />;
}

function Editor({ saved, description, save }: EditorProps & { readonly saved: Fees }): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const readOnly = !may('operator:write');
  // Separate state, because a refetch must not overwrite edits.
  const [draft, setDraft] = useState(saved);
  const isChanged = JSON.stringify(draft) !== JSON.stringify(saved);
  const mutation = useMutation({
    mutationFn: save,
    onSuccess: async (plan) => {
      notify(t('operator.fees.saved'));
      setDraft(plan);
      await refresh('audit');
    },
  });
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          mutation.mutate(draft);
        }}
      >
        <Stack>
          <PlanFields plan={draft} readOnly={readOnly} onChange={setDraft} />
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
          <Alert role="status" color="blue" variant="light">
            <Text size="sm">{t('operator.fees.preview')}</Text>
          </Alert>
        ) : null}
        <Text size="sm" c="dimmed">
          {description}
        </Text>
      </Stack>
    </SimpleGrid>
  );
}

/** The fields of a fee plan. */
export function PlanFields({
  plan,
  readOnly,
  onChange,
}: {
  readonly plan: Fees;
  readonly readOnly: boolean;
  readonly onChange: (plan: Fees) => void;
}): ReactNode {
  const { t } = useTranslation();
  const { creditCard } = plan;
  return (
    <>
      <Paper withBorder p="md">
        <Stack>
          {(['pixIn', 'boleto', 'pixOut'] as const).map((name) => (
            <FeeField
              key={name}
              label={t(`fees.${name}`)}
              fee={plan[name]}
              readOnly={readOnly}
              onChange={(fee) => onChange({ ...plan, [name]: fee })}
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
              onChange={(type) => onChange({ ...plan, creditCard: { ...creditCard, type } })}
            />
          </Group>
          <SimpleGrid cols={{ base: 2, sm: 3 }}>
            {INSTALLMENT_FIELDS.map((name, index) => (
              <Value
                key={name}
                label={capitalize(t('fees.times', { count: index + 1 }))}
                fee={{ type: creditCard.type, value: creditCard[name] }}
                readOnly={readOnly}
                onChange={({ value }) => onChange({ ...plan, creditCard: { ...creditCard, [name]: value } })}
              />
            ))}
          </SimpleGrid>
          <Parts
            label={t('fees.card')}
            of={creditCard}
            readOnly={readOnly}
            onChange={(parts) => onChange({ ...plan, creditCard: { ...creditCard, ...parts } })}
          />
        </Stack>
      </Paper>
    </>
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
    <Stack gap={4}>
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
      <Parts
        label={label}
        of={fee}
        readOnly={readOnly}
        onChange={(parts) => onChange({ ...fee, ...parts })}
      />
    </Stack>
  );
}

/** What is added to a fee, and what it is at least. */
function Parts({
  label,
  of: { fixedPart = 0, minimum = 0 },
  readOnly,
  onChange,
}: {
  readonly label: string;
  readonly of: FeeParts;
  readonly readOnly: boolean;
  readonly onChange: (parts: FeeParts) => void;
}): ReactNode {
  const { t } = useTranslation();
  const input = (name: 'fixedPart' | 'minimum', value: number) => (
    <MoneyInput
      size="xs"
      label={t(`operator.fees.${name}`)}
      aria-label={t(`operator.fees.${name}Of`, { name: label })}
      readOnly={readOnly}
      value={value}
      onChange={(cents) => onChange({ [name]: cents })}
    />
  );
  return (
    <SimpleGrid cols={2} spacing="xs">
      {input('fixedPart', fixedPart)}
      {input('minimum', minimum)}
    </SimpleGrid>
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
