import { Button, CopyButton, Group, Paper, Stack, Text } from '@mantine/core';
import { Link, useRouterState } from '@tanstack/react-router';
import { Check, Copy, ExternalLink, Mail, MessageCircle, QrCode } from 'lucide-react';
import { useTranslation } from 'react-i18next';

import { useInitialFocus } from '../components/initial-focus.ts';
import { mailtoDraftUrl } from '../components/mailto.ts';
import { formatMoney } from '../i18n/format.ts';
import type { PaymentLink } from './queries.ts';

/** Ways to send a link to payers. */
export function ShareLink({ link }: { readonly link: PaymentLink }) {
  const { t } = useTranslation();
  const { id, title, amount, url } = link;
  // The next step after the creation.
  const isNew = useRouterState({ select: ({ location }) => location.state.created === true });
  const copyButton = useInitialFocus<HTMLButtonElement>(isNew);
  const message =
    amount === null
      ? t('links.message', { title, url })
      : t('links.messageAmount', { title, url, amount: formatMoney(amount) });
  const away = { target: '_blank', rel: 'noopener noreferrer' } as const;
  return (
    <Paper withBorder p="md">
      <Stack>
        {link.status === 'ACTIVE' ? null : <Text size="sm">{t('links.unpayable')}</Text>}
        <Text className="whole" fw={600}>
          {url}
        </Text>
        <CopyButton value={url} timeout={4_000}>
          {({ copied, copy }) => (
            <Button
              size="md"
              ref={copyButton}
              onClick={copy}
              leftSection={copied ? <Check size={18} aria-hidden /> : <Copy size={18} aria-hidden />}
            >
              <span aria-live="polite">{copied ? t('links.copied') : t('links.copy')}</span>
            </Button>
          )}
        </CopyButton>
        <Group gap="xs" grow preventGrowOverflow={false}>
          <Button
            component="a"
            variant="default"
            href={`https://wa.me/?text=${encodeURIComponent(message)}`}
            leftSection={<MessageCircle size={16} aria-hidden />}
            {...away}
          >
            {t('links.whatsapp')}
          </Button>
          <Button
            component="a"
            variant="default"
            href={mailtoDraftUrl(title, message)}
            leftSection={<Mail size={16} aria-hidden />}
          >
            {t('links.email')}
          </Button>
          <Button
            component={Link}
            variant="default"
            to={`/links/${id}/print`}
            leftSection={<QrCode size={16} aria-hidden />}
          >
            {t('links.poster')}
          </Button>
          <Button
            component="a"
            variant="default"
            href={url}
            leftSection={<ExternalLink size={16} aria-hidden />}
            {...away}
          >
            {t('links.visit')}
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}
