import { Alert, Box, Button, Group, Image, List, Paper, Stack, Text, Textarea, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { api, unwrap } from '../api/client.ts';
import { isSandbox, useUser } from '../api/permissions.ts';
import { queryClient } from '../api/queries.ts';
import { signOut } from '../api/session.ts';
import { ErrorAlert, notify } from '../components/feedback.tsx';
import { Status } from '../components/values.tsx';
import { fieldErrors } from '../i18n/errors.ts';
import { LanguageControl, SchemeControl } from '../settings/controls.tsx';
import { DetailFields, DETAIL_FIELDS, toBody, toForm } from './detail-fields.tsx';
import { ApplicationDetails } from './details.tsx';
import { Documents } from './documents.tsx';
import { Messages } from './messages.tsx';
import { application as applicationQuery, type Application } from './queries.ts';
import { useMissingLabels } from './missing.ts';

const keep = (saved: Application) => queryClient.setQueryData(applicationQuery().queryKey, saved);

/** What the owner of a seller that is not approved sees: its application, and nothing else. */
export function ApplicationPage({ application }: { readonly application: Application }): ReactNode {
  const { t } = useTranslation();
  const { email } = useUser();
  const { status } = application;
  const isOpen = status === 'DRAFT' || status === 'QUESTION';
  return (
    <Box component="main" mih="100dvh" pb="xl">
      {isSandbox ? <div className="band">{t('sandbox')}</div> : null}
      <Stack maw={792} mx="auto" gap="lg" pt="md" px="md">
        <Group justify="space-between">
          <Group gap="sm">
            <Image src="/assets/icon.svg" alt="" w={32} h={32} />
            <Text fw={700} size="lg">
              {t('product')}
            </Text>
          </Group>
          <Group gap="xs">
            <Button component={Link} to="/settings" variant="subtle" size="compact-sm">
              {t('nav.settings')}
            </Button>
            <Button variant="subtle" size="compact-sm" onClick={() => void signOut()}>
              {t('session.signOut')}
            </Button>
          </Group>
        </Group>
        <div>
          <Group gap="sm">
            <Title order={1} size="h3">
              {application.name}
            </Title>
            <Status kind="application" of={status} />
          </Group>
          <Text c="dimmed" aria-live="polite">
            {t(`onboarding.explained.${status}`)}
          </Text>
        </div>
        {status === 'APPROVED' ? (
          <Button onClick={() => location.reload()}>{t('onboarding.openDashboard')}</Button>
        ) : null}
        {application.messages.length === 0 ? null : (
          <Paper withBorder p="md">
            <Messages messages={application.messages} />
          </Paper>
        )}
        {isOpen ? (
          <Draft application={application} />
        ) : (
          <>
            <ApplicationDetails application={application} />
            <Documents application={application} readOnly pathOf={documentPath} />
          </>
        )}
        <Text size="sm" c="dimmed" className="whole">
          {email}
        </Text>
        <Group justify="space-between">
          <LanguageControl />
          <SchemeControl />
        </Group>
      </Stack>
    </Box>
  );
}

const documentPath = (id: string): string => `/v1/application/documents/${id}`;

/** The form. It keeps what was typed while documents are added and after errors. */
function Draft({ application }: { readonly application: Application }): ReactNode {
  const { t } = useTranslation();
  const { form, setForm, answer, setAnswer, save, submit } = useDraft(application);
  const missing = useMissingLabels(application.missing);
  const error = submit.error ?? save.error;
  const errors = fieldErrors(error, DETAIL_FIELDS);
  return (
    <>
      <form
        id="details"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit.reset();
          save.mutate();
        }}
      >
        <Stack gap="lg">
          <DetailFields form={form} errors={errors} onChange={setForm} />
          <Group>
            <Button type="submit" variant="default" loading={save.isPending}>
              {t('common.save')}
            </Button>
          </Group>
        </Stack>
      </form>
      <Documents application={application} pathOf={documentPath} />
      <Paper withBorder p="md">
        <Stack>
          {application.status === 'QUESTION' ? (
            <Textarea
              label={t('onboarding.answer')}
              autosize
              minRows={2}
              maxLength={2000}
              value={answer}
              onChange={(event) => setAnswer(event.currentTarget.value)}
            />
          ) : null}
          {missing.length === 0 ? null : (
            <Alert color="blue" title={t('onboarding.missing')}>
              <List size="sm">
                {missing.map((part) => (
                  <List.Item key={part}>{part}</List.Item>
                ))}
              </List>
            </Alert>
          )}
          {Object.keys(errors).length === 0 ? <ErrorAlert error={error} /> : null}
          {Object.keys(errors).length === 0 ? null : (
            <Alert color="red" role="alert">
              {t('onboarding.checkFields')}
            </Alert>
          )}
          <Button loading={submit.isPending} onClick={() => submit.mutate()}>
            {t('onboarding.submit')}
          </Button>
        </Stack>
      </Paper>
    </>
  );
}

function useDraft(application: Application) {
  const { t } = useTranslation();
  const [form, setForm] = useState(() => toForm(application));
  const [answer, setAnswer] = useState('');
  const saveDetails = async () => {
    const { data } = await unwrap(api.PATCH('/v1/application', { body: toBody(form) }));
    keep(data);
    return data;
  };
  const save = useMutation({ mutationFn: saveDetails, onSuccess: () => notify(t('onboarding.saved')) });
  const submit = useMutation({
    mutationFn: async () => {
      await saveDetails();
      const message = answer.trim();
      const body = message === '' ? {} : { message };
      keep((await unwrap(api.POST('/v1/application/submit', { body }))).data);
    },
    onMutate: () => save.reset(),
  });
  return { form, setForm, answer, setAnswer, save, submit };
}
