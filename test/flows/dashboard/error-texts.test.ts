import i18next from 'i18next';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { HttpError, toErrorBody, ValidationError, type Violation } from '#platform/http/errors.ts';
import { ERROR_CODES } from '#platform/http/error-codes.ts';
import { ApiError } from '../../../dashboard/src/api/errors.ts';
import { fieldErrors, formatError } from '../../../dashboard/src/i18n/errors.ts';

const apiError = (error: HttpError): ApiError =>
  new ApiError(new Response(null, { status: error.statusCode }), toErrorBody(error, 'x'));

const withAmount = (message: string) => apiError(new HttpError('amount_not_allowed', { message }));

const OWN_TEXT = new Set([
  'rate_limited',
  'internal_error',
  'unsupported_transfer_encoding',
  'service_unavailable',
  'permission_denied',
]);
const WITH_MESSAGES = new Set(['validation_failed', 'invalid_file', 'amount_not_allowed']);

describe('errors of the API in Portuguese', () => {
  beforeAll(() => i18next.init({ lng: 'pt-BR', resources: {} }));
  afterAll(() => i18next.changeLanguage('pt-BR'));

  it.each(ERROR_CODES.filter((code) => !OWN_TEXT.has(code) && !WITH_MESSAGES.has(code)))(
    'translates %s by its code, whatever its message is',
    (code) => {
      const text = formatError(apiError(new HttpError(code, { message: 'Idempotency-Key must be a UUID' })));
      expect(text).toMatch(/\.$/);
      expect(text).not.toMatch(/^error\.|36/);
    },
  );

  it.each([
    'Amount must not be more than what is left to refund',
    'Amount must not be more than what has not been refunded',
    'Amount must not be more than the authorized amount, and must cover the fee',
    'Amount differs from the transaction',
  ])('translates "%s"', (message) => {
    expect(formatError(withAmount(message))).toMatch(/^O valor/);
  });

  it('describes an unknown code by its status', () => {
    const body = { statusCode: 422, message: 'Something new', code: 'something_new' };
    expect(formatError(new ApiError(new Response(null, { status: 422 }), body))).toBe('error.refused');
  });

  it('shows the message of the API in English', async () => {
    await i18next.changeLanguage('en');
    expect(formatError(apiError(new HttpError('insufficient_balance')))).toBe('Insufficient balance');
    await i18next.changeLanguage('pt-BR');
  });

  it('assigns the messages of an invalid request to the fields of the form by their paths', () => {
    const violations: readonly Violation[] = [
      { path: ['customer', 'email'], rule: 'must be an email' },
      { path: ['customer'], rule: 'must be an object' },
      { path: ['amount'], rule: 'must not be less than 100' },
    ];
    expect(fieldErrors(apiError(new ValidationError(violations)), ['customer.email', 'amount'])).toEqual({
      'customer.email': 'Informe um e-mail válido.',
      amount: 'O valor mínimo é 100.',
    });
  });
});
