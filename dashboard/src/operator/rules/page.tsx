import { Alert, Button, Group, Paper, Stack, Switch, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { api, unwrap } from '../../api/client.ts';
import { useMay } from '../../api/permissions.ts';
import { MoneyInput } from '../../components/money-input.tsx';
import { ErrorAlert, LoadingSkeleton, PageTitle, notify } from '../../components/feedback.tsx';
import { formatMoney } from '../../i18n/format.ts';
import { appliedOrAwaiting } from '../components/awaiting.ts';
import { operatorSettings, operatorUsers, refresh, type Settings } from '../queries.ts';
import { PendingApprovals } from './approvals.tsx';

/** Settings that apply to all sellers. */
export function RulesPage(): ReactNode {
  const { t } = useTranslation();
  const query = useQuery(operatorSettings());
  return (
    <Stack maw={640}>
      <PageTitle title={t('operator.rules.title')} intro={t('operator.rules.intro')} />
      {query.data === undefined ? (
        query.isError ? (
          <ErrorAlert error={query.error} retry={query.refetch} />
        ) : (
          <LoadingSkeleton count={3} />
        )
      ) : (
        <ApprovalRule key={String(query.data.twoPersonApprovalAbove)} saved={query.data} />
      )}
      <PendingApprovals />
    </Stack>
  );
}

const DEFAULT_AMOUNT = 1_000_000;

function ApprovalRule({ saved }: { readonly saved: Settings }): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const readOnly = !may('operator:write');
  const admins = useQuery(operatorUsers()).data?.filter(({ role }) => role === 'ADMIN').length;
  const [on, setOn] = useState(saved.twoPersonApprovalAbove !== null);
  const [above, setAbove] = useState(saved.twoPersonApprovalAbove ?? DEFAULT_AMOUNT);
  const next = on ? above : null;
  const mutation = useMutation({
    mutationFn: async () => unwrap(api.PUT('/v1/admin/settings', { body: { twoPersonApprovalAbove: next } })),
    onSuccess: async ({ data }) => {
      if (appliedOrAwaiting(data) !== undefined) notify(t('operator.rules.saved'));
      await refresh('settings', 'withdrawals', 'audit');
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        mutation.mutate();
      }}
    >
      <Paper withBorder p="md">
        <Stack>
          <Title order={2} size="h4">
            {t('operator.rules.twoTitle')}
          </Title>
          <Text>{t('operator.rules.twoDescription')}</Text>
          <Switch
            label={t('operator.rules.twoOn')}
            checked={on}
            disabled={readOnly}
            onChange={(event) => setOn(event.currentTarget.checked)}
          />
          {on ? (
            <MoneyInput
              label={t('operator.rules.above')}
              description={t('operator.rules.aboveDescription', { amount: formatMoney(above) })}
              inputWrapperOrder={['label', 'input', 'description']}
              readOnly={readOnly}
              value={above}
              onChange={setAbove}
            />
          ) : null}
          {on && admins === 1 ? (
            <Alert role="alert" color="orange" variant="light">
              {t('operator.rules.onlyOne')}
            </Alert>
          ) : null}
          <ErrorAlert error={mutation.error} />
          {readOnly ? null : (
            <Group>
              <Button
                type="submit"
                disabled={next === saved.twoPersonApprovalAbove}
                loading={mutation.isPending}
              >
                {t('common.save')}
              </Button>
            </Group>
          )}
        </Stack>
      </Paper>
    </form>
  );
}
