import { Checkbox, Paper, Select, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import { isSandbox } from '../api/permissions.ts';
import { cardLabel } from '../../../src/formats/card/brand-names.ts';
import { savedCards } from '../customers/queries.ts';
import { capitalize } from '../i18n/format.ts';
import { formatExpiry, REQUIRED, type ChargeForm } from './new-charge.ts';

const MAX_INSTALLMENTS = 12;

type CardForm = Pick<UseFormReturnType<ChargeForm>, 'getInputProps' | 'setFieldValue' | 'values'>;

/** The saved cards of the chosen customer. */
function SavedCardSelect({ form }: { readonly form: CardForm }) {
  const { t } = useTranslation();
  const { customerId, cardToken } = form.values;
  const cards = useQuery({ ...savedCards(customerId), enabled: customerId !== '' }).data ?? [];
  if (customerId === '' || cards.length === 0) return null;
  return (
    <Select
      label={t('customers.card')}
      data={[
        { value: '', label: t('customers.otherCard') },
        ...cards.map((card) => ({ value: card.token, label: cardLabel(card) })),
      ]}
      allowDeselect={false}
      {...form.getInputProps('cardToken')}
      value={cardToken}
    />
  );
}

export function CardFields({ form }: { readonly form: CardForm }) {
  const { t } = useTranslation();
  const isTyped = form.values.cardToken === '';
  return (
    <Paper withBorder p="md">
      <Stack>
        <Title order={2} size="h5">
          {t('create.card')}
        </Title>
        <SavedCardSelect form={form} />
        {isSandbox && isTyped ? (
          <Text size="sm" c="dimmed">
            {t('create.testCard')}
          </Text>
        ) : null}
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          {isTyped ? <TypedCard form={form} /> : null}
          <Select
            label={t('create.installments')}
            data={Array.from({ length: MAX_INSTALLMENTS }, (_, index) => ({
              value: String(index + 1),
              label: capitalize(t('fees.times', { count: index + 1 })),
            }))}
            allowDeselect={false}
            {...form.getInputProps('installments')}
          />
          <Checkbox
            mt="xl"
            label={t('create.authorizeOnly')}
            {...form.getInputProps('authorizeOnly', { type: 'checkbox' })}
          />
        </SimpleGrid>
      </Stack>
    </Paper>
  );
}

function TypedCard({ form }: { readonly form: CardForm }) {
  const { t } = useTranslation();
  return (
    <>
      <TextInput
        label={t('create.cardNumber')}
        inputMode="numeric"
        autoComplete="cc-number"
        {...REQUIRED}
        {...form.getInputProps('cardNumber')}
      />
      <TextInput
        label={t('create.holder')}
        autoComplete="cc-name"
        {...REQUIRED}
        {...form.getInputProps('holder')}
      />
      <TextInput
        label={t('create.expiry')}
        placeholder="12/30"
        autoComplete="cc-exp"
        inputMode="numeric"
        {...REQUIRED}
        {...form.getInputProps('expires')}
        onChange={(event) => form.setFieldValue('expires', formatExpiry(event.currentTarget.value))}
      />
      <TextInput
        label={t('create.cvv')}
        inputMode="numeric"
        autoComplete="cc-csc"
        maxLength={4}
        {...REQUIRED}
        {...form.getInputProps('cvv')}
      />
    </>
  );
}
