import { Alert } from '@mantine/core';
import { useSyncExternalStore, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { isConnectionLost, subscribeToConnection } from '../api/connection.ts';

/** States that the connection is lost, until it is back. */
export function ConnectionNotice(): ReactNode {
  const { t } = useTranslation();
  if (!useSyncExternalStore(subscribeToConnection, isConnectionLost)) return null;
  return (
    <Alert color="orange" role="status" mb="md" p="xs">
      {t('connection.lost')}
    </Alert>
  );
}
