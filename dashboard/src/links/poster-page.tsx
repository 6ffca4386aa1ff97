import { Anchor, Button, Group, Image, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Printer } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { ErrorAlert, LoadingSkeleton, PageHeading } from '../components/feedback.tsx';
import { formatMoney } from '../i18n/format.ts';
import { link } from './queries.ts';

const page = getRouteApi('/links/$id/print');

/** The QR code of a link, to be printed. */
export function LinkPosterPage(): ReactNode {
  const { t } = useTranslation();
  const { id } = page.useParams();
  const query = useQuery(link(id));
  if (query.isError && query.data === undefined)
    return <ErrorAlert error={query.error} retry={query.refetch} />;
  if (query.data === undefined) return <LoadingSkeleton />;
  const { title, amount, url, code } = query.data;
  return (
    <Stack>
      <Group justify="space-between" className="no-print">
        <Anchor component={Link} to={`/links/${id}`} activeOptions={{ exact: true }} size="sm">
          ← {t('links.one')}
        </Anchor>
        <Button leftSection={<Printer size={16} aria-hidden />} onClick={() => window.print()}>
          {t('links.print')}
        </Button>
      </Group>
      <Stack align="center" gap="md" ta="center" py="md">
        <PageHeading size="h1" className="whole">
          {title}
        </PageHeading>
        {amount === null ? null : (
          <Text fz="min(36px, 8vw)" fw={700} className="figures">
            {formatMoney(amount)}
          </Text>
        )}
        <Image
          className="qr poster"
          src={`/v1/public/payment-links/${code}/qrcode.svg`}
          alt={t('links.posterPicture')}
          p={8}
        />
        <Text fz="xl" fw={600}>
          {t('links.posterScan')}
        </Text>
        <Text className="whole">{url}</Text>
      </Stack>
    </Stack>
  );
}
