import { Box, Button, Group, MultiSelect, Select, Stack, TextInput } from '@mantine/core';
import { useDebouncedCallback, useDisclosure } from '@mantine/hooks';
import { SlidersHorizontal } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { UUID } from '../app/uuid.ts';
import { findText } from '../i18n/find-text.ts';
import type { Kind } from '../i18n/statuses.ts';
import { MoneyInput } from './money-input.tsx';
import { useTypedText } from './typed-text.ts';
import type { Filters } from './views.tsx';

const DEBOUNCE_MS = 400;

/** Row of filters, whose values are in the URL. */
export function FilterRow({
  filters,
  onClear,
  children,
}: {
  readonly filters: Filters;
  readonly onClear: () => void;
  readonly children: ReactNode;
}) {
  const { t } = useTranslation();
  const any = Object.entries(filters).some(
    ([name, value]) => value !== undefined && name !== 'cursor' && name !== 'open',
  );
  const [opened, { toggle }] = useDisclosure(false);
  const clear = any ? (
    <Button size="xs" variant="subtle" onClick={onClear}>
      {t('list.clear')}
    </Button>
  ) : null;
  // On small screens filters are collapsed, so that rows are visible first. What is beside them stays
  // in the row of their button.
  return (
    <Stack gap="xs" className="no-print" flex={1} miw={{ base: opened ? '100%' : 'min-content', sm: 200 }}>
      <Group gap="xs" hiddenFrom="sm">
        <Button
          size="xs"
          variant={any ? 'light' : 'default'}
          leftSection={<SlidersHorizontal size={14} aria-hidden />}
          aria-expanded={opened}
          onClick={toggle}
        >
          {t('list.filters')}
        </Button>
        {clear}
      </Group>
      <Group gap="xs" align="flex-end" className="filters" {...(opened ? {} : { visibleFrom: 'sm' })}>
        {children}
        <Box visibleFrom="sm">{clear}</Box>
      </Group>
    </Stack>
  );
}

/** Multi-select of statuses. */
export function StatusFilter({
  kind,
  statuses,
  value,
  onChange,
  single = false,
}: {
  readonly kind: Kind;
  readonly statuses: readonly string[];
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
  readonly single?: boolean;
}) {
  const { t } = useTranslation();
  const data = statuses.map((status) => ({
    value: status,
    label: findText(`${kind}Status.${status}.label`) ?? status,
  }));
  const chosen = value?.split(',') ?? [];
  if (single) {
    return (
      <Select
        size="xs"
        label={t('common.status')}
        placeholder={t('common.anyFeminine')}
        data={data}
        value={value ?? null}
        clearable
        onChange={(next) => onChange(next ?? undefined)}
      />
    );
  }
  // Statuses with the same label, such as "Aguardando", are selected together.
  const labels = new Map<string, string[]>();
  for (const { value: status, label } of data) labels.set(label, [...(labels.get(label) ?? []), status]);
  return (
    <MultiSelect
      size="xs"
      label={t('common.status')}
      placeholder={chosen.length === 0 ? t('common.anyFeminine') : ''}
      data={[...labels.keys()]}
      value={[...labels]
        .filter(([, all]) => all.some((status) => chosen.includes(status)))
        .map(([label]) => label)}
      clearable
      miw={180}
      onChange={(next) => onChange(next.flatMap((label) => labels.get(label) ?? []).join(',') || undefined)}
    />
  );
}

export function ChoiceFilter({
  label,
  placeholder,
  data,
  value,
  onChange,
}: {
  readonly label: string;
  /** The label of the empty choice. */
  readonly placeholder: string;
  readonly data: readonly { readonly value: string; readonly label: string }[];
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}) {
  return (
    <Select
      size="xs"
      label={label}
      placeholder={placeholder}
      data={[...data]}
      value={value ?? null}
      clearable
      w={150}
      onChange={(next) => onChange(next ?? undefined)}
    />
  );
}

/** Text filter, debounced. `valid` rejects input that cannot match yet. */
export function TextFilter({
  label,
  value,
  onChange,
  valid = () => true,
  hint,
  w = 170,
}: {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
  readonly valid?: (text: string) => boolean;
  readonly hint?: string;
  readonly w?: number;
}) {
  const { text, setText, setSent } = useTypedText(value);
  const isAcceptable = (next: string) => next === '' || valid(next);
  const notify = useDebouncedCallback((next: string) => {
    if (!isAcceptable(next)) return;
    const typed = next === '' ? undefined : next;
    setSent(typed);
    onChange(typed);
  }, DEBOUNCE_MS);
  return (
    <TextInput
      size="xs"
      w={w}
      label={label}
      value={text}
      error={isAcceptable(text.trim()) ? undefined : hint}
      onChange={(event) => {
        setText(event.currentTarget.value);
        notify(event.currentTarget.value.trim());
      }}
    />
  );
}

/** Amount filter. The URL holds cents. */
export function MoneyFilter({
  label,
  value,
  onChange,
}: {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}) {
  const [cents, setCents] = useState(parseCents(value));
  const [lastValue, setLastValue] = useState(value);
  if (lastValue !== value) {
    setLastValue(value);
    setCents(parseCents(value));
  }
  const notify = useDebouncedCallback(
    (next: number) => onChange(next === 0 ? undefined : String(next)),
    DEBOUNCE_MS,
  );
  return (
    <MoneyInput
      size="xs"
      w={130}
      label={label}
      value={cents}
      onChange={(next) => {
        setCents(next);
        notify(next);
      }}
    />
  );
}

/** Cents of a URL parameter; 0 if it is invalid. */
export const parseCents = (value: string | undefined): number =>
  value !== undefined && /^\d{1,10}$/.test(value) ? Number(value) : 0;

/** Filter by record id. Input that is not a UUID is marked as invalid. */
export function IdFilter({
  label,
  value,
  onChange,
}: {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <TextFilter
      label={label}
      value={value}
      valid={(text) => UUID.test(text)}
      hint={t('charges.notUuid')}
      onChange={onChange}
    />
  );
}
