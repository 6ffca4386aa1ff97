import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import type { components } from '../api/schema.gen.ts';

/** Who made a request: the user, or the API key with its first characters. */
export function Author({ by }: { readonly by: components['schemas']['Author'] }): ReactNode {
  const { t } = useTranslation();
  if (by.name === null) return t('common.bySystem');
  if (by.kind !== 'API_KEY') return t('common.byUser', { name: by.name });
  return t('common.byKey', { name: by.name, prefix: by.keyPrefix ?? '' });
}
