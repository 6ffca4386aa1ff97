import {
  Accordion,
  Anchor,
  Button,
  Paper,
  Select,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
  type SelectProps,
} from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { CirclePlus } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { INTERVALS, ON_UNPAID, SUBSCRIPTION_METHODS } from '../../../src/subscriptions/subscription.ts';
import { serverNow } from '../api/clock.ts';
import { api, unwrap } from '../api/client.ts';
import { useMay } from '../api/permissions.ts';
import { queryClient } from '../api/queries.ts';
import { MIN_CENTS } from '../charges/new-charge.ts';
import { useIdempotencyKey } from '../components/idempotency-key.ts';
import { DateField } from '../components/date-field.tsx';
import { ErrorAlert, notify, PageTitle } from '../components/feedback.tsx';
import { MoneyInput } from '../components/money-input.tsx';
import { cardLabel } from '../../../src/formats/card/brand-names.ts';
import { CustomerDialog } from '../customers/form-dialog.tsx';
import { CustomerPicker } from '../customers/picker.tsx';
import { savedCards } from '../customers/queries.ts';
import { fieldErrors } from '../i18n/errors.ts';
import { formatMoney, localDay } from '../i18n/format.ts';
import {
  EMPTY_SUBSCRIPTION,
  LEAD_DAYS,
  toNewSubscription,
  validateSubscription,
  type SubscriptionForm,
} from './form.ts';
import { subscription } from './queries.ts';

const page = getRouteApi('/subscriptions/new');
const DAY_MS = 86_400_000;

type Form = UseFormReturnType<SubscriptionForm>;

export function NewSubscriptionPage(): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const { customerId = null } = page.useSearch();
  const form = useForm<SubscriptionForm>({
    initialValues: { ...EMPTY_SUBSCRIPTION, customerId },
    validate: (values) =>
      Object.fromEntries(
        Object.entries(validateSubscription(values)).map(([name, fault]) => [
          name,
          t(fault, { amount: formatMoney(MIN_CENTS) }),
        ]),
      ),
  });
  const mutation = useCreateSubscription(form);
  if (!may('subscriptions:write')) return <Text>{t('error.forbidden')}</Text>;
  return (
    <Stack maw={560}>
      <Anchor component={Link} to="/subscriptions" activeOptions={{ exact: true }} size="sm">
        ← {t('subscriptions.title')}
      </Anchor>
      <PageTitle title={t('subscriptions.new')} />
      <form noValidate onSubmit={form.onSubmit((values) => mutation.mutate(values))}>
        <Stack>
          <Paper withBorder p="md">
            <Stack>
              <Payer form={form} />
              <TextInput
                label={t('subscriptions.description')}
                placeholder={t('subscriptions.descriptionHint')}
                maxLength={255}
                required
                withAsterisk={false}
                {...form.getInputProps('description')}
              />
              <MoneyInput
                label={t('subscriptions.amount')}
                required
                withAsterisk={false}
                {...form.getInputProps('amount')}
                value={form.values.amount}
              />
              <Schedule form={form} />
            </Stack>
          </Paper>
          <ErrorAlert error={Object.keys(form.errors).length > 0 ? undefined : mutation.error} />
          <Button type="submit" size="lg" loading={mutation.isPending}>
            {t('subscriptions.create')}
          </Button>
          <Accordion variant="contained">
            <Accordion.Item value="more">
              <Accordion.Control>{t('create.more')}</Accordion.Control>
              <Accordion.Panel>
                <MoreOptions form={form} />
              </Accordion.Panel>
            </Accordion.Item>
          </Accordion>
        </Stack>
      </form>
    </Stack>
  );
}

function useCreateSubscription(form: Form) {
  const { t } = useTranslation();
  const navigate = page.useNavigate();
  const { keyOf } = useIdempotencyKey();
  return useMutation({
    mutationFn: async (values: SubscriptionForm) => {
      const body = toNewSubscription(values);
      const params = { header: { 'idempotency-key': keyOf(body) } };
      return (await unwrap(api.POST('/v1/subscriptions', { params, body }))).data;
    },
    onSuccess: (created) => {
      queryClient.setQueryData(subscription(created.id).queryKey, created);
      void queryClient.invalidateQueries({ queryKey: ['subscriptions', 'list'] });
      notify(t('subscriptions.created'));
      void navigate({ to: '/subscriptions/$id', params: { id: created.id }, replace: true });
    },
    onError: (error) => form.setErrors(fieldErrors(error, Object.keys(EMPTY_SUBSCRIPTION))),
  });
}

