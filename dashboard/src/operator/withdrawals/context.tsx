import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { serverNow } from '../../api/clock.ts';
import { DescriptionItem } from '../../components/description-list.tsx';
import { ErrorAlert } from '../../components/feedback.tsx';
import { formatMoney } from '../../i18n/format.ts';
import { HistoryList } from '../components/history-list.tsx';
import { RECENT_DAYS, SellerFacts, useSellerFacts } from '../components/seller-facts.tsx';
import { recentWithdrawals, type OwnedWithdrawal } from './queries.ts';

const DAY_MS = 86_400_000;
/** Newer sellers get a warning. */
const YOUNG_DAYS = 30;

/** Warnings about a withdrawal. */
export function useWarnings(withdrawal: OwnedWithdrawal): readonly string[] {
  const { t } = useTranslation();
  const { seller, wallet, disputes = 0, chargebacks = 0 } = useSellerFacts(withdrawal.sellerId);
  const paid = useQuery(recentWithdrawals(withdrawal.sellerId, 'PAID')).data;
  const warnings: string[] = [];
  if (withdrawal.otherHolder === true) warnings.push(t('operator.warnings.otherHolder'));
  if (withdrawal.firstUse) warnings.push(t('operator.warnings.firstUse'));
  if (seller !== undefined) {
    const days = Math.floor((serverNow() - Date.parse(seller.createdAt)) / DAY_MS);
    if (seller.status !== 'ACTIVE') warnings.push(t('operator.warnings.notActive'));
    if (days < YOUNG_DAYS) warnings.push(t('operator.warnings.young', { count: Math.max(days, 0) }));
  }
  if (paid?.count === 0) warnings.push(t('operator.warnings.first'));
  if (disputes > 0) warnings.push(t('operator.warnings.disputes', { count: disputes }));
  if (chargebacks > 0) {
    warnings.push(t('operator.warnings.chargebacks', { count: chargebacks, days: RECENT_DAYS }));
  }
  if (wallet !== undefined && wallet.availableBalance < 0) warnings.push(t('operator.warnings.negative'));
  return warnings;
}

/** The seller of a withdrawal and its other withdrawals. */
export function SellerContext({
  withdrawal: { id, sellerId, withdrawFrom },
}: {
  readonly withdrawal: OwnedWithdrawal;
}): ReactNode {
  const { t } = useTranslation();
  const recent = useQuery(recentWithdrawals(sellerId));
  const paid = useQuery(recentWithdrawals(sellerId, 'PAID'));
  const failed = [recent, paid].find(({ isError, data }) => isError && data === undefined);
  return (
    <>
      <SellerFacts
        sellerId={sellerId}
        origin={withdrawFrom}
        more={({ autoApproveUpTo }) => (
          <DescriptionItem name={t('operator.limits.autoApproveUpTo')}>
            {autoApproveUpTo === 0 ? t('operator.limits.disabled') : formatMoney(autoApproveUpTo)}
          </DescriptionItem>
        )}
      />
      <ErrorAlert error={failed?.error} retry={() => failed?.refetch()} />
      <HistoryList
        title={t('operator.withdrawals.history')}
        none={t('operator.withdrawals.noHistory')}
        kind="operator.withdrawal"
        records={recent.data?.data}
        except={id}
        pathOf={(other) => `/operator/withdrawals?sellerId=${sellerId}&status=ALL&open=${other}`}
      >
        <Anchor
          component={Link}
          to={`/operator/withdrawals?sellerId=${sellerId}&status=ALL`}
          size="sm"
          underline="always"
        >
          {t('operator.withdrawals.allOfSeller', { count: recent.data?.count ?? 0 })}
        </Anchor>
      </HistoryList>
    </>
  );
}
