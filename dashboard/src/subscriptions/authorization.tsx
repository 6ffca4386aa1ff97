import { Center, Image, Paper, Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import { CopyBlock, Id } from '../components/values.tsx';
import type { Subscription } from './queries.ts';

/** The payer's authorization of a Pix Automático: the code to scan while it is waited for. */
export function Authorization({
  authorization: { status: bankStatus, qrCode, qrCodeBase64, journey, idRec },
  status,
}: {
  readonly authorization: NonNullable<Subscription['pixAutomatico']>;
  readonly status: Subscription['status'];
}) {
  const { t } = useTranslation();
  const isWaiting = status === 'PENDING';
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Title order={2} size="h5">
          {t('subscriptions.authorization')}
        </Title>
        <Text size="sm">
          {isWaiting ? t(`subscriptions.journey${journey}`) : t(`subscriptions.bankStatus.${bankStatus}`)}
        </Text>
        {isWaiting && journey !== 1 && qrCode === null ? (
          <Text size="sm" c="dimmed" role="status">
            {t('subscriptions.codeFollows')}
          </Text>
        ) : null}
        {isWaiting && qrCode !== null && qrCodeBase64 !== null ? (
          <>
            <Center>
              <Image className="qr" src={qrCodeBase64} alt={t('subscriptions.qr')} w={220} h={220} p={8} />
            </Center>
            <CopyBlock value={qrCode} label={t('charges.code')} />
          </>
        ) : null}
        {idRec === null ? null : (
          <Text size="sm" component="div">
            {t('subscriptions.idRec')} <Id id={idRec} />
          </Text>
        )}
      </Stack>
    </Paper>
  );
}
