import i18next from 'i18next';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';

import { HttpError, toErrorBody, ValidationError, type Violation } from '#platform/http/errors.ts';
import { ERROR_CODES } from '#platform/http/error-codes.ts';
import { ApiError } from '../../../dashboard/src/api/errors.ts';
import { en } from '../../../dashboard/src/i18n/en.ts';
import { fieldErrors, formatError, translateMessage } from '../../../dashboard/src/i18n/errors.ts';
import { pt } from '../../../dashboard/src/i18n/pt.ts';

const apiError = (error: HttpError): ApiError =>
  new ApiError(new Response(null, { status: error.statusCode }), toErrorBody(error, 'x'));

const withAmount = (message: string) => apiError(new HttpError('amount_not_allowed', { message }));

const RESOURCES = { 'pt-BR': { translation: pt }, en: { translation: en } };

const OWN_TEXT = new Set([
  'rate_limited',
  'internal_error',
  'unsupported_transfer_encoding',
  'service_unavailable',
  'permission_denied',
]);
const WITH_MESSAGES = new Set(['validation_failed', 'invalid_file', 'amount_not_allowed']);

const LANGUAGES = ['pt-BR', 'en'] as const;

describe.each(LANGUAGES)('errors of the API in %s', (language) => {
  beforeAll(() => i18next.init({ lng: language, resources: RESOURCES }));

  it.each(ERROR_CODES.filter((code) => !OWN_TEXT.has(code) && !WITH_MESSAGES.has(code)))(
    'describes %s by its code, whatever its message is',
    (code) => {
      const text = formatError(apiError(new HttpError(code, { message: 'Idempotency-Key must be a UUID' })));
      expect(text).toMatch(/^[A-ZÉ].+\.$/);
      expect(text).not.toMatch(/36|UUID/);
    },
  );

  it.each([
    'Amount must not be more than what is left to refund',
    'Amount must not be more than what has not been refunded',
    'Amount must not be more than what is claimed, and what the analysis accepted',
    'Amount must not be more than the authorized amount, and must cover the fee',
    'Amount differs from the transaction',
    'Amount differs from that of the capture in progress',
  ])('describes "%s"', (message) => {
    expect(formatError(withAmount(message))).toMatch(/^(O valor|The amount) .+\.$/);
  });
});

describe('messages of the API', () => {
  beforeAll(() => i18next.init({ lng: 'pt-BR', resources: RESOURCES }));
  afterEach(() => i18next.changeLanguage('pt-BR'));

  it.each([
    ['pixKey must be a valid PIX key of type CPF', 'Confira a chave Pix e o tipo de chave.'],
    ['amount must not be less than 100', 'O valor mínimo é R$\u00a01,00.'],
    ['requestsPerMinute must not be greater than 10000000', 'O valor máximo é 10.000.000.'],
    ['creditCard.twoInstallments must not be greater than 10000', 'O percentual máximo é 100%.'],
    ['pixIn.value must not be greater than 100000000', 'O valor máximo é R$\u00a01.000.000,00.'],
    [
      'url must be an HTTPS URL that can be called: The URL must not contain a user name or password.',
      'A URL não pode conter usuário nem senha.',
    ],
    ['line 3: must have 240 columns, has 12', 'Linha 3: deve ter 240 posições, mas tem 12.'],
    [
      'line 1: columns must be id, type, amount, fee, date and optionally reference',
      'Linha 1: as colunas devem ser id, type, amount, fee, date e, opcionalmente, reference.',
    ],
    ['file must be UTF-8 text', 'O arquivo deve ser um texto em UTF-8.'],
    ['something new', pt.error.refused],
  ])('renders "%s" in Portuguese', (message, text) => {
    expect(translateMessage(message)).toBe(text);
  });

  it.each([
    ['customer.email must be an email', 'Enter a valid email.'],
    ['amount must not be less than 100', 'The minimum is R$1.00.'],
    ['line 3: must have 240 columns, has 12', 'Line 3: must have 240 columns, has 12'],
    ['something new', 'Something new'],
  ])('renders "%s" in English', async (message, text) => {
    await i18next.changeLanguage('en');
    expect(translateMessage(message)).toBe(text);
  });

  it('describes an unknown code by its status in Portuguese and by its message in English', async () => {
    const body = { statusCode: 422, message: 'Something new', code: 'something_new' };
    const error = new ApiError(new Response(null, { status: 422 }), body);
    expect(formatError(error)).toBe(pt.error.refused);
    await i18next.changeLanguage('en');
    expect(formatError(error)).toBe('Something new');
  });

  it('assigns the messages of an invalid request to the fields of the form by their paths', () => {
    const violations: readonly Violation[] = [
      { path: ['customer', 'email'], rule: 'must be an email' },
      { path: ['customer'], rule: 'must be an object' },
      { path: ['installments'], rule: 'must not be less than 1' },
    ];
    const fields = ['customer.email', 'installments'];
    expect(fieldErrors(apiError(new ValidationError(violations)), fields)).toEqual({
      'customer.email': 'Informe um e-mail válido.',
      installments: 'O valor mínimo é 1.',
    });
  });
});
