import type { Static } from 'typebox';

import { CAUSE_LABELS } from '#accounting/ledger/labels-pt.ts';
import type { Column } from '#platform/http/csv.ts';
import { labelFrom } from '#platform/http/csv-line.ts';
import { DIFFERENCE_KIND_LABELS, OUTCOME_LABELS, SETTLEMENT_TYPE_LABELS } from './labels-pt.ts';
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
  {
    name: 'kind',
    value: (row) => row.kind,
    brazil: { name: 'Divergência', label: labelFrom(DIFFERENCE_KIND_LABELS) },
  },
  { name: 'day', value: (row) => row.day, brazil: { name: 'Dia', type: 'day' } },
  { name: 'provider', value: (row) => row.provider, brazil: { name: 'Provedor' } },
  {
    name: 'type',
    value: (row) => row.type,
    brazil: { name: 'Tipo', label: labelFrom(SETTLEMENT_TYPE_LABELS) },
  },
  { name: 'tolerated', value: (row) => row.tolerated, brazil: { name: 'Diferença tolerada de um dia' } },
  { name: 'fileId', value: (row) => row.file?.fileId ?? null, brazil: { name: 'ID do arquivo' } },
  { name: 'line', value: (row) => row.file?.line ?? null, brazil: { name: 'Linha do arquivo' } },
  {
    name: 'id',
    value: (row) => row.file?.id ?? row.ledger?.providerId ?? null,
    brazil: { name: 'ID no provedor' },
  },
  {
    name: 'reference',
    value: (row) => row.file?.reference ?? row.ledger?.reference ?? null,
    brazil: { name: 'Referência' },
  },
  {
    name: 'fileAmount',
    value: (row) => row.file?.amount ?? null,
    brazil: { name: 'Valor no arquivo', type: 'cents' },
  },
  {
    name: 'fileFee',
    value: (row) => row.file?.fee ?? null,
    brazil: { name: 'Tarifa no arquivo', type: 'cents' },
  },
  { name: 'fileDay', value: (row) => row.file?.day ?? null, brazil: { name: 'Dia no arquivo', type: 'day' } },
  {
    name: 'sellerId',
    value: (row) => row.ledger?.sellerId ?? row.report?.sellerId ?? null,
    brazil: { name: 'ID da loja' },
  },
  {
    name: 'recordId',
    value: (row) => row.ledger?.recordId ?? row.report?.recordId ?? null,
    brazil: { name: 'ID do registro' },
  },
  {
    name: 'cause',
    value: (row) => row.ledger?.cause ?? null,
    brazil: { name: 'Lançamento', label: labelFrom(CAUSE_LABELS) },
  },
  {
    name: 'ledgerAmount',
    value: (row) => row.ledger?.amount ?? null,
    brazil: { name: 'Valor no livro-razão', type: 'cents' },
  },
  {
    name: 'ledgerDay',
    value: (row) => row.ledger?.day ?? null,
    brazil: { name: 'Dia no livro-razão', type: 'day' },
  },
  { name: 'ledgerAt', value: (row) => row.ledger?.at ?? null, brazil: { name: 'Lançado em', type: 'time' } },
  {
    name: 'duplicateOfFile',
    value: (row) => row.duplicateOf?.fileId ?? null,
    brazil: { name: 'ID do arquivo da primeira linha' },
  },
  {
    name: 'duplicateOfLine',
    value: (row) => row.duplicateOf?.line ?? null,
    brazil: { name: 'Número da primeira linha' },
  },
  {
    name: 'reportOutcome',
    value: (row) => row.report?.outcome ?? null,
    brazil: { name: 'Evento do provedor', label: labelFrom(OUTCOME_LABELS) },
  },
];
