import { Anchor, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { serverNow } from '../../api/clock.ts';
import { DescriptionItem, DescriptionList } from '../../components/description-list.tsx';
import { ErrorAlert } from '../../components/feedback.tsx';
import { Money, RelativeTime, Status } from '../../components/values.tsx';
import { localDay } from '../../i18n/format.ts';
import { seller, sellerChargebacks, sellerDisputes, sellerWallet, type Seller } from '../sellers/queries.ts';
import type { OwnedWithdrawal } from '../withdrawals/queries.ts';
import { originLabel } from './labels.ts';
import { SellerLink } from './seller-link.tsx';

const DAY_MS = 86_400_000;
export const RECENT_DAYS = 90;

const recently = (): string => localDay(new Date(serverNow() - RECENT_DAYS * DAY_MS));

/** What a decision about a seller depends on. */
export function useSellerFacts(sellerId: string) {
  const queries = {
    seller: useQuery(seller(sellerId)),
    wallet: useQuery(sellerWallet(sellerId)),
    open: useQuery(sellerDisputes(sellerId, 'OPEN')),
    underReview: useQuery(sellerDisputes(sellerId, 'UNDER_REVIEW')),
    chargebacks: useQuery(sellerChargebacks(sellerId, recently())),
  };
  const [open, underReview] = [queries.open.data, queries.underReview.data];
  return {
    seller: queries.seller.data,
    wallet: queries.wallet.data,
    disputes: open === undefined || underReview === undefined ? undefined : open + underReview,
    chargebacks: queries.chargebacks.data,
    failed: Object.values(queries).find(({ isError, data }) => isError && data === undefined),
  };
}

type Facts = ReturnType<typeof useSellerFacts>;

const Waiting = () => <Skeleton height={14} width={80} display="inline-block" />;

/** A fact, or its skeleton while it loads. */
function Fact<T>({
  name,
  of,
  children,
}: {
  readonly name: string;
  readonly of: T | undefined;
  readonly children: (known: T) => ReactNode;
}): ReactNode {
  return <DescriptionItem name={name}>{of === undefined ? <Waiting /> : children(of)}</DescriptionItem>;
}

/** A seller beside a decision: its age, balance, disputes and chargebacks. */
export function SellerFacts({
  sellerId,
  origin,
  more,
}: {
  readonly sellerId: string;
  /** The balance that the decision is about. */
  readonly origin?: OwnedWithdrawal['withdrawFrom'];
  readonly more?: (seller: Seller) => ReactNode;
}): ReactNode {
  const { t } = useTranslation();
  const facts = useSellerFacts(sellerId);
  const { failed } = facts;
  return (
    <>
      <ErrorAlert error={failed?.error} retry={() => failed?.refetch()} />
      <DescriptionList title={t('operator.aboutSeller')}>
        <Fact name={t('operator.seller')} of={facts.seller}>
          {({ id, name }) => <SellerLink id={id} name={name} />}
        </Fact>
        <Fact name={t('charges.document')} of={facts.seller}>
          {({ document }) => document}
        </Fact>
        <Fact name={t('common.status')} of={facts.seller}>
          {({ status }) => <Status kind="operator.seller" of={status} size="sm" />}
        </Fact>
        <Fact name={t('operator.createdAt')} of={facts.seller}>
          {({ createdAt }) => <RelativeTime at={createdAt} size="sm" />}
        </Fact>
        <Balances wallet={facts.wallet} origin={origin} />
        {facts.seller === undefined ? null : more?.(facts.seller)}
        <Fact name={t('operator.openDisputes')} of={facts.disputes}>
          {(count) => <CountLink to={`/operator/disputes?sellerId=${sellerId}`} count={count} />}
        </Fact>
        <Fact name={t('operator.chargebacks', { days: RECENT_DAYS })} of={facts.chargebacks}>
          {(count) => (
            <CountLink
              to={`/operator/transactions?sellerId=${sellerId}&status=CHARGEDBACK&startDate=${recently()}`}
              count={count}
            />
          )}
        </Fact>
      </DescriptionList>
    </>
  );
}

function CountLink({ to, count }: { readonly to: string; readonly count: number }): ReactNode {
  return (
    <Anchor component={Link} to={to} underline="always">
      {count}
    </Anchor>
  );
}

function Balances({
  wallet,
  origin,
}: {
  readonly wallet: Facts['wallet'];
  readonly origin: OwnedWithdrawal['withdrawFrom'] | undefined;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      <Fact name={t('home.available')} of={wallet}>
        {({ availableBalance }) => <Money cents={availableBalance} size="sm" fw={600} />}
      </Fact>
      {origin === undefined ? null : (
        <Fact name={t('operator.availableFrom', { origin: originLabel(origin) })} of={wallet}>
          {({ byOrigin }) => <Money cents={byOrigin[origin].availableBalance} size="sm" />}
        </Fact>
      )}
      <Fact name={t('home.blocked')} of={wallet}>
        {({ blockedBalance }) => <Money cents={blockedBalance} size="sm" />}
      </Fact>
    </>
  );
}
