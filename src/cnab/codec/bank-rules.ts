/** What differs between banks: layouts, versions and codes. Each bank has one table. */
import type { Layout, Values } from './records.ts';
import type { FileSettings } from './settings.ts';

/** A printed "nosso número", split. */
interface OurNumber {
  readonly bare: string;
  /** Check digit; '' if the bank prints none. */
  readonly digit: string;
}

export interface CollectionRules {
  readonly fileHeader: Layout;
  readonly batchHeader: Layout;
  readonly p: Layout;
  readonly q: Layout;
  readonly t: Layout;
  readonly u: Layout;
  readonly trailer: Layout;
  readonly fileTrailer: Layout;
  /** Bank-specific constants of the headers and details. */
  readonly values: Values;
  /** Bank-specific values derived from the settings. */
  valuesOf(settings: FileSettings): Values;
  /** Formats "nosso número" for segment P. */
  formatOurNumber(printed: OurNumber): string;
  /** Parses "nosso número" from segment T, without its check digit. */
  parseOurNumber(values: Values): string;
  /** Code of the document kind ("espécie") for a sale of goods and of services. */
  readonly kinds: { readonly goods: string; readonly services: string };
  readonly movements: Readonly<Record<string, MovementKind>>;
  /** Descriptions of rejection codes that differ from FEBRABAN's. */
  readonly reasons?: Readonly<Record<string, string>>;
}

export interface PaymentRules {
  readonly fileHeader: Layout;
  readonly batchHeader: Layout;
  readonly a: Layout;
  /** Segment B of a Pix payment to a key. */
  readonly b: Layout;
  /** Segment B of a payment to a bank account. */
  readonly bOfAccount: Layout;
  readonly fileTrailer: Layout;
  readonly values: Values;
  valuesOf(settings: FileSettings): Values;
  /** Occurrence codes that the bank defines itself. */
  readonly occurrences?: Readonly<Record<string, Occurrence>>;
}

export interface Bank {
  /** Name in the file header, at most 30 characters. */
  readonly name: string;
  /** Agency numbers have a check digit. */
  readonly agencyDigit: boolean;
  /** Boleto files carry an agreement number. */
  readonly boletoAgreement: boolean;
  /** Payment files carry an agreement number. */
  readonly paymentAgreement: boolean;
  /** Boleto files carry a wallet variation. */
  readonly walletVariation: boolean;
  readonly collection: CollectionRules;
  readonly payments: PaymentRules;
}

/** What a return file reports about a boleto. */
export type MovementKind =
  | 'REGISTERED'
  | 'REJECTED'
  | 'PAID'
  | 'WRITTEN_OFF'
  /** The bank rejected an instruction, such as writing off a boleto that is already paid. */
  | 'ORDER_REJECTED'
  /** A bank fee reported in a line of its own. */
  | 'TARIFF'
  /** Stored and shown to the operator, without further effect. */
  | 'NOTE';

/** The meaning of an occurrence code of a payment. */
export interface Occurrence {
  readonly outcome: 'PAID' | 'FAILED' | 'WAITING';
  readonly description: string;
}
