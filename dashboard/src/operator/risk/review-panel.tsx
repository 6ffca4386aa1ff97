import { Alert, Anchor, Button, Group, Kbd, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { cardLabel } from '../../../../src/formats/card/brand-names.ts';
import { api, unwrap } from '../../api/client.ts';
import { useMay } from '../../api/permissions.ts';
import { DescriptionItem, DescriptionList } from '../../components/description-list.tsx';
import { ErrorAlert, LoadingSkeleton, notify } from '../../components/feedback.tsx';
import { Id, Money, RelativeTime, Status } from '../../components/values.tsx';
import { formatMoney } from '../../i18n/format.ts';
import { methodLabel } from '../../i18n/find-text.ts';
import { chargeOutcome } from '../../i18n/statuses.ts';
import { SellerFacts } from '../components/seller-facts.tsx';
import { SellerLink } from '../components/seller-link.tsx';
import { refresh } from '../queries.ts';
import { riskReview, type QueuedReview, type ReviewDetails } from './queries.ts';
import type { ReviewDecision } from './decide-review.tsx';
import { ruleName } from './summary.ts';

interface PanelProps {
  /** The row of the queue; undefined if the charge is no longer in it. */
  readonly row: QueuedReview | undefined;
  readonly onDecide: (what: ReviewDecision, about: QueuedReview | undefined) => void;
}

/** Everything about a charge in review, and the charges that are like it. */
export function ReviewPanel({ id, ...props }: PanelProps & { readonly id: string }): ReactNode {
  const query = useQuery(riskReview(id));
  if (query.data === undefined) {
    return query.isError ? (
      <ErrorAlert error={query.error} retry={query.refetch} />
    ) : (
      <LoadingSkeleton count={8} />
    );
  }
  return <Known review={query.data} {...props} />;
}

function Known({ review, row, onDecide }: PanelProps & { readonly review: ReviewDetails }): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const { transaction: charge, rule } = review;
  const { customer, card } = charge;
  const outcome = chargeOutcome(charge.method, charge.status, charge.statusReason, charge.refundedAmount);
  return (
    <Stack gap="sm">
      <Group justify="space-between" align="flex-start" gap="xs">
        <div>
          <Title order={2} size="h3" className="figures">
            {formatMoney(charge.amount)}
          </Title>
          <Text size="sm">
            <SellerLink id={review.sellerId} name={review.sellerName} />
          </Text>
        </div>
        <Status kind="charge" of={outcome} size="lg" />
      </Group>
      {row !== undefined && may('operator:write') ? <DecisionButtons row={row} onDecide={onDecide} /> : null}
      {rule === null ? null : (
        <Alert
          color="orange"
          variant="light"
          icon={<TriangleAlert aria-hidden />}
          title={t('operator.riskReviews.rule')}
        >
          {ruleName(rule.name)}
        </Alert>
      )}
      <DescriptionList title={t('charges.payer')}>
        <DescriptionItem name={t('create.name')}>{customer.name}</DescriptionItem>
        <DescriptionItem name={t('charges.document')}>{customer.document}</DescriptionItem>
        <DescriptionItem name={t('create.email')}>{customer.email}</DescriptionItem>
        <DescriptionItem name={t('common.method')}>
          {methodLabel(charge.method)}
          {card === null ? '' : ` · ${cardLabel(card)}`}
        </DescriptionItem>
        <DescriptionItem name={t('charges.items')}>
          {charge.items.map(({ title }) => title).join(', ')}
        </DescriptionItem>
        <DescriptionItem name={t('common.created')}>
          <RelativeTime at={charge.createdAt} size="sm" />
        </DescriptionItem>
        <DescriptionItem name={t('common.id')}>
          <Id id={charge.id} />
        </DescriptionItem>
        <Anchor component={Link} to={`/operator/transactions?open=${charge.id}`} size="sm" underline="always">
          {t('common.details')}
        </Anchor>
      </DescriptionList>
      <Relatives review={review} />
      <SellerFacts sellerId={review.sellerId} />
      {may('operator:write') ? <BlockCard fingerprint={review.cardFingerprint} /> : null}
    </Stack>
  );
}

