import { Button, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { MailCheck, RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { api, unwrap } from '../../api/client.ts';
import { useMay } from '../../api/permissions.ts';
import { compact, oneOf } from '../../app/search.ts';
import { createdColumn } from '../../components/columns.tsx';
import type { Column } from '../../components/cursor-table.tsx';
import { notify, notifyError } from '../../components/feedback.tsx';
import { StatusFilter } from '../../components/filters.tsx';
import { Listing } from '../../components/listing.tsx';
import { EmailAddress, Status } from '../../components/values.tsx';
import { findText } from '../../i18n/find-text.ts';
import { MAIL_STATUSES } from '../../i18n/statuses.ts';
import { mails, refresh, type Mail } from '../queries.ts';

const page = getRouteApi('/operator/mails');
const TAKE = 20;

/** Emails of all sellers. Those that could not be delivered can be sent again. */
export function MailsPage(): ReactNode {
  const { t } = useTranslation();
  const search = page.useSearch();
  const { cursor, status } = search;
  const list = useQuery(mails(compact({ status: oneOf(MAIL_STATUSES, status), cursor, take: TAKE })));
  return (
    <Listing
      title={t('operator.mails.title')}
      intro={t('operator.mails.intro')}
      search={search}
      views={{
        list: 'operator-mails',
        given: [
          { name: t('operator.mails.viewAll'), filters: {} },
          { name: t('operator.mails.viewFailed'), filters: { status: 'FAILED' } },
        ],
      }}
      filters={(change) => (
        <StatusFilter
          kind="operator.mail"
          statuses={MAIL_STATUSES}
          value={status}
          onChange={(next) => change({ status: next })}
        />
      )}
      query={list}
      columns={useColumns()}
      empty={{
        icon: <MailCheck />,
        title: t('operator.mails.emptyTitle'),
        hint: t('operator.mails.emptyHint'),
      }}
    />
  );
}

function useColumns(): readonly Column<Mail>[] {
  const { t } = useTranslation();
  const may = useMay();
  const retry = useMutation({
    mutationFn: (id: string) => unwrap(api.POST('/v1/admin/mails/{id}/retry', { params: { path: { id } } })),
    onSuccess: () => notify(t('operator.mails.retried')),
    onError: notifyError,
    onSettled: () => refresh('mails', 'audit'),
  });
  return [
    {
      key: 'to',
      header: t('operator.mails.to'),
      phone: true,
      cell: (row) => (
        <Stack gap={0}>
          <Text size="sm" fw={600} className="whole">
            <EmailAddress of={row.to} />
          </Text>
          <Text size="xs" c="dimmed">
            {findText(`operator.mails.templates.${row.template}`) ?? row.template}
          </Text>
        </Stack>
      ),
    },
    {
      key: 'status',
      header: t('common.status'),
      phone: true,
      cell: (row) => (
        <Stack gap={2} align="flex-start">
          <Status kind="operator.mail" of={row.status} />
          {row.error === null || row.status === 'SENT' ? null : (
            <Text size="xs" c="dimmed">
              {row.error}
            </Text>
          )}
        </Stack>
      ),
    },
    createdColumn(t),
    {
      key: 'actions',
      header: t('common.actions'),
      right: true,
      phone: true,
      cell: (row) =>
        row.status === 'FAILED' && may('operator:write') ? (
          <Button
            size="xs"
            variant="default"
            leftSection={<RotateCw size={14} aria-hidden />}
            aria-label={`${t('operator.mails.retry')}: ${row.to}`}
            loading={retry.isPending && retry.variables === row.id}
            onClick={() => retry.mutate(row.id)}
          >
            {t('operator.mails.retry')}
          </Button>
        ) : (
          ''
        ),
    },
  ];
}
