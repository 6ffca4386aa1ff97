import { Button, Code, Group, Stack, Tabs, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ExternalLink, Mailbox } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { createdColumn } from '../../components/columns.tsx';
import { EmptyState } from '../../components/feedback.tsx';
import { Listing } from '../../components/listing.tsx';
import { EmailAddress, RelativeTime } from '../../components/values.tsx';
import { sandboxMails, type SandboxMail } from '../queries.ts';

const page = getRouteApi('/operator/mailbox');

/** The emails that the sandbox keeps instead of sending them. */
export function MailboxPage(): ReactNode {
  const { t } = useTranslation();
  const search = page.useSearch();
  // Addresses of people must not be in the URL.
  const [text, setText] = useState('');
  const list = useQuery({
    ...sandboxMails(),
    select: (kept) => {
      const data = kept.filter(({ to, subject }) =>
        `${to} ${subject}`.toLowerCase().includes(text.trim().toLowerCase()),
      );
      return { data, count: data.length, nextCursor: null };
    },
  });
  const kept = list.data?.data;
  return (
    <Listing
      title={t('operator.mails.mailbox')}
      intro={t('operator.mails.mailboxIntro')}
      search={search}
      actions={
        <TextInput
          aria-label={t('operator.mails.search')}
          placeholder={t('operator.mails.search')}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      }
      query={list}
      columns={[
        {
          key: 'subject',
          header: t('operator.mails.subject'),
          phone: true,
          cell: (row) => (
            <Stack gap={0}>
              <Text size="sm" fw={600}>
                {row.subject}
              </Text>
              <Text size="xs" c="dimmed" className="whole">
                <EmailAddress of={row.to} />
              </Text>
            </Stack>
          ),
        },
        createdColumn(t, { phone: true }),
      ]}
      empty={{
        icon: <Mailbox />,
        title: text === '' ? t('operator.mails.mailboxEmpty') : t('list.nothing'),
        hint: text === '' ? t('operator.mails.mailboxEmptyHint') : t('list.nothingHint'),
      }}
      panel={{
        title: t('operator.mails.one'),
        of: (id) => <Content mail={kept?.find((mail) => mail.id === id)} isLoaded={kept !== undefined} />,
      }}
    />
  );
}

function Content({
  mail,
  isLoaded,
}: {
  readonly mail: SandboxMail | undefined;
  readonly isLoaded: boolean;
}): ReactNode {
  const { t } = useTranslation();
  if (mail === undefined) {
    return isLoaded ? (
      <EmptyState icon={<Mailbox />} title={t('error.notFound')} hint={t('operator.notOnPage')} />
    ) : null;
  }
  const link = /https?:\/\/\S+/.exec(mail.text)?.[0];
  return (
    <Stack>
      <div>
        <Text fw={600}>{mail.subject}</Text>
        <Text size="sm" c="dimmed" className="whole">
          <EmailAddress of={mail.to} /> · <RelativeTime at={mail.createdAt} size="sm" />
        </Text>
      </div>
      {link === undefined ? null : (
        <Group>
          <Button
            component="a"
            href={link}
            target="_blank"
            rel="noreferrer"
            variant="default"
            leftSection={<ExternalLink size={16} aria-hidden />}
          >
            {t('operator.mails.openLink')}
          </Button>
        </Group>
      )}
      <Tabs defaultValue="html" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="html">{t('operator.mails.preview')}</Tabs.Tab>
          <Tabs.Tab value="text">{t('operator.mails.text')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="html" pt="md">
          {/* No scripts, forms or links: what a mail contains is not the dashboard's. */}
          <iframe title={mail.subject} sandbox="" srcDoc={mail.html} className="mail" />
        </Tabs.Panel>
        <Tabs.Panel value="text" pt="md">
          <Code block className="wrapped" tabIndex={0} aria-label={t('operator.mails.text')}>
            {mail.text}
          </Code>
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}
