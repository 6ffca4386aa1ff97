import { Center, Image, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { serverNow } from '../api/clock.ts';
import type { Charge } from '../api/queries.ts';
import { CopyBlock } from '../components/values.tsx';
import { formatCountdown, formatMoney, formatDateTime } from '../i18n/format.ts';

/** Milliseconds until `at` by the server clock. Updates every second. */
function useRemaining(at: string): number {
  const [remaining, setRemaining] = useState(() => Date.parse(at) - serverNow());
  useEffect(() => {
    const look = () => setRemaining(Date.parse(at) - serverNow());
    look();
    const timer = setInterval(look, 1_000);
    return () => clearInterval(timer);
  }, [at]);
  return remaining;
}

/** Rewrites an image URL to this origin, because the gateway's public host name may differ. */
export const toLocalPath = (address: string): string => new URL(address, location.origin).pathname;

/** Pix QR code with the remaining time. */
export function PixCode({ charge, size = 240 }: { readonly charge: Charge; readonly size?: number }) {
  const { t } = useTranslation();
  const { pix } = charge;
  const remaining = useRemaining(pix?.expirationDate ?? charge.createdAt);
  if (pix === null) return null;
  return (
    <Stack gap="sm">
      <Center>
        <Image
          className="qr"
          src={toLocalPath(pix.qrcodeUrl)}
          alt={t('charges.qr', { amount: formatMoney(charge.amount) })}
          w={size}
          h={size}
          p={8}
        />
      </Center>
      <Text ta="center" className="figures" role="timer">
        {remaining > 0
          ? t('charges.countdown', { time: formatCountdown(remaining) })
          : t('charges.expired', { when: formatDateTime(pix.expirationDate) })}
      </Text>
      <CopyBlock value={pix.copyPaste} label={t('charges.code')} />
    </Stack>
  );
}
