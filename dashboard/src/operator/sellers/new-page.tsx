import { Button, Group, Paper, Select, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { api, unwrap } from '../../api/client.ts';
import { DocumentInput } from '../../components/document-input.tsx';
import { ErrorAlert, PageTitle, notify } from '../../components/feedback.tsx';
import { fieldErrors } from '../../i18n/errors.ts';
import { refresh } from '../queries.ts';

const EMPTY = { name: '', document: '', ownerName: '', ownerEmail: '' };
type Field = keyof typeof EMPTY;

function useNewSeller() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [form, setForm] = useState(EMPTY);
  const [status, setStatus] = useState<'ACTIVE' | 'PENDING'>('ACTIVE');
  const digits = form.document.replaceAll(/[^0-9A-Za-z]/g, '').toUpperCase();
  const mutation = useMutation({
    mutationFn: async () =>
      (
        await unwrap(
          api.POST('/v1/admin/sellers', {
            body: {
              ...form,
              ownerEmail: form.ownerEmail.trim(),
              document: digits,
              documentType: digits.length === 11 ? 'CPF' : 'CNPJ',
              status,
            },
          }),
        )
      ).data,
    onSuccess: async ({ id, name }) => {
      notify(t('operator.sellers.created', { name }));
      await refresh('sellers', 'audit');
      await navigate({ to: '/operator/sellers/$id', params: { id } });
    },
  });
  const errors = fieldErrors(mutation.error, Object.keys(EMPTY));
  const change = (name: Field, value: string) => setForm((before) => ({ ...before, [name]: value }));
  const field = (name: Field) => ({
    required: true,
    withAsterisk: false,
    value: form[name],
    error: errors[name],
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      change(name, event.currentTarget.value),
  });
  return { status, setStatus, mutation, errors, change, field };
}

type NewSeller = ReturnType<typeof useNewSeller>;

/** Creates a seller with its first user. A rejected form keeps its values. */
export function NewSellerPage(): ReactNode {
  const { t } = useTranslation();
  const seller = useNewSeller();
  const { mutation, errors } = seller;
  return (
    <Stack maw={720}>
      <PageTitle title={t('operator.sellers.new')} intro={t('operator.sellers.newIntro')} />
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          mutation.mutate();
        }}
      >
        <Stack>
          <SellerFields seller={seller} />
          <OwnerFields seller={seller} />
          {Object.keys(errors).length === 0 ? <ErrorAlert error={mutation.error} /> : null}
          <Group justify="flex-end">
            <Button variant="default" component={Link} to="/operator/sellers" activeOptions={{ exact: true }}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" loading={mutation.isPending}>
              {t('operator.sellers.create')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Stack>
  );
}

function SellerFields({
  seller: { status, setStatus, change, field },
}: {
  readonly seller: NewSeller;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <Paper withBorder p="md">
      <Stack>
        <Title order={2} size="h4">
          {t('operator.sellers.details')}
        </Title>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput label={t('operator.sellers.name')} maxLength={255} data-autofocus {...field('name')} />
          <DocumentInput
            label={t('create.document')}
            {...field('document')}
            onChange={(typed) => change('document', typed)}
          />
          <Select
            label={t('common.status')}
            allowDeselect={false}
            data={(['ACTIVE', 'PENDING'] as const).map((value) => ({
              value,
              label: t(`operator.sellerStatus.${value}.label`),
            }))}
            description={t(`operator.sellerStatus.${status}.description`)}
            inputWrapperOrder={['label', 'input', 'description']}
            value={status}
            onChange={(next) => setStatus(next === 'PENDING' ? 'PENDING' : 'ACTIVE')}
          />
        </SimpleGrid>
      </Stack>
    </Paper>
  );
}

function OwnerFields({ seller: { field } }: { readonly seller: NewSeller }): ReactNode {
  const { t } = useTranslation();
  return (
    <Paper withBorder p="md">
      <Stack>
        <div>
          <Title order={2} size="h4">
            {t('operator.sellers.owner')}
          </Title>
          <Text size="sm" c="dimmed">
            {t('people.inviteHint')}
          </Text>
        </div>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput label={t('create.name')} maxLength={255} autoComplete="off" {...field('ownerName')} />
          <TextInput
            label={t('create.email')}
            type="email"
            maxLength={320}
            autoComplete="off"
            {...field('ownerEmail')}
          />
        </SimpleGrid>
      </Stack>
    </Paper>
  );
}
