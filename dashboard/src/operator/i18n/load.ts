import { loadTexts } from '../../i18n/i18n.ts';

/** Loads the operator's texts in the current language. */
export const loadOperatorTexts = async (): Promise<void> =>
  loadTexts('operator', {
    'pt-BR': async () => (await import('./pt.ts')).pt,
    en: async () => (await import('./en.ts')).en,
  });
