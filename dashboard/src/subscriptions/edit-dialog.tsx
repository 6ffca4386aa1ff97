import { Select, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { notify } from '../components/feedback.tsx';
import { useFieldErrors } from '../components/field-errors.ts';
import { FormDialog } from '../components/form-dialog.tsx';
import { MoneyInput } from '../components/money-input.tsx';
import { cardLabel } from '../../../src/formats/card/brand-names.ts';
import { savedCards } from '../customers/queries.ts';
import { updateSubscription, type Subscription } from './queries.ts';

/** Changes what the next cycles cost, and the card that pays them. */
export function EditSubscriptionDialog({
  subscription,
  opened,
  onClose,
}: {
  readonly subscription: Subscription;
  readonly opened: boolean;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const { edit, change, isAmountFixed, mutation, errors } = useEditSubscription(subscription, onClose);
  const { method, customerId } = subscription;
  const isCard = method === 'CREDIT_CARD';
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={t('subscriptions.editTitle')}
      action={t('common.save')}
      sending={mutation}
      errors={errors}
    >
      <TextInput
        label={t('subscriptions.description')}
        maxLength={255}
        value={edit.description}
        error={errors['description']}
        onChange={(event) => change({ description: event.currentTarget.value })}
        data-autofocus
      />
      <MoneyInput
        label={t('subscriptions.amount')}
        description={t(isAmountFixed ? 'subscriptions.amountFixed' : 'subscriptions.amountMeans')}
        disabled={isAmountFixed}
        value={edit.amount}
        error={errors['amount']}
        onChange={(amount) => change({ amount })}
      />
      {isCard && customerId !== null ? (
        <CardSelect
          customerId={customerId}
          value={edit.cardTokenId}
          error={errors['cardTokenId']}
          onChange={(cardTokenId) => change({ cardTokenId })}
        />
      ) : null}
      {isCard && customerId === null ? (
        <Text size="sm" c="dimmed">
          {t('subscriptions.cardByPayer')}
        </Text>
      ) : null}
    </FormDialog>
  );
}

function useEditSubscription(subscription: Subscription, onClose: () => void) {
  const { t } = useTranslation();
  const { id, method, amountType } = subscription;
  const [edit, setEdit] = useState(() => ({
    description: subscription.description ?? '',
    amount: subscription.amount,
    cardTokenId: subscription.cardTokenId,
  }));
  // The payer has authorized the amount.
  const isAmountFixed = method === 'PIX_AUTOMATICO' && amountType === 'FIXED';
  const mutation = useMutation({
    mutationFn: () =>
      updateSubscription(id, {
        description: edit.description.trim(),
        ...(isAmountFixed ? {} : { amount: edit.amount }),
        ...(edit.cardTokenId === null || edit.cardTokenId === subscription.cardTokenId
          ? {}
          : { cardTokenId: edit.cardTokenId }),
      }),
    onSuccess: () => {
      notify(t('subscriptions.saved'));
      onClose();
    },
  });
  const { errors, clear } = useFieldErrors(mutation.error, Object.keys(edit));
  const change = (changes: Partial<typeof edit>) => {
    setEdit((before) => ({ ...before, ...changes }));
    clear(...Object.keys(changes));
  };
  return { edit, change, isAmountFixed, mutation, errors };
}

function CardSelect({
  customerId,
  ...props
}: {
  readonly customerId: string;
  readonly value: string | null;
  readonly error: string | undefined;
  readonly onChange: (id: string | null) => void;
}) {
  const { t } = useTranslation();
  const cards = useQuery(savedCards(customerId));
  return (
    <Select
      label={t('subscriptions.card')}
      description={`${t('subscriptions.cardMeans')} ${t('subscriptions.cardByPayer')}`}
      data={(cards.data ?? []).map((card) => ({ value: card.id, label: cardLabel(card) }))}
      allowDeselect={false}
      disabled={cards.data === undefined || cards.data.length === 0}
      {...props}
    />
  );
}
