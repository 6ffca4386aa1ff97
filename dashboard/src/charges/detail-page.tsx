import { Anchor, Stack } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { ChargeDetail } from './detail.tsx';

const page = getRouteApi('/charges/$id');

export function ChargePage(): ReactNode {
  const { t } = useTranslation();
  const { id } = page.useParams();
  return (
    <Stack>
      <Anchor component={Link} to="/charges" activeOptions={{ exact: true }} size="sm">
        ← {t('nav.charges')}
      </Anchor>
      <ChargeDetail id={id} />
    </Stack>
  );
}
