import { reasonInEnglish } from '../../../src/notifications/reasons-en.ts';
import { reasonInPortuguese } from '../../../src/notifications/reasons-pt.ts';
import { currentLanguage } from './format.ts';

/** Translates a text of the API, such as the reason of a failure, to the user's language. */
export const translateReason = (text: string): string =>
  currentLanguage() === 'en' ? reasonInEnglish(text) : reasonInPortuguese(text);
