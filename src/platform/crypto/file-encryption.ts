import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

import type { SecretBox } from './secret-box.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A file that is encrypted with a key of its own, so that a rotation rewrites only the key. */
export interface EncryptedFile {
  /** Encrypted with a data key. */
  readonly encryptedKey: string;
  /** AES-256-GCM: nonce, ciphertext and tag. */
  readonly content: Buffer;
}

/** Encrypts a file. The `context`, which names its record, is authenticated. */
export function encryptFile(secrets: SecretBox, bytes: Uint8Array, context: string): EncryptedFile {
  const key = randomBytes(32);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  cipher.setAAD(Buffer.from(context));
  const content = Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
  return { encryptedKey: secrets.encrypt(key.toString('base64url'), context), content };
}

/** @throws Error if the file or its key belongs to another record, or was changed. */
export function decryptFile(
  secrets: SecretBox,
  { encryptedKey, content }: EncryptedFile,
  context: string,
): Buffer {
  const key = Buffer.from(secrets.decrypt(encryptedKey, context), 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', key, content.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(content.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(content.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
}
