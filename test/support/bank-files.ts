import { parseFile } from '#cnab/codec/file.ts';

/** One boleto in a return file of the bank. */
export interface BankResponse {
  /** The boleto of the shipment by its index, or a number of the bank's own. */
  readonly title: number | string;
  readonly movement: string;
  readonly paid?: number;
  readonly tariff?: number;
  /** `YYYY-MM-DD`. */
  readonly on: string;
  readonly reasons?: string;
  /** Columns of segment T to overwrite, keyed by their first column. */
  readonly changed?: Readonly<Record<number, string>>;
}

/** Columns of "nosso número" in segments P and T by bank, and what follows it in T. */
const PLACES: Readonly<Record<string, { p: [number, number]; t: number; tariff: number; reasons: number }>> =
  {
    '001': { p: [38, 57], t: 38, tariff: 199, reasons: 214 },
    '033': { p: [45, 57], t: 41, tariff: 194, reasons: 209 },
    '104': { p: [40, 57], t: 39, tariff: 199, reasons: 214 },
    '237': { p: [46, 57], t: 46, tariff: 199, reasons: 214 },
    '341': { p: [41, 49], t: 41, tariff: 199, reasons: 214 },
  };

/** A line of 240 columns from texts keyed by their first column. */
export function line(pieces: Readonly<Record<number, string>>): string {
  let text = ' '.repeat(240);
  for (const [from, piece] of Object.entries(pieces)) {
    const at = Number(from) - 1;
    text = text.slice(0, at) + piece + text.slice(at + piece.length);
  }
  if (text.length !== 240) throw new Error(`a line of ${text.length} columns`);
  return text;
}

const digits = (value: number, width: number): string => String(value).padStart(width, '0');
const dayOf = (day: string): string => day.split('-').toReversed().join('');

export const joined = (lines: readonly string[]): string => lines.map((one) => `${one}\r\n`).join('');

/** Segments of a shipment, in order. */
export function segmentsOf(shipment: string, letter: string): readonly string[] {
  if (shipment.length <= 240) return [];
  const read = parseFile(Buffer.from(shipment, 'latin1'));
  if (!read.ok) throw new Error(read.problems.join('; '));
  return read.file.batches
    .flatMap(({ details }) => details.map(({ text }) => text))
    .filter((text) => text[13] === letter);
}

/** A fake bank that answers a shipment of boletos with a return file. */
export function returnOf(shipment: string, responses: readonly BankResponse[], number = 1): string {
  const bank = shipment.slice(0, 3);
  const places = PLACES[bank];
  if (places === undefined) throw new Error(`no bank ${bank}`);
  const titles = segmentsOf(shipment, 'P');
  const [from, to] = places.p;
  const width = to - from + 1;
  const details = responses.flatMap((response, index) => {
    const p = typeof response.title === 'number' ? (titles[response.title] ?? '') : '';
    const ourNumber =
      typeof response.title === 'number' ? p.slice(from - 1, to) : response.title.padStart(width, '0');
    const account = bank === '033' ? { 18: p.slice(17, 32) } : { 18: p.slice(17, 37) };
    const common = { 1: bank, 4: '0001', 8: '3', 16: response.movement };
    const t = line({
      ...common,
      9: digits(2 * index + 1, 5),
      14: 'T',
      ...account,
      [places.t]: ourNumber,
      [places.tariff]: digits(response.tariff ?? 0, 15),
      [places.reasons]: response.reasons ?? '',
      ...response.changed,
    });
    const u = line({
      ...common,
      9: digits(2 * index + 2, 5),
      14: 'U',
      18: '0'.repeat(60),
      78: digits(response.paid ?? 0, 15),
      93: digits(Math.max(0, (response.paid ?? 0) - (response.tariff ?? 0)), 15),
      108: '0'.repeat(30),
      138: dayOf(response.on),
      146: response.paid === undefined ? '00000000' : dayOf(response.on),
    });
    return [t, u];
  });
  return joined([
    line({
      1: bank,
      4: '0000',
      8: '0',
      143: '2',
      144: dayOf('2026-11-24'),
      152: '080000',
      158: digits(number, 6),
    }),
    line({ 1: bank, 4: '0001', 8: '1', 9: 'T', 10: '01' }),
    ...details,
    line({ 1: bank, 4: '0001', 8: '5', 18: digits(details.length + 2, 6) }),
    line({ 1: bank, 4: '9999', 8: '9', 18: '000001', 24: digits(details.length + 4, 6) }),
  ]);
}

