import { Button, Group, Stack, Text } from '@mantine/core';
import { ExternalLink, FileText } from 'lucide-react';
import { useTranslation } from 'react-i18next';

import { formatDigitableLine } from '../../../src/formats/boleto/barcode.ts';
import type { Charge } from '../api/queries.ts';
import { CopyBlock } from '../components/values.tsx';
import { formatDate } from '../i18n/format.ts';
import { toLocalPath } from './pix-code.tsx';

export function BoletoCode({ charge: { boleto } }: { readonly charge: Charge }) {
  const { t } = useTranslation();
  if (boleto === null) return null;
  return (
    <Stack gap="xs">
      <Text size="sm" fw={600}>
        {t('charges.boletoLine')}
      </Text>
      <CopyBlock
        value={boleto.digitableLine}
        shown={formatDigitableLine(boleto.digitableLine)}
        label={t('charges.boletoLine')}
      />
      <Text size="sm" c="dimmed">
        {t('charges.dueOn', { date: formatDate(boleto.expirationDate) })}
      </Text>
      <Group gap="xs">
        <Button
          component="a"
          href={toLocalPath(boleto.pdf)}
          target="_blank"
          leftSection={<FileText size={16} aria-hidden />}
        >
          {t('charges.boletoPdf')}
        </Button>
        <Button
          component="a"
          variant="default"
          href={toLocalPath(boleto.url)}
          target="_blank"
          leftSection={<ExternalLink size={16} aria-hidden />}
        >
          {t('charges.boletoPage')}
        </Button>
      </Group>
    </Stack>
  );
}
