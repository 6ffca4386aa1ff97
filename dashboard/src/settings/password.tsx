import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { api, unwrap } from '../api/client.ts';
import { isOperator, useUser } from '../api/permissions.ts';
import { queryClient } from '../api/queries.ts';
import { ErrorAlert, notify } from '../components/feedback.tsx';
import { useFieldErrors } from '../components/field-errors.ts';
import { CurrentPasswordInput, NewPasswordInput } from '../session/inputs.tsx';

export function Password() {
  const { t } = useTranslation();
  const [currentPassword, setCurrent] = useState('');
  const [newPassword, setNew] = useState('');
  const minLength = isOperator(useUser()) ? 12 : 10;
  const mutation = useMutation({
    mutationFn: () => unwrap(api.POST('/v1/users/me/password', { body: { currentPassword, newPassword } })),
    onSuccess: async () => {
      setCurrent('');
      setNew('');
      notify(t('settings.passwordChanged'));
      await queryClient.invalidateQueries({ queryKey: ['me'] });
    },
  });
  const { errors, clear } = useFieldErrors(mutation.error, ['currentPassword', 'newPassword']);
  return (
    <Paper withBorder p="md">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          mutation.mutate();
        }}
      >
        <Stack>
          <div>
            <Title order={2} size="h4">
              {t('settings.password')}
            </Title>
            <Text size="sm" c="dimmed">
              {t('settings.passwordDescription')}
            </Text>
          </div>
          <CurrentPasswordInput
            label={t('settings.currentPassword')}
            value={currentPassword}
            error={errors['currentPassword']}
            onPassword={(password) => {
              setCurrent(password);
              clear('currentPassword');
            }}
          />
          <NewPasswordInput
            label={t('settings.newPassword')}
            minLength={minLength}
            value={newPassword}
            error={errors['newPassword']}
            onPassword={(password) => {
              setNew(password);
              clear('newPassword');
            }}
          />
          {Object.keys(errors).length === 0 ? <ErrorAlert error={mutation.error} /> : null}
          <Group>
            <Button type="submit" variant="default" loading={mutation.isPending}>
              {t('settings.changePassword')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}
