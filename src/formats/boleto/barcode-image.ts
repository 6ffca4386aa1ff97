/**
 * The barcode of a boleto as it is drawn: Interleaved 2 of 5 (ISO/IEC 16390), wide elements three
 * times as wide as narrow ones, 103 mm by 13 mm (FEBRABAN's collection layout; Carta-Circular nº
 * 2.926/2000). 44 digits make 405 modules of 0.254 mm. The QR code beside it is drawn by
 * `#qr`.
 */
import { parseBarcode } from './barcode.ts';

export const BARCODE_WIDTH_MM = 103;
export const BARCODE_HEIGHT_MM = 13;

/** Modules of the symbol without its quiet zones: start 4, 22 pairs of 18, stop 5. */
export const BARCODE_MODULES = 405;

/**
 * White on either side, in modules, so that a reader finds the first bar. The standard asks for
 * ten.
 */
const QUIET_MODULES = 10;

const PIXELS_PER_MODULE = 2;

/** The library measures in millimeters of 72 dots an inch, one dot a module. */
const MILLIMETERS_PER_MODULE = 25.4 / 72;

/** The white space above and below, which gives the picture the proportions of the symbol. */
const PADDING_MODULES = 1;

/**
 * Draws a barcode as a PNG file, black on white with its quiet zone: 850 by 107 pixels, whole
 * pixels a module, sharp when it is printed 103 mm wide.
 *
 * @param barcode 44 digits with the right check digit.
 * @throws RangeError when it is no barcode of a boleto.
 */
export async function renderBarcodePng(barcode: string): Promise<Buffer> {
  assertBarcode(barcode);
  const bwip = await loadEncoder();
  return bwip.toBuffer({
    bcid: 'interleaved2of5',
    text: barcode,
    scale: PIXELS_PER_MODULE,
    height: ((BARCODE_MODULES * BARCODE_HEIGHT_MM) / BARCODE_WIDTH_MM) * MILLIMETERS_PER_MODULE,
    paddingwidth: QUIET_MODULES,
    paddingheight: PADDING_MODULES,
    // The library's background is transparent, which readers interpret as black.
    backgroundcolor: 'FFFFFF',
  });
}

/** A bar: its left edge and its width, in modules from the left edge of the symbol. */
export interface Bar {
  readonly at: number;
  readonly width: 1 | 3;
}

/**
 * The bars of a barcode, for drawing in vectors.
 *
 * @param barcode 44 digits with the right check digit.
 * @throws RangeError when it is no barcode of a boleto.
 */
export async function encodeBars(barcode: string): Promise<Bar[]> {
  assertBarcode(barcode);
  const bwip = await loadEncoder();
  const [symbol] = bwip.raw('interleaved2of5', barcode);
  if (symbol === undefined || !('sbs' in symbol)) throw new Error('The barcode library drew no bars');
  const bars: Bar[] = [];
  let at = 0;
  // Bars and spaces alternate, beginning with a bar. The library gives 1 for narrow and 2 for wide.
  for (const [i, element] of symbol.sbs.entries()) {
    const width = element === 1 ? 1 : 3;
    if (i % 2 === 0) bars.push({ at, width });
    at += width;
  }
  const last = bars.at(-1);
  const modules = last === undefined ? 0 : last.at + last.width;
  if (modules !== BARCODE_MODULES) throw new Error(`The barcode library drew ${modules} modules`);
  return bars;
}

/** Loaded on first use: it is two megabytes of source, and most processes draw no barcode. */
async function loadEncoder() {
  const { default: bwip } = await import('bwip-js');
  return bwip;
}

function assertBarcode(text: string): void {
  const decoding = parseBarcode(text);
  if (!decoding.ok) throw new RangeError(`This is no barcode of a boleto: ${decoding.failure}`);
}
