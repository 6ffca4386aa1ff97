/** The types of files that users upload, with the extension of their names. */
export const FILE_EXTENSIONS = {
  'application/pdf': 'pdf',
  'image/png': 'png',
  'image/jpeg': 'jpg',
} as const;

export type FileType = keyof typeof FILE_EXTENSIONS;

export const isFileType = (type: string): type is FileType => Object.hasOwn(FILE_EXTENSIONS, type);

const SIGNATURES: readonly (readonly [FileType, Uint8Array])[] = [
  // ISO 32000-1, 7.5.2; the PNG specification, 5.2; ITU-T T.81, B.1.1.3.
  ['application/pdf', Uint8Array.from([0x25, 0x50, 0x44, 0x46, 0x2d])],
  ['image/png', Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
  ['image/jpeg', Uint8Array.from([0xff, 0xd8, 0xff])],
];

/** Detects the type of a file by its first bytes. Undefined if it is no PDF, PNG or JPEG. */
export const detectFileType = (bytes: Uint8Array): FileType | undefined =>
  SIGNATURES.find(([, signature]) => signature.every((byte, index) => bytes[index] === byte))?.[0];
