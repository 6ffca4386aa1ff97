import { Accordion, Alert, Anchor, SimpleGrid, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { ApiError } from '../api/errors.ts';
import { queryClient } from '../api/queries.ts';
import { validateContact } from '../charges/new-charge.ts';
import { notify } from '../components/feedback.tsx';
import { DocumentInput } from '../components/document-input.tsx';
import { useChecks, useFieldErrors } from '../components/field-errors.ts';
import { FormDialog } from '../components/form-dialog.tsx';
import { formatError } from '../i18n/errors.ts';
import { formatPhone } from '../i18n/format.ts';
import {
  CUSTOMER_PATHS,
  customerFieldOf,
  formOf,
  lacksDocument,
  toCustomerChanges,
  toNewCustomer,
  type CustomerForm,
} from './form.ts';
import { createCustomer, customer, updateCustomer, type Customer } from './queries.ts';

/** What is typed, its faults, and the request that saves it. */
function useCustomerForm(saved: Customer | undefined, onSaved: (customer: Customer) => void) {
  const { t } = useTranslation();
  const [form, setForm] = useState(() => formOf(saved));
  const checks = useChecks();
  const mutation = useMutation({
    mutationFn: () =>
      saved === undefined
        ? createCustomer(toNewCustomer(form))
        : updateCustomer(saved.id, toCustomerChanges(form)),
    onSuccess: (result) => {
      queryClient.setQueryData(customer(result.id).queryKey, result);
      void queryClient.invalidateQueries({ queryKey: ['customers'] });
      notify(t(saved === undefined ? 'customers.created' : 'customers.saved'));
      onSaved(result);
    },
  });
  const refused = useFieldErrors(mutation.error, CUSTOMER_PATHS, customerFieldOf);
  const duplicate = mutation.error instanceof ApiError ? mutation.error.recordId : undefined;
  const errors = { ...refused.errors, ...checks.errors };
  const submit = () => {
    const found = Object.fromEntries(
      Object.entries({
        ...validateContact(form),
        ...(lacksDocument(form, saved === undefined) ? { document: 'needDocument' as const } : {}),
      }).map(([name, fault]) => [name, t(`create.${fault}`)]),
    );
    if (checks.check(found)) mutation.mutate();
  };
  const change = (name: keyof CustomerForm, text: string) => {
    if (text === form[name]) return;
    setForm({ ...form, [name]: text });
    checks.clear(name);
    refused.clear(name);
  };
  return { form, change, errors, duplicate, mutation, submit };
}

/** Creates a customer, or changes `saved`. */
export function CustomerDialog({
  saved,
  opened,
  onClose,
  onSaved,
}: {
  readonly saved?: Customer;
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onSaved: (customer: Customer) => void;
}) {
  const { t } = useTranslation();
  const { form, change, errors, duplicate, mutation, submit } = useCustomerForm(saved, onSaved);
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={t(saved === undefined ? 'customers.new' : 'customers.editTitle')}
      action={t('common.save')}
      sending={{ ...mutation, mutate: submit }}
      errors={duplicate === undefined ? errors : { document: '' }}
    >
      {saved === undefined ? null : (
        <Text size="sm" c="dimmed">
          {t('customers.editMeans')}
        </Text>
      )}
      <Fields form={form} saved={saved} errors={errors} onChange={change} />
      {duplicate === undefined ? null : (
        <Alert color="red" variant="light" role="alert">
          {formatError(mutation.error)}{' '}
          <Anchor component={Link} to={`/customers/${duplicate}`} size="sm" underline="always">
            {t('customers.exists')}
          </Anchor>
        </Alert>
      )}
    </FormDialog>
  );
}

function Fields({
  form,
  saved,
  errors,
  onChange,
}: {
  readonly form: CustomerForm;
  readonly saved: Customer | undefined;
  readonly errors: Readonly<Record<string, string>>;
  readonly onChange: (name: keyof CustomerForm, text: string) => void;
}) {
  const { t } = useTranslation();
  const field = (name: keyof CustomerForm) => ({
    label: t(`customers.${name}`),
    maxLength: 255,
    value: form[name],
    error: errors[name],
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      onChange(name, event.currentTarget.value),
  });
  const required = { required: true, withAsterisk: false } as const;
  return (
    <>
      <TextInput {...field('name')} {...required} data-autofocus />
      <DocumentInput
        {...field('document')}
        onChange={(typed) => onChange('document', typed)}
        required={saved === undefined}
        withAsterisk={false}
        description={
          saved === undefined ? undefined : t('customers.keepDocument', { document: saved.document })
        }
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput {...field('email')} {...required} type="email" inputMode="email" maxLength={320} />
        <TextInput
          {...field('phone')}
          {...required}
          inputMode="tel"
          maxLength={20}
          onBlur={() => onChange('phone', formatPhone(form.phone))}
        />
      </SimpleGrid>
      <TextInput {...field('externalRef')} maxLength={128} />
      <Accordion variant="contained">
        <Accordion.Item value="address">
          <Accordion.Control>{t('customers.address')}</Accordion.Control>
          <Accordion.Panel>
            <SimpleGrid cols={{ base: 1, xs: 2 }}>
              <TextInput {...field('postalCode')} inputMode="numeric" maxLength={9} />
              <TextInput {...field('street')} />
              <TextInput {...field('number')} maxLength={20} />
              <TextInput {...field('complement')} />
              <TextInput {...field('district')} maxLength={100} />
              <TextInput {...field('city')} maxLength={100} />
              <TextInput {...field('state')} maxLength={2} />
            </SimpleGrid>
          </Accordion.Panel>
        </Accordion.Item>
      </Accordion>
    </>
  );
}
