import { Button, Group, Paper, Select, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { SELLER_ROLES, type SellerRole } from '../../../src/platform/kit/permissions.ts';
import { api, unwrap } from '../api/client.ts';
import { useMay, useUser } from '../api/permissions.ts';
import { queryClient } from '../api/queries.ts';
import { EndKeys } from '../components/end-keys.tsx';
import { Confirm } from '../components/confirm.tsx';
import { NewPersonForm } from '../components/new-person.tsx';
import { ErrorAlert, LoadingSkeleton, notify, notifyError } from '../components/feedback.tsx';
import { team } from './account.ts';

const refresh = () => queryClient.invalidateQueries({ queryKey: ['team'] });

/** Users of the seller with their roles. */
export function Team() {
  const { t } = useTranslation();
  const may = useMay();
  const user = useUser();
  const query = useQuery(team());
  const [adding, setAdding] = useState(false);
  const [endKeys, setEndKeys] = useState(true);
  const [leaving, setLeaving] = useState<{ readonly id: string; readonly name: string }>();
  const change = useMutation({
    mutationFn: ({ id, role }: { readonly id: string; readonly role: SellerRole }) =>
      unwrap(api.PATCH('/v1/users/{id}', { params: { path: { id } }, body: { role } })),
    onSuccess: () => notify(t('settings.roleChanged')),
    onError: notifyError,
    onSettled: refresh,
  });
  const write = may('users:write');
  return (
    <Paper withBorder p="md">
      <Stack>
        <Group justify="space-between">
          <Title order={2} size="h4">
            {t('settings.team')}
          </Title>
          {write ? (
            <Button
              size="xs"
              variant="default"
              leftSection={<UserPlus size={14} aria-hidden />}
              onClick={() => setAdding(true)}
            >
              {t('settings.addUser')}
            </Button>
          ) : null}
        </Group>
        {query.isPending ? <LoadingSkeleton count={2} /> : null}
        {query.isError ? <ErrorAlert error={query.error} retry={query.refetch} /> : null}
        {query.data?.map(({ id, name, email, role }) => (
          <Group key={id} justify="space-between" gap="xs">
            <div>
              <Text size="sm" fw={600}>
                {name}
              </Text>
              <Text size="xs" c="dimmed" className="whole">
                {email}
              </Text>
            </div>
            {write && id !== user.id ? (
              <Group gap="xs">
                <Select
                  size="xs"
                  w={150}
                  aria-label={`${t('settings.role')}: ${name}`}
                  allowDeselect={false}
                  data={SELLER_ROLES.map((value) => ({ value, label: t(`role.${value}`) }))}
                  value={role}
                  onChange={(value) => {
                    const next = SELLER_ROLES.find((known) => known === value);
                    if (next !== undefined && next !== role) change.mutate({ id, role: next });
                  }}
                />
                <Button
                  size="xs"
                  variant="subtle"
                  color="red"
                  aria-label={`${t('common.delete')} ${name}`}
                  onClick={() => setLeaving({ id, name })}
                >
                  {t('common.delete')}
                </Button>
              </Group>
            ) : (
              <Text size="sm">{t(`role.${role}`)}</Text>
            )}
          </Group>
        ))}
      </Stack>
      <NewPersonForm
        opened={adding}
        onClose={() => setAdding(false)}
        texts={{
          title: t('settings.addUser'),
          action: t('settings.addUser'),
          password: t('settings.firstPassword'),
          passwordHint: t('settings.passwordHint', { length: 10 }),
          created: () => t('settings.added'),
          roleDescriptions: 'keys.roleDescriptions',
        }}
        roles={SELLER_ROLES}
        minPasswordLength={10}
        create={async (body) => {
          await unwrap(api.POST('/v1/users', { body }));
          await refresh();
        }}
      />
      <Confirm
        opened={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        danger
        title={t('settings.removeTitle', { name: leaving?.name ?? '' })}
        message={t('settings.removeDescription')}
        action={t('common.delete')}
        done={t('settings.removed')}
        run={async () => {
          if (leaving === undefined) return;
          const params = { path: { id: leaving.id }, query: { endKeys } };
          await unwrap<unknown>(api.DELETE('/v1/users/{id}', { params }));
          await queryClient.invalidateQueries({ queryKey: ['api-keys'] });
          await refresh();
        }}
      >
        <EndKeys checked={endKeys} onChange={setEndKeys} />
      </Confirm>
    </Paper>
  );
}
