import i18next from 'i18next';
import { beforeAll, describe, expect, it } from 'vitest';

import { DISCREPANCIES } from '#accounting/ledger/discrepancies.ts';
import { FILE_PROBLEMS, LINE_PROBLEMS } from '#accounting/reconciliation/file-problems.ts';
import type { SettlementType } from '#accounting/reconciliation/settlement-file.ts';
import type { FileTotals } from '#accounting/reconciliation/store.ts';
import type { MemberName } from '#audit/member-names.ts';
import { BANK_CODES, getBank } from '#cnab/codec/banks.ts';
import { OCCURRENCES, REJECTION_REASONS } from '#cnab/codec/codes.ts';
import { FILE_PROBLEMS as CNAB_PROBLEMS } from '#cnab/codec/problems.ts';
import { LINE_DETAILS } from '#cnab/exchange/line-details.ts';
import type { LineDecision } from '#cnab/exchange/return-file.ts';
import type { Service } from '#cnab/exchange/shipment.ts';
import type { StepUpProof } from '#identity/step-up/service.ts';
import type { VerificationFailure } from '#identity/users/reauthentication.ts';
import type { SignInRefusalReason } from '#identity/users/refused-sign-ins.ts';
import type { SessionEnd } from '#identity/users/store-sessions.ts';
import type { SecondFactorCredential } from '#identity/users/two-factor.ts';
import type { ApprovalStatus } from '#operator/approvals/store.ts';
import { EVENT_DETAILS } from '#payments/provider-events/details.ts';
import { AMOUNT_RULES } from '#payments/transactions/errors.ts';
import { REASONS } from '#payments/transactions/reasons.ts';
import { REVERSAL_DETAILS } from '#payouts/reversals/details.ts';
import type { AccessRefusal } from '#platform/http/guard.ts';
import { RULES } from '#platform/http/rules.ts';
import { PROVIDER_JOBS } from '#providers/job-names.ts';
import type { FeesView } from '#sellers/fees/schema.ts';
import type { sellerAuditFields } from '#sellers/service.ts';
import type { Settings } from '#sellers/settings/service.ts';
import { DELIVERY_ERRORS } from '#webhooks/error-messages.ts';
import { DISABLED_REASONS, type EventType } from '#webhooks/webhook.ts';
import { en as sellerEn } from '../../../dashboard/src/i18n/en.ts';
import { translateMessage } from '../../../dashboard/src/i18n/errors.ts';
import { pt as sellerPt } from '../../../dashboard/src/i18n/pt.ts';
import { translateReason } from '../../../dashboard/src/i18n/reasons.ts';
import { detailLabel } from '../../../dashboard/src/operator/components/details.ts';
import { jobLabel } from '../../../dashboard/src/operator/components/labels.ts';
import { en } from '../../../dashboard/src/operator/i18n/en.ts';
import { pt } from '../../../dashboard/src/operator/i18n/pt.ts';

/** Values of the variable parts of templates, by their names; `7` by default. */
const SAMPLES: Readonly<Record<string, string>> = {
  id: '01a2077f-dcd8-48b5-a7a3-94dd134111b8',
  paymentId: 'E60701190202611201200ABCDEF12345',
  date: '2026-03-02',
  otherDate: '2026-03-09',
  timestamp: '2026-03-02T12:00:00.000Z',
  status: 'PAID',
  from: 'PAID',
  to: 'PAID',
  withdrawalFrom: 'PAID',
  withdrawalTo: 'FAILED',
  withdrawalStatus: 'PAID',
  outcome: 'ACCEPTED',
  result: 'impossible',
  kind: 'PAYMENT',
  cause: 'PAYMENT',
  method: 'PIX',
  origin: 'PIX',
  account: 'available',
  debit: 'available',
  credit: 'reserved',
  part: 'held by disputes',
  reason: 'insufficient funds',
  amount: '1050 BRL',
  provider: 'bank',
  type: 'CPF',
  network: 'TRON',
  interval: 'hour',
  values: 'A, B',
  names: 'shop.example',
  firstColumn: '1',
  lastColumn: '3',
  url: 'https://shop.example/other',
  code: '130',
  field: 'bankCode',
  format: 'digits',
  sums: '1 reserved, 0 returned, 0 paid and 0 fee',
};

/** Reasons of webhook URLs end a rule. */
const ruleSamples = { ...SAMPLES, reason: 'The URL is not valid.' };

const fill = (template: string, samples = SAMPLES): string =>
  template.replaceAll(/\{(\w+)\}/g, (_, name: string) => samples[name] ?? '7');

/** The fixed parts of a template that have at least two words. */
const phrasesOf = (template: string): readonly string[] =>
  template
    .split(/\{\w+\}/)
    .map((part) => part.trim().toLowerCase())
    .filter((part) => /\w \w/.test(part));

