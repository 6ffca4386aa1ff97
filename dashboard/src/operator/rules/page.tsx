import { Alert, Button, Group, Paper, Stack, Switch, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { api, ask } from '../../api/client.ts';
import { useMay } from '../../api/permissions.ts';
import { MoneyInput } from '../../components/money-input.tsx';
import { ErrorNote, Lines, PageTitle, say } from '../../components/feedback.tsx';
import { formatMoney } from '../../i18n/format.ts';
import { operatorSettings, operatorUsers, refresh, type Settings } from '../queries.ts';

/** Settings that apply to all sellers. */
export function RulesPage(): ReactNode {
  const { t } = useTranslation();
  const query = useQuery(operatorSettings());
  return (
    <Stack maw={640}>
      <PageTitle title={t('operator.rules.title')} intro={t('operator.rules.intro')} />
      {query.data === undefined ? (
        query.isError ? (
          <ErrorNote error={query.error} retry={query.refetch} />
        ) : (
          <Lines count={3} />
        )
      ) : (
        <TwoPeople key={String(query.data.twoPersonApprovalAbove)} saved={query.data} />
      )}
    </Stack>
  );
}

const USUAL = 1_000_000;

function TwoPeople({ saved }: { readonly saved: Settings }): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const readOnly = !may('operator:write');
  const admins = useQuery(operatorUsers()).data?.data.filter(({ role }) => role === 'ADMIN').length;
  const [on, setOn] = useState(saved.twoPersonApprovalAbove !== null);
  const [above, setAbove] = useState(saved.twoPersonApprovalAbove ?? USUAL);
  const wanted = on ? above : null;
  const mutation = useMutation({
    mutationFn: async () => ask(api.PUT('/v1/admin/settings', { body: { twoPersonApprovalAbove: wanted } })),
    onSuccess: async () => {
      say(t('operator.rules.saved'));
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
          <Text>{t('operator.rules.twoMeans')}</Text>
          <Switch
            label={t('operator.rules.twoOn')}
            checked={on}
            disabled={readOnly}
            onChange={(event) => setOn(event.currentTarget.checked)}
          />
          {on ? (
            <MoneyInput
              label={t('operator.rules.above')}
              description={t('operator.rules.aboveMeans', { amount: formatMoney(above) })}
              inputWrapperOrder={['label', 'input', 'description']}
              readOnly={readOnly}
              value={above}
              onChange={setAbove}
            />
          ) : null}
          {on && admins === 1 ? (
            <Alert color="orange" variant="light">
              {t('operator.rules.onlyOne')}
            </Alert>
          ) : null}
          <ErrorNote error={mutation.error} />
          {readOnly ? null : (
            <Group>
              <Button
                type="submit"
                disabled={wanted === saved.twoPersonApprovalAbove}
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
