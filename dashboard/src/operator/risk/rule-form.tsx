import {
  Group,
  MultiSelect,
  NumberInput,
  SegmentedControl,
  Select,
  Stack,
  Switch,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { api, unwrap } from '../../api/client.ts';
import { useChecks } from '../../components/field-errors.ts';
import { FormDialog } from '../../components/form-dialog.tsx';
import { notify } from '../../components/feedback.tsx';
import { MoneyInput } from '../../components/money-input.tsx';
import { methodLabel } from '../../i18n/find-text.ts';
import { SellerFilter } from '../components/seller-filter.tsx';
import { refresh } from '../queries.ts';
import type { RiskConditions, RiskRule } from './queries.ts';
import { ruleName, windowLabel, WINDOWS } from './summary.ts';

type Draft = Pick<RiskRule, 'name' | 'action' | 'enabled' | 'sellerId' | 'publicReason' | 'when'>;
type Count = NonNullable<RiskConditions['count']>;
type Sum = NonNullable<RiskConditions['sum']>;

const METHODS = ['PIX', 'CREDIT_CARD', 'BOLETO'] as const;
const ACTIONS = ['ALLOW', 'REVIEW', 'REFUSE'] as const;
const KINDS = ['card', 'document', 'email', 'address', 'link'] as const;
const SCOPES = ['SELLER', 'ALL_SELLERS'] as const;
const MAX_COUNT = 999;

const NEW: Draft = {
  name: '',
  action: 'REVIEW',
  enabled: true,
  sellerId: null,
  publicReason: null,
  when: {},
};
const NEW_COUNT: Count = { of: 'charges', by: 'document', windowSeconds: 3_600, above: 5 };
const NEW_SUM: Sum = { by: 'document', windowSeconds: 86_400, above: 1_000_000 };

/** A condition is left out where it is empty. */
type Changes = { readonly [Name in keyof RiskConditions]?: RiskConditions[Name] | undefined };

function withChanges(when: RiskConditions, changes: Changes): RiskConditions {
  return Object.fromEntries(
    Object.entries({ ...when, ...changes }).filter(([, value]) => value !== undefined),
  );
}

interface RuleFormProps {
  readonly about: RiskRule | 'new' | undefined;
  readonly onClose: () => void;
}

function useRule(about: RuleFormProps['about'], onClose: () => void) {
  const { t } = useTranslation();
  const known = about === 'new' || about === undefined ? undefined : about;
  const [draft, setDraft] = useState<Draft>(known ?? NEW);
  const { errors, check, clear } = useChecks();
  const change = (changes: Partial<Draft>) => setDraft({ ...draft, ...changes });
  const mutation = useMutation({
    mutationFn: async () => {
      const { name, action, enabled, sellerId, publicReason, when } = draft;
      const body = { name: name.trim(), action, enabled, sellerId, publicReason, when };
      await (known === undefined
        ? unwrap(api.POST('/v1/admin/risk-rules', { body }))
        : unwrap(api.PATCH('/v1/admin/risk-rules/{id}', { params: { path: { id: known.id } }, body })));
    },
    onSuccess: async () => {
      notify(t('operator.risk.saved'));
      onClose();
      await refresh('risk-rules', 'audit');
    },
  });
  const submit = () => {
    if (check({ name: draft.name.trim() === '' && t('operator.risk.needName') })) mutation.mutate();
  };
  return {
    isNew: known === undefined,
    draft,
    change,
    errors,
    clear,
    sending: { ...mutation, mutate: submit },
  };
}

/** Creates or changes a rule. */
export function RuleForm({ about, onClose }: RuleFormProps): ReactNode {
  const { t } = useTranslation();
  const { isNew, draft, change, errors, clear, sending } = useRule(about, onClose);
  return (
    <FormDialog
      opened={about !== undefined}
      onClose={onClose}
      title={isNew ? t('operator.risk.new') : t('operator.risk.editTitle')}
      action={t('common.save')}
      sending={sending}
    >
      <TextInput
        label={t('operator.risk.name')}
        required
        withAsterisk={false}
        maxLength={100}
        value={ruleName(draft.name)}
        error={errors['name']}
        onChange={(event) => {
          change({ name: event.currentTarget.value });
          clear('name');
        }}
        data-autofocus
      />
      <ActionField action={draft.action} onChange={(action) => change({ action })} />
      {draft.action === 'REFUSE' ? (
        <TextInput
          label={t('operator.risk.publicReason')}
          description={t('operator.risk.publicReasonHint')}
          maxLength={100}
          value={draft.publicReason ?? ''}
          onChange={({ currentTarget: { value } }) => change({ publicReason: value === '' ? null : value })}
        />
      ) : null}
      <SellerFilter
        value={draft.sellerId ?? undefined}
        onChange={(sellerId) => change({ sellerId: sellerId ?? null })}
      />
      <ConditionFields when={draft.when} onChange={(when) => change({ when })} />
      <WindowFields
        when={draft.when}
        hasSeller={draft.sellerId !== null}
        onChange={(when) => change({ when })}
      />
      <Switch
        label={t('operator.risk.enabled')}
        checked={draft.enabled}
        onChange={(event) => change({ enabled: event.currentTarget.checked })}
      />
    </FormDialog>
  );
}

function ActionField({
  action,
  onChange,
}: {
  readonly action: Draft['action'];
  readonly onChange: (action: Draft['action']) => void;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <Stack gap={4}>
      <Text size="sm" fw={500}>
        {t('operator.risk.action')}
      </Text>
      <SegmentedControl
        aria-label={t('operator.risk.action')}
        fullWidth
        value={action}
        data={ACTIONS.map((value) => ({ value, label: t(`operator.risk.actions.${value}`) }))}
        onChange={(value) => onChange(ACTIONS.find((one) => one === value) ?? action)}
      />
      <Text size="xs" c="dimmed">
        {t(`operator.risk.actionMeans.${action}`)}
      </Text>
    </Stack>
  );
}

interface ConditionProps {
  readonly when: RiskConditions;
  readonly onChange: (when: RiskConditions) => void;
}

const cents = (value: number) => (value === 0 ? undefined : value);

/** What a rule asks of the charge itself. */
function ConditionFields({ when, onChange }: ConditionProps): ReactNode {
  const { t } = useTranslation();
  const change = (changes: Changes) => onChange(withChanges(when, changes));
  return (
    <>
      <MultiSelect
        label={t('common.method')}
        placeholder={when.methods === undefined ? t('operator.risk.allMethods') : ''}
        data={METHODS.map((value) => ({ value, label: methodLabel(value) }))}
        value={when.methods ?? []}
        clearable
        onChange={(next) => {
          const methods = METHODS.filter((method) => next.includes(method));
          change({ methods: methods.length === 0 ? undefined : methods });
        }}
      />
      <Group grow align="flex-start">
        <MoneyInput
          label={t('operator.risk.above')}
          value={when.amountAbove ?? 0}
          onChange={(amountAbove) => change({ amountAbove: cents(amountAbove) })}
        />
        <MoneyInput
          label={t('operator.risk.below')}
          value={when.amountBelow ?? 0}
          onChange={(amountBelow) => change({ amountBelow: cents(amountBelow) })}
        />
      </Group>
      <TagsInput
        label={t('operator.risk.cardCountries')}
        description={t('operator.risk.cardCountriesHint')}
        value={when.cardCountries ?? []}
        onChange={(next) => {
          const cardCountries = next.map((country) => country.trim().toUpperCase());
          change({ cardCountries: cardCountries.length === 0 ? undefined : cardCountries });
        }}
      />
    </>
  );
}

/** What a rule counts and sums. */
function WindowFields({
  when,
  hasSeller,
  onChange,
}: ConditionProps & { readonly hasSeller: boolean }): ReactNode {
  const { t } = useTranslation();
  const { count, sum } = when;
  const change = (changes: Changes) => onChange(withChanges(when, changes));
  return (
    <>
      <Switch
        label={t('operator.risk.countOn')}
        checked={count !== undefined}
        onChange={(event) => change({ count: event.currentTarget.checked ? NEW_COUNT : undefined })}
      />
      {count === undefined ? null : (
        <CountFields count={count} onChange={(next) => change({ count: next })} />
      )}
      <Switch
        label={t('operator.risk.sumOn')}
        checked={sum !== undefined}
        onChange={(event) => change({ sum: event.currentTarget.checked ? NEW_SUM : undefined })}
      />
      {sum === undefined ? null : (
        <>
          <MoneyInput
            label={t('operator.risk.moreThan')}
            value={sum.above}
            onChange={(above) => change({ sum: { ...sum, above } })}
          />
          <ByWindow of={sum} onChange={(part) => change({ sum: { ...sum, ...part } })} />
        </>
      )}
      <Switch
        label={t('operator.risk.payerPresent')}
        checked={when.payerPresent === true}
        onChange={(event) => change({ payerPresent: event.currentTarget.checked || undefined })}
      />
      {hasSeller || (count === undefined && sum === undefined) ? null : (
        <Select
          label={t('operator.risk.scope')}
          data={SCOPES.map((value) => ({ value, label: t(`operator.risk.scopes.${value}`) }))}
          value={when.scope ?? 'ALL_SELLERS'}
          allowDeselect={false}
          onChange={(value) => change({ scope: SCOPES.find((one) => one === value) })}
        />
      )}
    </>
  );
}

function CountFields({
  count,
  onChange,
}: {
  readonly count: Count;
  readonly onChange: (count: Count) => void;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      <Group grow align="flex-start">
        <Select
          label={t('operator.risk.countOf')}
          data={(['charges', 'declines'] as const).map((value) => ({
            value,
            label: t(`operator.risk.of.${value}`),
          }))}
          value={count.of}
          allowDeselect={false}
          onChange={(of) => onChange({ ...count, of: of === 'declines' ? of : 'charges' })}
        />
        <NumberInput
          label={t('operator.risk.moreThan')}
          min={0}
          max={MAX_COUNT}
          allowDecimal={false}
          value={count.above}
          onChange={(above) => onChange({ ...count, above: Number(above) })}
        />
      </Group>
      <ByWindow of={count} onChange={(part) => onChange({ ...count, ...part })} />
    </>
  );
}

type Window = Pick<Sum, 'by' | 'windowSeconds'>;

function ByWindow({
  of: { by, windowSeconds },
  onChange,
}: {
  readonly of: Window;
  readonly onChange: (part: Partial<Window>) => void;
}): ReactNode {
  const { t } = useTranslation();
  const windows = [...new Set([...WINDOWS, windowSeconds])].toSorted((a, b) => a - b);
  return (
    <Group grow align="flex-start">
      <Select
        label={t('operator.risk.with')}
        data={KINDS.map((value) => ({ value, label: t(`operator.riskSignals.same.${value}`) }))}
        value={by}
        allowDeselect={false}
        onChange={(value) => onChange({ by: KINDS.find((kind) => kind === value) ?? by })}
      />
      <Select
        label={t('operator.risk.within')}
        data={windows.map((value) => ({ value: String(value), label: windowLabel(value) }))}
        value={String(windowSeconds)}
        allowDeselect={false}
        onChange={(value) => onChange({ windowSeconds: Number(value ?? windowSeconds) })}
      />
    </Group>
  );
}
