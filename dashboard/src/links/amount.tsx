import { Text, type TextProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import { Money } from '../components/values.tsx';
import { formatMoney } from '../i18n/format.ts';
import type { PaymentLink } from './queries.ts';

/** What a payer pays: the amount of the link, or the range in which the payer chooses. */
export function LinkAmount({ link, ...text }: { readonly link: PaymentLink } & TextProps) {
  const { t } = useTranslation();
  const { amount, minAmount, maxAmount } = link;
  if (amount !== null) return <Money cents={amount} size="sm" {...text} />;
  const min = minAmount === null ? null : formatMoney(minAmount);
  const max = maxAmount === null ? null : formatMoney(maxAmount);
  const range =
    min !== null && max !== null
      ? t('links.between', { min, max })
      : min !== null
        ? t('links.from', { min })
        : max !== null
          ? t('links.upTo', { max })
          : t('links.open');
  return (
    <Text span size="sm" {...text}>
      {range}
    </Text>
  );
}
