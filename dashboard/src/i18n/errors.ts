import i18next from 'i18next';

import { ApiError, ConnectionError, PasskeyExistsError, PasskeyNotUsedError } from '../api/errors.ts';
import { findFileRule } from './file-rules.ts';
import { capitalize, currentLanguage, formatMoney, formatNumber } from './format.ts';
import { findText } from './find-text.ts';
import type { pt } from './pt.ts';
import { translateReason } from './reasons.ts';

/** Validation messages of the API, with named variable parts. */
const MESSAGES: readonly (readonly [RegExp, keyof typeof pt.invalid])[] = [
  [/^Amount must not be more than what is left to refund$/, 'refundTooLarge'],
  [/^Amount must not be more than what has not been/, 'disputeTooLarge'],
  [/^Amount must not be more than what is claimed/, 'claimTooLarge'],
  [/^Amount must not be more than the authorized/, 'captureTooLarge'],
  [/^Amount differs from the transaction$/, 'otherAmount'],
  [/^Amount differs from that of the capture/, 'otherCapture'],
  [/ or passkey must be sent$/, 'codeMissing'],
  [/ or email must be sent, and not both$/, 'documentOrEmail'],
  [/ must be base64url$/, 'passkey'],
  [/ must be a PDF, PNG or JPEG file$/, 'uploadType'],
  [/^code must be 6 digits$/, 'codeLength'],
  [/ must not be a private address$/, 'privateUrl'],
  [/ must not be BRL for international/, 'foreignCurrency'],
  [/ must be an ISO 4217 code$/, 'currency'],
  [/ must be a token of /, 'cardToken'],
  [/ must be a card of the customer$/, 'cardOfCustomer'],
  [/^cursor must be |^after must be | must be the (nextCursor|value of next) /, 'cursor'],
  [/^(pixKey|cryptoWalletAddress) should not be empty$/, 'required'],
  [/ must be a valid PIX key of type /, 'pixKey'],
  [/ must be a valid \w+ address$/, 'walletAddress'],
  [/ must be one of the following values: /, 'option'],
  [
    / must contain each of the following values once: | is unknown; use one of the following names: /,
    'option',
  ],
  [/ must be a boolean value$/, 'option'],
  [/ must be an (object|array)$/, 'required'],
  [/ should not be empty/, 'required'],
  [/ must be a string$/, 'required'],
  [/ must be a day (such as|as) |ISO 8601/, 'date'],
  [/ must not be before startDate$/, 'dateOrder'],
  [/ must not be before \S+$/, 'date'],
  [/ must be (?:at most|within) (?<limit>\d+) days (?:after|for) /, 'dateSpan'],
  [/ must not be combined with startDate and endDate$/, 'dayOrPeriod'],
  [/ must be a UUID$/, 'id'],
  [/ must be 11 digits for CPF$/, 'cpfLength'],
  [/ must be 14 digits for CNPJ$/, 'cnpjLength'],
  [/ must be (\d+ (to|or) )?\d+ digits$/, 'digits'],
  [/ must be a year of four digits$/, 'year'],
  [/ must be an email$/, 'email'],
  [/ must be an HTTPS URL$/, 'httpsUrl'],
  [/ must be an HTTPS origin /, 'httpsOrigin'],
  [/ must be a CPF or a CNPJ$/, 'cpfOrCnpj'],
  [/ must be an IP address$/, 'ipAddress'],
  [/ must be a valid CPF/, 'cpf'],
  [/ must be a valid CNPJ/, 'cnpj'],
  [/ must be a credit card$/, 'cardNumber'],
  [/ must not contain a card number$/, 'cardNumberInText'],
  [/ must contain a letter or a digit$/, 'letterOrDigit'],
  [/ must not contain NUL characters$| must be well-formed text$| must not be __proto__ /, 'characters'],
  [/ must be an integer number$| must be a (finite )?number/, 'number'],
  [
    /(?:^|\.)(?:amount|autoApproveUpTo|negativeBalanceUpTo) must not be less than (?<cents>\d+)$/,
    'minAmount',
  ],
  [/(?:^|\.)(?:chargebackFee|twoPersonApprovalAbove) must not be less than (?<cents>\d+)$/, 'minAmount'],
  [
    /(?:^|\.)(?:amount|autoApproveUpTo|negativeBalanceUpTo) must not be greater than (?<cents>\d+)$/,
    'maxAmount',
  ],
  [/(?:^|\.)(?:chargebackFee|twoPersonApprovalAbove) must not be greater than (?<cents>\d+)$/, 'maxAmount'],
  [/^(?:pixIn|pixOut|boleto|creditCard)\.\w+ must not be greater than 10000$/, 'maxPercentage'],
  [/^(?:pixIn|pixOut|boleto|creditCard)\.\w+ must not be greater than (?<cents>\d+)$/, 'maxAmount'],
  [/ must not be less than (?<limit>\d+)$/, 'min'],
  [/ must not be greater than (?<limit>\d+)$/, 'max'],
  [/ must be longer than or equal to (?<limit>\d+) characters$/, 'minLength'],
  [/ must be shorter than or equal to (?<limit>\d+) characters$/, 'maxLength'],
  [/ must (?:contain no more than|have at most) (?<limit>\d+) (?:elements|keys)$/, 'maxItems'],
  [/ is too common$/, 'commonPassword'],
  [/ must be 1 to 40 lower-case letters, digits and hyphens$/, 'providerName'],
  [/ must be sent together with document$/, 'required'],
  [/ must not be sent together with (customer|amount|destinationOf)$/, 'option'],
  [/ must be the document of the customer$/, 'cpfOrCnpj'],
  [/ must be a withdrawal with method /, 'option'],
  [/ must not be sent with (amountType|method) | must only be sent with pixJourney /, 'option'],
  [/ must not be greater than amount$/, 'option'],
  [/ must be (an ISO 3166 code|an ISPB|two letters)$/, 'format'],
  [/ is malformed$| must not be nested deeper | must be a MED notice$/, 'format'],
];

