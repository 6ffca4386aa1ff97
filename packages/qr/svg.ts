import { encodeQrBitmap } from './bitmap.ts';

/**
 * Draws a text as a QR code with its quiet zone, for print: one path of a unit square for each run
 * of dark modules.
 *
 * @param text at most 560 bytes of UTF-8.
 * @throws RangeError when the text is longer.
 */
export function renderQrSvg(text: string): string {
  const { width, stride, rows } = encodeQrBitmap(text);
  const isDark = (x: number, y: number): boolean =>
    (((rows[y * stride + (x >> 3)] ?? 0xff) >> (7 - (x & 7))) & 1) === 0;
  let path = '';
  for (let y = 0; y < width; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if (!isDark(x, y)) continue;
      const start = x;
      while (x + 1 < width && isDark(x + 1, y)) x += 1;
      path += `M${start} ${y}h${x + 1 - start}v1h-${x + 1 - start}z`;
    }
  }
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${width}" shape-rendering="crispEdges">` +
    `<path fill="#fff" d="M0 0h${width}v${width}H0z"/><path d="${path}"/></svg>`
  );
}
