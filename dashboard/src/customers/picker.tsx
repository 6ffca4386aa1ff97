import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { customer, customerLookup, customers, type Customer } from './queries.ts';

const DEBOUNCE_MS = 300;
/** A single letter matches nearly everything. */
const MIN_SEARCH_LENGTH = 2;
const SHOWN = 20;

const labelOf = ({ name, document }: Customer): string => `${name} · ${document}`;

/** Chooses a customer: one of the newest, or one that a search finds. */
export function CustomerPicker({
  label,
  description,
  value,
  onChange,
  error,
  required = false,
  first = false,
}: {
  readonly label: string;
  readonly description?: string;
  readonly value: string | null;
  readonly onChange: (id: string | null) => void;
  readonly error?: ReactNode;
  readonly required?: boolean;
  /** Whether it has the focus when the page opens. */
  readonly first?: boolean;
}) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const [debounced] = useDebouncedValue(text.trim(), DEBOUNCE_MS);
  const chosen = useQuery({ ...customer(value ?? ''), enabled: value !== null }).data;
  const isLabel = chosen !== undefined && value !== null && debounced === labelOf(chosen);
  const searching = debounced.length >= MIN_SEARCH_LENGTH && !isLabel;
  const newest = useQuery(customers({ take: SHOWN }));
  const found = useQuery({ ...customerLookup(debounced), enabled: searching });
  const rows = (searching ? found.data : newest.data?.data) ?? [];
  const others = rows.filter(({ id }) => id !== value);
  const shown = chosen === undefined || value === null ? others : [chosen, ...others];
  return (
    <Select
      label={label}
      description={description}
      placeholder={t('customers.chooseHint')}
      nothingFoundMessage={searching && found.isFetching ? t('common.loading') : t('customers.chooseNothing')}
      searchable
      // A list that covers the page opens on a click, an arrow key or a letter.
      openOnFocus={false}
      data-autofocus={first || undefined}
      clearable
      clearButtonProps={{ 'aria-label': t('customers.clearChoice') }}
      data={shown.map((one) => ({ value: one.id, label: labelOf(one) }))}
      // The gateway has searched.
      filter={({ options }) => options}
      value={value}
      onChange={onChange}
      onSearchChange={setText}
      error={error}
      required={required}
      withAsterisk={false}
    />
  );
}