/** Has the reason at its end, which deliveries have, too. */
const INVALID_URL = ' must be an HTTPS URL that can be called: ';

/** The text of a message; undefined if this version has no Portuguese for it. */
function findMessage(message: string): string | undefined {
  const rule = findFileRule(message);
  if (rule !== undefined) return rule;
  const [, invalidUrl] = message.split(INVALID_URL);
  if (invalidUrl !== undefined) return translateReason(invalidUrl);
  for (const [pattern, name] of MESSAGES) {
    const found = pattern.exec(message);
    if (found !== null) return fill(findText(`invalid.${name}`) ?? message, found.groups);
  }
  return currentLanguage() === 'en' ? capitalize(message) : undefined;
}

const fill = (text: string, parts: Readonly<Record<string, string>> | undefined): string =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = Number(parts?.[name]);
    return name === 'cents' ? formatMoney(value) : formatNumber(value);
  });

/** The text of a message in the user's language. */
export const translateMessage = (message: string): string =>
  findMessage(message) ?? i18next.t('error.refused');

/** Formats an error with its remedy. */
export function formatError(error: unknown): string {
  if (error instanceof ConnectionError) return i18next.t('error.connection');
  if (error instanceof PasskeyExistsError) return i18next.t('passkeys.exists');
  if (error instanceof PasskeyNotUsedError) return i18next.t('session.passkeyCanceled');
  if (!(error instanceof ApiError)) return i18next.t('error.broken');
  if (error.status === 429) return i18next.t('error.busy');
  if (error.status >= 500) return i18next.t('error.server', { id: error.requestId ?? error.status });
  if (error.code === 'permission_denied') return i18next.t('error.forbidden');
  const known = knownTexts(error);
  if (known.length > 0) return known.join(' ');
  return i18next.t(error.status === 404 ? 'error.notFound' : 'error.refused');
}

function knownTexts({ code, messages }: ApiError): readonly string[] {
  const text = findText(`apiError.${code}`);
  if (text !== undefined) return [text];
  return [...new Set(messages.map(findMessage).filter((text) => text !== undefined))];
}

/**
 * Validation messages by form field: `customer.email must be an email` belongs to `customer.email`.
 * Messages of fields outside the form are left out, and the caller shows them.
 */
export function fieldErrors(error: unknown, fields: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {};
  if (!(error instanceof ApiError)) return found;
  const email = fields.find((field) => field === 'email' || field === 'ownerEmail');
  if (error.code === 'email_taken' && email !== undefined) return { [email]: formatError(error) };
  if (error.status !== 400) return found;
  for (const { path, message } of error.fields) {
    if (fields.includes(path) && found[path] === undefined) found[path] = translateMessage(message);
  }
  return found;
}
