import { Button, Group, Paper, Select, Stack, Switch, Text, Textarea, TextInput, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { api, unwrap } from '../api/client.ts';
import { useMay } from '../api/permissions.ts';
import { queryClient } from '../api/queries.ts';
import { useFieldErrors } from '../components/field-errors.ts';
import { ErrorAlert, LoadingSkeleton, notify } from '../components/feedback.tsx';
import { CopyBlock } from '../components/values.tsx';
import { embedSnippet } from '../links/embed-snippet.ts';
import { sellerSettings, type SellerSettings } from './account.ts';

const MAX_ORIGINS = 20;
const ORIGINS = Array.from({ length: MAX_ORIGINS }, (_, index) => `embedOrigins.${index}`);
const FIELDS = ['displayName', 'logoUrl', 'embedOrigins', ...ORIGINS];

/** What payers see of the seller, and whether they get emails. */
export function Payers(): ReactNode {
  const { t } = useTranslation();
  const query = useQuery(sellerSettings());
  return (
    <Paper withBorder p="md">
      <Stack>
        <div>
          <Title order={2} size="h4">
            {t('payers.title')}
          </Title>
          <Text size="sm" c="dimmed">
            {t('payers.intro')}
          </Text>
        </div>
        {query.isPending ? <LoadingSkeleton count={3} /> : null}
        {query.isError ? <ErrorAlert error={query.error} retry={query.refetch} /> : null}
        {query.data === undefined ? null : <PayersForm saved={query.data} />}
      </Stack>
    </Paper>
  );
}

function PayersForm({ saved }: { readonly saved: SellerSettings }): ReactNode {
  const { t } = useTranslation();
  const payers = usePayersForm(saved);
  const { mutation, errors, mayWrite } = payers;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        payers.submit();
      }}
    >
      <Stack>
        <BrandFields payers={payers} />
        <EmailFields payers={payers} />
        <OriginsField payers={payers} />
        {saved.embedOrigins.length === 0 ? null : (
          <Stack gap={4}>
            <Text size="sm">{t('payers.snippetHint')}</Text>
            <CopyBlock
              value={embedSnippet(location.origin, t('payers.snippetCode'))}
              label={t('links.embedCode')}
            />
          </Stack>
        )}
        {Object.keys(errors).length === 0 ? <ErrorAlert error={mutation.error} /> : null}
        {mayWrite ? (
          <Group>
            <Button type="submit" variant="default" loading={mutation.isPending}>
              {t('common.save')}
            </Button>
          </Group>
        ) : null}
      </Stack>
    </form>
  );
}

const formOf = (saved: SellerSettings) => ({
  displayName: saved.displayName ?? '',
  logoUrl: saved.logoUrl ?? '',
  origins: saved.embedOrigins.join('\n'),
  payerEmails: saved.payerEmails,
  payerLanguage: saved.payerLanguage,
});
type Form = ReturnType<typeof formOf>;

const bodyOf = ({ displayName, logoUrl, origins, payerEmails, payerLanguage }: Form) => ({
  displayName: orNull(displayName),
  logoUrl: orNull(logoUrl),
  payerEmails,
  payerLanguage,
  embedOrigins: linesOf(origins),
});

function usePayersForm(saved: SellerSettings) {
  const { t } = useTranslation();
  const [form, setForm] = useState(() => formOf(saved));
  const change = (changes: Partial<Form>) => setForm((before) => ({ ...before, ...changes }));
  const mutation = useMutation({
    mutationFn: (body: ReturnType<typeof bodyOf>) => unwrap(api.PATCH('/v1/sellers/me/settings', { body })),
    onSuccess: ({ data }) => {
      queryClient.setQueryData(sellerSettings().queryKey, data);
      change({ origins: data.embedOrigins.join('\n') });
      notify(t('payers.saved'));
    },
  });
  const { errors, clear } = useFieldErrors(mutation.error, FIELDS);
  const mayWrite = useMay()('settings:write');
  const submit = () => mutation.mutate(bodyOf(form));
  return { form, change, submit, mutation, errors, clear, mayWrite };
}

interface Fields {
  readonly payers: ReturnType<typeof usePayersForm>;
}

function BrandFields({ payers: { form, change, errors, clear, mayWrite } }: Fields) {
  const { t } = useTranslation();
  return (
    <>
      <TextInput
        label={t('payers.name')}
        description={t('payers.nameHint')}
        maxLength={60}
        readOnly={!mayWrite}
        value={form.displayName}
        error={errors['displayName']}
        onChange={(event) => {
          change({ displayName: event.currentTarget.value });
          clear('displayName');
        }}
      />
      <TextInput
        label={t('payers.logo')}
        type="url"
        placeholder="https://"
        maxLength={2_048}
        readOnly={!mayWrite}
        value={form.logoUrl}
        error={errors['logoUrl']}
        onChange={(event) => {
          change({ logoUrl: event.currentTarget.value });
          clear('logoUrl');
        }}
      />
    </>
  );
}

function EmailFields({ payers: { form, change, mayWrite } }: Fields) {
  const { t } = useTranslation();
  return (
    <>
      <Switch
        label={t('payers.emails')}
        description={t('payers.emailsHint')}
        disabled={!mayWrite}
        checked={form.payerEmails}
        onChange={(event) => change({ payerEmails: event.currentTarget.checked })}
      />
      {form.payerEmails ? (
        <Select
          label={t('payers.language')}
          allowDeselect={false}
          readOnly={!mayWrite}
          data={[
            { value: 'pt-BR', label: 'Português' },
            { value: 'en', label: 'English' },
          ]}
          value={form.payerLanguage}
          onChange={(language) => change({ payerLanguage: language === 'en' ? 'en' : 'pt-BR' })}
        />
      ) : null}
    </>
  );
}

function OriginsField({ payers: { form, change, mutation, errors, clear, mayWrite } }: Fields) {
  const { t } = useTranslation();
  const wrongOrigin = ORIGINS.find((path) => (errors[path] ?? '') !== '');
  const error =
    wrongOrigin === undefined
      ? errors['embedOrigins']
      : `${mutation.variables?.embedOrigins[ORIGINS.indexOf(wrongOrigin)]}: ${errors[wrongOrigin]}`;
  return (
    <Textarea
      label={t('payers.origins')}
      description={t('payers.originsHint')}
      placeholder="https://www.minhaloja.com.br"
      autosize
      minRows={2}
      readOnly={!mayWrite}
      value={form.origins}
      error={error}
      onChange={(event) => {
        change({ origins: event.currentTarget.value });
        clear('embedOrigins', ...ORIGINS);
      }}
    />
  );
}

/** One entry a line. A copied address of a page means its origin. */
const linesOf = (text: string): string[] =>
  text
    .split(/\s+/)
    .filter((line) => line !== '')
    .map((line) => line.replace(/^(https?:\/\/[^/]+)\/.*$/i, '$1').toLowerCase());

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());
