import { Alert, List } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { ApiError } from '../../api/errors.ts';
import { ErrorAlert } from '../../components/feedback.tsx';
import { translateMessage } from '../../i18n/errors.ts';

/** Why a file was rejected, line by line. */
export function FileRefusal({ error }: { readonly error: unknown }): ReactNode {
  const { t } = useTranslation();
  if (!(error instanceof ApiError) || error.status !== 400) return <ErrorAlert error={error} />;
  return (
    <Alert color="red" variant="light" role="alert" title={t('operator.reconciliation.refused')}>
      <List size="sm">
        {error.messages.map((message) => (
          <List.Item key={message}>{translateMessage(message)}</List.Item>
        ))}
      </List>
    </Alert>
  );
}
