import { Anchor, Stack } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { WithdrawalDetail } from './withdrawal.tsx';

const page = getRouteApi('/withdrawals/$id');

export function WithdrawalPage(): ReactNode {
  const { t } = useTranslation();
  const { id } = page.useParams();
  return (
    <Stack maw={560}>
      <Anchor component={Link} to="/withdrawals" activeOptions={{ exact: true }} size="sm">
        ← {t('nav.withdrawals')}
      </Anchor>
      <WithdrawalDetail id={id} page />
    </Stack>
  );
}