/** The texts that remain English, wholly or in part. */
const untranslated = (templates: readonly string[], translate: (template: string) => string) =>
  templates
    .map((template) => ({ template, text: translate(template) }))
    .filter(({ template, text }) => {
      const isEnglish = text === fill(template) || text === sellerPt.error.refused || text.includes('{{');
      return isEnglish || phrasesOf(template).some((phrase) => text.toLowerCase().includes(phrase));
    });

const bankReasons = [
  ...Object.values(REJECTION_REASONS),
  ...Object.values(OCCURRENCES).map(({ description }) => description),
  ...BANK_CODES.map(getBank).flatMap(({ collection, payments }) => [
    ...Object.values(collection.reasons ?? {}),
    ...Object.values(payments.occurrences ?? {}).map(({ description }) => description),
  ]),
  'unknown code',
  'the bank gave no reason',
  'the bank reported no outcome',
];

const reason = (template: string): string => translateReason(fill(template));
const detail = (template: string): string => detailLabel(fill(template));
const message = (template: string): string => translateMessage(fill(template));

const FAMILIES: readonly (readonly [string, readonly string[], (template: string) => string])[] = [
  ['reasons of failures', REASONS, reason],
  ['reasons of banks', bankReasons, reason],
  ['delivery errors', DELIVERY_ERRORS, reason],
  ['reasons of disabled webhooks', DISABLED_REASONS, reason],
  ['details of provider events', EVENT_DETAILS, detail],
  ['details of reversals', REVERSAL_DETAILS, detail],
  ['details of lines in return files', [...LINE_DETAILS, ...CNAB_PROBLEMS], detail],
  ['problems of return files', CNAB_PROBLEMS, (template) => translateMessage(`line 3: ${fill(template)}`)],
  ['problems of settlement files', FILE_PROBLEMS, message],
  ['problems of lines', LINE_PROBLEMS, (template) => translateMessage(`line 3: ${fill(template)}`)],
  ['discrepancies of the ledger', DISCREPANCIES, detail],
  ['rules of fields', RULES, (template) => translateMessage(`field ${fill(template, ruleSamples)}`)],
  ['rules of amounts', Object.values(AMOUNT_RULES), message],
  ['jobs of providers', PROVIDER_JOBS, (template) => jobLabel(fill(template))],
];

/** Members of audited records. Records that are audited as a whole contribute all of theirs. */
type AuditedName =
  | MemberName
  | keyof ReturnType<typeof sellerAuditFields>
  | Exclude<keyof FeesView, `${string}nstallment${string}`>
  | keyof FeesView['pixIn']
  | keyof Settings
  | keyof FileTotals;

/** Values of their own, besides statuses and roles, that audited records have. */
type AuditedValue =
  | ApprovalStatus
  | FeesView['pixIn']['type']
  | EventType
  | Service
  | LineDecision
  | SignInRefusalReason
  | SessionEnd
  | StepUpProof['kind']
  | SecondFactorCredential['kind']
  | AccessRefusal
  | VerificationFailure
  | 'email_taken'
  | 'deadline';

describe('texts of the gateway in the dashboard', () => {
  beforeAll(async () => {
    const resources = {
      'pt-BR': { translation: { ...sellerPt, operator: pt } },
      en: { translation: { ...sellerEn, operator: en } },
    };
    await i18next.init({ lng: 'pt-BR', resources, interpolation: { escapeValue: false } });
  });

  it.each(FAMILIES)('translate all %s to Portuguese', (_, templates, translate) => {
    expect(untranslated(templates, translate)).toEqual([]);
  });

  it('label the types of settlement lines and the members and values of the audit log', () => {
    const types = pt.settlementTypes satisfies Record<SettlementType, string>;
    const names = pt.fields satisfies Record<AuditedName, string>;
    const values = pt.values satisfies Record<AuditedValue, string>;
    expect([types, names, values].flatMap((labels) => Object.values<string>(labels))).not.toContain('');
  });

  it.each([
    ['expired', 'Prazo de pagamento encerrado'],
    ['invalid expiry date', 'Validade do cartão inválida'],
    ['refused by the card provider (130)', 'Recusa da adquirente (130)'],
    ['refused by the card provider (no reason)', 'Recusa da adquirente'],
    ['the provider responded with HTTP 422 (167)', 'O provedor respondeu com o status HTTP 422 (167)'],
    ['The server responded with status 503.', 'O servidor respondeu com o status 503.'],
    ['No complete response within 7.5 seconds.', 'Sem resposta completa em 7,5 segundos.'],
    ['capture refused: insufficient funds', 'Captura recusada: saldo ou limite insuficiente'],
    [
      'registration rejected: invalid amount (20), invalid state (52), invalid currency (44)',
      'Registro rejeitado pelo banco: valor inválido (20), UF inválida (52), moeda inválida (44)',
    ],
    ['the customer changed her mind (again)', 'the customer changed her mind (again)'],
  ])('render "%s"', (text, portuguese) => {
    expect(translateReason(text)).toBe(portuguese);
  });
});
