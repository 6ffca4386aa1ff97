import { Alert, Button, Group, List, Paper, SimpleGrid, Stack, Text, Textarea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { api, unwrap } from '../../api/client.ts';
import { useMay } from '../../api/permissions.ts';
import { queryClient } from '../../api/queries.ts';
import { ErrorAlert, LoadingSkeleton, notify, PageTitle } from '../../components/feedback.tsx';
import { useFieldErrors } from '../../components/field-errors.ts';
import { FormDialog } from '../../components/form-dialog.tsx';
import { DescriptionList } from '../../components/description-list.tsx';
import { RelativeTime, Status, StatusDescription } from '../../components/values.tsx';
import { ApplicationDetails } from '../../onboarding/details.tsx';
import { Documents } from '../../onboarding/documents.tsx';
import { Messages } from '../../onboarding/messages.tsx';
import { useMissingLabels } from '../../onboarding/missing.ts';
import { SellerLink } from '../components/seller-link.tsx';
import { application as applicationQuery, refresh, type Application } from '../queries.ts';
import { sellers } from '../sellers/queries.ts';
import { Approve } from './approve.tsx';

const page = getRouteApi('/operator/applications/$id');

/** An application, and the decision on it. */
export function ReviewPage(): ReactNode {
  const { id } = page.useParams();
  const query = useQuery(applicationQuery(id));
  if (query.data === undefined) {
    return query.isError ? <ErrorAlert error={query.error} retry={query.refetch} /> : <LoadingSkeleton />;
  }
  return <Review key={id} application={query.data} />;
}

/** Shows what a decision has changed. */
async function showDecided(decided: Application, message: string): Promise<void> {
  queryClient.setQueryData(applicationQuery(decided.id).queryKey, decided);
  notify(message);
  await refresh('applications', 'sellers', 'audit');
}

function Review({ application }: { readonly application: Application }): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const [asking, ask] = useDisclosure(false);
  const [rejecting, reject] = useDisclosure(false);
  const missing = useMissingLabels(application.missing);
  const { id, status, messages, erasedAt } = application;
  const isUndecided = status === 'DRAFT' || status === 'SUBMITTED' || status === 'QUESTION';
  const mayDecide = isUndecided && may('operator:write');
  return (
    <Stack>
      <PageTitle title={application.name}>
        <Status kind="application" of={status} />
        <Button component={Link} to={`/operator/sellers/${id}`} variant="default">
          {t('operator.applications.seller')}
        </Button>
        {mayDecide ? (
          <>
            <Button variant="default" onClick={ask.open}>
              {t('operator.applications.ask')}
            </Button>
            <Button variant="light" color="red" onClick={reject.open}>
              {t('operator.applications.reject')}
            </Button>
          </>
        ) : null}
      </PageTitle>
      <StatusDescription kind="application" of={status} />
      {erasedAt === null ? null : <Alert color="gray">{t('operator.applications.erased')}</Alert>}
      {isUndecided && missing.length > 0 ? (
        <Alert color="orange" title={t('operator.applications.incomplete')}>
          <List size="sm">
            {missing.map((part) => (
              <List.Item key={part}>{part}</List.Item>
            ))}
          </List>
        </Alert>
      ) : null}
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Stack>
          <ApplicationDetails application={application} />
          {erasedAt === null ? <SameDocument application={application} /> : null}
        </Stack>
        <Stack>
          <Documents
            application={application}
            readOnly
            pathOf={(document) => `/v1/admin/applications/${id}/documents/${document}`}
          />
          {messages.length === 0 ? null : (
            <Paper withBorder p="md">
              <Messages messages={messages} />
            </Paper>
          )}
        </Stack>
      </SimpleGrid>
      {mayDecide ? <Approve application={application} onApproved={showDecided} /> : null}
      <AskDialog application={application} opened={asking} onClose={ask.close} />
      <RejectDialog application={application} opened={rejecting} onClose={reject.close} />
    </Stack>
  );
}

/** Sellers that have, or had, the tax ID of the applicant, and what became of them. */
function SameDocument({ application: { id, document } }: { readonly application: Application }): ReactNode {
  const { t } = useTranslation();
  const query = useQuery(sellers({ search: document, take: 10 }));
  if (query.data === undefined) return <ErrorAlert error={query.error} retry={query.refetch} />;
  const others = query.data.data.filter((one) => one.id !== id);
  return (
    <DescriptionList title={t('operator.applications.sameDocument')}>
      {others.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('operator.applications.noOther')}
        </Text>
      ) : null}
      {others.map((one) => (
        <Group key={one.id} justify="space-between" gap="xs">
          <Text size="sm">
            <SellerLink id={one.id} name={one.name} />
          </Text>
          <Group gap="xs">
            <RelativeTime at={one.createdAt} size="xs" />
            <Status kind="operator.seller" of={one.status} size="sm" />
          </Group>
        </Group>
      ))}
    </DescriptionList>
  );
}

interface DecisionProps {
  readonly application: Application;
  readonly opened: boolean;
  readonly onClose: () => void;
}

function AskDialog({ application, opened, onClose }: DecisionProps): ReactNode {
  const { t } = useTranslation();
  return (
    <MessageDialog
      opened={opened}
      onClose={onClose}
      title={t('operator.applications.askTitle')}
      label={t('operator.applications.question')}
      hint={t('operator.applications.questionHint')}
      action={t('operator.applications.ask')}
      send={async (message) => {
        const params = { path: { id: application.id } };
        const body = { message };
        const { data } = await unwrap(api.POST('/v1/admin/applications/{id}/ask', { params, body }));
        await showDecided(data, t('operator.applications.asked'));
      }}
    />
  );
}

function RejectDialog({ application, opened, onClose }: DecisionProps): ReactNode {
  const { t } = useTranslation();
  return (
    <MessageDialog
      danger
      opened={opened}
      onClose={onClose}
      title={t('operator.applications.rejectTitle', { name: application.name })}
      label={t('operator.applications.reason')}
      hint={t('operator.applications.reasonHint')}
      action={t('operator.applications.reject')}
      send={async (message) => {
        const params = { path: { id: application.id } };
        const body = { message };
        const { data } = await unwrap(api.POST('/v1/admin/applications/{id}/reject', { params, body }));
        await showDecided(data, t('operator.applications.rejected'));
      }}
    />
  );
}

/** Sends one message to the applicant. */
function MessageDialog({
  opened,
  onClose,
  title,
  label,
  hint,
  action,
  danger = false,
  send,
}: {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly label: string;
  readonly hint: string;
  readonly action: string;
  readonly danger?: boolean;
  readonly send: (message: string) => Promise<void>;
}): ReactNode {
  const [text, setText] = useState('');
  const mutation = useMutation({
    mutationFn: () => send(text.trim()),
    onSuccess: () => {
      setText('');
      onClose();
    },
  });
  const { errors, clear } = useFieldErrors(mutation.error, ['message']);
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={title}
      action={action}
      danger={danger}
      sending={mutation}
      errors={errors}
    >
      <Group grow>
        <Textarea
          label={label}
          description={hint}
          autosize
          minRows={3}
          maxLength={2000}
          data-autofocus
          value={text}
          error={errors['message']}
          onChange={(event) => {
            setText(event.currentTarget.value);
            clear('message');
          }}
        />
      </Group>
    </FormDialog>
  );
}
