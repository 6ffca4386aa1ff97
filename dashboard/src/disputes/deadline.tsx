import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import { serverNow } from '../api/clock.ts';

const DAY_MS = 86_400_000;

/** Whole days until then; negative if overdue. */
export const daysLeft = (until: string): number => Math.floor((Date.parse(until) - serverNow()) / DAY_MS);

export function DaysLeft({ days }: { readonly days: number }) {
  const { t } = useTranslation();
  const text =
    days < 0
      ? t('disputes.over')
      : days === 0
        ? t('disputes.leftUnderDay')
        : t('disputes.left', { count: days });
  return (
    <Text size="sm" c={days < 3 ? 'var(--mantine-color-error)' : 'dimmed'} component="span">
      {text}
    </Text>
  );
}