function DecisionButtons({
  row,
  onDecide,
}: Pick<PanelProps, 'onDecide'> & { readonly row: QueuedReview }): ReactNode {
  const { t } = useTranslation();
  return (
    <Group gap="xs" grow>
      <Button
        rightSection={<Kbd size="xs">A</Kbd>}
        aria-keyshortcuts="a"
        onClick={() => onDecide('APPROVE', row)}
      >
        {t('operator.riskReviews.approve')}
      </Button>
      <Button
        variant="default"
        rightSection={<Kbd size="xs">R</Kbd>}
        aria-keyshortcuts="r"
        onClick={() => onDecide('REFUSE', row)}
      >
        {t('operator.riskReviews.refuse')}
      </Button>
    </Group>
  );
}

const KINDS = ['card', 'document', 'email', 'address', 'link'] as const;

/** Charges with the same card, document, email, address or link. */
function Relatives({ review: { relatives } }: { readonly review: ReviewDetails }): ReactNode {
  const { t } = useTranslation();
  if (relatives.length === 0)
    return (
      <DescriptionList title={t('operator.riskReviews.relatives')}>
        <Text size="sm" c="dimmed">
          {t('operator.riskReviews.noRelatives')}
        </Text>
      </DescriptionList>
    );
  return KINDS.map((kind) => {
    const alike = relatives.filter(({ by }) => by === kind);
    if (alike.length === 0) return null;
    return (
      <DescriptionList
        key={kind}
        title={t('operator.riskReviews.alike', {
          what: t(`operator.riskSignals.same.${kind}`),
          count: alike.length,
        })}
      >
        {alike.slice(0, 10).map((one) => (
          <Group key={one.id} justify="space-between" wrap="nowrap" gap="xs">
            <Stack gap={0} miw={0}>
              <Anchor
                component={Link}
                to={`/operator/transactions?open=${one.id}`}
                size="sm"
                underline="always"
                lineClamp={1}
              >
                {one.sellerName}
              </Anchor>
              <Text size="xs" c="dimmed">
                {methodLabel(one.method)} · <RelativeTime at={one.createdAt} size="xs" />
              </Text>
            </Stack>
            <Stack gap={2} align="flex-end">
              <Money cents={one.amount} size="sm" />
              <Status kind="charge" of={chargeOutcome(one.method, one.status, null)} size="sm" />
            </Stack>
          </Group>
        ))}
      </DescriptionList>
    );
  });
}

/** Puts the card of the charge on the list of blocked cards. */
function BlockCard({ fingerprint }: { readonly fingerprint: string | null }): ReactNode {
  const { t } = useTranslation();
  const mutation = useMutation({
    mutationFn: async (value: string) =>
      unwrap(
        api.POST('/v1/admin/risk-lists/{kind}', {
          params: { path: { kind: 'blocked-cards' } },
          body: { value },
        }),
      ),
    onSuccess: async () => {
      notify(t('operator.riskLists.added'));
      await refresh('risk-lists', 'audit');
    },
  });
  if (fingerprint === null) return null;
  // A disabled button would lose the focus. The panel gets it when the button is gone.
  if (mutation.isSuccess) {
    return (
      <Text size="sm" c="dimmed">
        {t('operator.riskReviews.cardBlocked')}
      </Text>
    );
  }
  return (
    <Stack gap="xs" align="flex-start">
      <Button
        size="xs"
        variant="default"
        loading={mutation.isPending}
        onClick={() => mutation.mutate(fingerprint)}
      >
        {t('operator.riskReviews.blockCard')}
      </Button>
      <ErrorAlert error={mutation.error} />
    </Stack>
  );
}
