import { Checkbox } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/** Whether API keys that a user created are deleted with the user, or with a change of the role. */
export function EndKeys({
  label,
  checked,
  onChange,
}: {
  /** Which keys; by default all that the user created. */
  readonly label?: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <Checkbox
      label={label ?? t('settings.endKeys')}
      description={t('settings.endKeysHint')}
      checked={checked}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}
