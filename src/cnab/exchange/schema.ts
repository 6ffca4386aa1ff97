import { Type } from 'typebox';

import { nullable, Timestamp } from '#platform/http/envelope.ts';
import { pageQuery } from '#platform/http/pagination.ts';
import { LINE_KINDS, LINE_OUTCOMES, type LineOutcome } from '#cnab/codec/return-file.ts';
import { SERVICES } from '#cnab/codec/shipment.ts';

const id = Type.String({ format: 'uuid' });
const day = nullable(Type.String({ description: 'A day in São Paulo, YYYY-MM-DD.' }));
const user = nullable(
  Type.String({ format: 'uuid', description: "The operator's user; null for a command of the machine." }),
);
const sha256 = Type.String({ description: 'Of its bytes, in hex.' });
const bankCode = Type.String({ description: 'Three digits.' });

export const ExchangeSchema = Type.Object(
  {
    bankCode: nullable(Type.String({ description: 'Three digits; null where no files are exchanged.' })),
    services: Type.Array(Type.Enum([...SERVICES]), { description: 'What goes by files.' }),
  },
  { title: 'BankExchange' },
);

export const ShipmentBody = Type.Object(
  {
    service: Type.Enum([...SERVICES], {
      description: 'What the file is of: boletos, payments to bank accounts, or PIX.',
    }),
  },
  { title: 'NewShipment' },
);

export const ShipmentSchema = Type.Object(
  {
    id,
    bankCode,
    number: Type.Integer({ description: 'In the sequence of boletos or of payments, without gaps.' }),
    service: Type.Enum([...SERVICES]),
    registrations: Type.Integer({ description: 'Boletos to register.' }),
    writeOffs: Type.Integer({ description: 'Boletos to write off.' }),
    payments: Type.Integer(),
    amount: Type.Integer({ description: 'Of what is registered or paid, in cents.' }),
    sha256,
    madeBy: user,
    madeAt: Timestamp,
  },
  { title: 'Shipment' },
);

export const ShipmentsQuery = Type.Object({ ...pageQuery, service: Type.Optional(Type.Enum([...SERVICES])) });

const outcome = Type.Unsafe<LineOutcome | null>({
  enum: [...LINE_OUTCOMES, null],
  description:
    'What it did. NOTED is kept and changes nothing, REPEATED was told before, LATE is money that goes back to the payer, REJECTED does not fit its record or cannot be read, UNMATCHED fits none; null: it waits to be worked on.',
});

export const ReturnFileSchema = Type.Object(
  {
    id,
    bankCode,
    number: Type.Integer({ description: "The bank's own number of it." }),
    sha256,
    bytes: Type.Integer(),
    takenBy: user,
    takenAt: Timestamp,
    completedAt: nullable(
      Type.String({
        format: 'date-time',
        description: 'Null while lines of it wait: send the file again to have them worked on.',
      }),
    ),
  },
  { title: 'ReturnFile' },
);

export const ReturnLineSchema = Type.Object(
  {
    line: Type.Integer({ description: 'Of the file, counted from 1.' }),
    kind: Type.Enum([...LINE_KINDS]),
    code: Type.String({ description: "The bank's movement or occurrences." }),
    record: Type.String({ description: 'Our number or our reference, as the line has it.' }),
    amount: Type.Integer({ description: 'What was paid, in cents.' }),
    tariff: Type.Integer({ description: 'What the bank takes for it, in cents.' }),
    occurredOn: day,
    creditedOn: day,
    bankReference: nullable(Type.String({ description: "The bank's own number of a payment." })),
    outcome,
    reason: nullable(Type.String({ description: "The bank's reason, or why the line changed nothing." })),
    sellerId: nullable(id),
    recordId: nullable(Type.String({ format: 'uuid', description: 'The transaction or withdrawal.' })),
  },
  { title: 'ReturnLine' },
);

const importResult = {
  counts: Type.Array(
    Type.Object({
      kind: Type.Enum([...LINE_KINDS]),
      outcome,
      lines: Type.Integer(),
      amount: Type.Integer({ description: 'Cents.' }),
      tariff: Type.Integer({ description: 'Cents.' }),
    }),
  ),
  problems: Type.Array(ReturnLineSchema, {
    description: 'Lines that a person should look at, at most 500 of them.',
  }),
  problemCount: Type.Integer(),
};

export const ImportedReturnSchema = Type.Object(
  { ...ReturnFileSchema.properties, ...importResult },
  { title: 'TakenReturnFile' },
);

export const ReturnImportSchema = Type.Object(
  {
    ...ReturnFileSchema.properties,
    ...importResult,
    repeated: Type.Boolean({ description: 'The same bytes were taken in before.' }),
  },
  { title: 'TakenNow' },
);

export const ReturnsQuery = Type.Object(pageQuery);

export const LinesQuery = Type.Object({
  take: pageQuery.take,
  skip: pageQuery.skip,
  problems: Type.Boolean({ default: false, description: 'Only what a person should look at.' }),
});

export const IdParams = Type.Object({ id: Type.String() });
