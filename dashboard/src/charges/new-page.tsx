import {
  Accordion,
  Anchor,
  Button,
  Group,
  Paper,
  SegmentedControl,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { DatePickerInput } from '@mantine/dates';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { api, unwrap } from '../api/client.ts';
import { serverNow } from '../api/clock.ts';
import { useMay } from '../api/permissions.ts';
import { charge as one, queryClient, type Charge, type NewCharge } from '../api/queries.ts';
import { DocumentInput } from '../components/document-input.tsx';
import { MoneyInput } from '../components/money-input.tsx';
import { ErrorAlert, PageTitle } from '../components/feedback.tsx';
import { CustomerPicker } from '../customers/picker.tsx';
import {
  dayFromNow,
  keepCalendarFocus,
  LocalDates,
  useCalendarNames,
  useDayFormat,
} from '../components/period.tsx';
import { fieldErrors } from '../i18n/errors.ts';
import { formatMoney } from '../i18n/format.ts';
import { METHODS } from '../i18n/statuses.ts';
import { CardFields } from './card-fields.tsx';
import { ChargeCreated } from './created.tsx';
import {
  toTransactionRequest,
  EMPTY_FORM,
  isCardApproved,
  validate,
  FIELD_OF,
  MIN_CENTS,
  REQUIRED,
  type ChargeForm,
} from './new-charge.ts';

const page = getRouteApi('/charges/new');
const SUBMIT = { PIX: 'submitPix', BOLETO: 'submitBoleto', CREDIT_CARD: 'submitCard' } as const;

const EXPIRATIONS = [
  ['900', 'm15'],
  ['3600', 'h1'],
  ['86400', 'd1'],
] as const;
/** The longest validity of a boleto. */
const MAX_DAYS = 364;
const DEFAULT_DAYS = 3;

/** A request whose response may have been lost. The same form is sent again as the same request. */
interface Attempt {
  readonly of: string;
  readonly key: string;
  readonly body: NewCharge;
}

function useChargeForm(method: string | undefined, customerId: string): UseFormReturnType<ChargeForm> {
  const { t } = useTranslation();
  const given = METHODS.find((known) => known === method) ?? 'PIX';
  return useForm<ChargeForm>({
    initialValues: { ...EMPTY_FORM, method: given, customerId },
    validate: (values) =>
      Object.fromEntries(
        Object.entries(validate(values)).map(([name, fault]) => [
          name,
          t(`create.${fault}`, { amount: formatMoney(MIN_CENTS) }),
        ]),
      ),
  });
}

function useCreateCharge(form: UseFormReturnType<ChargeForm>, onCreated: (charge: Charge) => void) {
  // Idempotency key: the same content keeps its key, so that a retry after a lost response does not
  // create a second charge.
  const [attempt, setAttempt] = useState<Attempt>();
  return useMutation({
    mutationFn: async (values: ChargeForm) => {
      const of = JSON.stringify(values);
      const { key, body } =
        attempt?.of === of
          ? attempt
          : { key: crypto.randomUUID(), body: toTransactionRequest(values, serverNow()) };
      setAttempt({ of, key, body });
      const params = { header: { 'idempotency-key': key } };
      return (await unwrap(api.POST('/v1/transactions', { params, body }))).data;
    },
    onSuccess: (charge) => {
      queryClient.setQueryData(one(charge.id).queryKey, charge);
      onCreated(charge);
      setAttempt(undefined);
      void queryClient.invalidateQueries({ queryKey: ['charges'] });
    },
    onError: (error) => {
      const found = fieldErrors(error, Object.keys(FIELD_OF));
      form.setErrors(Object.fromEntries(Object.entries(found).map(([name, text]) => [FIELD_OF[name], text])));
    },
  });
}

/**
 * The form, and then what was created, which is in the address: a reload shows it again. It takes
 * the form's place in the history, so that nobody goes back to a form that was sent.
 */
export function NewChargePage(): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const { method, customerId = '', created } = page.useSearch();
  const navigate = page.useNavigate();
  const form = useChargeForm(method, customerId);
  const show = (id: string | undefined) =>
    void navigate({ to: '/charges/new', search: (before) => ({ ...before, created: id }), replace: true });
  const empty = () => {
    form.reset();
    form.setFieldValue('method', form.values.method);
  };
  const mutation = useCreateCharge(form, (charge) => {
    // A card that is declined is tried again with what was typed.
    if (charge.method !== 'CREDIT_CARD' || isCardApproved(charge)) empty();
    show(charge.id);
  });
  if (!may('transactions:create')) {
    return <Text>{t('error.forbidden')}</Text>;
  }
  if (created !== undefined) {
    return (
      <ChargeCreated
        key={created}
        id={created}
        onAnother={() => {
          empty();
          show(undefined);
        }}
        onRetry={() => show(undefined)}
      />
    );
  }
  const { method: chosen } = form.values;
  return (
    <Stack maw={720}>
      <Anchor component={Link} to="/charges" activeOptions={{ exact: true }} size="sm">
        ← {t('nav.charges')}
      </Anchor>
      <PageTitle title={t('create.title')} />
      <form noValidate onSubmit={form.onSubmit((values) => mutation.mutate(values))}>
        <Stack>
          <MethodChoice form={form} />
          <AmountAndDescription form={form} />
          <PayerSection form={form} />
          {chosen === 'CREDIT_CARD' ? <CardFields form={form} /> : null}
          {chosen === 'BOLETO' ? <DueDate form={form} /> : null}
          <MoreOptions form={form} />
          <ErrorAlert error={Object.keys(form.errors).length > 0 ? undefined : mutation.error} />
          <Group>
            <Button type="submit" size="md" loading={mutation.isPending}>
              {t(`create.${SUBMIT[chosen]}`)}
            </Button>
          </Group>
        </Stack>
      </form>
    </Stack>
  );
}

