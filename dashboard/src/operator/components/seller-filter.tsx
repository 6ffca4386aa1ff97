import { Loader, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { compact } from '../../app/search.ts';
import { seller, sellers } from '../sellers/queries.ts';

const DEBOUNCE_MS = 300;
const MAX_OPTIONS = 20;

/** Filter by seller, searched by name. */
export function SellerFilter({
  value,
  onChange,
}: {
  readonly value: string | undefined;
  readonly onChange: (sellerId: string | undefined) => void;
}): ReactNode {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const [debounced] = useDebouncedValue(typed.trim(), DEBOUNCE_MS);
  const chosen = useQuery({ ...seller(value ?? ''), enabled: value !== undefined });
  const isChosen = chosen.data !== undefined && debounced === chosen.data.name;
  const found = useQuery({
    ...sellers(compact({ search: isChosen ? '' : debounced, take: MAX_OPTIONS })),
    refetchInterval: false,
  });
  const options = new Map((found.data?.data ?? []).map(({ id, name }) => [id, name]));
  if (value !== undefined) options.set(value, chosen.data?.name ?? value);
  return (
    <Select
      size="xs"
      w={190}
      label={t('operator.seller')}
      placeholder={t('common.anyFeminine')}
      searchable
      clearable
      nothingFoundMessage={t('list.nothing')}
      rightSection={found.isFetching && typed !== '' ? <Loader size={12} /> : undefined}
      data={Array.from(options, ([id, name]) => ({ value: id, label: name }))}
      // The server filters, because it also matches documents.
      filter={({ options: all }) => all}
      value={value ?? null}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={(next) => onChange(next ?? undefined)}
    />
  );
}
