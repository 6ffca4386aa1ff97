/** Builds remittance files from batches of records. */
import type { LocalDate } from '#formats/calendar/local-date.ts';
import { saoPauloDate, startOfSaoPauloDay } from '#formats/calendar/sao-paulo.ts';
import { writeRecord, type Layout, type Values } from './records.ts';
import { splitCheckDigit, type FileSettings } from './settings.ts';

/** Identifies a file: its number in the agreement's sequence and its time of creation. */
export interface FileInfo {
  readonly number: number;
  readonly madeAt: Date;
}

/** One batch: the values of its header and trailer, and its details in order. */
export interface BatchInput {
  readonly header: Layout;
  readonly trailer: Layout;
  readonly values: Values;
  readonly details: readonly { readonly layout: Layout; readonly values: Values }[];
}

/** FEBRABAN's document type: 1 for a CPF, 2 for a CNPJ. */
export const documentType = (document: string): string => (document.length === 11 ? '1' : '2');

/** The settings in the form that headers and details carry. */
export function companyValues({ agreement, company }: FileSettings): Values {
  const agency = splitCheckDigit(agreement.agency);
  const account = splitCheckDigit(agreement.account);
  return {
    bank: agreement.bankCode,
    agency: agency.number,
    agencyDigit: agency.digit,
    account: account.number,
    accountDigit: account.digit,
    documentType: documentType(company.document),
    document: company.document,
    companyName: company.name,
  };
}

/**
 * Builds the lines of a file. Batches are numbered from 1, details from 1 within their batch.
 *
 * @throws RangeError naming the field if a value does not fit.
 */
export function buildFileLines(
  layouts: { readonly fileHeader: Layout; readonly fileTrailer: Layout },
  { number, madeAt }: FileInfo,
  common: Values,
  batches: readonly BatchInput[],
): readonly string[] {
  const madeOn = saoPauloDate(madeAt);
  const values = {
    ...common,
    direction: 1,
    madeOn,
    madeAt: timeOf(madeAt, madeOn),
    fileNumber: number,
    operation: 'R',
    creditedOn: null,
  };
  const lines = [writeRecord(layouts.fileHeader, values)];
  batches.forEach((batch, index) => {
    const shared = { ...values, batch: index + 1 };
    lines.push(writeRecord(batch.header, { ...shared, ...batch.values }));
    batch.details.forEach((detail, position) => {
      lines.push(writeRecord(detail.layout, { ...shared, ...detail.values, sequence: position + 1 }));
    });
    const records = batch.details.length + 2;
    lines.push(writeRecord(batch.trailer, { ...shared, ...batch.values, records }));
  });
  const counts = { batches: batches.length, records: lines.length + 1 };
  lines.push(writeRecord(layouts.fileTrailer, { ...values, ...counts }));
  return lines;
}

/** HHMMSS in São Paulo. */
function timeOf(instant: Date, day: LocalDate): string {
  const seconds = Math.floor((instant.getTime() - startOfSaoPauloDay(day).getTime()) / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join('');
}
