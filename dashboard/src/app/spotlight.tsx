import { Group, Loader, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { Spotlight, type SpotlightActionData } from '@mantine/spotlight';
import '@mantine/spotlight/styles.css';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { CirclePlus, ReceiptText, Search } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { useMay } from '../api/permissions.ts';
import { chargeLookup, type FoundCharge } from '../api/queries.ts';
import { Status } from '../components/values.tsx';
import { formatMoney, formatRelative, shortId } from '../i18n/format.ts';
import { methodLabel } from '../i18n/find-text.ts';
import { NAVIGATION } from './navigation.ts';
import { UUID } from './uuid.ts';

const DEBOUNCE_MS = 300;
/** A single letter matches nearly everything. */
const MIN_SEARCH_LENGTH = 2;
const SHOWN = 6;

const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase();

/** The first charges that match the text, once they are found. */
function useFoundCharges(text: string) {
  const may = useMay();
  const [debounced] = useDebouncedValue(text, DEBOUNCE_MS);
  const searching = text.length >= MIN_SEARCH_LENGTH && may('transactions:read');
  const lookup = useQuery({
    ...chargeLookup(debounced),
    enabled: searching && debounced.length >= MIN_SEARCH_LENGTH,
  });
  // Hides the results of a previous text.
  const fresh = searching && debounced === text ? lookup.data : undefined;
  const found = fresh?.found.slice(0, SHOWN) ?? [];
  return {
    found,
    hasMore: (fresh?.found.length ?? 0) > SHOWN,
    isWaiting: searching && (debounced !== text || lookup.isFetching),
  };
}

/** The screens whose names contain the text, and the withdrawal with this id. */
function useScreens(text: string): readonly SpotlightActionData[] {
  const { t } = useTranslation();
  const may = useMay();
  const navigate = useNavigate();
  const screens: SpotlightActionData[] = [];
  if (UUID.test(text) && may('withdrawals:read')) {
    screens.push({
      id: 'withdrawal',
      label: t('nav.openWithdrawal', { id: shortId(text) }),
      onClick: () => void navigate({ to: '/withdrawals/$id', params: { id: text } }),
    });
  }
  if (may('transactions:create')) {
    screens.push({
      id: 'new',
      label: t('nav.newCharge'),
      leftSection: <CirclePlus size={18} aria-hidden />,
      onClick: () => void navigate({ to: '/charges/new' }),
    });
  }
  if (may('payment-links:write')) {
    screens.push({
      id: 'new-link',
      label: t('nav.newLink'),
      leftSection: <CirclePlus size={18} aria-hidden />,
      onClick: () => void navigate({ to: '/links/new' }),
    });
  }
  for (const { to, name, icon: Icon, needs } of NAVIGATION.flatMap(({ items }) => items)) {
    if (needs !== undefined && !may(needs)) continue;
    screens.push({
      id: to,
      label: t(`nav.${name}`),
      leftSection: <Icon size={18} aria-hidden />,
      onClick: () => void navigate({ to }),
    });
  }
  return screens.filter(({ id, label = '' }) => id === 'withdrawal' || plain(label).includes(plain(text)));
}

/** Search dialog: screens by name, charges by payer, amount, description or id. */
export function SellerSpotlight() {
  const { t } = useTranslation();
  const [input, setInput] = useState('');
  const text = input.trim();
  const { found, hasMore, isWaiting } = useFoundCharges(text);
  const screens = useScreens(text);
  return (
    <Spotlight.Root
      query={input}
      onQueryChange={setInput}
      shortcut={['mod + K']}
      scrollable
      maxHeight={420}
      attributes={{ content: { 'aria-label': t('nav.search') } }}
    >
      <Spotlight.Search
        leftSection={<Search size={18} aria-hidden />}
        rightSection={isWaiting ? <Loader size="xs" aria-label={t('common.loading')} /> : null}
        placeholder={t('nav.findHint')}
        aria-label={t('nav.search')}
      />
      <Spotlight.ActionsList>
        {found.length === 0 ? null : <FoundCharges text={text} found={found} hasMore={hasMore} />}
        {screens.length === 0 ? null : (
          <Spotlight.ActionsGroup label={t('nav.screens')}>
            {screens.map(({ id, ...action }) => (
              <Spotlight.Action key={id} {...action} />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {found.length === 0 && screens.length === 0 && !isWaiting ? (
          <Spotlight.Empty>{t('nav.findNothing')}</Spotlight.Empty>
        ) : null}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

function FoundCharges({
  text,
  found,
  hasMore,
}: {
  readonly text: string;
  readonly found: readonly FoundCharge[];
  readonly hasMore: boolean;
}) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return (
    <Spotlight.ActionsGroup label={t('nav.charges')}>
      {found.map((charge) => (
        <Spotlight.Action
          key={charge.id}
          onClick={() => void navigate({ to: '/charges/$id', params: { id: charge.id } })}
        >
          <Found charge={charge} />
        </Spotlight.Action>
      ))}
      {hasMore ? (
        <Spotlight.Action
          label={t('nav.seeFound')}
          onClick={() => void navigate({ to: '/charges', search: {}, state: () => ({ text }) })}
        />
      ) : null}
    </Spotlight.ActionsGroup>
  );
}

/** Within the dialog, whose list would otherwise grow with its longest line. */
const RESULT_WIDTH = 'min(32rem, calc(100vw - 5.5rem))';

function Found({ charge }: { readonly charge: FoundCharge }) {
  const { amount, customer, description, method, status, createdAt } = charge;
  return (
    <Group wrap="nowrap" gap="sm" w={RESULT_WIDTH} justify="space-between">
      <Group wrap="nowrap" gap="sm" flex={1} miw={0}>
        <ReceiptText size={18} aria-hidden style={{ flexShrink: 0 }} />
        <div style={{ flex: 1, minWidth: 0 }}>
          <Text size="sm" truncate>
            {customer.name}
          </Text>
          <Text size="xs" c="dimmed" truncate>
            {[description ?? customer.email, methodLabel(method), formatRelative(createdAt)].join(' · ')}
          </Text>
        </div>
      </Group>
      <Stack gap={2} align="flex-end" style={{ flexShrink: 0 }}>
        <Text size="sm" fw={600} className="figures">
          {formatMoney(amount)}
        </Text>
        <Status kind="charge" of={status} size="sm" />
      </Stack>
    </Group>
  );
}
