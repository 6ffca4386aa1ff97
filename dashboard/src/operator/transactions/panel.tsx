import { Alert, Button, Group, Stack, Text, Textarea, Timeline, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { api, unwrap } from '../../api/client.ts';
import { useMay } from '../../api/permissions.ts';
import type { components } from '../../api/schema.gen.ts';
import { Confirm } from '../../components/confirm.tsx';
import { DescriptionItem, DescriptionList } from '../../components/description-list.tsx';
import { useChecks } from '../../components/field-errors.ts';
import { DateTime, Id, Money, Status, StatusDescription } from '../../components/values.tsx';
import { MoneyInput } from '../../components/money-input.tsx';
import { ErrorAlert, LoadingSkeleton } from '../../components/feedback.tsx';
import { formatMoney } from '../../i18n/format.ts';
import { findText, methodLabel } from '../../i18n/find-text.ts';
import { chargeOutcome } from '../../i18n/statuses.ts';
import { translateReason } from '../../i18n/reasons.ts';
import { actorLabel } from '../components/labels.ts';
import { RecordLinks } from '../components/record-links.tsx';
import { SellerLink } from '../components/seller-link.tsx';
import { refresh, operatorTransaction } from '../queries.ts';

type OwnedCharge = components['schemas']['OperatorTransaction'];

export function TransactionPanel({ id }: { readonly id: string }): ReactNode {
  const query = useQuery(operatorTransaction(id));
  if (query.data === undefined) {
    return query.isError ? (
      <ErrorAlert error={query.error} retry={query.refetch} />
    ) : (
      <LoadingSkeleton count={8} />
    );
  }
  return <Known key={id} charge={query.data} />;
}

interface ChargeProps {
  readonly charge: OwnedCharge;
}

function Known({ charge }: ChargeProps): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const [disputing, setDisputing] = useState(false);
  const outcome = chargeOutcome(charge.method, charge.status, charge.statusReason, charge.refundedAmount);
  return (
    <Stack>
      <Group gap="sm">
        <Title order={2} className="figures">
          {formatMoney(charge.amount)}
        </Title>
        <Status kind="charge" of={outcome} size="lg" />
      </Group>
      <StatusDescription kind="charge" of={outcome} />
      {charge.statusReason === null ? null : (
        <Alert color="red" title={t('common.reason')}>
          {translateReason(charge.statusReason)}
        </Alert>
      )}
      {charge.status === 'PAID' && may('operator:write') ? (
        <Group>
          <Button variant="default" onClick={() => setDisputing(true)}>
            {t('operator.transactions.openDispute')}
          </Button>
        </Group>
      ) : null}
      <Payment charge={charge} />
      <Payer charge={charge} />
      <ChargeHistory charge={charge} />
      <RecordLinks
        id={charge.id}
        more={[
          [`/operator/reversals?transactionId=${charge.id}`, t('operator.transactions.reversals')],
          [`/operator/disputes?transactionId=${charge.id}`, t('operator.transactions.disputes')],
        ]}
      />
      <OpenDispute charge={charge} opened={disputing} onClose={() => setDisputing(false)} />
    </Stack>
  );
}

function Payment({ charge }: ChargeProps): ReactNode {
  const { t } = useTranslation();
  return (
    <DescriptionList>
      <DescriptionItem name={t('operator.seller')}>
        <SellerLink id={charge.sellerId} name={charge.sellerName} />
      </DescriptionItem>
      <DescriptionItem name={t('common.method')}>
        {methodLabel(charge.method)}
        {charge.installments === null || charge.installments === 1 ? '' : ` · ${charge.installments}x`}
      </DescriptionItem>
      <DescriptionItem name={t('common.fee')}>
        <Money cents={charge.feeAmount} size="sm" />
      </DescriptionItem>
      <DescriptionItem name={t('common.net')}>
        <Money cents={charge.netAmount} size="sm" />
      </DescriptionItem>
      {charge.refundedAmount === 0 ? null : (
        <DescriptionItem name={t('charges.refunded')}>
          <Money cents={charge.refundedAmount} size="sm" />
        </DescriptionItem>
      )}
      <DescriptionItem name={t('common.id')}>
        <Id id={charge.id} />
      </DescriptionItem>
    </DescriptionList>
  );
}

function Payer({ charge: { customer, items } }: ChargeProps): ReactNode {
  const { t } = useTranslation();
  return (
    <DescriptionList title={t('charges.payer')}>
      <DescriptionItem name={t('create.name')}>{customer.name}</DescriptionItem>
      <DescriptionItem name={t('create.email')}>{customer.email}</DescriptionItem>
      <DescriptionItem name={t('charges.document')}>{customer.document}</DescriptionItem>
      <DescriptionItem name={t('charges.items')}>
        {items.map(({ title }) => title).join(', ')}
      </DescriptionItem>
    </DescriptionList>
  );
}

/** As the seller reads it. */
const stepLabel = (method: string, { to, reason }: OwnedCharge['history'][number]): string =>
  findText(`chargeStatus.${chargeOutcome(method, to, reason)}.label`) ?? to;

function ChargeHistory({ charge: { method, history } }: ChargeProps): ReactNode {
  const { t } = useTranslation();
  return (
    <DescriptionList title={t('charges.timeline')}>
      <Timeline active={history.length} bulletSize={14} lineWidth={2} mt="xs">
        {history.map((step) => (
          <Timeline.Item
            key={`${step.at}-${step.to}`}
            title={
              <Text size="sm" fw={600}>
                {stepLabel(method, step)}{' '}
                <Text span size="sm" c="dimmed" fw={400}>
                  · {actorLabel(step.actor)}
                </Text>
              </Text>
            }
          >
            <Text size="xs" c="dimmed">
              <DateTime at={step.at} />
            </Text>
            {step.reason === null ? null : <Text size="xs">{translateReason(step.reason)}</Text>}
          </Timeline.Item>
        ))}
      </Timeline>
    </DescriptionList>
  );
}

function OpenDispute({
  charge,
  opened,
  onClose,
}: ChargeProps & {
  readonly opened: boolean;
  readonly onClose: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const [reason, setReason] = useState('');
  const left = charge.amount - charge.refundedAmount - charge.refundingAmount;
  const [amount, setAmount] = useState(left);
  const { errors, check, clear } = useChecks();
  return (
    <Confirm
      opened={opened}
      onClose={onClose}
      title={t('operator.transactions.openDisputeTitle')}
      message={t('operator.transactions.openDisputeDescription', {
        amount: formatMoney(amount),
        seller: charge.sellerName,
      })}
      action={t('operator.transactions.openDispute')}
      done={t('operator.transactions.disputeOpened')}
      check={() =>
        check({
          amount: amount === 0 ? t('create.needValue') : amount > left && t('invalid.disputeTooLarge'),
          reason: reason.trim() === '' && t('charges.needReason'),
        })
      }
      onClosed={() => check({})}
      run={async () => {
        await unwrap(
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
        error={errors['amount']}
        onChange={(cents) => {
          setAmount(cents);
          clear('amount');
        }}
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
        error={errors['reason']}
        onChange={(event) => {
          setReason(event.currentTarget.value);
          clear('reason');
        }}
        data-autofocus
      />
    </Confirm>
  );
}
