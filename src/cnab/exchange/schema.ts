import { Type } from 'typebox';

import { nullable, recordId, timestamp } from '#platform/http/envelope.ts';
import { pageQuery } from '#platform/http/pagination.ts';
import { nonEmptyString } from '#platform/http/validation.ts';
import {
  LINE_DECISIONS,
  LINE_KINDS,
  LINE_OUTCOMES,
  type LineDecision,
  type LineOutcome,
} from './return-file.ts';
import { SERVICES } from './shipment.ts';

const id = recordId('Unique identifier.');
const day = nullable(Type.String({ description: 'Date in São Paulo, YYYY-MM-DD.' }));
const user = nullable(
  Type.String({
    format: 'uuid',
    description: 'The operator user who imported it; null if it was imported on the command line.',
  }),
);
const sha256 = Type.String({ description: 'SHA-256 of the file, in hex.' });
const bankCode = Type.String({ description: 'Three digits.' });

export const ExchangeSchema = Type.Object(
  {
    bankCode: nullable(Type.String({ description: 'Three digits; null if no files are exchanged.' })),
    services: Type.Array(Type.Enum([...SERVICES]), { description: 'Services that exchange files.' }),
  },
  { title: 'BankExchange', description: 'The bank and the services of the CNAB file exchange.' },
);

export const ShipmentBody = Type.Object(
  {
    service: Type.Enum([...SERVICES], {
      description: 'Content of the file: boletos, payments to bank accounts, or Pix payments.',
    }),
  },
  { title: 'CreateShipmentRequest' },
);

export const ShipmentSchema = Type.Object(
  {
    id,
    bankCode,
    number: Type.Integer({
      description: 'Number of the file, consecutive among files with boletos or among files with payments.',
    }),
    service: Type.Enum([...SERVICES], { description: 'What the file contains.' }),
    registrations: Type.Integer({ description: 'Number of boletos to register.' }),
    writeOffs: Type.Integer({ description: 'Number of boletos to write off.' }),
    payments: Type.Integer({ description: 'Number of payments.' }),
    amount: Type.Integer({ description: 'Total of the registered boletos or the payments, in cents.' }),
    sha256,
    madeBy: nullable(
      Type.String({
        format: 'uuid',
        description: 'The operator user who created it; null if it was created on the command line.',
      }),
    ),
    madeAt: timestamp('When it was created.'),
  },
  { title: 'Shipment', description: 'A remittance file (arquivo de remessa) for the bank.' },
);

export const ShipmentsQuery = Type.Object({
  ...pageQuery,
  service: Type.Optional(Type.Enum([...SERVICES], { description: 'Only files of this service.' })),
});

const outcome = Type.Unsafe<LineOutcome | null>({
  enum: [...LINE_OUTCOMES, null],
  description:
    'NOTED lines are stored without effect. REPEATED lines were applied before; a REPEATED payment ' +
    'may be a second one and needs a review. LATE payments are returned to the payer. REJECTED lines ' +
    'contradict the status or amount of their record, are dated in the future, failed, or cannot be ' +
    'parsed; the reason of the line says whether its payment is returned to the payer. UNMATCHED lines match ' +
    'no record, or report a payout with another amount. Null: not applied yet.',
});

export const ReturnFileSchema = Type.Object(
  {
    id,
    bankCode,
    number: Type.Integer({ description: 'Number that the bank gave to the file.' }),
    sha256,
    bytes: Type.Integer({ description: 'Size of the file.' }),
    takenBy: user,
    takenAt: timestamp('When it was imported.'),
    completedAt: nullable(
      Type.String({
        format: 'date-time',
        description:
          'When all lines were processed; null while some are not. Import the file again to ' +
          'process them.',
      }),
    ),
    problemCount: Type.Integer({ description: 'Total number of lines to review.' }),
  },
  { title: 'ReturnFile', description: 'A return file of the bank.' },
);

export const ReturnLineSchema = Type.Object(
  {
    returnId: recordId('The return file.'),
    line: Type.Integer({ description: 'Line number in the file, counted from 1.' }),
    kind: Type.Enum([...LINE_KINDS], { description: 'What the line reports.' }),
    code: Type.String({ description: "The bank's movement or occurrence codes." }),
    record: Type.String({
      description: 'Number of the boleto or reference of the payment, as in the line.',
    }),
    amount: Type.Integer({ description: 'Amount paid, in cents.' }),
    tariff: Type.Integer({ description: "The bank's fee, in cents." }),
    occurredOn: day,
    creditedOn: day,
    bankReference: nullable(Type.String({ description: "The bank's own reference of a payment." })),
    outcome,
    reason: nullable(
      Type.String({
        description: "The bank's reason, or an explanation of the outcome; null if there is none.",
      }),
    ),
    sellerId: nullable(recordId('The seller; null if the line matches no record.')),
    recordId: nullable(
      Type.String({
        format: 'uuid',
        description: 'The withdrawal if the name of `kind` begins with PAYOUT, otherwise the transaction.',
      }),
    ),
    decision: Type.Unsafe<LineDecision | null>({
      enum: [...LINE_DECISIONS, null],
      description: "The operator's decision after a review; null if there is none.",
    }),
    decidedBy: nullable(Type.String({ format: 'uuid', description: 'The operator user who decided.' })),
    decidedAt: nullable(Type.String({ format: 'date-time', description: 'When the operator user decided.' })),
  },
  { title: 'ReturnLine', description: 'A line of a return file.' },
);

const importResult = {
  counts: Type.Array(
    Type.Object(
      {
        kind: Type.Enum([...LINE_KINDS], { description: 'What the lines report.' }),
        outcome,
        lines: Type.Integer({ description: 'Number of lines.' }),
        amount: Type.Integer({ description: 'Cents.' }),
        tariff: Type.Integer({ description: 'Cents.' }),
      },
      { title: 'ReturnLineCount', description: 'Lines of one kind and outcome.' },
    ),
    { description: 'Lines by kind and outcome.' },
  ),
  problems: Type.Array(ReturnLineSchema, {
    description: 'Lines to review, at most 500.',
  }),
};

export const ImportedReturnSchema = Type.Object(
  { ...ReturnFileSchema.properties, ...importResult },
  { title: 'ImportedReturnFile', description: 'A return file and the outcomes of its lines.' },
);

export const ReturnImportSchema = Type.Object(
  {
    ...ReturnFileSchema.properties,
    ...importResult,
    repeated: Type.Boolean({ description: 'Whether the same file was imported before.' }),
  },
  { title: 'ReturnFileImport', description: 'The outcome of an import.' },
);

export const ReturnsQuery = Type.Object(pageQuery);

export const LinesQuery = Type.Object({
  take: pageQuery.take,
  skip: pageQuery.skip,
  problems: Type.Boolean({ default: false, description: 'Only lines to review.' }),
});

export const LinesToReviewQuery = Type.Object({ take: pageQuery.take, skip: pageQuery.skip });

export const LineParams = Type.Object({
  id: Type.String(),
  line: Type.String({ description: 'Line number in the file.' }),
});

export const LineDecisionBody = Type.Object(
  {
    decision: Type.Enum([...LINE_DECISIONS], {
      description:
        'ACCEPTED applies the line: a REPEATED boleto payment as a second payment, or the ' +
        'failure of a payout that was reported as paid. It processes a line again that failed, or ' +
        'that was dated in the future, on or after that day; the line then has no decision. ' +
        'DISMISSED closes the review without effect.',
    }),
    note: nonEmptyString(500, 'Reason, for the audit log.'),
  },
  { title: 'DecideReturnLineRequest' },
);

export const IdParams = Type.Object({ id: Type.String() });
