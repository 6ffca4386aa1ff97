import { randomInt } from 'node:crypto';

/**
 * Digits, and letters since ISPBs are the first eight characters of a CNPJ, which may have letters.
 */
const ISPB = /^[0-9A-Z]{8}$/;

const ALPHANUMERICS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * Generates an EndToEndId, which identifies a Pix payment from payer to receiver: `E`, the ISPB,
 * the UTC time as yyyyMMddHHmm and eleven random characters. 32 characters, case-sensitive. Source:
 * Banco Central do Brasil, "Manual de Padrões para Iniciação do Pix" and the message catalog of the
 * SPI.
 *
 * @param ispb the eight characters of the payer's institution.
 * @param date when the payment was initiated, with a year of four digits.
 * @param random returns an integer from 0 to below its argument. Tests pass their own.
 * @throws RangeError for an invalid ISPB or date.
 */
export function generateEndToEndId(
  ispb: string,
  date: Date,
  random: (below: number) => number = (below) => randomInt(below),
): string {
  if (!ISPB.test(ispb)) throw new RangeError('An ISPB must be eight digits or upper-case letters');
  const iso = date.toISOString();
  if (iso.length !== 24) throw new RangeError('The year of an EndToEndId must have four digits');
  const time = iso.slice(0, 16).replaceAll(/\D/g, '');
  let suffix = '';
  for (let i = 0; i < 11; i += 1) suffix += ALPHANUMERICS[random(ALPHANUMERICS.length)];
  return `E${ispb}${time}${suffix}`;
}
