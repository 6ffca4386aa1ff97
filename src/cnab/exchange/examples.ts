import type { Static } from 'typebox';

import { ok } from '#platform/http/envelope.ts';
import type { ReturnLineSchema, ShipmentSchema, ImportedReturnSchema } from './schema.ts';

/** Examples of the API reference. A test validates each against its schema. */

const shipment: Static<typeof ShipmentSchema> = {
  id: '01a1fb90-2a3b-4c4d-8e5f-6a7b8c9d0e1f',
  bankCode: '341',
  number: 12,
  service: 'BOLETOS',
  registrations: 2,
  writeOffs: 1,
  payments: 0,
  amount: 35_990,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  madeBy: '01a1fb60-7c2d-4e3f-8a9b-0c1d2e3f4a5b',
  madeAt: '2026-11-23T20:30:00.000Z',
};

export const EXCHANGE = {
  'Files for boletos only': ok({ bankCode: '341', services: ['BOLETOS'] }),
};
export const NEW_SHIPMENT = { 'The next boleto file': { service: 'BOLETOS' } };
export const CREATED_SHIPMENT = { 'Two boletos to register and one to write off': ok(shipment) };
export const SHIPMENTS = { 'The only page': { status: true, data: [shipment], count: 1, nextCursor: null } };

const header = '34100000         211222333000181                    01234 000000012345 6'.padEnd(240);
export const FILE = { 'The first line': `${header}\r\n` };

const rejected: Static<typeof ReturnLineSchema> = {
  returnId: '01a1fb95-3b4c-4d5e-9f60-7b8c9d0e1f2a',
  line: 5,
  kind: 'REJECTED',
  code: '03',
  record: '00000008',
  amount: 0,
  tariff: 0,
  occurredOn: '2026-11-24',
  creditedOn: null,
  bankReference: null,
  outcome: 'APPLIED',
  reason: 'invalid payer postal code (95)',
  sellerId: '01a1fb60-0b1e-4d7a-9f1c-3c5e7a9b1d2f',
  recordId: '01a1fb6a-1c2d-4e3f-9a4b-5c6d7e8f9a0b',
  decision: null,
  decidedBy: null,
  decidedAt: null,
};

const unknown: Static<typeof ReturnLineSchema> = {
  ...rejected,
  line: 9,
  kind: 'PAID',
  code: '06',
  record: '00099999',
  amount: 12_000,
  outcome: 'UNMATCHED',
  reason: 'no such record',
  sellerId: null,
  recordId: null,
};

const importedReturn: Static<typeof ImportedReturnSchema> = {
  id: '01a1fb95-3b4c-4d5e-9f60-7b8c9d0e1f2a',
  bankCode: '341',
  number: 31,
  sha256: '60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752',
  bytes: 2_420,
  takenBy: '01a1fb60-7c2d-4e3f-8a9b-0c1d2e3f4a5b',
  takenAt: '2026-11-24T09:00:00.000Z',
  completedAt: '2026-11-24T09:00:01.000Z',
  counts: [
    { kind: 'PAID', outcome: 'APPLIED', lines: 1, amount: 14_970, tariff: 150 },
    { kind: 'PAID', outcome: 'UNMATCHED', lines: 1, amount: 12_000, tariff: 0 },
    { kind: 'REJECTED', outcome: 'APPLIED', lines: 1, amount: 0, tariff: 0 },
  ],
  problems: [rejected, unknown],
  problemCount: 2,
};

const { counts: _counts, problems: _problems, ...file } = importedReturn;

export const IMPORTED_RETURN = {
  'One payment and two lines to review': ok({ ...importedReturn, repeated: false }),
};
export const RETURNS = { 'The only page': { status: true, data: [file], count: 1, nextCursor: null } };
export const RETURN = { 'One payment and two lines to review': ok(importedReturn) };
export const LINES = {
  'Lines to review': { status: true, data: [rejected, unknown], count: 2 },
};

export const DECISION = {
  'A payer who paid twice': { decision: 'ACCEPTED', note: 'The bank confirmed two payments.' },
};
export const DECIDED = {
  'A second payment, to be returned': ok({
    ...unknown,
    line: 7,
    record: rejected.record,
    amount: 14_970,
    outcome: 'APPLIED',
    reason: 'the transaction is paid already: the payment is returned to the payer',
    sellerId: rejected.sellerId,
    recordId: rejected.recordId,
    decision: 'ACCEPTED',
    decidedBy: '01a1fb60-7c2d-4e3f-8a9b-0c1d2e3f4a5b',
    decidedAt: '2026-11-24T10:12:00.000Z',
  }),
};