function Payer({ form }: { readonly form: Form }) {
  const { t } = useTranslation();
  const mayCreate = useMay()('customers:write');
  const [opened, setOpened] = useState(false);
  const choose = (id: string | null) => {
    form.setValues({ customerId: id, cardTokenId: null });
    form.clearFieldError('customerId');
  };
  return (
    <div>
      <CustomerPicker
        label={t('customers.one')}
        required
        first
        value={form.values.customerId}
        onChange={choose}
        error={form.errors['customerId']}
      />
      {mayCreate ? (
        <Button
          mt={4}
          px={0}
          size="compact-sm"
          variant="subtle"
          leftSection={<CirclePlus size={14} aria-hidden />}
          onClick={() => setOpened(true)}
        >
          {t('customers.new')}
        </Button>
      ) : null}
      <CustomerDialog
        // Starts empty each time.
        key={String(opened)}
        opened={opened}
        onClose={() => setOpened(false)}
        onSaved={({ id }) => {
          choose(id);
          setOpened(false);
        }}
      />
    </div>
  );
}

function Schedule({ form }: { readonly form: Form }) {
  const { t } = useTranslation();
  const { method } = form.values;
  const choice = { allowDeselect: false } satisfies SelectProps;
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Select
          label={t('common.method')}
          data={SUBSCRIPTION_METHODS.map((one) => ({ value: one, label: t(`method.${one}`) }))}
          {...choice}
          {...form.getInputProps('method')}
        />
        <Select
          label={t('subscriptions.intervalLabel')}
          data={INTERVALS.map((one) => ({ value: one, label: t(`subscriptions.interval.${one}`) }))}
          {...choice}
          {...form.getInputProps('interval')}
        />
      </SimpleGrid>
      {method === 'CREDIT_CARD' ? <Card form={form} /> : null}
      <DateField
        label={t('subscriptions.startDate')}
        placeholder={t('subscriptions.startDateHint')}
        clear={t('links.clearDate')}
        min={localDay(new Date(serverNow() + LEAD_DAYS[method] * DAY_MS))}
        value={form.values.startDate}
        error={form.errors['startDate']}
        onChange={(day) => form.setFieldValue('startDate', day)}
      />
      <Text size="sm" c="dimmed">
        {t(`subscriptions.means.${method}`)}
      </Text>
    </>
  );
}

function Card({ form }: { readonly form: Form }) {
  const { t } = useTranslation();
  const { customerId } = form.values;
  const cards = useQuery({ ...savedCards(customerId ?? ''), enabled: customerId !== null });
  return (
    <Select
      label={t('subscriptions.card')}
      placeholder={t('subscriptions.cardHint')}
      description={cards.data?.length === 0 ? t('customers.noCards') : undefined}
      data={(cards.data ?? []).map((card) => ({ value: card.id, label: cardLabel(card) }))}
      disabled={cards.data === undefined || cards.data.length === 0}
      {...form.getInputProps('cardTokenId')}
    />
  );
}

function MoreOptions({ form }: { readonly form: Form }) {
  const { t } = useTranslation();
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <TextInput
        label={t('subscriptions.cycles')}
        placeholder={t('subscriptions.noEnd')}
        inputMode="numeric"
        maxLength={4}
        value={form.values.cycles}
        error={form.errors['cycles']}
        onChange={(event) =>
          form.setFieldValue('cycles', event.currentTarget.value.replaceAll(/\D/g, '').replace(/^0+/, ''))
        }
      />
      <TextInput
        label={t('subscriptions.externalRef')}
        maxLength={128}
        {...form.getInputProps('externalRef')}
      />
      <Select
        label={t('subscriptions.onUnpaidLabel')}
        data={ON_UNPAID.map((one) => ({ value: one, label: t(`subscriptions.onUnpaid.${one}`) }))}
        allowDeselect={false}
        {...form.getInputProps('onUnpaid')}
      />
    </SimpleGrid>
  );
}
