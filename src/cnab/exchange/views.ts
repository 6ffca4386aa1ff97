import type { Static } from 'typebox';

import type { ReturnLine, ReviewedReturnFile } from './return-file.ts';
import type { ImportedReturn } from './return-import.ts';
import type { ReturnFileSchema, ReturnLineSchema, ShipmentSchema, ImportedReturnSchema } from './schema.ts';
import type { Shipment } from './shipment.ts';

export function viewShipment(shipment: Shipment): Static<typeof ShipmentSchema> {
  return {
    id: shipment.id,
    bankCode: shipment.bankCode,
    number: shipment.number,
    service: shipment.service,
    registrations: shipment.registrations,
    writeOffs: shipment.writeOffs,
    payments: shipment.payments,
    amount: shipment.amount,
    sha256: shipment.sha256.toString('hex'),
    madeBy: shipment.madeBy,
    madeAt: shipment.madeAt.toISOString(),
  };
}

export function viewReturnFile(file: ReviewedReturnFile): Static<typeof ReturnFileSchema> {
  return {
    id: file.id,
    bankCode: file.bankCode,
    number: file.number,
    sha256: file.sha256.toString('hex'),
    bytes: file.bytes,
    takenBy: file.takenBy,
    takenAt: file.takenAt.toISOString(),
    completedAt: file.completedAt?.toISOString() ?? null,
    problemCount: file.problemCount,
  };
}

export function viewLine(line: ReturnLine): Static<typeof ReturnLineSchema> {
  const reasons = [line.reason, line.detail].filter((reason) => reason !== null);
  return {
    returnId: line.returnId,
    line: line.number,
    kind: line.kind,
    code: line.code,
    record: line.record,
    amount: line.amount,
    tariff: line.tariff,
    occurredOn: line.occurredOn,
    creditedOn: line.creditedOn,
    bankReference: line.bankReference,
    outcome: line.outcome,
    reason: reasons.length === 0 ? null : reasons.join('; '),
    sellerId: line.sellerId,
    recordId: line.recordId,
    decision: line.decision,
    decidedBy: line.decidedBy,
    decidedAt: line.decidedAt?.toISOString() ?? null,
  };
}

export function viewImportedReturn({
  file,
  counts,
  problems,
  problemCount,
}: ImportedReturn): Static<typeof ImportedReturnSchema> {
  return {
    ...viewReturnFile({ ...file, problemCount }),
    counts: [...counts],
    problems: problems.map(viewLine),
  };
}
