import {
  Accordion,
  Anchor,
  Button,
  Checkbox,
  Group,
  Paper,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { INTERVALS } from '../../../src/formats/calendar/intervals.ts';
import { serverNow } from '../api/clock.ts';
import { api, unwrap } from '../api/client.ts';
import { useMay } from '../api/permissions.ts';
import { queryClient } from '../api/queries.ts';
import { MIN_CENTS } from '../charges/new-charge.ts';
import { useIdempotencyKey } from '../components/idempotency-key.ts';
import { DateField } from '../components/date-field.tsx';
import { ErrorAlert, notify, PageTitle } from '../components/feedback.tsx';
import { MoneyInput } from '../components/money-input.tsx';
import { CustomerPicker } from '../customers/picker.tsx';
import { fieldErrors } from '../i18n/errors.ts';
import { capitalize, formatMoney, localDay } from '../i18n/format.ts';
import { METHODS } from '../i18n/statuses.ts';
import { EMPTY_LINK, toNewLink, validateLink, type LinkForm } from './form.ts';
import { link } from './queries.ts';

const page = getRouteApi('/links/new');
const MAX_INSTALLMENTS = 12;

export function NewLinkPage(): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const { customerId = null } = page.useSearch();
  const form = useForm<LinkForm>({
    initialValues: { ...EMPTY_LINK, customerId },
    validate: (values) =>
      Object.fromEntries(
        Object.entries(validateLink(values)).map(([name, fault]) => [
          name,
          t(fault, { amount: formatMoney(MIN_CENTS) }),
        ]),
      ),
  });
  const mutation = useCreateLink(form);
  const [more, setMore] = useState(customerId === null ? null : 'more');
  if (!may('payment-links:write')) return <Text>{t('error.forbidden')}</Text>;
  return (
    <Stack maw={560}>
      <Anchor component={Link} to="/links" activeOptions={{ exact: true }} size="sm">
        ← {t('links.title')}
      </Anchor>
      <PageTitle title={t('nav.newLink')} />
      <form
        noValidate
        onSubmit={form.onSubmit(
          (values) => mutation.mutate(values),
          // The wrong field may be among the options.
          (errors) => setMore(Object.keys(errors).some((name) => MORE.has(name)) ? 'more' : more),
        )}
      >
        <Stack>
          <MainFields form={form} />
          <ErrorAlert error={Object.keys(form.errors).length > 0 ? undefined : mutation.error} />
          <Button type="submit" size="lg" loading={mutation.isPending}>
            {t('links.create')}
          </Button>
          <Accordion variant="contained" value={more} onChange={setMore}>
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

interface Fields {
  readonly form: UseFormReturnType<LinkForm>;
}

function MainFields({ form }: Fields) {
  const { t } = useTranslation();
  return (
    <Paper withBorder p="md">
      <Stack>
        <TextInput
          label={t('links.name')}
          placeholder={t('links.nameHint')}
          size="lg"
          maxLength={255}
          required
          withAsterisk={false}
          data-autofocus
          {...form.getInputProps('title')}
        />
        <MoneyInput
          label={t('common.amount')}
          size="lg"
          required={!form.values.isOpen}
          withAsterisk={false}
          disabled={form.values.isOpen}
          {...form.getInputProps('amount')}
          value={form.values.isOpen ? 0 : form.values.amount}
        />
        <Switch label={t('links.openAmount')} {...form.getInputProps('isOpen', { type: 'checkbox' })} />
        <Recurrence form={form} />
      </Stack>
    </Paper>
  );
}

/** Whether a payment starts a subscription. */
function Recurrence({ form }: Fields) {
  const { t } = useTranslation();
  const { interval, cycles } = form.values;
  return (
    <SimpleGrid cols={{ base: 1, xs: interval === '' ? 1 : 2 }}>
      <Select
        label={t('links.recurrence')}
        data={[
          { value: '', label: t('links.once') },
          ...INTERVALS.map((one) => ({ value: one, label: t(`subscriptions.interval.${one}`) })),
        ]}
        allowDeselect={false}
        {...form.getInputProps('interval')}
      />
      {interval === '' ? null : (
        <TextInput
          label={t('subscriptions.cycles')}
          placeholder={t('subscriptions.noEnd')}
          inputMode="numeric"
          maxLength={4}
          value={cycles}
          error={form.errors['cycles']}
          onChange={(event) =>
            form.setFieldValue('cycles', event.currentTarget.value.replaceAll(/\D/g, '').replace(/^0+/, ''))
          }
        />
      )}
    </SimpleGrid>
  );
}

const MORE = new Set<string>(['methods', 'minAmount', 'maxAmount']);

function useCreateLink(form: UseFormReturnType<LinkForm>) {
  const { t } = useTranslation();
  const navigate = page.useNavigate();
  const { keyOf } = useIdempotencyKey();
  return useMutation({
    mutationFn: async (values: LinkForm) => {
      const body = toNewLink(values);
      const params = { header: { 'idempotency-key': keyOf(body) } };
      return (await unwrap(api.POST('/v1/payment-links', { params, body }))).data;
    },
    onSuccess: (created) => {
      queryClient.setQueryData(link(created.id).queryKey, created);
      void queryClient.invalidateQueries({ queryKey: ['links', 'list'] });
      notify(t('links.created'));
      void navigate({
        to: '/links/$id',
        params: { id: created.id },
        replace: true,
        state: () => ({ created: true }),
      });
    },
    onError: (error) => form.setErrors(fieldErrors(error, Object.keys(EMPTY_LINK))),
  });
}

function MoreOptions({ form }: Fields) {
  const { t } = useTranslation();
  const { values } = form;
  return (
    <Stack>
      {values.isOpen ? <AmountRange form={form} /> : null}
      <Textarea
        label={t('links.description')}
        autosize
        minRows={2}
        maxLength={1000}
        {...form.getInputProps('description')}
      />
      <Checkbox.Group label={t('links.methods')} {...form.getInputProps('methods')}>
        <Group mt={4}>
          {METHODS.map((method) => (
            <Checkbox key={method} value={method} label={t(`method.${method}`)} />
          ))}
        </Group>
      </Checkbox.Group>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Select
          label={t('links.maxInstallments')}
          data={Array.from({ length: MAX_INSTALLMENTS }, (_, index) => ({
            value: String(index + 1),
            label: capitalize(t('fees.times', { count: index + 1 })),
          }))}
          allowDeselect={false}
          disabled={!values.methods.includes('CREDIT_CARD') || values.interval !== ''}
          {...form.getInputProps('maxInstallments')}
        />
        <MaxPaymentsInput {...form.getInputProps('maxPayments')} value={values.maxPayments} />
        <DateField
          label={t('links.expiresAt')}
          placeholder={t('links.noExpiry')}
          clear={t('links.clearDate')}
          min={localDay(new Date(serverNow()))}
          {...form.getInputProps('expiresAt')}
          value={values.expiresAt}
        />
        <TextInput label={t('links.externalRef')} maxLength={128} {...form.getInputProps('externalRef')} />
      </SimpleGrid>
      <CustomerPicker
        label={t('links.customer')}
        description={t('links.customerHint')}
        value={values.customerId}
        onChange={(id) => form.setFieldValue('customerId', id)}
        error={form.errors['customerId']}
      />
      <TextInput
        label={t('links.successUrl')}
        placeholder="https://"
        type="url"
        maxLength={2_048}
        {...form.getInputProps('successUrl')}
      />
    </Stack>
  );
}

/** The limits of what a payer may choose to pay. */
function AmountRange({ form }: Fields) {
  const { t } = useTranslation();
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <MoneyInput
        label={t('links.minAmount')}
        {...form.getInputProps('minAmount')}
        value={form.values.minAmount}
      />
      <MoneyInput
        label={t('links.maxAmount')}
        {...form.getInputProps('maxAmount')}
        value={form.values.maxAmount}
      />
    </SimpleGrid>
  );
}

/** Digits only. Empty for no limit. */
export function MaxPaymentsInput({
  value,
  onChange,
  error,
}: {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error?: ReactNode;
}) {
  const { t } = useTranslation();
  return (
    <TextInput
      label={t('links.maxPayments')}
      placeholder={t('links.noLimit')}
      inputMode="numeric"
      maxLength={7}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value.replaceAll(/\D/g, '').replace(/^0+/, ''))}
    />
  );
}
