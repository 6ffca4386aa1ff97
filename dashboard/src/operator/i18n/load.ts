import { learn } from '../../i18n/i18n.ts';

/** Loads the operator's texts in the current language. */
export const learnOperatorWords = async (): Promise<void> =>
  learn('operator', {
    'pt-BR': async () => (await import('./pt.ts')).pt,
    en: async () => (await import('./en.ts')).en,
  });
