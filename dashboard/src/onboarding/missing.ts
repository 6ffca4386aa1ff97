import { useTranslation } from 'react-i18next';

import { findText } from '../i18n/find-text.ts';

/** What an application lacks, in words. */
export function useMissingLabels(missing: readonly string[]): readonly string[] {
  // Renders again when the language changes.
  useTranslation();
  return missing.map((part) => {
    const [, kind] = part.split('.');
    const path = kind === undefined ? `onboarding.parts.${part}` : `onboarding.documentKinds.${kind}`;
    return findText(path) ?? part;
  });
}
