import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { OPERATOR_ROLES } from '../../../../src/platform/kit/permissions.ts';
import { api, unwrap } from '../../api/client.ts';
import { PageTitle } from '../../components/feedback.tsx';
import { appliedOrAwaiting } from '../components/awaiting.ts';
import { PeopleTable } from '../components/people-table.tsx';
import { operatorUsers, refresh } from '../queries.ts';

export function OperatorTeamPage(): ReactNode {
  const { t } = useTranslation();
  const list = useQuery(operatorUsers());
  return (
    <PeopleTable
      label={t('operator.team.title')}
      query={list}
      onPage={() => undefined}
      roles={OPERATOR_ROLES}
      minPasswordLength={12}
      head={(button) => (
        <PageTitle title={t('operator.team.title')} intro={t('operator.team.intro')}>
          {button}
        </PageTitle>
      )}
      create={async (body) => {
        appliedOrAwaiting((await unwrap(api.POST('/v1/admin/users', { body }))).data);
        await refresh('users', 'audit');
      }}
      remove={async (id) => {
        const path = { id };
        appliedOrAwaiting((await unwrap(api.DELETE('/v1/admin/users/{id}', { params: { path } }))).data);
        await refresh('users', 'audit');
      }}
    />
  );
}
