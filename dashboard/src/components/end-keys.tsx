import { Checkbox } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/** Whether the API keys that a user created are deleted with the user. */
export function EndKeys({
  checked,
  onChange,
}: {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <Checkbox
      label={t('settings.endKeys')}
      description={t('settings.endKeysHint')}
      checked={checked}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}
