export { encodeQrBitmap, type QrBitmap } from './bitmap.ts';
export { renderQrDataUri, renderQrPng } from './png.ts';
