import { Anchor, Button, Group, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { ORIGINS } from '../../../../src/accounting/ledger/entries.ts';
import { api, unwrap } from '../../api/client.ts';
import { useMay } from '../../api/permissions.ts';
import { Confirm } from '../../components/confirm.tsx';
import { DescriptionItem, DescriptionList } from '../../components/description-list.tsx';
import { DateTime, Money } from '../../components/values.tsx';
import { ErrorAlert } from '../../components/feedback.tsx';
import { originLabel } from '../components/labels.ts';
import { refresh } from '../queries.ts';
import { sellerWallet, type Seller } from './queries.ts';

/** Status transitions of a seller, with the label of each action. */
const CHANGES = {
  PENDING: ['activate', 'close'],
  ACTIVE: ['suspend', 'close'],
  SUSPENDED: ['activate', 'close'],
  CLOSED: ['activate'],
} as const;
const NEXT_STATUS = { activate: 'ACTIVE', suspend: 'SUSPENDED', close: 'CLOSED' } as const;
type Change = keyof typeof NEXT_STATUS;

export function OverviewTab({ seller }: { readonly seller: Seller }): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const [opened, setOpened] = useState(false);
  const [change, setChange] = useState<Change>('activate');
  return (
    <Stack>
      {may('operator:write') ? (
        <Group gap="xs">
          {CHANGES[seller.status].map((name) => (
            <Button
              key={name}
              size="xs"
              variant={name === 'activate' ? 'filled' : 'default'}
              onClick={() => {
                setChange(name);
                setOpened(true);
              }}
            >
              {t(`operator.sellers.change.${name}.do`)}
            </Button>
          ))}
        </Group>
      ) : null}
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Balance sellerId={seller.id} />
        <RelatedScreens seller={seller} />
      </SimpleGrid>
      <Confirm
        opened={opened}
        onClose={() => setOpened(false)}
        danger={change !== 'activate'}
        title={t(`operator.sellers.change.${change}.title`, { name: seller.name })}
        message={t(`operator.sellers.change.${change}.description`)}
        action={t(`operator.sellers.change.${change}.do`)}
        done={t(`operator.sellers.change.${change}.done`)}
        run={async () => {
          await unwrap(
            api.PATCH('/v1/admin/sellers/{id}', {
              params: { path: { id: seller.id } },
              body: { status: NEXT_STATUS[change] },
            }),
          );
          await refresh('sellers', 'audit');
        }}
      />
    </Stack>
  );
}

function Balance({ sellerId }: { readonly sellerId: string }): ReactNode {
  const { t } = useTranslation();
  const wallet = useQuery(sellerWallet(sellerId));
  return (
    <DescriptionList title={t('operator.sellers.balance')}>
      <ErrorAlert error={wallet.error} retry={wallet.refetch} />
      {wallet.data === undefined ? (
        <Skeleton height={120} />
      ) : (
        <>
          <DescriptionItem name={t('home.available')}>
            <Money cents={wallet.data.availableBalance} fw={700} />
          </DescriptionItem>
          {ORIGINS.map((origin) => (
            <DescriptionItem key={origin} name={t('operator.availableFrom', { origin: originLabel(origin) })}>
              <Money cents={wallet.data.byOrigin[origin].availableBalance} size="sm" />
            </DescriptionItem>
          ))}
          <DescriptionItem name={t('home.blocked')}>
            <Money cents={wallet.data.blockedBalance} size="sm" />
          </DescriptionItem>
          <DescriptionItem name={t('home.total')}>
            <Money cents={wallet.data.totalBalance} size="sm" />
          </DescriptionItem>
        </>
      )}
    </DescriptionList>
  );
}

function RelatedScreens({ seller }: { readonly seller: Seller }): ReactNode {
  const { t } = useTranslation();
  const links = [
    ['transactions', `/operator/transactions?sellerId=${seller.id}`],
    ['withdrawals', `/operator/withdrawals?sellerId=${seller.id}&status=ALL`],
    ['disputes', `/operator/disputes?sellerId=${seller.id}`],
    ['reversals', `/operator/reversals?sellerId=${seller.id}`],
    ['providerEvents', `/operator/provider-events?sellerId=${seller.id}`],
    ['audit', `/operator/audit?sellerId=${seller.id}`],
  ] as const;
  return (
    <DescriptionList title={t('operator.sellers.related')}>
      {links.map(([name, to]) => (
        <Anchor key={name} component={Link} to={to} size="sm" underline="always">
          {t(`operator.nav.screens.${name}`)}
        </Anchor>
      ))}
      <Text size="sm" c="dimmed">
        {t('operator.createdAt')}: <DateTime at={seller.createdAt} size="sm" />
      </Text>
    </DescriptionList>
  );
}
