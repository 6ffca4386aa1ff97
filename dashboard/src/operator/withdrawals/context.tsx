import { Anchor, Skeleton, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { serverNow } from '../../api/clock.ts';
import { DescriptionItem, DescriptionList } from '../../components/description-list.tsx';
import { Money, RelativeTime, Status } from '../../components/values.tsx';
import { ErrorAlert } from '../../components/feedback.tsx';
import { formatMoney, localDay } from '../../i18n/format.ts';
import { originLabel } from '../components/labels.ts';
import { seller, sellerWallet } from '../sellers/queries.ts';
import { sellerChargebacks, sellerDisputes, recentWithdrawals, type OwnedWithdrawal } from './queries.ts';

const DAY_MS = 86_400_000;
const RECENT_DAYS = 90;
/** Newer sellers get a warning. */
const YOUNG_DAYS = 30;

const recently = (): string => localDay(new Date(serverNow() - RECENT_DAYS * DAY_MS));

function useContext({ sellerId }: OwnedWithdrawal) {
  const queries = {
    seller: useQuery(seller(sellerId)),
    wallet: useQuery(sellerWallet(sellerId)),
    recent: useQuery(recentWithdrawals(sellerId)),
    paid: useQuery(recentWithdrawals(sellerId, 'PAID')),
    open: useQuery(sellerDisputes(sellerId, 'OPEN')),
    underReview: useQuery(sellerDisputes(sellerId, 'UNDER_REVIEW')),
    chargebacks: useQuery(sellerChargebacks(sellerId, recently())),
  };
  return {
    seller: queries.seller.data,
    wallet: queries.wallet.data,
    recent: queries.recent.data,
    paid: queries.paid.data?.count,
    open: queries.open.data,
    underReview: queries.underReview.data,
    chargebacks: queries.chargebacks.data,
    failed: Object.values(queries).find(({ isError, data }) => isError && data === undefined),
  };
}

type Context = ReturnType<typeof useContext>;

/** Warnings about a withdrawal. */
export function useWarnings(withdrawal: OwnedWithdrawal): readonly string[] {
  const { t } = useTranslation();
  const known = useContext(withdrawal);
  const warnings: string[] = [];
  if (withdrawal.otherHolder === true) warnings.push(t('operator.warnings.otherHolder'));
  if (withdrawal.firstUse) warnings.push(t('operator.warnings.firstUse'));
  if (known.seller !== undefined) {
    const days = Math.floor((serverNow() - Date.parse(known.seller.createdAt)) / DAY_MS);
    if (known.seller.status !== 'ACTIVE') warnings.push(t('operator.warnings.notActive'));
    if (days < YOUNG_DAYS) warnings.push(t('operator.warnings.young', { count: Math.max(days, 0) }));
  }
  if (known.paid === 0) warnings.push(t('operator.warnings.first'));
  const disputes = (known.open ?? 0) + (known.underReview ?? 0);
  if (disputes > 0) warnings.push(t('operator.warnings.disputes', { count: disputes }));
  if (known.chargebacks !== undefined && known.chargebacks > 0) {
    warnings.push(t('operator.warnings.chargebacks', { count: known.chargebacks, days: RECENT_DAYS }));
  }
  if (known.wallet !== undefined && known.wallet.availableBalance < 0) {
    warnings.push(t('operator.warnings.negative'));
  }
  return warnings;
}

const Waiting = () => <Skeleton height={14} width={80} display="inline-block" />;

/** The seller of a withdrawal: balance, age and history. */
export function SellerContext({ withdrawal }: { readonly withdrawal: OwnedWithdrawal }): ReactNode {
  const known = useContext(withdrawal);
  return (
    <>
      <ErrorAlert error={known.failed?.error} retry={() => known.failed?.refetch()} />
      <SellerFacts withdrawal={withdrawal} known={known} />
      <OtherWithdrawals withdrawal={withdrawal} recent={known.recent} />
    </>
  );
}

function SellerFacts({
  withdrawal: { sellerId, withdrawFrom },
  known,
}: {
  readonly withdrawal: OwnedWithdrawal;
  readonly known: Context;
}): ReactNode {
  const { t } = useTranslation();
  const disputes =
    known.open === undefined || known.underReview === undefined ? undefined : known.open + known.underReview;
  return (
    <DescriptionList title={t('operator.withdrawals.seller')}>
      <DescriptionItem name={t('common.status')}>
        {known.seller === undefined ? (
          <Waiting />
        ) : (
          <Status kind="operator.seller" of={known.seller.status} size="sm" />
        )}
      </DescriptionItem>
      <DescriptionItem name={t('operator.createdAt')}>
        {known.seller === undefined ? <Waiting /> : <RelativeTime at={known.seller.createdAt} size="sm" />}
      </DescriptionItem>
      <Balances wallet={known.wallet} origin={withdrawFrom} />
      <DescriptionItem name={t('operator.limits.autoApproveUpTo')}>
        {known.seller === undefined ? (
          <Waiting />
        ) : known.seller.autoApproveUpTo === 0 ? (
          t('operator.limits.disabled')
        ) : (
          formatMoney(known.seller.autoApproveUpTo)
        )}
      </DescriptionItem>
      <DescriptionItem name={t('operator.openDisputes')}>
        {disputes === undefined ? (
          <Waiting />
        ) : (
          <Anchor component={Link} to={`/operator/disputes?sellerId=${sellerId}`} underline="always">
            {disputes}
          </Anchor>
        )}
      </DescriptionItem>
      <DescriptionItem name={t('operator.chargebacks', { days: RECENT_DAYS })}>
        {known.chargebacks === undefined ? (
          <Waiting />
        ) : (
          <Anchor
            component={Link}
            to={`/operator/transactions?sellerId=${sellerId}&status=CHARGEDBACK`}
            underline="always"
          >
            {known.chargebacks}
          </Anchor>
        )}
      </DescriptionItem>
    </DescriptionList>
  );
}

function Balances({
  wallet,
  origin,
}: {
  readonly wallet: Context['wallet'];
  readonly origin: OwnedWithdrawal['withdrawFrom'];
}): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      <DescriptionItem name={t('home.available')}>
        {wallet === undefined ? <Waiting /> : <Money cents={wallet.availableBalance} size="sm" fw={600} />}
      </DescriptionItem>
      <DescriptionItem name={t('operator.availableFrom', { origin: originLabel(origin) })}>
        {wallet === undefined ? (
          <Waiting />
        ) : (
          <Money cents={wallet.byOrigin[origin].availableBalance} size="sm" />
        )}
      </DescriptionItem>
      <DescriptionItem name={t('home.blocked')}>
        {wallet === undefined ? <Waiting /> : <Money cents={wallet.blockedBalance} size="sm" />}
      </DescriptionItem>
    </>
  );
}

