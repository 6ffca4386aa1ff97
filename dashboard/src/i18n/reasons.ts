import { isKnownReason, reasonInPortuguese } from '../../../src/notifications/reasons-pt.ts';
import { capitalize, currentLanguage } from './format.ts';

/** Translates a text of the API, such as the reason of a failure, to the user's language. */
export const translateReason = (text: string): string =>
  currentLanguage() === 'en' ? capitalize(inEnglish(text)) : reasonInPortuguese(text);

/** The API keeps reasons such as `cancelled` and `MED: ACCOUNT_TAKEOVER`, which clients compare. */
const inEnglish = (text: string): string =>
  isKnownReason(text)
    ? text.replace('cancelled', 'canceled')
    : text.replace(/(?<=^MED: )[A-Z_]+$/, (type) => type.toLowerCase().replaceAll('_', ' '));
