/** What is printed in a boleto. */
import type { LocalDate } from '#formats/calendar/local-date.ts';

/** A party named in a boleto. Texts that are longer than their field are cut. */
export interface BoletoParty {
  readonly name: string;
  /** With its kind, as it is to be read: `CNPJ 12.345.678/0001-95`. */
  readonly document: string;
  /** In one line. Null where it is unknown. */
  readonly address: string | null;
}

export interface BoletoDocument {
  /**
   * The reason that it must not be paid, printed instead of its line and barcode. Null while it can
   * be paid.
   */
  readonly notice: string | null;
  /** 44 digits. Line, bank code and amount are read from it. */
  readonly barcode: string;
  /** The day that the barcode's due factor means. */
  readonly dueDate: LocalDate;
  readonly bankName: string;
  readonly beneficiary: BoletoParty;
  /** Agency and code of the beneficiary, see `beneficiaryCode`. */
  readonly beneficiaryCode: string;
  readonly payer: BoletoParty;
  /** Whom the beneficiary collects for ("sacador/avalista"), such as the seller of a gateway. */
  readonly guarantor: BoletoParty | null;
  /** As it is printed, see `ourNumber`. */
  readonly ourNumber: string;
  readonly wallet: string;
  /** The beneficiary's own number of the document. */
  readonly documentNumber: string;
  /** "Espécie": `DM` for a sale of goods, `DS` of services, `OU` for anything else. */
  readonly documentKind: string;
  /** "Aceite": whether the payer has accepted the debt in writing. */
  readonly accepted: boolean;
  readonly issuedOn: LocalDate;
  readonly processedOn: LocalDate;
  readonly paymentPlace: string;
  /** To the cashier, one paragraph each. Seven lines fit. */
  readonly instructions: readonly string[];
  /** What is paid for, one paragraph each. Twenty lines fit. */
  readonly statement: readonly string[];
  /** The BR Code that pays the same debt, or null. */
  readonly brCode: string | null;
  /** Part of the file's metadata. */
  readonly createdAt: Date;
}
