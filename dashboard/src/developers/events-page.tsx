import { Accordion, Code, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { eventTypes } from '../api/queries.ts';
import { findText } from '../i18n/find-text.ts';
import { ErrorAlert, LoadingSkeleton, PageTitle } from '../components/feedback.tsx';
import { EventName } from './event-name.tsx';

export function EventsPage(): ReactNode {
  const { t } = useTranslation();
  const query = useQuery(eventTypes());
  return (
    <Stack>
      <PageTitle title={t('events.title')} intro={t('events.intro')} />
      {query.isError ? <ErrorAlert error={query.error} retry={query.refetch} /> : null}
      {query.isPending ? <LoadingSkeleton height={56} /> : null}
      <Accordion variant="separated">
        {query.data?.map((type) => (
          <Accordion.Item key={type.name} value={type.name}>
            <Accordion.Control>
              <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
                <EventName name={type.name} />
              </Text>
              <Text size="sm" c="dimmed" pr="xs">
                {findText(`eventNames.${type.name}`) ?? type.summary}
              </Text>
            </Accordion.Control>
            <Accordion.Panel>
              <Stack gap="xs">
                <Text size="sm">{findText(`events.descriptions.${type.name}`) ?? type.description}</Text>
                {type.eventType === null ? null : (
                  <Text size="sm">
                    {t('events.about', {
                      type: findText(`webhooks.types.${type.eventType}`) ?? type.eventType,
                      all: t('webhooks.types.ALL'),
                    })}
                  </Text>
                )}
                <Text size="sm" fw={600}>
                  {t('events.example')}
                </Text>
                <Code block tabIndex={0}>
                  {JSON.stringify(type.example, null, 2)}
                </Code>
              </Stack>
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
    </Stack>
  );
}
