import { Button } from '@mantine/core';
import { ShieldCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { EmptyState, PageTitle } from '../pieces/notes.tsx';

/** What operators are told: their work is done by the API. */
export function OperatorPage(): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      <PageTitle title={t('nav.home')} />
      <EmptyState
        icon={<ShieldCheck />}
        title={t('session.operatorTitle')}
        hint={t('session.operatorHint')}
        action={
          <Button component="a" href="/docs">
            {t('nav.reference')}
          </Button>
        }
      />
    </>
  );
}