function OtherWithdrawals({
  withdrawal,
  recent,
}: {
  readonly withdrawal: OwnedWithdrawal;
  readonly recent: Context['recent'];
}): ReactNode {
  const { t } = useTranslation();
  const others = recent?.data.filter(({ id }) => id !== withdrawal.id).slice(0, 5) ?? [];
  return (
    <DescriptionList title={t('operator.withdrawals.history')}>
      {recent === undefined ? (
        <Skeleton height={60} />
      ) : others.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('operator.withdrawals.noHistory')}
        </Text>
      ) : (
        <>
          <Table verticalSpacing={4} aria-label={t('operator.withdrawals.history')}>
            <Table.Tbody>
              {others.map((one) => (
                <Table.Tr key={one.id}>
                  <Table.Td px={0}>
                    <RelativeTime at={one.createdAt} size="xs" />
                  </Table.Td>
                  <Table.Td>
                    <Status kind="operator.withdrawal" of={one.status} size="sm" />
                  </Table.Td>
                  <Table.Td px={0} ta="right">
                    <Money cents={one.amount} size="xs" />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
          <Anchor
            component={Link}
            to={`/operator/withdrawals?sellerId=${withdrawal.sellerId}&status=ALL`}
            size="sm"
            underline="always"
          >
            {t('operator.withdrawals.allOfSeller', { count: recent.count })}
          </Anchor>
        </>
      )}
    </DescriptionList>
  );
}
