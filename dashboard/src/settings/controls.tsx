import { SegmentedControl, useMantineColorScheme } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import { chooseLanguage } from '../i18n/i18n.ts';

export function LanguageControl() {
  const { t, i18n } = useTranslation();
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('settings.language')}
      value={i18n.language}
      onChange={(value) => void chooseLanguage(value === 'en' ? 'en' : 'pt-BR')}
      data={[
        { value: 'pt-BR', label: 'Português' },
        { value: 'en', label: 'English' },
      ]}
    />
  );
}

export function SchemeControl() {
  const { t } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('settings.theme')}
      value={colorScheme}
      onChange={(value) => setColorScheme(value === 'dark' || value === 'light' ? value : 'auto')}
      data={[
        { value: 'light', label: t('settings.light') },
        { value: 'dark', label: t('settings.dark') },
        { value: 'auto', label: t('settings.auto') },
      ]}
    />
  );
}
