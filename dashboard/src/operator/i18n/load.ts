import { learn } from '../../i18n/i18n.ts';

/** Fetches what the operator's screens say, in the language that is read. */
export const learnOperatorWords = async (): Promise<void> =>
  learn('operator', {
    'pt-BR': async () => (await import('./pt.ts')).pt,
    en: async () => (await import('./en.ts')).en,
  });
