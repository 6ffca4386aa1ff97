import { Alert } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';

import { rateLimitSeconds, subscribeToConnection } from '../api/connection.ts';

/** Shows that a rate limit is exceeded, until requests are accepted again. */
export function RateLimitNotice() {
  const { t } = useTranslation();
  const seconds = useSyncExternalStore(subscribeToConnection, rateLimitSeconds);
  if (seconds === undefined) return null;
  return (
    <Alert color="orange" role="status" mb="md" p="xs">
      {t('connection.limited', { seconds })}
    </Alert>
  );
}
