import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { DateTime } from '../components/values.tsx';
import type { Application } from './queries.ts';

/** Questions, answers and the reason of the decision, oldest first. */
export function Messages({ messages }: { readonly messages: Application['messages'] }): ReactNode {
  const { t } = useTranslation();
  return (
    <Stack>
      <Title order={2} size="h4">
        {t('onboarding.messages')}
      </Title>
      {messages.map((message) => (
        <div key={message.id}>
          <Text className="wrapped">{message.text}</Text>
          <Text size="xs" c="dimmed" component="div">
            {t(`onboarding.authors.${message.author}`)} · <DateTime at={message.createdAt} size="xs" />
          </Text>
        </div>
      ))}
    </Stack>
  );
}
