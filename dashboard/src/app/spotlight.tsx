import { Group, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { SpotlightActionData } from '@mantine/spotlight';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { CirclePlus, ReceiptText } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { useMay } from '../api/permissions.ts';
import { chargeLookup, type FoundCharge } from '../api/queries.ts';
import { Status } from '../components/values.tsx';
import { formatMoney, formatRelative, shortId } from '../i18n/format.ts';
import { methodLabel } from '../i18n/find-text.ts';
import { chargeOutcome } from '../i18n/statuses.ts';
import { NAVIGATION } from './navigation.ts';
import { plainText } from './plain-text.ts';
import { SpotlightBox } from './spotlight-box.tsx';
import { UUID } from './uuid.ts';

const DEBOUNCE_MS = 300;
/** A single letter matches nearly everything. */
const MIN_SEARCH_LENGTH = 2;
const SHOWN = 6;

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
  return screens.filter(
    ({ id, label = '' }) => id === 'withdrawal' || plainText(label).includes(plainText(text)),
  );
}

/** The charges found, and the way to all of them. */
function useChargeActions(text: string, found: readonly FoundCharge[], hasMore: boolean) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const actions: SpotlightActionData[] = found.map((charge) => ({
    id: charge.id,
    children: <Found charge={charge} />,
    onClick: () => void navigate({ to: '/charges/$id', params: { id: charge.id } }),
  }));
  if (hasMore) {
    actions.push({
      id: 'all',
      label: t('nav.seeFound'),
      onClick: () => void navigate({ to: '/charges', search: {}, state: () => ({ text }) }),
    });
  }
  return actions;
}

/** Search dialog: screens by name, charges by payer, amount, description or id. */
export function SellerSpotlight() {
  const { t } = useTranslation();
  const [input, setInput] = useState('');
  const text = input.trim();
  const { found, hasMore, isWaiting } = useFoundCharges(text);
  return (
    <SpotlightBox
      input={input}
      onInput={setInput}
      hint={t('nav.findHint')}
      nothing={t('nav.findNothing')}
      isWaiting={isWaiting}
      groups={[
        { name: 'charges', label: t('nav.charges'), actions: useChargeActions(text, found, hasMore) },
        { name: 'screens', label: t('nav.screens'), actions: useScreens(text) },
      ]}
    />
  );
}

/** Within the dialog, whose list would otherwise grow with its longest line. */
const RESULT_WIDTH = 'min(32rem, calc(100vw - 5.5rem))';

function Found({ charge }: { readonly charge: FoundCharge }) {
  const { amount, customer, description, method, status, createdAt, refundedAmount } = charge;
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
        <Status kind="charge" of={chargeOutcome(method, status, null, refundedAmount)} size="sm" />
      </Stack>
    </Group>
  );
}
