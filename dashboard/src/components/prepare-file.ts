import { detectFileType } from '../../../src/formats/file-type.ts';

/** What the API accepts. */
const MAX_BYTES = 5 * 1024 * 1024;
/** Enough to read a receipt on a photo. */
const MAX_SIDE = 2_400;

/**
 * A file as the API accepts it: with the type of its bytes, whatever its name says, and a photo of
 * a phone reduced to the allowed size.
 */
export async function prepareFile(file: File): Promise<File> {
  const type = detectFileType(new Uint8Array(await file.slice(0, 16).arrayBuffer()));
  if (type === undefined) return file;
  if (type === 'application/pdf' || file.size <= MAX_BYTES) return new File([file], file.name, { type });
  const reduced = await reduce(file);
  return new File([reduced], file.name.replace(/(\.\w+)?$/, '.jpg'), { type: 'image/jpeg' });
}

async function reduce(file: File): Promise<Blob> {
  const image = await createImageBitmap(file);
  const scale = Math.min(1, MAX_SIDE / Math.max(image.width, image.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(image.width * scale);
  canvas.height = Math.round(image.height * scale);
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob((blob) => resolve(blob ?? file), 'image/jpeg', 0.85));
}