/** A fake bank that answers each payment of a shipment, by index, with occurrence codes. */
export function paymentReturnOf(
  shipment: string,
  occurrences: readonly string[],
  on: string,
  number = 1,
): string {
  const lines = shipment.split('\r\n').filter((one) => one !== '');
  let place = 0;
  return joined(
    lines.map((text, index) => {
      if (index === 0)
        return text.slice(0, 142) + '2' + text.slice(143, 157) + digits(number, 6) + text.slice(163);
      if (text[7] !== '3' || text[13] !== 'A') return text;
      const codes = (occurrences[place] ?? 'BD').padEnd(10);
      place += 1;
      return text.slice(0, 154) + dayOf(on) + text.slice(119, 134) + text.slice(177, 230) + codes;
    }),
  );
}

/** The outcome of one payment, by the reference that the file of payments gave it. */
export interface PayoutResponse {
  readonly reference: number;
  readonly occurrence: string;
  /** In cents. */
  readonly amount: number;
  /** `YYYY-MM-DD`. */
  readonly on: string;
}

/** A return file of Itaú with the outcomes of payments, whatever a shipment asked for. */
export function payoutReturnOf(responses: readonly PayoutResponse[], number: number): string {
  const details = responses.map(({ reference, occurrence, amount, on }, index) =>
    line({
      1: '341',
      4: '0001',
      8: '3',
      9: digits(index + 1, 5),
      14: 'A',
      74: String(reference),
      94: dayOf(on),
      120: digits(amount, 15),
      155: dayOf(on),
      163: digits(amount, 15),
      231: occurrence,
    }),
  );
  return joined([
    line({ 1: '341', 4: '0000', 8: '0', 143: '2', 144: '24112026', 152: '080000', 158: digits(number, 6) }),
    line({ 1: '341', 4: '0001', 8: '1', 9: 'C', 10: '20', 12: '45', 14: '040' }),
    ...details,
    line({ 1: '341', 4: '0001', 8: '5', 18: digits(details.length + 2, 6), 24: '0'.repeat(18) }),
    line({ 1: '341', 4: '9999', 8: '9', 18: '000001', 24: digits(details.length + 4, 6) }),
  ]);
}

/** Settings of a file exchange with each bank. */
export function cnabEnvironment(bank: string, changes: Readonly<Record<string, string>> = {}) {
  const agreements: Readonly<Record<string, readonly [string, string]>> = {
    '001': ['1234567', '17'],
    '033': ['1234567', '101'],
    '104': ['245274', '14'],
    '237': ['4567', '09'],
    '341': ['', '109'],
  };
  const [agreement, wallet] = agreements[bank] ?? ['', ''];
  return {
    BOLETO_PROVIDER: 'cnab',
    BOLETO_BANK: bank,
    BOLETO_AGENCY: '1234-5',
    BOLETO_ACCOUNT: bank === '341' ? '12345-6' : '123456-0',
    BOLETO_AGREEMENT: agreement,
    BOLETO_WALLET: wallet,
    BOLETO_WALLET_VARIATION: '019',
    CNAB_PAYMENT_AGREEMENT: '123456',
    CNAB_COMPANY_NAME: 'Vereda Pagamentos Ltda',
    CNAB_COMPANY_DOCUMENT: '11222333000181',
    CNAB_COMPANY_ADDRESS: 'Rua Direita 10; Centro; 01002-000; São Paulo; SP',
    ...changes,
  };
}
