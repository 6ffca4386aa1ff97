import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { FilePenLine } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { compact, oneOf } from '../../app/search.ts';
import { createdColumn, statusColumn } from '../../components/columns.tsx';
import { StatusFilter } from '../../components/filters.tsx';
import { Listing } from '../../components/listing.tsx';
import { RelativeTime } from '../../components/values.tsx';
import { APPLICATION_STATUSES } from '../../i18n/statuses.ts';
import { applications } from '../queries.ts';

const page = getRouteApi('/operator/applications');
const TAKE = 20;

/** Sellers that applied for an account. */
export function ApplicationsPage(): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const search = page.useSearch();
  const { cursor, status } = search;
  const list = useQuery(
    applications(compact({ status: oneOf(APPLICATION_STATUSES, status), cursor, take: TAKE })),
  );
  return (
    <Listing
      title={t('operator.applications.title')}
      intro={t('operator.applications.intro')}
      search={search}
      views={{
        list: 'operator-applications',
        given: [
          { name: t('operator.applications.viewAll'), filters: {} },
          { name: t('operator.applications.viewSubmitted'), filters: { status: 'SUBMITTED' } },
          { name: t('operator.applications.viewQuestion'), filters: { status: 'QUESTION' } },
        ],
      }}
      filters={(change) => (
        <StatusFilter
          single
          kind="application"
          statuses={APPLICATION_STATUSES}
          value={status}
          onChange={(next) => change({ status: next })}
        />
      )}
      query={list}
      onOpen={({ id }) => void navigate({ to: '/operator/applications/$id', params: { id } })}
      columns={[
        {
          key: 'name',
          header: t('operator.applications.applicant'),
          phone: true,
          cell: (row) => (
            <Stack gap={0}>
              <Text size="sm" fw={600} lineClamp={1}>
                {row.name}
              </Text>
              <Text size="xs" c="dimmed" className="figures">
                {row.document}
              </Text>
            </Stack>
          ),
        },
        statusColumn(t, 'application'),
        {
          key: 'owner',
          header: t('onboarding.owner'),
          cell: (row) => <Text size="sm">{row.ownerName}</Text>,
        },
        {
          key: 'submitted',
          header: t('operator.applications.submitted'),
          cell: (row) => (row.submittedAt === null ? '' : <RelativeTime at={row.submittedAt} size="sm" />),
        },
        createdColumn(t),
      ]}
      empty={{
        icon: <FilePenLine />,
        title: t('operator.applications.emptyTitle'),
        hint: t('operator.applications.emptyHint'),
      }}
    />
  );
}
