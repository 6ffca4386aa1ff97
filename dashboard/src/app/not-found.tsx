import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { MapPinOff } from 'lucide-react';
import { useTranslation } from 'react-i18next';

import { EmptyState } from '../components/feedback.tsx';

export function NotFound() {
  const { t } = useTranslation();
  return (
    <EmptyState
      icon={<MapPinOff />}
      title={t('error.pageTitle')}
      hint={t('error.pageHint')}
      action={
        <Button component={Link} to="/">
          {t('error.home')}
        </Button>
      }
    />
  );
}
