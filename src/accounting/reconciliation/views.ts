import type { Static } from 'typebox';

import type { Column } from '#platform/http/csv.ts';
import type { DayReportSchema, DifferenceSchema, FileSchema } from './schema.ts';
import type { DayReport, SettlementFile } from './service.ts';
import type { DifferenceRow } from './store-matching.ts';

export function viewFile(file: SettlementFile): Static<typeof FileSchema> {
  return {
    id: file.id,
    provider: file.provider,
    day: file.day,
    sha256: file.sha256.toString('hex'),
    bytes: file.bytes,
    lines: file.lines,
    duplicates: file.duplicates,
    in: file.moneyIn,
    out: file.moneyOut,
    fees: file.fees,
    importedBy: file.importedBy,
    importedAt: file.importedAt.toISOString(),
  };
}

export function viewDay(row: DayReport): Static<typeof DayReportSchema> {
  const { fileIn, fileOut, fileFees } = row;
  return {
    day: row.day,
    provider: row.provider,
    status: row.status,
    balanced: row.balanced,
    files: row.files,
    lines: row.lines,
    matched: row.matched,
    neighboringDays: row.neighboringDays,
    differences: row.differences,
    file: { in: fileIn, out: fileOut, fees: fileFees, net: fileIn - fileOut - fileFees },
    ledger: { movements: row.movements, in: row.ledgerIn, out: row.ledgerOut },
  };
}

type DifferenceView = Static<typeof DifferenceSchema>;

export function viewDifference(row: DifferenceRow): DifferenceView {
  const { kind, day, provider, type } = row;
  return {
    kind,
    day,
    provider,
    type,
    tolerated: row.neighborDay,
    file: viewFileSide(row),
    ledger: viewLedgerSide(row),
    duplicateOf:
      row.firstFileId === null || row.firstLine === null
        ? null
        : { fileId: row.firstFileId, line: row.firstLine },
    report:
      row.eventOutcome === null || row.eventSellerId === null || row.eventRecordId === null
        ? null
        : { outcome: row.eventOutcome, sellerId: row.eventSellerId, recordId: row.eventRecordId },
  };
}

function viewFileSide(row: DifferenceRow): DifferenceView['file'] {
  const { fileId, line, lineId: id, lineReference: reference, lineAmount: amount, fee, day } = row;
  if (fileId === null || line === null || id === null || amount === null || fee === null) return null;
  return { fileId, line, id, reference, amount, fee, day };
}

function viewLedgerSide(row: DifferenceRow): DifferenceView['ledger'] {
  const { sellerId, recordId, reference, providerId, cause, amount, bookedOn: day, bookedAt } = row;
  if (sellerId === null || recordId === null || reference === null || cause === null) return null;
  if (amount === null || day === null || bookedAt === null) return null;
  return { sellerId, recordId, reference, providerId, cause, amount, day, at: bookedAt.toISOString() };
}

export const CSV_COLUMNS: readonly Column<DifferenceView>[] = [
  { name: 'kind', value: (row) => row.kind },
  { name: 'day', value: (row) => row.day },
  { name: 'provider', value: (row) => row.provider },
  { name: 'type', value: (row) => row.type },
  { name: 'tolerated', value: (row) => row.tolerated },
  { name: 'fileId', value: (row) => row.file?.fileId ?? null },
  { name: 'line', value: (row) => row.file?.line ?? null },
  { name: 'id', value: (row) => row.file?.id ?? row.ledger?.providerId ?? null },
  { name: 'reference', value: (row) => row.file?.reference ?? row.ledger?.reference ?? null },
  { name: 'fileAmount', value: (row) => row.file?.amount ?? null },
  { name: 'fileFee', value: (row) => row.file?.fee ?? null },
  { name: 'fileDay', value: (row) => row.file?.day ?? null },
  { name: 'sellerId', value: (row) => row.ledger?.sellerId ?? row.report?.sellerId ?? null },
  { name: 'recordId', value: (row) => row.ledger?.recordId ?? row.report?.recordId ?? null },
  { name: 'cause', value: (row) => row.ledger?.cause ?? null },
  { name: 'ledgerAmount', value: (row) => row.ledger?.amount ?? null },
  { name: 'ledgerDay', value: (row) => row.ledger?.day ?? null },
  { name: 'ledgerAt', value: (row) => row.ledger?.at ?? null },
  { name: 'duplicateOfFile', value: (row) => row.duplicateOf?.fileId ?? null },
  { name: 'duplicateOfLine', value: (row) => row.duplicateOf?.line ?? null },
  { name: 'reportOutcome', value: (row) => row.report?.outcome ?? null },
];