/** The payment method, which is in the address. */
function MethodChoice({ form }: { readonly form: UseFormReturnType<ChargeForm> }) {
  const { t } = useTranslation();
  const navigate = page.useNavigate();
  return (
    <SegmentedControl
      fullWidth
      aria-label={t('common.method')}
      value={form.values.method}
      onChange={(value) => {
        form.setFieldValue('method', value);
        form.setFieldValue('expiration', '');
        void navigate({
          to: '/charges/new',
          search: (before) => ({ ...before, method: value }),
          replace: true,
        });
      }}
      data={METHODS.map((value) => ({ value, label: t(`method.${value}`) }))}
    />
  );
}

function AmountAndDescription({ form }: { readonly form: UseFormReturnType<ChargeForm> }) {
  const { t } = useTranslation();
  return (
    <Paper withBorder p="md">
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <MoneyInput
          label={t('create.amount')}
          size="lg"
          data-autofocus
          {...REQUIRED}
          {...form.getInputProps('amount')}
          value={form.values.amount}
        />
        <TextInput
          label={t('create.description')}
          placeholder={t('create.descriptionHint')}
          size="lg"
          maxLength={255}
          {...REQUIRED}
          {...form.getInputProps('description')}
        />
      </SimpleGrid>
    </Paper>
  );
}

function PayerSection({ form }: { readonly form: UseFormReturnType<ChargeForm> }) {
  const { t } = useTranslation();
  const may = useMay();
  return (
    <Paper withBorder p="md">
      <Stack>
        <Title order={2} size="h5">
          {t('create.payer')}
        </Title>
        {may('customers:read') ? (
          <CustomerPicker
            label={t('customers.choose')}
            value={form.values.customerId === '' ? null : form.values.customerId}
            onChange={(id) => form.setValues({ customerId: id ?? '', cardToken: '' })}
            error={form.errors['customerId']}
          />
        ) : null}
        {form.values.customerId === '' ? <PayerFields form={form} /> : null}
      </Stack>
    </Paper>
  );
}

function MoreOptions({ form }: { readonly form: UseFormReturnType<ChargeForm> }) {
  const { t } = useTranslation();
  return (
    <Accordion variant="contained">
      <Accordion.Item value="more">
        <Accordion.Control>{t('create.more')}</Accordion.Control>
        <Accordion.Panel>
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            {form.values.method === 'PIX' ? (
              <Select
                label={t('create.expires')}
                placeholder={t('create.expireIn.h1')}
                data={EXPIRATIONS.map(([value, name]) => ({
                  value,
                  label: t(`create.expireIn.${name}`),
                }))}
                clearable
                {...form.getInputProps('expiration')}
                value={form.values.expiration === '' ? null : form.values.expiration}
                onChange={(value) => form.setFieldValue('expiration', value ?? '')}
              />
            ) : null}
            <TextInput
              label={t('create.externalRef')}
              maxLength={128}
              {...form.getInputProps('externalRef')}
            />
            <TextInput
              label={t('create.postback')}
              placeholder="https://"
              type="url"
              {...form.getInputProps('postbackUrl')}
            />
            <Switch
              label={t('create.tangible')}
              mt="xl"
              {...form.getInputProps('tangible', { type: 'checkbox' })}
            />
          </SimpleGrid>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}

function DueDate({
  form,
}: {
  readonly form: Pick<UseFormReturnType<ChargeForm>, 'values' | 'setFieldValue'>;
}) {
  const { t } = useTranslation();
  const names = useCalendarNames();
  const valueFormat = useDayFormat();
  return (
    <Paper withBorder p="md">
      <LocalDates>
        <DatePickerInput
          label={t('create.dueDate')}
          description={t('create.dueDateHint')}
          valueFormat={valueFormat}
          {...names}
          onDateChange={keepCalendarFocus}
          minDate={dayFromNow(0)}
          maxDate={dayFromNow(MAX_DAYS)}
          value={form.values.dueDate === '' ? dayFromNow(DEFAULT_DAYS) : form.values.dueDate}
          onChange={(value) => form.setFieldValue('dueDate', value ?? '')}
        />
      </LocalDates>
    </Paper>
  );
}

function PayerFields({ form }: { readonly form: Pick<UseFormReturnType<ChargeForm>, 'getInputProps'> }) {
  const { t } = useTranslation();
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <TextInput label={t('create.name')} maxLength={255} {...REQUIRED} {...form.getInputProps('name')} />
      <DocumentInput label={t('create.document')} {...REQUIRED} {...form.getInputProps('document')} />
      <TextInput
        label={t('create.email')}
        type="email"
        inputMode="email"
        {...REQUIRED}
        {...form.getInputProps('email')}
      />
      <TextInput label={t('create.phone')} inputMode="tel" {...REQUIRED} {...form.getInputProps('phone')} />
    </SimpleGrid>
  );
}
