import i18next from 'i18next';
import { beforeAll, describe, expect, it } from 'vitest';

import { BANK_CODES, getBank } from '#cnab/codec/banks.ts';
import { OCCURRENCES, REJECTION_REASONS } from '#cnab/codec/codes.ts';
import { GONE_REASON, SELLER_REASON } from '#webhooks/endpoint-health.ts';
import { CANCELLED, failureMessage, statusMessage, timeoutMessage } from '#webhooks/error-messages.ts';
import { parseTarget } from '#webhooks/target-url.ts';
import { translateReason } from '../../../dashboard/src/i18n/server-texts.ts';

const ERROR_CODES = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'ERR_FORBIDDEN_ADDRESS',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ECONNRESET',
  'CERT_REVOKED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UND_ERR_HEADERS_OVERFLOW',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'EPROTO',
  'EANYTHING',
];
const URLS = [
  'http://shop.example',
  'https://',
  'https://shop.example/a b',
  'https://me:secret@shop.example',
  'https://shop.example:22',
  'https://shop..example',
  `https://shop.example/${'a'.repeat(5_000)}`,
];

const deliveryErrors = [
  ...ERROR_CODES.map((code) => failureMessage(Object.assign(new Error('failed'), { code }))),
  ...URLS.map((url) => parseTarget(url)).map((target) => (target.ok ? 'accepted' : target.reason)),
  ...[null, 404, 500].map((status) => statusMessage(status, null) ?? 'accepted'),
  statusMessage(302, 'https://shop.example/other') ?? 'accepted',
  timeoutMessage(7.5, true),
  timeoutMessage(7.5, false),
  CANCELLED,
  GONE_REASON,
  SELLER_REASON,
];

const bankReasons = [
  ...Object.values(REJECTION_REASONS),
  ...Object.values(OCCURRENCES).map(({ description }) => description),
  ...BANK_CODES.map(getBank).flatMap(({ collection, payments }) => [
    ...Object.values(collection.reasons ?? {}),
    ...Object.values(payments.occurrences ?? {}).map(({ description }) => description),
  ]),
];

describe('texts of the API in Portuguese', () => {
  beforeAll(() => i18next.init({ lng: 'pt-BR', resources: {} }));

  it.each(deliveryErrors)('translates the delivery error "%s"', (text) => {
    expect(translateReason(text)).not.toBe(text);
  });

  it('translates all reasons of banks', () => {
    expect(bankReasons.filter((reason) => translateReason(reason) === reason)).toEqual([]);
  });

  it.each([
    ['expired', 'Prazo de pagamento encerrado'],
    ['The server responded with status 503.', 'O servidor respondeu com o status 503.'],
    ['No complete response within 7.5 seconds.', 'Sem resposta completa em 7,5 segundos.'],
    ['capture refused: insufficient funds', 'Captura recusada: Saldo ou limite insuficiente'],
    [
      'registration rejected: amount is wrong (20), state is wrong (52)',
      'Registro rejeitado pelo banco: Valor inválido (20), UF inválida (52)',
    ],
    ['the customer changed her mind (again)', 'the customer changed her mind (again)'],
  ])('renders "%s"', (text, portuguese) => {
    expect(translateReason(text)).toBe(portuguese);
  });
});
