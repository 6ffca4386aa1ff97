export { encodeQrBitmap, type QrBitmap } from './bitmap.ts';
export { renderQrSvg } from './svg.ts';
export { renderQrDataUri, renderQrPng } from './png.ts';
