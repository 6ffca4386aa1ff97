/** What a bank's files have of their own: layouts, versions and codes. One table for each bank. */
import type { Layout, Values } from './records.ts';
import type { CnabSettings } from '#cnab/exchange/settings.ts';

/** A number as it is printed, taken apart. */
export interface OurNumber {
  readonly bare: string;
  /** '' where the bank prints none. */
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
  /** Values of both headers and of all details that are the bank's. */
  readonly values: Values;
  /** Those that follow from the settings. */
  valuesOf(settings: CnabSettings): Values;
  /** Our number as segment P carries it. */
  formatOurNumber(printed: OurNumber): string;
  /** And back from segment T, without its digit: see `bareNumber`. */
  parseOurNumber(values: Values): string;
  /** "Espécie" of a sale of goods and of services. */
  readonly kinds: { readonly goods: string; readonly services: string };
  readonly movements: Readonly<Record<string, MovementKind>>;
  /** Words for codes of a rejected entry, where they are not the FEBRABAN's. */
  readonly reasons?: Readonly<Record<string, string>>;
}

export interface PaymentRules {
  readonly fileHeader: Layout;
  readonly batchHeader: Layout;
  readonly a: Layout;
  /** For PIX by its key. */
  readonly b: Layout;
  readonly bOfAccount: Layout;
  readonly fileTrailer: Layout;
  readonly values: Values;
  valuesOf(settings: CnabSettings): Values;
  /** Occurrence codes that are the bank's own. */
  readonly occurrences?: Readonly<Record<string, Occurrence>>;
}

export interface Bank {
  /** In the header, at most 30 characters. */
  readonly name: string;
  /** Its agencies have a digit, which files carry. */
  readonly agencyDigit: boolean;
  /** Files of boletos need the agreement's number. */
  readonly boletoAgreement: boolean;
  /** Files of payments need one. */
  readonly paymentAgreement: boolean;
  readonly walletVariation: boolean;
  readonly collection: CollectionRules;
  readonly payments: PaymentRules;
}

/** What a return file tells of a boleto. */
export type MovementKind =
  | 'REGISTERED'
  | 'REJECTED'
  | 'PAID'
  | 'WRITTEN_OFF'
  /** An order about a boleto that the bank did not take, such as to write off one that is paid. */
  | 'ORDER_REJECTED'
  /** What the bank takes, where it stands in a line of its own. */
  | 'TARIFF'
  /** Of no consequence here: kept, and shown to the operator. */
  | 'NOTE';

/** What an occurrence code says of a payment. */
export interface Occurrence {
  readonly outcome: 'PAID' | 'FAILED' | 'WAITING';
  readonly description: string;
}
