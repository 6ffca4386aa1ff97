import type { Text } from '../../../i18n/texts.ts';
import type { privacy as pt } from '../pt/privacy.ts';

export const privacy: Text<typeof pt> = {
  privacy: {
    title: 'Personal data',
    intro: "Handle payers' requests for a copy or the erasure of their data under the LGPD.",
    who: 'CPF, CNPJ or email of the payer',
    whoHint:
      'A search by CPF/CNPJ also finds payments made with other email addresses. What you type ' +
      'is not stored.',
    needWho: 'Enter a CPF (11 digits), a CNPJ (14 characters) or an email address.',
    export: 'Export data',
    erase: 'Erase data',
    exportOf: 'Data export for {{who}}',
    eraseOf: 'Data erasure for {{who}}',
    running: 'Searching the charges of all sellers. Keep this page open.',
    exportedSoFar_zero: 'No charges so far.',
    exportedSoFar_one: '{{count, number}} charge so far.',
    exportedSoFar_other: '{{count, number}} charges so far.',
    erasedSoFar_zero: 'No charges anonymized so far.',
    erasedSoFar_one: '{{count, number}} charge anonymized so far.',
    erasedSoFar_other: '{{count, number}} charges anonymized so far.',
    stop: 'Stop',
    stopped: 'Stopped.',
    resume: 'Resume',
    failed: 'Interrupted by an error. Retry to continue from this point.',
    found_zero: 'No charges for this payer',
    found_one: '{{count, number}} charge for this payer',
    found_other: '{{count, number}} charges for this payer',
    customersFound_one: '{{count, number}} customer record.',
    customersFound_other: '{{count, number}} customer records.',
    fileDescription:
      'The file has one JSON line per charge and per customer record, with all stored data. It is personal ' +
      'data: share it only with the data subject.',
    download: 'Download file',
    file: 'payer-data.jsonl',
    nothingTitle: 'No data of this payer',
    nothingHint: 'Check your entry, or search by CPF/CNPJ. Erased data cannot be found.',
    eraseTitle: 'Erase the data of {{who}}?',
    eraseDescription:
      'Name, email, phone, CPF/CNPJ and reference are anonymized in all charges of this ' +
      'payer, for all sellers, and in related texts. Customer records and saved cards are deleted, ' +
      "and the payer's subscriptions are canceled at their next charge. This action cannot be undone.",
    eraseStays:
      "Amounts, statuses and the ledger do not change. Charges that still need the payer's data " +
      'are kept and listed at the end.',
    eraseFirst: 'If the payer asked for a copy, export it before erasing.',
    customersErased_one: '{{count, number}} customer record deleted.',
    customersErased_other: '{{count, number}} customer records deleted.',
    erased_zero: 'No charges anonymized',
    erased_one: '{{count, number}} charge anonymized',
    erased_other: '{{count, number}} charges anonymized',
    erasedDescription: 'They no longer identify the payer. Amounts, statuses and the ledger are unchanged.',
    unsure:
      'A request failed and may have anonymized charges that are not counted here. ' +
      'The audit log records all of them.',
    kept_one: '{{count, number}} charge kept for now',
    kept_other: '{{count, number}} charges kept for now',
    keptDescription: "They still need the payer's data. Repeat the erasure once they are complete.",
    reasons: {
      BOLETO_OPEN: 'The boleto can still be paid',
      PROVIDER_PENDING: 'Awaiting a response from the provider',
      DISPUTED: 'Dispute in progress',
    },
  },
};
