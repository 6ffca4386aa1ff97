import { Alert, Anchor, Button, Group, Stack, Text, Textarea, Timeline, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { api, ask } from '../../api/client.ts';
import { useMay } from '../../api/permissions.ts';
import type { components } from '../../api/schema.gen.ts';
import { Confirm } from '../../components/confirm.tsx';
import { Fact, Facts } from '../../components/description-list.tsx';
import { DateTime, Id, Money, Status } from '../../components/values.tsx';
import { MoneyInput } from '../../components/money-input.tsx';
import { ErrorNote, Lines } from '../../components/feedback.tsx';
import { formatMoney } from '../../i18n/format.ts';
import { lookUp, sayMethod } from '../../i18n/i18n.ts';
import { sayReason } from '../../i18n/server-texts.ts';
import { actorLabel } from '../components/labels.ts';
import { SellerLink } from '../components/seller-link.tsx';
import { refresh, transactionOfAny } from '../queries.ts';

type OwnedCharge = components['schemas']['OperatorTransaction'];

export function TransactionPanel({ id }: { readonly id: string }): ReactNode {
  const query = useQuery(transactionOfAny(id));
  if (query.data === undefined) {
    return query.isError ? <ErrorNote error={query.error} retry={query.refetch} /> : <Lines count={8} />;
  }
  return <Known charge={query.data} />;
}

function Known({ charge }: { readonly charge: OwnedCharge }): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const [disputing, setDisputing] = useState(false);
  const [reason, setReason] = useState('');
  const left = charge.amount - charge.refundedAmount - charge.refundingAmount;
  const [amount, setAmount] = useState(left);
  return (
    <Stack>
      <Group gap="sm">
        <Title order={2} className="figures">
          {formatMoney(charge.amount)}
        </Title>
        <Status kind="charge" of={charge.status} size="lg" />
      </Group>
      {charge.statusReason === null ? null : (
        <Alert color="red" title={t('common.reason')}>
          {sayReason(charge.statusReason)}
        </Alert>
      )}
      {charge.status === 'PAID' && may('operator:write') ? (
        <Group>
          <Button variant="default" onClick={() => setDisputing(true)}>
            {t('operator.transactions.openDispute')}
          </Button>
        </Group>
      ) : null}
      <Facts>
        <Fact name={t('operator.seller')}>
          <SellerLink id={charge.sellerId} name={charge.sellerName} />
        </Fact>
        <Fact name={t('common.method')}>
          {sayMethod(charge.method)}
          {charge.installments === null ? '' : ` · ${charge.installments}×`}
        </Fact>
        <Fact name={t('common.fee')}>
          <Money cents={charge.feeAmount} size="sm" />
        </Fact>
        <Fact name={t('common.net')}>
          <Money cents={charge.netAmount} size="sm" />
        </Fact>
        {charge.refundedAmount === 0 ? null : (
          <Fact name={t('charges.refunded')}>
            <Money cents={charge.refundedAmount} size="sm" />
          </Fact>
        )}
        <Fact name={t('common.id')}>
          <Id id={charge.id} />
        </Fact>
      </Facts>
      <Facts title={t('charges.payer')}>
        <Fact name={t('create.name')}>{charge.customer.name}</Fact>
        <Fact name={t('create.email')}>{charge.customer.email}</Fact>
        <Fact name={t('charges.document')}>{charge.customer.document}</Fact>
        <Fact name={t('charges.items')}>{charge.items.map(({ title }) => title).join(', ')}</Fact>
      </Facts>
      <Facts title={t('charges.timeline')}>
        <Timeline active={charge.history.length} bulletSize={14} lineWidth={2} mt="xs">
          {charge.history.map((step) => (
            <Timeline.Item
              key={`${step.at}-${step.to}`}
              title={
                <Text size="sm" fw={600}>
                  {lookUp(`chargeStatus.${step.to}.word`) ?? step.to}{' '}
                  <Text span size="sm" c="dimmed" fw={400}>
                    {actorLabel(step.actor)}
                  </Text>
                </Text>
              }
            >
              <Text size="xs" c="dimmed">
                <DateTime at={step.at} />
              </Text>
              {step.reason === null ? null : <Text size="xs">{sayReason(step.reason)}</Text>}
            </Timeline.Item>
          ))}
        </Timeline>
      </Facts>
      <Group gap="md">
        <Anchor
          component={Link}
          to={`/operator/provider-events?recordId=${charge.id}`}
          size="sm"
          underline="always"
        >
          {t('operator.transactions.providerEvents')}
        </Anchor>
        <Anchor
          component={Link}
          to={`/operator/reversals?transactionId=${charge.id}`}
          size="sm"
          underline="always"
        >
          {t('operator.transactions.reversals')}
        </Anchor>
        <Anchor
          component={Link}
          to={`/operator/disputes?transactionId=${charge.id}`}
          size="sm"
          underline="always"
        >
          {t('operator.transactions.disputes')}
        </Anchor>
      </Group>
      <Confirm
        opened={disputing}
        onClose={() => setDisputing(false)}
        title={t('operator.transactions.openDisputeTitle')}
        means={t('operator.transactions.openDisputeMeans', {
          amount: formatMoney(amount),
          seller: charge.sellerName,
        })}
        action={t('operator.transactions.openDispute')}
        done={t('operator.transactions.disputeOpened')}
        run={async () => {
          await ask(
            api.POST('/v1/admin/transactions/{id}/dispute', {
              params: { path: { id: charge.id } },
              body: { reason: reason.trim(), amount },
            }),
          );
          await refresh('transactions', 'disputes', 'context', 'audit');
        }}
      >
        <MoneyInput
          label={t('operator.transactions.blockedAmount')}
          description={t('operator.transactions.blockedAmountHint', { amount: formatMoney(left) })}
          value={amount}
          onChange={setAmount}
        />
        <Textarea
          label={t('common.reason')}
          description={t('operator.transactions.reasonHint')}
          required
          withAsterisk={false}
          autosize
          minRows={2}
          maxLength={255}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          data-autofocus
        />
      </Confirm>
    </Stack>
  );
}
